//! Decides when a step keeps its third solution, and by which error.

use super::improve::Improvement;
use super::parts::ThreeParts;
use super::point::StepPoint;
use super::step::ContactStep;
use super::third::lasts;
use crate::integrators::Candidate;
use kinegraph_convex::contact::Regime;

impl ContactStep {
    /// Distance \[accuracies of 1\] made by the error of velocity that persists after the step, whose last part began
    /// at `last`.
    fn persistent_way(&mut self, last: &StepPoint) -> f64 {
        let ContactStep { improvement: Improvement { third, .. }, plan, solver, .. } = self;
        let problem = &last.problem;
        third.find_dv(plan, problem);
        for _ in 0..3 {
            problem.momenta_of(&third.dv, &mut third.momenta);
            if solver.backsolve(problem, &last.solution, &mut third.momenta) {
                third.dv.clone_from(&third.momenta);
            }
        }
        let weigh = |(velocity, dv): (usize, &f64)| dv.abs() * plan.scales.weight(velocity);
        plan.options.max_step * third.dv.iter().enumerate().map(weigh).fold(0.0, f64::max)
    }

    /// Keeps the third solution in `end` where contact lasts; returns its error and the worst coordinate. `None` where
    /// other contacts act in the thirds.
    pub(super) fn keep_third(
        &mut self,
        full: &Candidate,
        three: &ThreeParts<'_>,
        end: &mut Candidate,
    ) -> Option<(f64, usize)> {
        let ContactStep { improvement: Improvement { third, forced, decided, .. }, plan, .. } = self;
        let same = |(c, regime): (usize, &Regime)| {
            let mut parts = three.ends.iter().map(|part| &part.regimes[c]);
            parts.all(|part| part.pieces == regime.pieces && lasts(part))
        };
        let found = || full.regimes.iter().enumerate().all(|part| !third.lasting[part.0] || same(part));
        if !forced.as_ref().map_or_else(found, |forced| forced.third) {
            return None;
        }
        decided.third = true;
        third.combine(plan, &full.continuous, three);
        for i in plan.movers.entries(third.all(), |c| third.lasting[c]) {
            end.continuous[i] = third.third[i];
        }
        let (error, worst) = plan.norm.distance_of(&third.third, &third.second, |i| third.moves(plan, i));
        Some((error.max(self.persistent_way(three.last)), worst))
    }
}
