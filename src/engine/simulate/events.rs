//! Events of a hybrid diagram: periodic updates of discrete state, and crossings of witness functions.
//!
//! **Order at equal times.** First crossings, then periodic updates, then recordings. All updates at one time read the
//! values just before it and are stored together, so that the order of blocks does not matter; a block with several
//! periodic events sees its own earlier ones. At the start of a simulation, periodic events with offset zero fire once,
//! before the first recording, and the crossings by jumps follow. There those of blocks without inputs come first: a
//! source that jumps at the start has no value before, and what samples it then reads the new one.
//!
//! **The clockwork.** Functions of the time alone are evaluated ahead of the step ([`clockwork`](super::clockwork)):
//! steps end where they cross.
//!
//! **Crossings.** Any other witness function is evaluated after every step, and inside it at [`INNER_POINTS`] points of
//! the dense output. The earliest change of sign is located to rounding; the simulation returns to the far end of the
//! bracket, where the sign has changed, so that the same crossing is not found twice. Functions that change sign within
//! [`simultaneous`] of each other cross together: their resets read the same values.
//!
//! **Jumps.** An update that makes a function jump across zero is a crossing at the time of the update. So is a reset
//! whose effect on the inputs of a block, of others or around a loop of its own, makes a function of that block jump:
//! its resets follow at the same time, and so on until nothing jumps any more (or the guard against endless events
//! stops the run). The effect of a reset on the functions of its own block by changing its state is no crossing, since
//! the block that resets knows it.
//!
//! **Values that are not finite.** An update or a reset that makes a state infinite or not-a-number stops the run with
//! the name of its block; the state is then that before it. **Not-a-number** is neither side of zero: a function with
//! that value stops the run with the name of its block.

use super::bracket;
use super::clockwork::ahead::{Ahead, AheadSearch};
use super::event_table::{BlockTick, Crossed, EventTable};
use super::non_finite;
use super::run_error::RunError;
use crate::integrators::{DenseStep, NonFinite};
use kinegraph_core::port::{Tick, Witness, simultaneous};
use kinegraph_core::system::Reset;
use kinegraph_core::{ErasedSystem, TimeVariation};
use kinegraph_diagram::{State, Values};
use std::sync::Arc;

/// Points inside a step at which witness functions are evaluated.
const INNER_POINTS: usize = 3;

/// Finds and applies the events of a diagram; keeps its memory.
#[derive(Clone, Debug)]
pub(super) struct Events {
    table: Arc<EventTable>,
    values: Values<f64>,
    witnesses: WitnessValues,
    /// Periodic events that fire.
    due: Vec<BlockTick>,
    next: Vec<f64>,
    probe: State,
    /// Search for events of the clockwork, if there are any.
    search: Option<Box<AheadSearch>>,
    heard: Option<Box<Heard>>,
    /// Treatment of states that are not finite.
    pub non_finite: NonFinite,
}

/// Time before a jump, and the inputs of the blocks that watch jumps before it and after it.
type Heard = (f64, Values<f64>, Values<f64>);

/// Values of all witness functions, at three times.
#[derive(Clone, Debug, Default)]
struct WitnessValues {
    /// Values before.
    before: Vec<f64>,
    /// Values after.
    now: Vec<f64>,
    /// Values at a time between.
    trial: Vec<f64>,
}

impl WitnessValues {
    fn new(width: usize) -> Self {
        let zeros = || vec![0.0; width];
        WitnessValues { before: zeros(), now: zeros(), trial: zeros() }
    }
}

/// Blocks whose periodic events are fired.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Of {
    /// All.
    All,
    /// Blocks without inputs that declare how fast they change by the time.
    Sources,
    /// The others.
    Readers,
}

impl Of {
    fn has(self, system: &dyn ErasedSystem) -> bool {
        let says = || system.time_variation((0.0, 1.0)) != TimeVariation::Unknown;
        self == Of::All || (system.ports().inputs().is_empty() && says()) == (self == Of::Sources)
    }
}

