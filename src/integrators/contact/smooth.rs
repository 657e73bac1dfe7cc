//! The contact step where the motion is smooth.

use super::manifold::Manifold;
use super::options::StepOptions;
use super::point::StepPoint;
use super::record;
use super::step::ContactStep;
use crate::diagram::State;
use crate::integrators::output_errors::larger;
use crate::integrators::rule::RuleSwitches;
use crate::integrators::{
    Candidate, DORMAND_PRINCE, DenseStep, FirstDifference, FrictionLoads, SmoothMotion, Statistics, StepFailure,
    ThreeParts,
};
use crate::solvers::ContactSolver;
use crate::systems::step_record::StepRecord;

impl<S: ContactSolver> SmoothMotion for ContactStep<S> {
    type Point = StepPoint;

    fn crosses(&self, full: &Candidate, (half, end): (&Candidate, &Candidate)) -> bool {
        let parts = full.regimes.iter().zip(&half.regimes).zip(&end.regimes);
        parts
            .into_iter()
            .any(|((full, half), end)| full.changed() || full.end != half.end || half.end != end.end || end.changed())
    }

    fn follows(&self, point: &StepPoint) -> bool {
        // What is of first order loses what constraints lead, and the momentum of linkages, whatever the accuracy.
        let is_led = point.problem.has_rigid_rows() || point.problem.has_linkages();
        point.follows || (is_led && !self.external.reacts())
    }

    fn friction_lag(&self, (start, middle): (&StepPoint, &StepPoint), end: &Candidate) -> f64 {
        let StepOptions { tuning, max_step, .. } = &self.plan.options;
        let lag = middle.problem.friction_lag(&start.problem, &end.velocity, &self.improvement.smooth);
        tuning.onset_horizon * max_step * lag / self.plan.scales.length(1.0)
    }

    fn set_loads(&mut self, loads: FrictionLoads) {
        self.loads = loads;
    }

    fn stiffness(&self, point: &StepPoint) -> f64 {
        point.problem.stiffness_ratio()
    }

    fn first_difference(
        &mut self,
        points: (&StepPoint, &StepPoint),
        h: f64,
        full: &Candidate,
        halves: (&Candidate, &Candidate),
        on: RuleSwitches,
    ) -> FirstDifference {
        let ContactStep { improvement, plan, external, .. } = self;
        improvement.survey(plan, external, points, h, full, halves, on);
        self.find_first_difference(full, halves.1)
    }

    fn improve(
        &mut self,
        points: (&StepPoint, &StepPoint),
        h: f64,
        full: &Candidate,
        halves: (&mut Candidate, &mut Candidate),
        three: Option<ThreeParts<'_, StepPoint>>,
        on: RuleSwitches,
        statistics: &mut Statistics,
    ) -> (f64, Option<(f64, usize)>) {
        let ContactStep { improvement, plan, external, ends, .. } = self;
        let (half, end) = halves;
        let halves = (half, &mut *end);
        let change = improvement.improve(plan, (external, ends), points, h, full, halves, on, statistics);
        (change, three.and_then(|three| self.keep_third(full, &three, end)))
    }

    fn free_motion_order(&self) -> i32 {
        DORMAND_PRINCE.estimate_order
    }

    fn is_bound(&self, point: &StepPoint) -> bool {
        point.problem.is_free() && Manifold::binds(&self.plan.scales, &self.external, point)
    }

    fn settle(&mut self, point: &StepPoint, state: &mut State, bound: bool) -> bool {
        self.free.settle(&mut self.external, point, state, bound)
    }

    fn ends_early(&self, point: &StepPoint, h: f64, next: &Candidate) -> Option<f64> {
        self.free.manifold.ends_early(&self.external, h, &point.state.continuous, &next.continuous)
    }

    fn fastest_rate(&mut self, point: &StepPoint, enough: f64) -> f64 {
        self.free.fastest_rate(&self.plan, &mut self.external, point, enough)
    }

    fn departure(&mut self, point: &StepPoint, h: f64, next: &Candidate) -> f64 {
        let ContactStep { plan, external, ahead, rates, .. } = self;
        ahead.clone_from(&next.continuous);
        let (start, velocity) = (&point.state.continuous, point.problem.start_velocity());
        external.layout().advance_positions(external.diagram(), start, velocity, h, ahead, rates);
        plan.norm.distance(ahead, &next.continuous).0
    }

    fn free_time(&mut self, point: &StepPoint, h: f64) -> f64 {
        self.free.free_time(&self.external, point, h)
    }

    fn step_freely(
        &mut self,
        point: &StepPoint,
        times: (f64, f64),
        accuracy: f64,
        next: &mut Candidate,
        statistics: &mut Statistics,
    ) -> Result<(f64, usize), StepFailure> {
        let ContactStep { plan, external, free, outputs, .. } = self;
        let mut found = free.attempt(plan, external, point, times, &mut next.continuous, statistics)?;
        if let Some(outputs) = outputs {
            let ends = (&*next.continuous, free.embedded());
            let error = outputs.of_ends(accuracy, times.1, ends, &point.state.discrete);
            found = larger(found, error, plan.norm.num_coordinates());
        }
        external.layout().gather_velocities(&next.continuous, &mut next.velocity);
        Ok(found)
    }

    fn accept_free_motion(
        &mut self,
        state: &mut State,
        (h, end): (f64, f64),
        dense: &mut DenseStep,
        records: &mut Vec<StepRecord>,
    ) {
        let ContactStep { plan, external, free, .. } = self;
        free.return_to_manifold(external, state, h);
        free.record_dense(state, (h, end), dense);
        state.continuous.copy_from_slice(free.end());
        state.time = end;
        let changed = free.manifold.settle_end(external, state);
        free.record(external, state, h, records);
        let ends = free.clearance.points_at(external, &state.continuous);
        record::read_out(external, records, ends, &mut state.discrete);
        free.accept(state, plan.reads_records || changed);
    }
}
