//! The contact step where the motion is smooth.

use super::manifold::Manifold;
use super::options::StepOptions;
use super::plan::StepContext;
use super::point::StepPoint;
use super::record;
use super::step::ContactStep;
use crate::integrators::output_errors::larger;
use crate::integrators::rule::{Rule, RuleSwitches};
use crate::integrators::{
    Candidate, DORMAND_PRINCE, DenseStep, FirstDifference, FrictionLoads, FullStep, SmoothMotion, Statistics,
    StepFailure, StepSpan, ThreeParts,
};
use kinegraph_core::step_record::StepRecord;
use kinegraph_diagram::State;

impl SmoothMotion for ContactStep {
    type Point = StepPoint;

    fn crosses(&self, full: &Candidate, halves: &[&Candidate]) -> bool {
        full.regimes.iter().enumerate().any(|(c, full)| {
            let others = halves.iter().any(|half| half.regimes[c].end != full.end);
            full.changed() || others || halves.get(1).is_some_and(|end| end.regimes[c].changed())
        })
    }

    fn follows(&self, point: &StepPoint) -> bool {
        // A method of first order loses motion along constraints and momentum of linkages, whatever the accuracy.
        let is_led = point.problem.has_rigid_rows() || point.problem.has_linkages();
        point.follows || (is_led && !self.external.reacts())
    }

    fn friction_lag(&self, full: &FullStep<'_, StepPoint>, half: &Candidate, end: &Candidate) -> f64 {
        let StepOptions { tuning, max_step, .. } = &self.plan.options;
        let &FullStep { start, middle, solution, .. } = full;
        let found = [&*solution.velocity, &half.velocity, &end.velocity];
        let lag = middle.problem.friction_lag(&start.problem, found, &self.improvement.smooth, tuning.wander);
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
        full: &FullStep<'_, StepPoint>,
        half: &Candidate,
        end: &Candidate,
        on: RuleSwitches,
    ) -> FirstDifference {
        let ContactStep { improvement, plan, external, .. } = self;
        improvement.survey(plan, external, full, half, end, on);
        self.find_first_difference(full.solution, end)
    }

    fn improve(
        &mut self,
        full: &FullStep<'_, StepPoint>,
        half: &mut Candidate,
        end: &mut Candidate,
        three: Option<ThreeParts<'_, StepPoint>>,
        on: RuleSwitches,
        statistics: &mut Statistics,
    ) -> (f64, Option<(f64, usize)>) {
        let ContactStep { improvement, plan, external, ends, .. } = self;
        let mut context = StepContext { plan, external, ends };
        let change = improvement.improve(&mut context, full, half, end, on, statistics);
        let third = three.as_ref().and_then(|three| self.keep_third(full.solution, three, end));
        if on.has(Rule::Extrapolation) {
            self.keep_depths(full, half, end, three.as_ref().filter(|_| third.is_some()), statistics);
        }
        (change, third)
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

    fn ends_early(&mut self, point: &StepPoint, h: f64, next: &Candidate) -> Option<f64> {
        let ContactStep { free, external, kinks, .. } = self;
        let ends = [&*point.state.continuous, &*next.continuous];
        let early = free.manifold.ends_early(external, h, ends[0], ends[1]);
        if !external.has_kinks() {
            return early;
        }
        let bent = kinks.passed(external, [point.state.time, h], ends);
        early.into_iter().chain(bent).reduce(f64::min)
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
        let free = self.free.free_time(&self.external, point, h);
        if self.external.has_kinks() { free.min(point.bent) } else { free }
    }

    fn step_freely(
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
            let ends = [&*next.continuous, free.embedded()];
            let error = outputs.of_ends(accuracy, span.end, ends, &point.state.discrete);
            found = larger(found, error, plan.norm.num_coordinates());
        }
        external.layout().gather_velocities(&next.continuous, &mut next.velocity);
        Ok(found)
    }

    fn accept_free_motion(
        &mut self,
        state: &mut State,
        span: StepSpan,
        dense: &mut DenseStep,
        records: &mut Vec<StepRecord>,
    ) {
        let ContactStep { plan, external, free, .. } = self;
        let StepSpan { h, end } = span;
        free.return_to_manifold(external, state, h);
        free.record_dense(state, span, dense);
        state.continuous.copy_from_slice(free.end());
        state.time = end;
        let changed = free.manifold.settle_end(external, state);
        free.record(external, state, h, records);
        let ends = free.clearance.points_at(external, &state.continuous);
        record::read_out(external, records, ends, &mut state.discrete);
        free.accept(state, plan.reads_records || changed);
    }
}
