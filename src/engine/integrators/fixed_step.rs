//! A one-step method with a constant step.
//!
//! The last step before a limit is shorter. So are steps in which a turning body would sweep over another, and steps
//! that would damp the growth in a block. Feedback that drives a plant too fast for a step acts by its force at the
//! start, and does not shorten it.

use super::limit::remaining;
use super::{Candidate, DenseStep, Integrator, IntegratorError, OneStep, Statistics, Step, StepFailure, StepMemory};
use crate::choices::fixed_step::{MIN_STEP_RATIO, TOLERANCE};
use crate::choices::last_step::STRETCH;
use kinegraph_convex::contact::ContactForces;
use kinegraph_core::step_record::StepRecord;
use kinegraph_diagram::{Diagram, State};

/// Steps of constant length; the last one before a limit is shorter, and those in which a body would sweep over
/// another.
#[derive(Clone)]
pub struct FixedStep<M: OneStep> {
    /// Step length \[s\].
    pub step: f64,
    /// True if a solve starts from the velocities of the last solution, not from those of the state.
    pub start_from_last: bool,
    /// True if a solve starts from the contact forces of the last step, which are then part of its memory.
    pub keeps_forces: bool,
    /// Contact forces of the last accepted step, if they are kept.
    forces: ContactForces,
    diagram: Diagram,
    method: M,
    name: &'static str,
    point: M::Point,
    next: Candidate,
    statistics: Statistics,
    dense: DenseStep,
    records: Vec<StepRecord>,
    rates: [Vec<f64>; 2],
}

impl<M: OneStep> FixedStep<M> {
    /// `method` with steps of length `step` \[s\], for `diagram`.
    pub fn new(name: &'static str, diagram: &Diagram, method: M, step: f64) -> Self {
        FixedStep {
            step,
            start_from_last: false,
            keeps_forces: false,
            forces: ContactForces::default(),
            diagram: diagram.clone(),
            method,
            name,
            point: M::Point::default(),
            next: Candidate::default(),
            statistics: Statistics::default(),
            dense: DenseStep::default(),
            records: Vec::new(),
            rates: Default::default(),
        }
    }

    /// Writes the end of a step of length `h` from `state` to `self.next`. The step is shorter, and `h` changed, where
    /// a body would sweep over another or growth would be damped.
    fn attempt(&mut self, state: &State, h: &mut f64) -> Result<(), StepFailure> {
        self.method.prepare(state, *h, &mut self.point, &mut self.statistics)?;
        let longest = self.method.longest_step(&self.point, *h);
        // A body that turns extremely fast must not stall the run.
        *h = h.min(longest.max(MIN_STEP_RATIO * *h));
        let velocity = self.method.velocity_at(&self.point);
        if !(self.start_from_last && self.statistics.steps > 0 && self.next.velocity.len() == velocity.len()) {
            self.next.velocity.clear();
            self.next.velocity.extend_from_slice(velocity);
        }
        // Unless forces are kept, a step depends on nothing but the state.
        self.next.forces.clone_from(&self.forces);
        self.method.step(&mut self.point, *h, TOLERANCE, &mut self.next, &mut self.statistics)
    }
}

impl<M: OneStep + 'static> Integrator for FixedStep<M> {
    fn advance(&mut self, state: &mut State, limit: f64) -> Result<Step, IntegratorError> {
        let Some(remaining) = remaining(&self.diagram, state, limit)? else { return Ok(Step::nothing()) };
        let last = remaining < self.step * STRETCH;
        let wanted = if last { remaining } else { self.step };
        let mut h = wanted;
        let before = self.statistics.solver_iterations;
        let stepped = self.attempt(state, &mut h);
        let last = last && h == wanted;
        let fail = |failure| IntegratorError::FixedStepFailed { time: state.time, step: h, failure };
        self.statistics.note_fixed(state.time, h, stepped.is_err(), before);
        stepped.map_err(fail)?;
        let end = if last { limit } else { state.time + h };
        self.method.record_dense(&mut self.dense, state, end, &self.next.continuous, &mut self.rates);
        self.statistics.accept(h, !last && h == wanted);
        state.continuous.copy_from_slice(&self.next.continuous);
        let FixedStep { method, point, next, records, statistics, .. } = self;
        method.record(point, h, next, &mut state.discrete, records, statistics);
        if self.keeps_forces {
            self.forces.clone_from(&self.next.forces);
        }
        state.time = end;
        Ok(if last { Step::ReachedLimit { h, error: 0.0 } } else { Step::Accepted { h, error: 0.0 } })
    }

    fn interrupted(&mut self) {}

    fn memory(&self) -> StepMemory {
        StepMemory { forces: self.forces.clone(), ..StepMemory::default() }
    }

    fn recall(&mut self, memory: &StepMemory) {
        if self.keeps_forces {
            self.forces.recall(&memory.forces);
        }
    }

    fn restart(&mut self) {
        self.forces.clear();
        self.statistics.restart();
    }

    fn reach(&self) -> f64 {
        STRETCH * self.step
    }

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
        // Records of steps before a restart are memory only.
        if self.statistics.steps == 0 { &[] } else { &self.records }
    }

    fn diagram(&self) -> &Diagram {
        &self.diagram
    }

    fn name(&self) -> &'static str {
        self.name
    }
}