impl Events {
    /// Events of `table`.
    pub fn new(table: &Arc<EventTable>, non_finite: NonFinite) -> Self {
        Events {
            values: table.diagram.values(),
            witnesses: WitnessValues::new(table.witnesses.len()),
            due: Vec::new(),
            next: Vec::new(),
            probe: State::default(),
            heard: (!table.jump_watchers.is_empty())
                .then(|| Box::new((f64::NAN, table.diagram.values(), table.diagram.values()))),
            search: table.clockwork.has_events().then(|| Box::new(AheadSearch::new(table))),
            table: table.clone(),
            non_finite,
        }
    }

    /// The table.
    pub fn table(&self) -> &EventTable {
        &self.table
    }

    /// Fires the periodic events of some blocks at the state's time. Returns whether there were any.
    ///
    /// # Errors
    /// A state is not finite; nothing is stored then.
    pub fn fire_ticks(&mut self, of: Of, state: &mut State) -> Result<bool, RunError> {
        let table = &*self.table;
        let diagram = &table.diagram;
        self.due.clear();
        self.due.extend(table.ticks.at(state.time).filter(|&(b, _)| of.has(&*diagram.blocks()[b].system)));
        if self.due.is_empty() {
            return Ok(false);
        }
        self.due.sort_unstable();
        self.values.hold(&state.discrete);
        diagram.evaluate_schedule(&table.for_ticks, state.time, &state.continuous, &mut self.values);
        self.next.clear();
        self.next.extend_from_slice(&state.discrete);
        for &(b, i) in &self.due {
            let block = &diagram.blocks()[b];
            let context = diagram.context(b, state.time, &state.continuous, &self.values);
            block.system.update(Tick { index: i }, &context, &mut self.next[block.discrete.clone()]);
        }
        if self.non_finite == NonFinite::Stop {
            non_finite::check_discrete(table, state.time, &self.next)?;
        }
        state.discrete.copy_from_slice(&self.next);
        Ok(true)
    }

    /// True if a source has a periodic event at `time`: its output jumps there.
    pub fn source_jumps_at(&self, time: f64) -> bool {
        let table = &*self.table;
        table.ticks.at(time).any(|(b, _)| Of::Sources.has(&*table.diagram.blocks()[b].system))
    }

    /// True if the diagram has witness functions.
    pub fn watches(&self) -> bool {
        !self.table.witnesses.is_empty()
    }

    /// Notes the inputs of blocks that watch jumps at `state`, where an event is to come.
    pub fn listen(&mut self, state: &State) {
        let Some(heard) = &mut self.heard else { return };
        let (time, before, _) = &mut **heard;
        *time = state.time;
        before.hold(&state.discrete);
        let table = &self.table;
        table.diagram.evaluate_schedule(&table.for_jump_watchers, state.time, &state.continuous, before);
    }

    /// Notes the inputs of blocks that watch jumps just before the time of `state`, to which a crossing within the step
    /// led.
    pub fn listen_before(&mut self, dense: &DenseStep, state: &State) {
        if self.heard.is_none() {
            return;
        }
        self.probe.clone_from(state);
        self.probe.time = (state.time - simultaneous(state.time)).max(dense.times.0);
        dense.evaluate(self.probe.time, &mut self.probe.continuous);
        let probe = std::mem::take(&mut self.probe);
        self.listen(&probe);
        self.probe = probe;
    }

    /// Reports jumps since [`listen`](Self::listen) to blocks.
    pub fn report_jumps(&mut self, state: &mut State) {
        let Some(heard) = &mut self.heard else { return };
        let (time, before, after) = &mut **heard;
        let table = &self.table;
        let diagram = &table.diagram;
        after.hold(&state.discrete);
        diagram.evaluate_schedule(&table.for_jump_watchers, state.time, &state.continuous, after);
        for &b in &table.jump_watchers {
            let block = &diagram.blocks()[b];
            let old = diagram.context(b, *time, &state.continuous, before);
            let new = diagram.context(b, state.time, &state.continuous, after);
            block.system.jumped(&old, &new, &mut state.discrete[block.discrete.clone()]);
        }
    }

    /// True if the clockwork has events, and true if it acts on continuous state.
    pub fn clockwork(&self) -> (bool, bool) {
        (self.search.is_some(), !self.table.clockwork.sources.is_empty())
    }

