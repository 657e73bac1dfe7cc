//! What nothing touches, in the trapezoid scheme.
//!
//! There the scheme is the method of Heun, which lets every oscillation grow: `|R(iy)|² = 1 + y⁴/4` a step of angle y,
//! too slowly to be seen where the amplitude is below the accuracy, but the fast modes of a long chain so take energy
//! from nowhere. The classical Runge-Kutta step of fourth order (`refine.rs`) damps them up to an angle of 2.8,
//! `|R(iy)|² = 1 - y⁶/72 + ...`. It replaces the end of the step; the error stays that of the scheme, and what both
//! differ by counts as well.

use super::correct::Correction;
use kinegraph_convex::profile::Phase;
use kinegraph_engine::integrators::contact::bounds::fastest_rate;
use kinegraph_engine::integrators::contact::refine::Others;
use kinegraph_engine::integrators::contact::{IcfStep, StepPoint};
use kinegraph_engine::integrators::{Candidate, Statistics};
use kinegraph_engine::linearize::Feedback;

/// Replaces the end `next` of a step of length `h` from `start`, the second solve of which stands in `correction`,
/// where nothing acts but smooth forces. `hat` is the end of the first solve.
pub(super) fn follow_untouched(
    step: &mut IcfStep,
    start: &StepPoint,
    h: f64,
    hat: &Candidate,
    correction: &mut Correction,
    next: &mut Candidate,
    statistics: &mut Statistics,
) {
    let stiff = step.plan.options.tuning.stiff;
    let reacts = step.external.reacts();
    if reacts && step.plan.options.feedback == Feedback::Explicit {
        return;
    }
    let Correction { point, refinement, sums, factor, .. } = correction;
    step.solver.regimes(&point.problem, &point.solution, &mut next.regimes);
    let (first, second) = (&hat.regimes, &next.regimes);
    // A contact that opens within the step has acted at its start.
    let free = |c: usize| first[c].pieces == 0 && first[c].start == 0 && second[c].pieces == 0;
    let all = (0..first.len()).all(free);
    if first.is_empty()
        || !(all || !reacts && (0..first.len()).any(free))
        || start.problem.stiffness_ratio() > stiff
        || h * fastest_rate(&start.linear.external.z, sums) > stiff
        || !start.problem.is_soft(h, stiff, factor)
    {
        return;
    }
    statistics.derivative_evaluations += 4;
    let mut lap = statistics.watch.start();
    let external = &mut step.external;
    let found = refinement.step(external, &start.state, h, false, None, Others::NONE);
    statistics.watch.lap(Phase::Refinement, &mut lap);
    if !found {
        return;
    }
    let layout = external.layout();
    layout.normalize_quaternions(external.diagram(), &mut refinement.end);
    for i in step.plan.movers.entries(all, free) {
        next.continuous[i] = refinement.end[i];
    }
    layout.gather_velocities(&next.continuous, &mut next.velocity);
}
