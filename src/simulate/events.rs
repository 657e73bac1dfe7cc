//! Events of a hybrid diagram: periodic updates of discrete state, and crossings of witness functions.
//!
//! **Order at equal times.** First crossings, then periodic updates, then recordings. All updates at one time read the values just
//! before it and are stored together, so that the order of blocks does not matter; a block with several periodic events sees its own
//! earlier ones. At the start of a simulation, periodic events with offset zero fire once, before the first recording.
//!
//! **Crossings.** A witness function is looked at after every step, and inside it at [`INSIDE`] points of the dense output. The earliest change of sign
//! is bracketed and located to rounding; the simulation goes back to the far end of the bracket, where the sign has changed, so that the
//! same crossing is not found twice.

use crate::diagram::{Diagram, State, Values};
use crate::integrators::DenseStep;
use kinegraph_systems::port::{Crossing, Tick, Witness};
use kinegraph_systems::system::Reset;

/// Points inside a step at which witness functions are looked at.
const INSIDE: usize = 3;

/// The events of a diagram, with the workspaces to find and apply them.
pub(super) struct Events {
    ticks: Vec<(usize, usize)>,
    /// Block, index of the witness within the block.
    witnesses: Vec<(usize, usize)>,
    values: Values<f64>,
    before: Vec<f64>,
    now: Vec<f64>,
    next: Vec<f64>,
    probe: State,
}

/// Crossings that happened together.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Crossed {
    /// When \[s\].
    pub time: f64,
    /// Which witnesses.
    which: Vec<usize>,
}

impl Events {
    pub fn new(diagram: &Diagram) -> Self {
        let (mut ticks, mut witnesses) = (Vec::new(), Vec::new());
        for (b, block) in diagram.blocks().iter().enumerate() {
            let ports = block.system.ports();
            ticks.extend((0..ports.ticks().len()).map(|i| (b, i)));
            witnesses.extend((0..ports.witnesses().len()).map(|i| (b, i)));
        }
        let n = witnesses.len();
        Events {
            ticks,
            witnesses,
            values: diagram.values(),
            before: vec![0.0; n],
            now: vec![0.0; n],
            next: Vec::new(),
            probe: State::default(),
        }
    }

    /// The next time after `time` at which a periodic event fires.
    pub fn next_tick(&self, diagram: &Diagram, time: f64) -> f64 {
        let samplings = self.ticks.iter().map(|&(b, i)| diagram.blocks()[b].system.ports().ticks()[i]);
        samplings.map(|s| s.next_after(time)).fold(f64::INFINITY, f64::min)
    }

    /// Fires all periodic events of the state's time. Returns whether there were any.
    pub fn fire_ticks(&mut self, diagram: &Diagram, state: &mut State) -> bool {
        let due = |&&(b, i): &&(usize, usize)| diagram.blocks()[b].system.ports().ticks()[i].fires_at(state.time);
        if !self.ticks.iter().any(|t| due(&t)) {
            return false;
        }
        diagram.evaluate_state(state, &mut self.values);
        self.next.clear();
        self.next.extend_from_slice(&state.discrete);
        for &(b, i) in self.ticks.iter().filter(due) {
            let block = &diagram.blocks()[b];
            let context = diagram.context(b, state.time, &state.continuous, &self.values);
            block.system.update(Tick { index: i }, &context, &mut self.next[block.discrete.clone()]);
        }
        state.discrete.copy_from_slice(&self.next);
        true
    }

    /// Whether the diagram has witness functions at all.
    pub fn watches(&self) -> bool {
        !self.witnesses.is_empty()
    }

    /// Values of all witness functions at `self.probe`, into `out`.
    fn witness_values(&mut self, diagram: &Diagram, out: &mut [f64]) {
        diagram.evaluate_state(&self.probe, &mut self.values);
        let mut at = 0;
        for (b, block) in diagram.blocks().iter().enumerate() {
            let n = block.system.ports().witnesses().len();
            if n > 0 {
                let context = diagram.context(b, self.probe.time, &self.probe.continuous, &self.values);
                block.system.witnesses(&context, &mut out[at..at + n]);
                at += n;
            }
        }
    }

    /// Notes the witness values at the start of a step.
    pub fn look_before(&mut self, diagram: &Diagram, state: &State) {
        self.probe.clone_from(state);
        let mut before = std::mem::take(&mut self.before);
        self.witness_values(diagram, &mut before);
        self.before = before;
    }

    fn crossed(&self, diagram: &Diagram, w: usize, from: f64, to: f64) -> bool {
        let (b, i) = self.witnesses[w];
        let (rising, falling) = (from <= 0.0 && to > 0.0, from >= 0.0 && to < 0.0);
        match diagram.blocks()[b].system.ports().witnesses()[i].crossing {
            Crossing::Rising => rising,
            Crossing::Falling => falling,
            Crossing::Either => rising || falling,
        }
    }

