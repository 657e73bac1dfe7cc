//! Ends of smooth motion by the refinement.

use super::improve::Improvement;
use super::parts::FullStep;
use super::refine::Others;
use super::resolved::{Later, resolves};
use super::step::ContactStep;
use crate::integrators::{Candidate, Statistics};
use kinegraph_convex::profile::Phase;

impl ContactStep {
    /// Replaces the extrapolated end of smooth motion, free or in soft contact, by that of the refinement. Returns the
    /// difference of the two.
    pub(super) fn refine(
        &mut self,
        step: &FullStep<'_>,
        half: &Candidate,
        end: &mut Candidate,
        statistics: &mut Statistics,
    ) -> f64 {
        let ContactStep { improvement, plan, external, ends, .. } = self;
        let &FullStep { start: point, h, .. } = step;
        let (reacts, wander) = (external.reacts(), plan.options.tuning.wander);
        let Improvement { refinement, smooth, acted_on, resolved, others, decided, forced, .. } = improvement;
        let cliques = smooth.len();
        let free = |c: usize, resolved: &[bool]| smooth[c] && (!acted_on[c] || resolved[c]);
        let touching = (0..cliques).any(|c| free(c, resolved) && acted_on[c]);
        statistics.derivative_evaluations += 4;
        let mut lap = statistics.watch.start();
        if touching {
            refinement.contact.prepare(&point.switches, (0..cliques).map(|c| free(c, resolved)));
        }
        let constrained = point.problem.has_rigid_rows().then_some((ends, &*point.switches));
        let all = (0..cliques).all(|c| free(c, resolved));
        others.clear();
        others.extend(plan.movers.entries(!all, |c| !free(c, resolved)));
        let beside = Others { entries: others, end: &end.continuous };
        let refined = refinement.step(external, &point.state, h, touching, constrained, beside);
        statistics.watch.lap(Phase::Refinement, &mut lap);
        if !refined {
            return 0.0;
        }
        if let Some(forced) = forced {
            resolved.clone_from(&forced.refined);
        } else if touching {
            let later = Later { problem: refinement.contact.problem(), dt: h, wander };
            resolves(&point.problem, h, &half.velocity, later, point.bounds.follows, resolved);
        }
        decided.refined.clone_from(resolved);
        let all = (0..cliques).all(|c| free(c, resolved));
        if reacts && !all {
            return 0.0;
        }
        let mut gap = 0.0_f64;
        for i in plan.movers.entries(all, |c| free(c, resolved)) {
            let time = if plan.movers.is_velocity[i] { h } else { 1.0 };
            gap = gap.max((refinement.end[i] - end.continuous[i]).abs() * time * plan.weights[i]);
            end.continuous[i] = refinement.end[i];
        }
        gap
    }
}
