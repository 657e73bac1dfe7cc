//! World: the changing part of a run.

use super::acting::{Acting, StepSeen};
use super::clockwork::ahead::Ahead;
use super::clockwork::resolution::{Promise, Resolution};
use super::diverging_loop;
use super::envelope::{Envelope, largest};
use super::event_table::{Crossed, EventTable};
use super::events::{Events, Of};
use super::pace::{Pace, Paced};
use super::plausibility::Judged;
use super::run_error::RunError;
use super::sliding::SlidingModes;
use super::undefined_outputs;
use crate::integrators::{Integrator, IntegratorError, NonFinite, Step};
use kinegraph_core::logic::is_true;
use kinegraph_core::port::simultaneous;
use kinegraph_core::threads::Threads;
use kinegraph_diagram::{Diagram, State, Values};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The changing part of a run: the state, the memory of the integrator, and the memory of evaluations. A copy continues
/// as the original does, bit for bit, on any thread.
#[derive(Clone)]
pub struct World {
    pub(super) state: State,
    pub(super) integrator: Box<dyn Integrator>,
    pub(super) values: Values<f64>,
    pub(super) events: Events,
    /// Start of the latest cluster of crossings, and their number.
    pub(super) crossings: (f64, usize),
    /// States that state machines have passed in a cluster of crossings that seems to have no end, each with its block.
    passed_modes: Vec<(usize, String)>,
    /// The witnesses that crossed at the end of the last step, each once.
    crossed: Vec<usize>,
    /// True if the last step ended at an event of the clockwork, which need not have a witness.
    passed: bool,
    pub(super) stepping: Duration,
    /// Accuracy and longest step; `None` without error control.
    promise: Option<Promise>,
    /// Bound on steps by the clockwork, once a step was long enough.
    resolution: Option<Box<Resolution>>,
    envelope: Envelope,
    /// Reader of outputs as the last step used them, made on demand.
    acting: Option<Box<Acting>>,
    pace: Pace,
    /// Judgement of its energy, of a run without interference.
    judged: Option<Box<Judged>>,
    /// True if the run stops as soon as its energy is wrong.
    stops: bool,
    /// Number of solves of the run that did not settle.
    unsettled: usize,
    /// Judgement of the energy in the run of a snapshot.
    was_judged: Option<Box<Judged>>,
    /// Search for sliding modes, of a run under error control, once it began.
    sliding: Option<Option<Box<SlidingModes>>>,
    pub(super) threads: Threads,
    /// Crossings in their order, where a gradient asks for them.
    pub(super) trace: Option<Vec<Crossed>>,
}

/// A step to be taken: where it ends, and what is there.
#[derive(Clone, Debug)]
pub(super) struct Planned {
    /// Time at which it ends, unless the integrator takes a shorter one \[s\].
    pub end: f64,
    /// The limit, or the next periodic event \[s\].
    pub goal: f64,
    /// True if periodic events are there.
    pub at_tick: bool,
    /// The event of the clockwork at its end.
    pub ahead: Option<Ahead>,
}

/// Number of crossings within [`ZENO_WINDOW`] that stops a run.
const ZENO_EVENTS: usize = 500;
/// Number of the last of them whose states are noted.
const ZENO_MODES: usize = 100;
/// Relative to the time (at least one second).
const ZENO_WINDOW: f64 = 1e-6;

impl World {
    /// A world at `state`, advanced by `integrator`, with the events of the same diagram.
    pub(super) fn new(
        state: State,
        integrator: Box<dyn Integrator>,
        events: &Arc<EventTable>,
        non_finite: NonFinite,
        promise: Option<Promise>,
    ) -> Self {
        World {
            values: events.diagram.values(),
            events: Events::new(events, non_finite),
            crossed: Vec::with_capacity(events.witnesses.len()),
            state,
            integrator,
            crossings: (f64::NEG_INFINITY, 0),
            passed_modes: Vec::new(),
            passed: false,
            stepping: Duration::ZERO,
            promise,
            resolution: None,
            envelope: Envelope::default(),
            acting: None,
            pace: Pace::default(),
            judged: None,
            stops: false,
            unsettled: 0,
            was_judged: None,
            sliding: None,
            threads: Threads::default(),
            trace: None,
        }
    }

