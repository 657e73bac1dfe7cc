//! What a run changes.

use super::acting::{Acting, StepSeen};
use super::diverging_loop;
use super::envelope::{Envelope, largest};
use super::event_table::{Crossed, EventTable};
use super::events::Events;
use super::pace::{Pace, Paced};
use super::run_error::RunError;
use crate::integrators::{Integrator, IntegratorError, NonFinite, Step};
use kinegraph_core::port::simultaneous;
use kinegraph_core::threads::Threads;
use kinegraph_diagram::{Diagram, State, Values};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What a run changes: the state, what the integrator remembers, and the memory of evaluations. A copy goes on as the
/// original does, bit for bit, on any thread.
#[derive(Clone)]
pub struct World {
    pub(super) state: State,
    pub(super) integrator: Box<dyn Integrator>,
    pub(super) values: Values<f64>,
    events: Events,
    /// Start of the latest cluster of crossings, and their number.
    pub(super) crossings: (f64, usize),
    pub(super) stepping: Duration,
    /// What steps are held to; `None` without error control.
    accuracy: Option<f64>,
    envelope: Envelope,
    /// Reads outputs as the last step used them, once somebody asked.
    acting: Option<Box<Acting>>,
    pace: Pace,
    pub(super) threads: Threads,
}

/// This many crossings within [`ZENO_WINDOW`] stop a run.
const ZENO_EVENTS: usize = 500;
/// Relative to the time (at least one second).
const ZENO_WINDOW: f64 = 1e-6;

