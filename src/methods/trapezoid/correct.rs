//! Second solve of the trapezoid scheme, which corrects the convex step to second order.

use super::average::{self, average_with};
use super::end_moved::{EndMoved, move_with_end};
use super::followed::Unfollowed;
use super::second_law::{SecondLaw, SecondSolve};
use super::spins;
use super::untouched::follow_untouched;
use kinegraph_convex::linear_algebra::Cholesky;
use kinegraph_convex::profile::Phase;
use kinegraph_diagram::State;
use kinegraph_engine::integrators::contact::failures::{check_end, check_law};
use kinegraph_engine::integrators::contact::refine::Refinement;
use kinegraph_engine::integrators::contact::solve::{CoupledProblem, solve};
use kinegraph_engine::integrators::contact::{IcfStep, StepPoint};
use kinegraph_engine::integrators::{Candidate, Statistics, StepFailure, ToSolve};
use kinegraph_engine::linearize::External;

/// Workspace of the second solve.
#[derive(Clone, Debug, Default)]
pub struct Correction {
    /// Law of the second solve.
    law: Option<SecondLaw>,
    /// Problem at the end of the first solve.
    pub(super) point: StepPoint,
    state: State,
    velocity: Vec<f64>,
    /// Velocities at the end of the first solve.
    hat_velocity: Vec<f64>,
    unfollowed: Unfollowed,
    end_moved: EndMoved,
    /// For each velocity, true if positions move by its value at the end.
    stopped: Vec<bool>,
    /// End state if all positions moved by the mean of their velocities; the error is measured from it.
    mean_end: Vec<f64>,
    /// End state of the scheme itself.
    own_end: Vec<f64>,
    pub(super) refinement: Refinement,
    pub(super) sums: Vec<f64>,
    pub(super) factor: Cholesky,
    /// For each clique, true if only rigid constraints act on it.
    pub(super) led: Vec<bool>,
    change: Vec<f64>,
}

/// Corrects the step from `start` that led to `hat`, the last one taken: writes the end of the trapezoid scheme into
/// `next` (without regimes). The linearization at the start is close enough.
pub(super) fn correct(
    method: &mut IcfStep,
    start: &StepPoint,
    step: ToSolve,
    hat: &Candidate,
    correction: &mut Correction,
    next: &mut Candidate,
    statistics: &mut Statistics,
) -> Result<(), StepFailure> {
    let h = step.h;
    let Correction {
        point, state, velocity: mean, hat_velocity, unfollowed, end_moved, stopped, mean_end, law, ..
    } = correction;
    state.time = start.state.time + h;
    state.continuous.clone_from(&hat.continuous);
    state.discrete.clone_from(&start.state.discrete);
    point.switches.clone_from(&start.switches);
    method.build(state, h, point, statistics)?;
    average_with(&mut point.problem, &start.problem, &start.solution.rows, h, unfollowed);
    let feedback = method.plan.options.feedback;
    let external = &mut method.external;
    let (law, problem) = (law.get_or_insert_with(|| SecondLaw::new(method.plan.options.rejects)), &mut point.problem);
    let mut lap = statistics.watch.start();
    law.law.couple(external, &start.linear, feedback, problem);
    statistics.watch.lap(Phase::External, &mut lap);
    problem.finish();
    statistics.watch.lap(Phase::Problem, &mut lap);

    let v0 = start.problem.start_velocity();
    method.scratch.ahead.clone_from(&hat.continuous);
    external.layout().gather_velocities(&hat.continuous, hat_velocity);
    mean_of(v0, hat_velocity, mean);
    advance(external, start, mean, h, &mut method.scratch.ahead, &mut method.scratch.rates);
    let mut lap = statistics.watch.start();
    let applied = law.apply(
        external,
        &start.linear,
        feedback,
        SecondSolve { start: &start.state, hat: &hat.continuous, ahead: &method.scratch.ahead, dt: h },
        problem,
    );
    statistics.watch.lap(Phase::External, &mut lap);
    check_law(external, problem, applied, h)?;
    next.velocity.clone_from(&hat.velocity);
    next.forces.clone_from(&hat.forces);
    let coupled = CoupledProblem { law: &mut law.law, external, feedback, problem, solution: &mut point.solution };
    solve(&mut *method.solver, coupled, step, next, statistics)?;

    next.continuous.clone_from(&hat.continuous);
    external.layout().scatter_velocities(&next.velocity, &mut next.continuous);
    mean_of(v0, &next.velocity, mean);
    advance(external, start, mean, h, &mut next.continuous, &mut method.scratch.rates);
    law.law.advance_external(external, &start.linear, problem, &next.velocity, &hat.continuous, &mut next.continuous);
    mean_end.clone_from(&next.continuous);
    move_with_end(problem, unfollowed, &next.velocity, end_moved, mean);
    average::stopped(problem, &next.velocity, stopped);
    if stopped.contains(&true) || !unfollowed.is_empty() {
        for ((mean, v), _) in mean.iter_mut().zip(&next.velocity).zip(&*stopped).filter(|(_, stopped)| **stopped) {
            *mean = *v;
        }
        advance(external, start, mean, h, &mut next.continuous, &mut method.scratch.rates);
    }
    spins::keep_momenta(external, &start.problem, &hat.continuous, &mut next.continuous);
    if start.problem.has_rigid_rows() {
        method.ends.project(external, &start.switches, &mut next.continuous);
    }
    external.layout().gather_velocities(&next.continuous, &mut next.velocity);
    correction.own_end.clone_from(&next.continuous);
    follow_untouched(method, start, h, hat, correction, next, statistics);
    check_end(method.external.diagram(), &next.continuous)
}

/// The error that the correction of `hat` to `end` in a step of length `h` shows, and the worst coordinate: the
/// largest of the difference of both, of the difference of positions that their velocities would make in another
/// step, and of what refinement changed.
pub(super) fn correction_error(
    method: &mut IcfStep,
    hat: &Candidate,
    correction: &mut Correction,
    end: &Candidate,
    h: f64,
) -> (f64, usize) {
    let (external, norm) = (&method.external, &method.plan.norm);
    let Correction { hat_velocity, mean_end, own_end, change, .. } = correction;
    let larger = |a: (f64, usize), b: (f64, usize)| if b.0 > a.0 || b.0.is_nan() { b } else { a };
    let now = larger(norm.distance(&hat.continuous, mean_end), norm.distance(own_end, &end.continuous));
    method.scratch.ahead.clone_from(&end.continuous);
    change.clear();
    change.extend(hat_velocity.iter().zip(&end.velocity).map(|(hat, end)| hat - end));
    let from = &end.continuous;
    external.layout().advance_positions(
        external.diagram(),
        from,
        change,
        h,
        &mut method.scratch.ahead,
        &mut method.scratch.rates,
    );
    let next = norm.distance(&end.continuous, &method.scratch.ahead);
    larger(now, next)
}

fn mean_of(a: &[f64], b: &[f64], mean: &mut Vec<f64>) {
    mean.clear();
    mean.extend(a.iter().zip(b).map(|(a, b)| 0.5 * (a + b)));
}

/// Advances positions from those at the start by the velocities `v`.
fn advance(external: &External, start: &StepPoint, v: &[f64], h: f64, next: &mut [f64], rates: &mut Vec<f64>) {
    external.layout().advance_positions(external.diagram(), &start.state.continuous, v, h, next, rates);
}