    /// The diagram.
    pub fn diagram(&self) -> &Diagram {
        &self.events.table().diagram
    }

    /// Time, continuous and discrete state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The integrator.
    pub fn integrator(&self) -> &dyn Integrator {
        &*self.integrator
    }

    /// Evaluates all outputs now; those that drive plants have the values that the last step used.
    pub(super) fn evaluate(&mut self) -> &Values<f64> {
        let World { state, values, integrator, acting, events, .. } = self;
        let seen = StepSeen::new(&**integrator);
        let diagram = &events.table().diagram;
        match seen.solved.filter(|solved| solved.times.1 == state.time) {
            None => diagram.evaluate_state(state, values),
            Some(_) => {
                let acting = acting.get_or_insert_with(|| Box::new(Acting::new(diagram)));
                acting.evaluate(None, state, &seen, values);
            }
        }
        values
    }

    /// The witnesses that crossed at the end of the last step, as `block: witness`.
    pub(super) fn crossed(&self) -> impl Iterator<Item = String> + '_ {
        self.crossed.iter().map(|&witness| self.events.table().name(witness))
    }

    /// True if a signal jumped or had a kink at the end of the last step, except by sampling there.
    pub(super) fn jumped(&self) -> bool {
        self.passed || !self.crossed.is_empty() || self.events.source_jumps_at(self.state.time)
    }

    /// Name of the condition of the diagram that ends the run here, if one is true.
    pub(super) fn stopped_by(&self) -> Option<&str> {
        let stopped = |&block: &usize| {
            let block = &self.events.table().diagram.blocks()[block];
            let met = &self.state.discrete[block.discrete.clone()];
            block.system.endings().iter().zip(met).find(|(_, met)| is_true(**met)).map(|(name, _)| name.as_str())
        };
        self.events.table().endings.iter().find_map(stopped)
    }

    /// The last step, as samples see it.
    pub(super) fn seen(&self) -> StepSeen<'_> {
        let Self { integrator, .. } = self;
        StepSeen::new(&**integrator)
    }

    /// Continues with another integrator. Times and attempts belong to the whole simulation: they continue.
    pub(super) fn switch(
        &mut self,
        mut integrator: Box<dyn Integrator>,
        non_finite: NonFinite,
        promise: Option<Promise>,
    ) {
        self.promise = promise;
        self.events.non_finite = non_finite;
        let (old, new) = (self.integrator.statistics_mut(), integrator.statistics_mut());
        (new.watch, new.attempts) = (std::mem::take(&mut old.watch), std::mem::take(&mut old.attempts));
        self.integrator = integrator;
        self.pace = Pace::default();
        self.sliding = None;
    }

    /// Takes over the counts and times of `before`: a changed diagram continues the same run.
    pub(super) fn count_on_from(&mut self, before: &mut World) {
        (self.stepping, self.crossings) = (before.stepping, before.crossings);
        *self.integrator.statistics_mut() = std::mem::take(before.integrator.statistics_mut());
    }

    /// Continues at another state of the diagram, without memory.
    pub(super) fn set_state(&mut self, state: State) {
        self.integrator.restart();
        self.state = state;
        self.crossings = (f64::NEG_INFINITY, 0);
        self.envelope = Envelope::default();
        self.pace = Pace::default();
        (self.judged, self.was_judged) = (None, None);
        self.sliding = None;
    }

    /// Judges the energy of the plants from the next step on. If `stops`, steps of fixed length, which do not control
    /// their error, stop as soon as it is wrong.
    pub(super) fn judge_energy(&mut self, stops: bool) {
        let has_plants = self.diagram().plants().next().is_some();
        let before = self.was_judged.take();
        self.judged = has_plants.then(|| before.unwrap_or_default());
        self.stops = stops && self.promise.is_none();
    }

    /// Judgement of the energy.
    pub(super) fn judged(&self) -> Option<Box<Judged>> {
        self.judged.clone()
    }

    /// Sets the judgement of the energy of the run that is continued.
    pub(super) fn was_judged(&mut self, judged: Option<Box<Judged>>) {
        self.was_judged = judged;
    }

    /// Fault of the energy of a judged run that ends now, in words, if there is one.
    pub(super) fn energy_fault(&self) -> Option<String> {
        let fault = self.judged.as_ref()?.fault_at_end(self.diagram(), &self.state)?;
        Some(self.advised(fault))
    }

    /// Doubt about the energy of a judged run that ends now, in words, if there is one.
    pub(super) fn energy_doubt(&self) -> Option<String> {
        let doubt = self.judged.as_ref()?.doubt_at_end(self.diagram(), &self.state)?;
        Some(self.advised(doubt))
    }

    /// Adds advice to a fault of the energy.
    fn advised(&self, fault: String) -> String {
        let counts = self.integrator.statistics();
        let (unsettled, solves) = (counts.unsettled_solves, counts.solves);
        let advice = match self.promise {
            _ if unsettled > 0 => format!(
                "{unsettled} of {solves} solves ended before they had found their forces (off by at most {:.1e} N): \
                 take `cenic`, or a shorter `step`",
                counts.max_residual
            ),
            Some(Promise { accuracy, .. }) => {
                format!("ask for a tighter `accuracy` than {accuracy:e}")
            }
            None => "take `cenic`, or a shorter `step`".to_owned(),
        };
        format!("{fault}: {advice}")
    }

    /// Takes one step that ends no later than `limit` \[s\], and handles the events at its end.
    pub(super) fn step(&mut self, limit: f64) -> Result<Step, RunError> {
        self.start()?;
        if let Some(judged) = &mut self.judged {
            judged.begin(&self.events.table().diagram, &self.state);
        }
        let (start, from) = (Instant::now(), self.state.time);
        let threads = self.threads.clone();
        let result = threads.run(|| self.step_to_event(limit));
        self.stepping += start.elapsed();
        if let (Err(RunError::Integrator(_)), true) = (&result, self.integrator.statistics().watch.is_interrupted()) {
            return Err(RunError::Interrupted { time: self.state.time });
        }
        let result = self.watch_growth(result);
        let step =
            result.map_err(|error| undefined_outputs::named(self.diagram(), &self.state, &*self.integrator, error))?;
        self.watch_pace(from, limit)?;
        self.watch_energy()?;
        self.watch_jumps()?;
        Ok(step)
    }

    /// Stops a run under error control in a sliding mode: no step follows it.
    fn watch_jumps(&mut self) -> Result<(), RunError> {
        let World { sliding, events, state, promise: Some(_), .. } = self else { return Ok(()) };
        let diagram = &events.table().diagram;
        let modes = sliding.get_or_insert_with(|| SlidingModes::new(diagram).map(Box::new));
        let found = modes.as_mut().and_then(|modes| modes.see(diagram, state));
        found.map_or(Ok(()), |block| Err(RunError::Slides { time: state.time, block }))
    }

    fn watch_energy(&mut self) -> Result<(), RunError> {
        let World { judged: Some(judged), events, state, stops, unsettled, integrator, .. } = self else {
            return Ok(());
        };
        let count = integrator.statistics().unsettled_solves;
        let is_unsettled = count > std::mem::replace(unsettled, count);
        let fault = judged.fault(&events.table().diagram, state, *stops, is_unsettled).filter(|_| *stops);
        fault.map_or(Ok(()), |fault| Err(RunError::Gained { time: self.state.time, fault: self.advised(fault) }))
    }

    /// Stops a run whose steps lead to no end.
    fn watch_pace(&mut self, from: f64, limit: f64) -> Result<(), RunError> {
        let counts = self.integrator.statistics();
        let step = Paced {
            start: from,
            end: self.state.time,
            evaluations: counts.derivative_evaluations + counts.solver_iterations + counts.geometry_queries,
            size: self.state.continuous.len(),
        };
        let Err(endless) = self.pace.see(step, limit) else { return Ok(()) };
        let (index, _) = largest(&self.state.continuous);
        Err(RunError::NoEnd {
            time: self.state.time,
            end: limit,
            seen: endless.seen,
            step: endless.step,
            steps: endless.steps,
            most: endless.most,
            largest: self.diagram().state_names().get(index).cloned().unwrap_or_default(),
            value: self.state.continuous.get(index).copied().unwrap_or_default(),
        })
    }

    /// Stops a run whose state grows exponentially until its accuracy is lost, and names the loop that causes it.
    fn watch_growth(&mut self, result: Result<Step, RunError>) -> Result<Step, RunError> {
        let (_, size) = largest(&self.state.continuous);
        let is_new = self.envelope.see(self.state.time, size);
        let has_diverged = match &result {
            Ok(_) => {
                is_new
                    && Envelope::is_lost(size, self.promise.map(|promise| promise.accuracy))
                    && self.envelope.growth().is_some()
            }
            Err(RunError::Integrator(IntegratorError::Diverges { .. })) => true,
            // Steps became too short, or failed, because of earlier growth.
            Err(RunError::Integrator(_) | RunError::NotFinite { .. }) => {
                self.envelope.growth().is_some_and(|_| size > 1e6)
            }
            Err(_) => false,
        };
        if !has_diverged {
            return result;
        }
        diverging_loop::named(self.diagram(), &self.state, self.envelope.growth()).map_or(result, Err)
    }

    /// Advances to time `t` \[s\].
    pub(super) fn advance_to(&mut self, t: f64) -> Result<(), RunError> {
        self.start()?;
        // A time that is not a number is refused by the first step.
        while self.state.time < t || t.is_nan() {
            self.step(t)?;
        }
        Ok(())
    }

    /// Sets the discrete state from `at` on to `values`, between two steps. Functions that jump with it cross, as at an
    /// update of the diagram itself.
    pub(super) fn set_discrete(&mut self, at: usize, values: &[f64]) -> Result<(), RunError> {
        let held = at..at + values.len();
        let same = self.state.discrete[held.clone()].iter().zip(values).all(|(a, b)| a.to_bits() == b.to_bits());
        if same {
            return Ok(());
        }
        if !self.state.started {
            self.state.discrete[held].copy_from_slice(values);
            return Ok(());
        }
        let watches = self.events.watches();
        self.events.listen(&self.state);
        if watches {
            self.events.look_before(&self.state)?;
        }
        self.state.discrete[held].copy_from_slice(values);
        self.integrator.interrupted();
        if watches && let Some(crossed) = self.events.jumped(&self.state)? {
            self.cross(crossed)?;
        }
        self.events.report_jumps(&mut self.state);
        Ok(())
    }

    /// Fires the events of the start time, once.
    pub(super) fn start(&mut self) -> Result<(), RunError> {
        if self.state.started {
            return Ok(());
        }
        self.state.started = true;
        self.update(Of::Sources)?;
        self.update(Of::Readers)
    }

    /// Plans the next step towards `limit` \[s\], and notes what events compare it with.
    pub(super) fn plan_step(&mut self, limit: f64) -> Result<Planned, RunError> {
        let tick = self.events.table().ticks.next_after(self.state.time);
        // A limit within rounding of a tick is the tick.
        let goal = if (tick - limit).abs() <= simultaneous(limit) { limit } else { limit.min(tick) };
        let at_tick = goal >= tick - simultaneous(tick);
        let (bound, ahead) = self.look_ahead(goal)?;
        if self.events.watches() {
            self.events.look_before(&self.state)?;
        }
        self.integrator.statistics_mut().attempts.clear();
        self.crossed.clear();
        self.passed = false;
        let end = ahead.as_ref().map_or(bound, |ahead| ahead.before);
        Ok(Planned { end, goal, at_tick, ahead })
    }

    fn step_to_event(&mut self, limit: f64) -> Result<Step, RunError> {
        if limit.is_nan() || limit <= self.state.time {
            return Ok(self.integrator.advance(&mut self.state, limit)?);
        }
        let Planned { end, goal, at_tick, ahead } = self.plan_step(limit)?;
        let from = self.state.time;
        let mut step = Step::Event { time: from };
        // The clockwork may have its event at once.
        if end > from {
            step = self.integrator.advance(&mut self.state, end)?;
            self.look_at_fibres()?;
        }
        let mut event = false;
        if self.events.watches() && self.state.time > from && self.locate()? {
            event = true;
        }
        if let Some(ahead) = ahead.filter(|ahead| self.state.time == ahead.before) {
            self.pass(ahead, goal)?;
            event = true;
        }
        if at_tick && self.state.time == goal {
            self.update(Of::All)?;
            event = true;
        }
        Ok(match step {
            _ if event => Step::Event { time: self.state.time },
            Step::ReachedLimit { h, error } if self.state.time < limit => Step::Accepted { h, error },
            step => step,
        })
    }

    /// Returns the longest next step towards `goal` \[s\] with regard to the clockwork, and the event of the clockwork
    /// before its end.
    fn look_ahead(&mut self, goal: f64) -> Result<(f64, Option<Ahead>), RunError> {
        let World { state, integrator, events, promise, resolution, .. } = self;
        let (has_events, has_sources) = events.clockwork();
        if !has_events && !has_sources {
            return Ok((goal, None));
        }
        let mut bound = goal;
        let reach = integrator.reach().min(goal - state.time);
        if has_sources && let (Some(promise), Some(norm)) = (*promise, integrator.error_norm()) {
            let table = events.table();
            let resolution = resolution.get_or_insert_with(|| Box::new(Resolution::new(table)));
            let longest = resolution.longest_step(table, state, (reach, goal), promise, norm);
            if longest < reach {
                bound = state.time + longest;
            }
        }
        let ahead = if has_events { events.ahead(state, bound.min(state.time + 1.001 * reach))? } else { None };
        Ok((bound, ahead))
    }

    /// Finds crossings within the last step, and returns to the first. Returns whether there are any.
    fn locate(&mut self) -> Result<bool, RunError> {
        let Some(crossed) = self.events.locate(self.integrator.dense(), &mut self.state)? else { return Ok(false) };
        self.events.listen_before(self.integrator.dense(), &self.state);
        self.cross(crossed)?;
        self.events.report_jumps(&mut self.state);
        Ok(true)
    }

    /// Passes an event of the clockwork, whose near end the last step has reached.
    pub(super) fn pass(&mut self, ahead: Ahead, goal: f64) -> Result<(), RunError> {
        self.passed = true;
        self.integrator.interrupted();
        self.events.listen(&self.state);
        let is_goal = goal - ahead.after <= simultaneous(goal);
        self.state.time = if is_goal { goal } else { ahead.after };
        if !ahead.which.is_empty() {
            self.cross(Crossed { time: self.state.time, which: ahead.which })?;
        }
        self.events.report_jumps(&mut self.state);
        Ok(())
    }

    /// Checks that no element of a fibre is bent so far that it measures its turn the other way round.
    fn look_at_fibres(&self) -> Result<(), RunError> {
        for (block, plant) in self.diagram().plants() {
            let q = &self.state.continuous[block.state.clone()][..plant.structure().num_positions];
            if let Some((constraint, angle)) = plant.overbent(q) {
                let element = plant.structure().constraints[constraint].name.clone();
                return Err(RunError::Overbent { time: self.state.time, plant: block.name.clone(), element, angle });
            }
        }
        Ok(())
    }

    /// Applies the resets of crossings, then those of the crossings that they make in turn, until there are none.
    pub(super) fn cross(&mut self, mut crossed: Crossed) -> Result<(), RunError> {
        self.integrator.interrupted();
        loop {
            for &witness in &crossed.which {
                if !self.crossed.contains(&witness) {
                    self.crossed.push(witness);
                }
            }
            if let Some(trace) = &mut self.trace {
                trace.push(crossed.clone());
            }
            let next = self.events.reset(&crossed, &mut self.state)?;
            self.guard_against_zeno(&crossed)?;
            match next {
                Some(next) => crossed = next,
                None => return Ok(()),
            }
        }
    }

    /// Notes the states that state machines have passed by crossings.
    fn note_modes(&mut self, crossed: &Crossed) {
        let World { events, state, passed_modes, .. } = self;
        let table = events.table();
        for &witness in &crossed.which {
            let (index, _) = table.witnesses[witness];
            let block = &table.diagram.blocks()[index];
            let Some(mode) = block.system.mode(&state.discrete[block.discrete.clone()]) else { continue };
            let last = passed_modes.iter().rev().find(|(of, _)| *of == index);
            if last.is_none_or(|(_, last)| last != mode) {
                passed_modes.push((index, mode.to_owned()));
            }
        }
    }

    /// Fires the periodic events of some blocks at the current time, and the crossings that they make.
    pub(super) fn update(&mut self, of: Of) -> Result<(), RunError> {
        self.events.listen(&self.state);
        self.fire(of)?;
        self.events.report_jumps(&mut self.state);
        Ok(())
    }

    fn fire(&mut self, of: Of) -> Result<(), RunError> {
        if self.events.watches() {
            self.events.look_before(&self.state)?;
        }
        if !self.events.fire_ticks(of, &mut self.state)? {
            return Ok(());
        }
        self.integrator.interrupted();
        if !self.events.watches() {
            return Ok(());
        }
        match self.events.jumped(&self.state)? {
            Some(crossed) => self.cross(crossed),
            None => Ok(()),
        }
    }

    /// Stops the run with a report where crossings follow each other without end (a ball that bounces ever faster).
    fn guard_against_zeno(&mut self, crossed: &Crossed) -> Result<(), RunError> {
        let window = ZENO_WINDOW * crossed.time.abs().max(1.0);
        if crossed.time - self.crossings.0 > window {
            self.crossings = (crossed.time, 0);
            self.passed_modes.clear();
        }
        self.crossings.1 += 1;
        if self.crossings.1 + ZENO_MODES > ZENO_EVENTS {
            self.note_modes(crossed);
        }
        if self.crossings.1 > ZENO_EVENTS {
            let (time, passed) = (crossed.time, std::mem::take(&mut self.passed_modes));
            if let Some((block, states)) = circle(&passed) {
                return Err(RunError::Circle { time, block: self.diagram().blocks()[block].name.clone(), states });
            }
            let witnesses = self.events.table().names(crossed);
            return Err(RunError::Zeno { time: crossed.time, events: self.crossings.1, window, witnesses });
        }
        Ok(())
    }
}

/// The first block whose states come again among those passed, with the states of one round.
fn circle(passed: &[(usize, String)]) -> Option<(usize, Vec<String>)> {
    let &(block, _) = passed.first()?;
    let mut states: Vec<String> = Vec::new();
    for (_, state) in passed.iter().filter(|(of, _)| *of == block) {
        let is_again = states.first() == Some(state);
        states.push(state.clone());
        if is_again {
            return Some((block, states));
        }
    }
    None
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World").field("state", &self.state).field("integrator", &self.integrator.name()).finish()
    }
}