impl World {
    /// A world at `state`, advanced by `integrator`, with the events of the same diagram.
    pub(super) fn new(
        state: State,
        integrator: Box<dyn Integrator>,
        events: &Arc<EventTable>,
        non_finite: NonFinite,
        accuracy: Option<f64>,
    ) -> Self {
        World {
            values: events.diagram.values(),
            events: Events::new(events, non_finite),
            state,
            integrator,
            crossings: (f64::NEG_INFINITY, 0),
            stepping: Duration::ZERO,
            accuracy,
            envelope: Envelope::default(),
            acting: None,
            pace: Pace::default(),
            threads: Threads::default(),
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

    /// Evaluates all outputs now, those that drive plants as the last step used them.
    pub(super) fn evaluate(&mut self) -> &Values<f64> {
        let World { state, values, integrator, acting, events, .. } = self;
        let seen = StepSeen { records: integrator.records(), solved: integrator.solved() };
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

    /// The last step, as samples see it.
    pub(super) fn seen(&self) -> StepSeen<'_> {
        StepSeen { records: self.integrator.records(), solved: self.integrator.solved() }
    }

    /// Goes on with another integrator. Times and attempts are about the whole of a simulation: they go on.
    pub(super) fn switch(&mut self, mut integrator: Box<dyn Integrator>, non_finite: NonFinite, accuracy: Option<f64>) {
        self.accuracy = accuracy;
        self.events.non_finite = non_finite;
        let (old, new) = (self.integrator.statistics_mut(), integrator.statistics_mut());
        (new.watch, new.attempts) = (std::mem::take(&mut old.watch), std::mem::take(&mut old.attempts));
        self.integrator = integrator;
        self.pace = Pace::default();
    }

    /// Takes over what `before` has counted and measured: a diagram that is changed goes on with the same run.
    pub(super) fn count_on_from(&mut self, before: &mut World) {
        (self.stepping, self.crossings) = (before.stepping, before.crossings);
        *self.integrator.statistics_mut() = std::mem::take(before.integrator.statistics_mut());
    }

    /// Goes on at another state of the diagram, with nothing remembered.
    pub(super) fn set_state(&mut self, state: State) {
        self.integrator.restart();
        self.state = state;
        self.crossings = (f64::NEG_INFINITY, 0);
        self.envelope = Envelope::default();
        self.pace = Pace::default();
    }

    /// Takes one step that ends no later than `limit` \[s\], and handles what happens at its end.
    pub(super) fn step(&mut self, limit: f64) -> Result<Step, RunError> {
        self.start()?;
        let (start, from) = (Instant::now(), self.state.time);
        let threads = self.threads.clone();
        let result = threads.run(|| self.step_to_event(limit));
        self.stepping += start.elapsed();
        let step = self.watch_growth(result)?;
        self.watch_pace(from, limit)?;
        Ok(step)
    }

    /// Steps that lead to no end stop the run.
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

    /// A state that grows exponentially until its accuracy is lost stops the run, and the loop that does it is named.
    fn watch_growth(&mut self, result: Result<Step, RunError>) -> Result<Step, RunError> {
        let (_, size) = largest(&self.state.continuous);
        let is_new = self.envelope.see(self.state.time, size);
        let has_diverged = match &result {
            Ok(_) => is_new && Envelope::is_lost(size, self.accuracy) && self.envelope.growth().is_some(),
            Err(RunError::Integrator(IntegratorError::Diverges { .. })) => true,
            // Steps that became too short, or failed, because of what grew before.
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

    /// Sets the discrete state from `at` on to `values`, between two steps. What jumps with it crosses, as at an
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
        if watches {
            self.events.look_before(&self.state)?;
        }
        self.state.discrete[held].copy_from_slice(values);
        self.integrator.interrupted();
        if watches && let Some(crossed) = self.events.jumped(&self.state)? {
            self.cross(crossed)?;
        }
        Ok(())
    }

    /// Fires the events of the start time, once.
    pub(super) fn start(&mut self) -> Result<(), RunError> {
        if self.state.started {
            return Ok(());
        }
        self.state.started = true;
        self.update()
    }

    fn step_to_event(&mut self, limit: f64) -> Result<Step, RunError> {
        if limit.is_nan() || limit <= self.state.time {
            return Ok(self.integrator.advance(&mut self.state, limit)?);
        }
        let tick = self.events.table().next_tick(self.state.time);
        // A limit within rounding of a tick is the tick.
        let limit = if (tick - limit).abs() <= simultaneous(limit) { limit } else { limit.min(tick) };
        let at_tick = limit >= tick - simultaneous(tick);
        if self.events.watches() {
            self.events.look_before(&self.state)?;
        }
        self.integrator.statistics_mut().attempts.clear();
        let step = self.integrator.advance(&mut self.state, limit)?;
        self.look_at_fibres()?;
        let mut event = false;
        if self.events.watches()
            && let Some(crossed) = self.events.locate(self.integrator.dense(), &mut self.state)?
        {
            self.cross(crossed)?;
            event = true;
        }
        if at_tick && self.state.time == limit {
            self.update()?;
            event = true;
        }
        Ok(if event { Step::Event { time: self.state.time } } else { step })
    }

    /// An element that is bent too far measures its turn the other way round.
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
    fn cross(&mut self, mut crossed: Crossed) -> Result<(), RunError> {
        self.integrator.interrupted();
        loop {
            let next = self.events.reset(&crossed, &mut self.state)?;
            self.guard_against_zeno(&crossed)?;
            match next {
                Some(next) => crossed = next,
                None => return Ok(()),
            }
        }
    }

    /// Fires the periodic events of the current time, and the crossings that they make.
    fn update(&mut self) -> Result<(), RunError> {
        if self.events.watches() {
            self.events.look_before(&self.state)?;
        }
        if !self.events.fire_ticks(&mut self.state)? {
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

    /// Crossings that follow each other without end (a ball that bounces ever faster) stop the run with a report.
    fn guard_against_zeno(&mut self, crossed: &Crossed) -> Result<(), RunError> {
        let window = ZENO_WINDOW * crossed.time.abs().max(1.0);
        if crossed.time - self.crossings.0 > window {
            self.crossings = (crossed.time, 0);
        }
        self.crossings.1 += 1;
        if self.crossings.1 > ZENO_EVENTS {
            let witnesses = self.events.table().names(crossed);
            return Err(RunError::Zeno { time: crossed.time, events: self.crossings.1, window, witnesses });
        }
        Ok(())
    }
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World").field("state", &self.state).field("integrator", &self.integrator.name()).finish()
    }
}
