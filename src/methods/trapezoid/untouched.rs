//! Bodies that nothing touches, in the trapezoid scheme.
//!
//! There the scheme is the method of Heun, which lets every oscillation grow: `|R(iy)|² = 1 + y⁴/4` a step of angle y,
//! too slowly to be seen where the amplitude is below the accuracy, but the fast modes of a long chain so take energy
//! from nowhere. The classical Runge-Kutta step of fourth order (`refine.rs`) damps them up to an angle of 2.8,
//! `|R(iy)|² = 1 - y⁶/72 + ...`. It replaces the end of the step; the error stays that of the scheme, and what both
//! differ by counts as well.
//!
//! Bodies that rigid constraints lead and nothing touches are followed likewise, with these constraints. The scheme
//! itself would let a top on a pivot gain energy, and take the energy out of loops with more bars than they need: off
//! its constraints by what a step leaves, such a loop is a structure that stands still.

use super::correct::Correction;
use kinegraph_convex::contact::{Island, Problem};
use kinegraph_convex::profile::Phase;
use kinegraph_engine::integrators::contact::bounds::fastest_rate;
use kinegraph_engine::integrators::contact::refine::Others;
use kinegraph_engine::integrators::contact::resolved::{Later, resolves};
use kinegraph_engine::integrators::contact::{IcfStep, StepPoint};
use kinegraph_engine::integrators::{Candidate, Statistics};
use kinegraph_engine::linearize::Feedback;

/// Marks the cliques on which only rigid constraints act in a step of length `h` from `start`, to the end where `end`
/// was built. `found` are the velocities at the end by both solves.
fn find_led(step: &IcfStep, start: &StepPoint, h: f64, found: [&[f64]; 2], end: &Problem, led: &mut Vec<bool>) {
    led.clear();
    led.resize(start.problem.num_cliques(), false);
    if !start.problem.has_rigid_rows() {
        return;
    }
    let untouched = |island: &&Island| !island.rows.is_empty() && island.patches.is_empty();
    for island in start.problem.islands().iter().filter(untouched) {
        island.cliques.iter().for_each(|&c| led[c] = true);
    }
    for island in end.islands().iter().filter(|island| !island.patches.is_empty()) {
        island.cliques.iter().for_each(|&c| led[c] = false);
    }
    // Corrections of positions are not part of the motion.
    for group in start.off_groups(&step.plan.scales) {
        let islands = start.problem.islands().iter().filter(|island| island.rows.contains(&group));
        islands.flat_map(|island| &island.cliques).for_each(|&c| led[c] = false);
    }
    let wander = step.plan.options.tuning.wander;
    for (problem, v) in [&start.problem, end].into_iter().zip(found) {
        resolves(problem, h, v, Later { problem: end, dt: h, wander }, false, led);
    }
}

/// Replaces the end `next` of a step of length `h` from `start`, the second solve of which is in `correction`, for
/// bodies on which only smooth forces act. `hat` is the end of the first solve.
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
    let Correction { point, refinement, sums, factor, led, .. } = correction;
    step.solver.regimes(&point.problem, &point.solution, &mut next.regimes);
    let (first, second) = (&hat.regimes, &next.regimes);
    // A contact that opens within the step has acted at its start.
    let untouched = |c: usize| first[c].pieces == 0 && first[c].start == 0 && second[c].pieces == 0;
    find_led(step, start, h, [&hat.velocity, &next.velocity], &point.problem, led);
    let free = |c: usize| untouched(c) || led[c] && !first[c].stopped && !second[c].stopped;
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
    let IcfStep { plan, external, ends, .. } = &mut *step;
    let held = led.contains(&true).then_some((ends, &*start.switches));
    let found = refinement.step(external, &start.state, h, false, held, Others::NONE);
    statistics.watch.lap(Phase::Refinement, &mut lap);
    if !found {
        return;
    }
    let layout = external.layout();
    layout.normalize_quaternions(external.diagram(), &mut refinement.end);
    for i in plan.movers.entries(all, free) {
        next.continuous[i] = refinement.end[i];
    }
    layout.gather_velocities(&next.continuous, &mut next.velocity);
}
