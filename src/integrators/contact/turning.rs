//! Contact geometry that turns within steps: see `contact/turning.rs`.

use super::build;
use super::point::StepPoint;
use super::spins;
use super::step::ContactStep;
use crate::integrators::Statistics;
use crate::solvers::ContactSolver;

/// The time after which geometry is looked at to see how it turns, over the largest step: the step of a difference in
/// place of a derivative. An eighth of it makes the same errors (decision 057).
const DIFFERENCE_STEP_RATIO: f64 = 1e-3;

impl<S: ContactSolver> ContactStep<S> {
    /// Whether geometry turns in steps from `point`.
    fn turns(&self, point: &StepPoint) -> bool {
        self.plan.options.turns && point.belts.is_empty() && point.problem.may_turn()
    }

    /// Finds how the geometry of the contacts of `point` turns.
    pub(super) fn find_turning(&mut self, point: &mut StepPoint, statistics: &mut Statistics) {
        if !self.turns(point) {
            return;
        }
        let ContactStep { external, plan, ahead, rates, soon, .. } = self;
        let after = DIFFERENCE_STEP_RATIO * plan.options.max_step;
        let (layout, diagram) = (external.layout(), external.diagram());
        let (state, v0) = (&point.state, point.problem.start_velocity());
        ahead.clone_from(&state.continuous);
        layout.advance_positions(diagram, &state.continuous, v0, after, ahead, rates);
        spins::keep_centres(external, &point.problem, v0, ahead);
        soon.switches.clone_from(&point.switches);
        soon.problem.scales = plan.scales.of_laws();
        let (discretization, watch) = (&plan.options.discretization, &mut statistics.watch);
        build::gather(external, ahead, 0.0, 0.0, discretization, soon, watch);
        build::fill(external, state.time + after, ahead, discretization, soon, watch);
        statistics.geometry_queries += 1;
        point.problem.take_turning(&soon.problem, after, plan.options.tuning.wander);
    }

    /// Carries the depths that the last step from `from` led to into `to`, which was prepared at its end, and finds how
    /// geometry turns from there.
    pub(super) fn carry_depths(&mut self, from: &StepPoint, to: &mut StepPoint, statistics: &mut Statistics) {
        if self.turns(from) {
            to.problem.carry_depths(&from.problem, &from.solution);
            self.find_turning(to, statistics);
        }
    }
}
