//! A one-step method with a constant step.

use super::{
    Candidate, DenseStep, Integrator, IntegratorError, OneStep, Statistics, Step, StepFailure, check_state, room,
};
use crate::diagram::{Diagram, State};
use crate::systems::step_record::StepRecord;

/// Solver tolerance of steps without error control.
const TOLERANCE: f64 = 1e-8;

/// Steps of constant length; the last one before a limit is shorter.
pub struct FixedStep<M: OneStep> {
    /// The step \[s\].
    pub step: f64,
    method: M,
    name: &'static str,
    point: M::Point,
    next: Candidate,
    statistics: Statistics,
    dense: DenseStep,
    rates: (Vec<f64>, Vec<f64>),
}

impl<M: OneStep> FixedStep<M> {
    /// `method` with steps of length `step` \[s\].
    pub fn new(name: &'static str, method: M, step: f64) -> Self {
        FixedStep {
            step,
            method,
            name,
            point: M::Point::default(),
            next: Candidate::default(),
            statistics: Statistics::default(),
            dense: DenseStep::default(),
            rates: (Vec::new(), Vec::new()),
        }
    }

    /// Leaves the end of the step of length `h` from `state` in `self.next`.
    fn attempt(&mut self, state: &State, h: f64) -> Result<(), StepFailure> {
        self.method.prepare(state, h, &mut self.point, &mut self.statistics)?;
        self.next.velocity.clear();
        self.next.velocity.extend_from_slice(self.method.velocity_at(&self.point));
        // A step of fixed length depends on nothing but the state.
        self.next.forces.clear();
        self.method.step(&mut self.point, h, TOLERANCE, &mut self.next, &mut self.statistics)
    }
}

impl<M: OneStep> Integrator for FixedStep<M> {
    fn initialize(&mut self, diagram: &Diagram, state: &State) -> Result<(), IntegratorError> {
        check_state(diagram, state)?;
        self.statistics.restart();
        self.dense = DenseStep::default();
        self.method.initialize(diagram)
    }

    fn advance(&mut self, state: &mut State, limit: f64) -> Result<Step, IntegratorError> {
        let Some(room) = room(state, limit)? else { return Ok(Step::nothing()) };
        let last = room < self.step * 1.001;
        let h = if last { room } else { self.step };
        let fail = |failure| IntegratorError::FixedStepFailed { time: state.time, step: h, failure };
        let before = self.statistics.solver_iterations;
        let stepped = self.attempt(state, h);
        self.statistics.note_fixed(state.time, h, stepped.is_err(), before);
        stepped.map_err(fail)?;
        let end = if last { limit } else { state.time + h };
        let (next, rates) = (&self.next.continuous, &mut self.rates);
        super::step_doubling::record_dense(&self.method, &mut self.dense, state, next, end, rates);
        self.statistics.accept(h, !last);
        state.continuous.copy_from_slice(&self.next.continuous);
        self.method.record(&mut self.point, h, &self.next, &mut state.discrete, &mut self.statistics);
        state.time = end;
        Ok(if last { Step::ReachedLimit { h, error: 0.0 } } else { Step::Accepted { h, error: 0.0 } })
    }

    fn interrupted(&mut self) {}

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    fn statistics_mut(&mut self) -> &mut Statistics {
        &mut self.statistics
    }

    fn dense(&self) -> &DenseStep {
        &self.dense
    }

    fn records(&self) -> &[StepRecord] {
        self.method.records()
    }

    fn name(&self) -> &'static str {
        self.name
    }
}
