//! Steps of free motion: whether they may begin, how far they lead, and what they leave.

use super::free_motion::FreeMotion;
use super::manifold::Manifold;
use super::point::StepPoint;
use super::record;
use super::step::{ContactStep, Prediction, Scratch};
use crate::integrators::output_errors::larger;
use crate::integrators::{Candidate, DORMAND_PRINCE, DenseStep, Statistics, StepFailure, StepSpan};
use crate::linearize::Feedback;
use kinegraph_core::step_record::StepRecord;
use kinegraph_diagram::State;

impl ContactStep {
    /// True if rigid constraints or joint stops take part in motion from `point` that could be followed as free motion.
    pub(in crate::integrators) fn is_bound(&self, point: &StepPoint) -> bool {
        point.problem.is_free() && Manifold::binds(&self.plan.scales, &self.external, point)
    }

    /// Changes the velocities of `state`, where `point` is, to those that constraints and joint stops allow, and finds
    /// which stops hold there; `bound`: the result of [`is_bound`](Self::is_bound). Returns whether a velocity changed:
    /// then the point no longer belongs to the state.
    pub(in crate::integrators) fn settle(&mut self, point: &StepPoint, state: &mut State, bound: bool) -> bool {
        let FreeMotion { manifold, ends, .. } = &mut self.free;
        manifold.switch(&point.switches);
        if !bound {
            manifold.leave();
            return false;
        }
        let known = manifold.knows(state);
        let changed = manifold.settle(&mut self.external, state);
        if !known {
            ends.rates.forget();
        }
        changed
    }

    /// Time \[s\] within the last attempted step of free motion, of length `h` from `point` to `next`, at which a joint
    /// meets a stop or leaves one.
    pub(in crate::integrators) fn ends_early(&mut self, point: &StepPoint, h: f64, next: &Candidate) -> Option<f64> {
        let ContactStep { free, external, prediction: Prediction { kinks, .. }, .. } = self;
        let ends = [&*point.state.continuous, &*next.continuous];
        let early = free.manifold.ends_early(external, h, ends[0], ends[1]);
        if !external.has_kinks() {
            return early;
        }
        let bent = kinks.passed(external, [point.state.time, h], ends);
        early.into_iter().chain(bent).reduce(f64::min)
    }

    /// Bound on the rates of free motion at `point` \[1/s\], which is not made sharper below `enough`; infinite where
    /// the motion is not free.
    pub(in crate::integrators) fn fastest_rate(&mut self, point: &StepPoint, enough: f64) -> f64 {
        let ContactStep { plan, external, free: FreeMotion { forces, loop_rate, .. }, .. } = self;
        let explicit = external.reacts() && plan.options.feedback == Feedback::Explicit;
        if !point.problem.is_free() || external.is_switched() || explicit || Manifold::yields(external, point) {
            return f64::INFINITY;
        }
        let (time, continuous) = (point.state.time, &point.state.continuous);
        if external.reacts() {
            external.evaluate(time, continuous, forces);
            // The convex step names the fault.
            if external.loop_fault().is_some() || !external.keeps_from_limits(time, continuous) {
                return f64::INFINITY;
            }
        }
        loop_rate.bound(&point.problem, &point.linear, enough)
    }

    /// Distance between the end of the step of length `h` from `point` to `next` and the place to which the velocity of
    /// its start leads. Under constant acceleration the half steps of a convex step of the same length differ from the
    /// full one by half of it.
    pub(in crate::integrators) fn departure(&mut self, point: &StepPoint, h: f64, next: &Candidate) -> f64 {
        let ContactStep { plan, external, scratch: Scratch { ahead, rates, .. }, .. } = self;
        ahead.clone_from(&next.continuous);
        let (start, velocity) = (&point.state.continuous, point.problem.start_velocity());
        external.layout().advance_positions(external.diagram(), start, velocity, h, ahead, rates);
        plan.norm.distance(ahead, &next.continuous).0
    }

    /// Time \[s\], up to `h`, in which the motion from `point` touches nothing, as predicted before it is followed.
    pub(in crate::integrators) fn free_time(&mut self, point: &StepPoint, h: f64) -> f64 {
        let free = self.free.clearance.predict_approach(&self.external, point, h);
        if self.external.has_kinks() { free.min(point.bounds.bent) } else { free }
    }

    /// Attempts a step of free motion over `span` from `point`: writes its end to `next` and returns the error and the
    /// worst coordinate. The rates at the end of the step last accepted serve this one where it begins there.
    ///
    /// # Errors
    /// [`StepFailure::NotFree`]: bodies could touch.
    pub(in crate::integrators) fn step_freely(
        &mut self,
        point: &StepPoint,
        span: StepSpan,
        accuracy: f64,
        next: &mut Candidate,
        statistics: &mut Statistics,
    ) -> Result<(f64, usize), StepFailure> {
        let ContactStep { plan, external, free, outputs, .. } = self;
        let mut found = free.attempt(plan, external, point, span, &mut next.continuous, statistics)?;
        if let Some(outputs) = outputs {
            let ends = [&*next.continuous, &free.embedded];
            let error = outputs.of_ends(accuracy, span.end, ends, &point.state.discrete);
            found = larger(found, error, plan.norm.num_coordinates());
        }
        external.layout().gather_velocities(&next.continuous, &mut next.velocity);
        Ok(found)
    }

    /// Takes a step of free motion over `span` from `point` once more, from another start, whatever comes near: writes
    /// its end to `next`.
    ///
    /// # Errors
    /// The motion is not finite, or leaves what constraints allow.
    pub(in crate::integrators) fn repeat_freely(
        &mut self,
        point: &StepPoint,
        span: StepSpan,
        next: &mut Candidate,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        self.free.clearance.predict_approach(&self.external, point, span.h);
        self.free.is_repeated = true;
        let found = self.step_freely(point, span, f64::INFINITY, next, statistics);
        self.free.is_repeated = false;
        found.map(drop)
    }

    /// End of the last step of free motion that the embedded method of fourth order finds.
    pub(in crate::integrators) fn embedded_of_free_motion(&self) -> &[f64] {
        &self.free.embedded
    }

    /// Accepts the step of free motion over `span` from `state`, the last one attempted: advances `state`, records the
    /// step for dense output, and notes in `records` the forces. Reports of blocks about the step go into the discrete
    /// state.
    pub(in crate::integrators) fn accept_free_motion(
        &mut self,
        state: &mut State,
        span: StepSpan,
        dense: &mut DenseStep,
        records: &mut Vec<StepRecord>,
    ) {
        let ContactStep { plan, external, free, .. } = self;
        let StepSpan { h, end } = span;
        let last = &mut free.ends.end;
        if free.manifold.is_off() {
            // Back to constraints and stops that the start violated.
            free.manifold.project(external.diagram(), external.layout(), h, &state.continuous, last);
        }
        free.stages.record(&DORMAND_PRINCE, state, span, &free.ends, dense);
        state.continuous.copy_from_slice(&free.ends.end);
        state.time = end;
        let changed = free.manifold.settle_end(external, state);
        free.record(external, state, h, records);
        let ends = free.clearance.points_at(external, &state.continuous);
        record::read_out(external, records, ends, &mut state.discrete);
        free.ends.rates.accept(state);
        if plan.reads_records || changed {
            // Rates that depend on reports about the step are evaluated anew.
            free.ends.rates.forget();
        }
    }
}