    /// Finds the earliest crossing within the step that led from the values noted before to `state`, and moves `state` back to it.
    pub fn locate(&mut self, diagram: &Diagram, dense: &DenseStep, state: &mut State) -> Option<Crossed> {
        let (t0, t1) = dense.times;
        let n = self.witnesses.len();
        let (mut before, mut now) = (std::mem::take(&mut self.before), std::mem::take(&mut self.now));
        self.probe.clone_from(state);
        let mut low = t0;
        let mut found = None;
        for k in 1..=INSIDE + 1 {
            let t = if k > INSIDE { t1 } else { t0 + (t1 - t0) * k as f64 / (INSIDE + 1) as f64 };
            self.look_at(diagram, dense, t, &mut now);
            if (0..n).any(|w| self.crossed(diagram, w, before[w], now[w])) {
                let high = self.bracket(diagram, dense, (low, t), &before, &mut now);
                let which = (0..n).filter(|&w| self.crossed(diagram, w, before[w], now[w])).collect();
                found = Some(Crossed { time: high, which });
                break;
            }
            // A function that started at zero is followed from its first nonzero value.
            before.copy_from_slice(&now);
            low = t;
        }
        (self.before, self.now) = (before, now);
        if let Some(crossed) = &found {
            state.time = crossed.time;
            dense.evaluate(crossed.time, &mut state.continuous);
        }
        found
    }

    fn look_at(&mut self, diagram: &Diagram, dense: &DenseStep, time: f64, out: &mut [f64]) {
        self.probe.time = time;
        dense.evaluate(time, &mut self.probe.continuous);
        self.witness_values(diagram, out);
    }

    /// Shrinks the bracket of the earliest crossing to rounding: false position (Illinois) kept honest by bisection. Returns its far
    /// end; `now` holds the values there.
    fn bracket(
        &mut self,
        diagram: &Diagram,
        dense: &DenseStep,
        (mut low, mut high): (f64, f64),
        before: &[f64],
        now: &mut [f64],
    ) -> f64 {
        let n = self.witnesses.len();
        let mut trial = vec![0.0; n];
        // The witness that crosses decides where to look next; its value at the near end may be halved (Illinois).
        let first = (0..n).find(|&w| self.crossed(diagram, w, before[w], now[w])).unwrap_or(0);
        let (mut lead, mut f_low, mut f_high) = (first, before[first], now[first]);
        for iteration in 0..200 {
            if high - low <= 4.0 * f64::EPSILON * high.abs().max(low.abs()) {
                break;
            }
            let secant = low + (high - low) * f_low / (f_low - f_high);
            let middle = 0.5 * (low + high);
            let t = if iteration % 3 == 2 || !(secant > low && secant < high) { middle } else { secant };
            if t <= low || t >= high {
                break;
            }
            self.look_at(diagram, dense, t, &mut trial);
            if let Some(w) = (0..n).find(|&w| self.crossed(diagram, w, before[w], trial[w])) {
                if w != lead {
                    (lead, f_low) = (w, before[w]);
                } else {
                    f_low *= 0.5;
                }
                (high, f_high) = (t, trial[w]);
                now.copy_from_slice(&trial);
            } else {
                (low, f_low) = (t, trial[lead]);
                f_high *= 0.5;
            }
        }
        high
    }

    /// Applies the resets of crossings at the state's time. Every reset reads the values just before.
    pub fn reset(&mut self, diagram: &Diagram, crossed: &Crossed, state: &mut State) {
        diagram.evaluate_state(state, &mut self.values);
        self.probe.clone_from(state);
        for &w in &crossed.which {
            let (b, i) = self.witnesses[w];
            let block = &diagram.blocks()[b];
            let context = diagram.context(b, self.probe.time, &self.probe.continuous, &self.values);
            let mut reset = Reset {
                continuous: &mut state.continuous[block.state.clone()],
                discrete: &mut state.discrete[block.discrete.clone()],
            };
            block.system.reset(Witness { index: i }, &context, &mut reset);
        }
    }

    /// `block: witness` of crossings, for reports.
    pub fn names(&self, diagram: &Diagram, crossed: &Crossed) -> String {
        let name = |&w: &usize| {
            let (b, i) = self.witnesses[w];
            let block = &diagram.blocks()[b];
            format!("{}: {}", block.name, block.system.ports().witnesses()[i].name)
        };
        crossed.which.iter().map(name).collect::<Vec<_>>().join(", ")
    }
}