    /// Finds the earliest event of the clockwork after the time of `state`, up to `limit` \[s\].
    ///
    /// # Errors
    /// A witness function is not a number.
    pub fn ahead(&mut self, state: &State, limit: f64) -> Result<Option<Ahead>, RunError> {
        let Events { search, table, .. } = self;
        search.as_mut().map_or(Ok(None), |search| search.find(table, state, limit))
    }

    /// Writes the values of all witness functions at `self.probe` to `out`.
    fn witness_values(&mut self, out: &mut [f64]) -> Result<(), RunError> {
        self.values.hold(&self.probe.discrete);
        self.evaluate_inputs();
        self.witnesses_of_inputs(out)
    }

    /// Computes the inputs of the blocks with witness functions at `self.probe`.
    fn evaluate_inputs(&mut self) {
        let Events { probe, values, table, .. } = self;
        table.diagram.evaluate_schedule(&table.for_witnesses, probe.time, &probe.continuous, values);
    }

    /// Writes the values of all witness functions for the states of `self.probe` and the inputs computed last.
    fn witnesses_of_inputs(&self, out: &mut [f64]) -> Result<(), RunError> {
        let Events { probe, values, table, .. } = self;
        let diagram = &table.diagram;
        let mut at = 0;
        for (b, block) in diagram.blocks().iter().enumerate() {
            let n = block.system.ports().witnesses().len();
            if n > 0 {
                let context = diagram.context(b, probe.time, &probe.continuous, values);
                block.system.witnesses(&context, &mut out[at..at + n]);
                at += n;
            }
        }
        match out.iter().position(|value| value.is_nan()) {
            None => Ok(()),
            Some(w) => Err(RunError::UndefinedWitness { time: probe.time, witness: self.table.name(w) }),
        }
    }

    /// Value of one witness function at `state`.
    ///
    /// # Errors
    /// A witness function is not a number.
    pub fn witness_at(&mut self, state: &State, witness: usize) -> Result<f64, RunError> {
        self.probe.clone_from(state);
        let mut values = std::mem::take(&mut self.witnesses.trial);
        let looked = self.witness_values(&mut values);
        self.witnesses.trial = values;
        looked.map(|()| self.witnesses.trial[witness])
    }

    /// Notes the witness values before a step or an update.
    pub fn look_before(&mut self, state: &State) -> Result<(), RunError> {
        self.probe.clone_from(state);
        let mut before = std::mem::take(&mut self.witnesses.before);
        let looked = self.witness_values(&mut before);
        self.witnesses.before = before;
        looked
    }

    /// Witness functions that jumped across zero between the values noted before and `state`, which an update changed.
    /// Functions that are events as long as they are positive are among them while they are.
    pub fn jumped(&mut self, state: &State) -> Result<Option<Crossed>, RunError> {
        for &level in &self.table.levels {
            self.witnesses.before[level] = self.witnesses.before[level].min(0.0);
        }
        self.probe.clone_from(state);
        let mut now = std::mem::take(&mut self.witnesses.now);
        let looked = self.witness_values(&mut now);
        self.witnesses.now = now;
        looked?;
        let which = self.table.crossings(&self.witnesses.before, &self.witnesses.now);
        Ok((!which.is_empty()).then_some(Crossed { time: state.time, which }))
    }

    fn look_at(&mut self, dense: &DenseStep, time: f64, out: &mut [f64]) -> Result<(), RunError> {
        self.probe.time = time;
        dense.evaluate(time, &mut self.probe.continuous);
        self.witness_values(out)
    }

    /// Finds the earliest crossing within the step that led from the values noted before to `state`, and moves `state`
    /// back to it.
    pub fn locate(&mut self, dense: &DenseStep, state: &mut State) -> Result<Option<Crossed>, RunError> {
        let mut values = std::mem::take(&mut self.witnesses);
        self.probe.clone_from(state);
        let found = self.earliest(dense, &mut values);
        self.witnesses = values;
        let found = found?;
        if let Some(crossed) = found.as_ref().filter(|crossed| crossed.time < dense.times.1) {
            state.time = crossed.time;
            dense.evaluate(crossed.time, &mut state.continuous);
            self.table.layout.normalize_quaternions(&self.table.diagram, &mut state.continuous);
        }
        Ok(found)
    }

    /// Finds the earliest crossing within a step, given the values before it.
    fn earliest(&mut self, dense: &DenseStep, values: &mut WitnessValues) -> Result<Option<Crossed>, RunError> {
        let (t0, t1) = dense.times;
        let mut low = t0;
        for k in 1..=INNER_POINTS + 1 {
            let t = if k > INNER_POINTS { t1 } else { t0 + (t1 - t0) * k as f64 / (INNER_POINTS + 1) as f64 };
            self.look_at(dense, t, &mut values.now)?;
            if self.table.first_crossing(&values.before, &values.now).is_some() {
                let high = self.bracket(dense, low, t, values)?;
                return Ok(Some(self.together(dense, high, values)?));
            }
            // A function that started at zero is followed from its first nonzero value.
            values.before.copy_from_slice(&values.now);
            low = t;
        }
        Ok(None)
    }

    /// Shrinks the bracket from `low` to `high` of the earliest crossing to rounding. Returns its far end; `values.now`
    /// are the values there.
    fn bracket(&mut self, dense: &DenseStep, low: f64, high: f64, values: &mut WitnessValues) -> Result<f64, RunError> {
        let WitnessValues { before, now, trial } = values;
        let tolerance = 4.0 * f64::EPSILON * high.abs().max(high - low);
        let mut bracket = bracket::Bracket::new(low, high, tolerance);
        // The first witness that crosses decides where to look next.
        while let Some(lead) = self.table.first_crossing(before, now)
            && let Some(t) = bracket.next(before[lead], now[lead])
        {
            self.look_at(dense, t, trial)?;
            if self.table.first_crossing(before, trial).is_some() {
                bracket.cut_high(t);
                now.copy_from_slice(trial);
            } else {
                bracket.cut_low(t);
                before.copy_from_slice(trial);
            }
        }
        Ok(bracket.high())
    }

    /// Crossings at `high`, together with those at the same time to rounding.
    fn together(&mut self, dense: &DenseStep, high: f64, values: &mut WitnessValues) -> Result<Crossed, RunError> {
        let WitnessValues { before, now, trial } = values;
        let mut which = self.table.crossings(before, now);
        let (at_high, end) = (which.len(), dense.times.1);
        let ahead = (high + simultaneous(high)).min(end);
        self.look_at(dense, ahead, trial)?;
        let also = self.table.crossings(before, trial);
        which.extend(also.into_iter().filter(|w| !(0..at_high).any(|i| which[i] == *w)).collect::<Vec<_>>());
        which.sort_unstable();
        // At the end of the step other events may happen.
        let time = if which.len() > at_high || ahead == end { ahead } else { high };
        Ok(Crossed { time, which })
    }

    /// Applies the resets of crossings at the state's time. Every reset reads the values just before. Returns the
    /// crossings by the resets: of functions that jump because an input does.
    pub fn reset(&mut self, crossed: &Crossed, state: &mut State) -> Result<Option<Crossed>, RunError> {
        self.probe.clone_from(state);
        self.values.hold(&state.discrete);
        self.evaluate_inputs();
        let diagram = &self.table.diagram;
        for &w in &crossed.which {
            let (b, i) = self.table.witnesses[w];
            let block = &diagram.blocks()[b];
            let context = diagram.context(b, self.probe.time, &self.probe.continuous, &self.values);
            let mut reset = Reset {
                continuous: &mut state.continuous[block.state.clone()],
                discrete: &mut state.discrete[block.discrete.clone()],
            };
            block.system.reset(Witness { index: i }, &context, &mut reset);
        }
        if self.non_finite == NonFinite::Stop {
            let finite = non_finite::check_discrete(&self.table, state.time, &state.discrete)
                .and_then(|()| non_finite::check_continuous(diagram, state.time, &state.continuous));
            if finite.is_err() {
                state.clone_from(&self.probe);
            }
            finite?;
        }
        // New states with old inputs, then with new ones: the difference is the effect of inputs.
        self.probe.clone_from(state);
        self.values.hold(&state.discrete);
        let mut before = std::mem::take(&mut self.witnesses.before);
        let looked = self.witnesses_of_inputs(&mut before);
        self.witnesses.before = before;
        looked?;
        self.jumped(state)
    }
}
