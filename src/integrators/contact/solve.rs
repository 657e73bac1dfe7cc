//! The solve of a problem with its law, repeated until the law agrees with its solution.

use super::failures::{name_of_velocity, runaway};
use crate::contact::{Problem, Solution};
use crate::integrators::{Candidate, Statistics, StepFailure, ToSolve};
use crate::linearize::{External, Feedback, Law};
use crate::profile::Phase;
use crate::solvers::ContactSolver;

/// A problem, and the law that acts in it.
pub(in crate::integrators) struct CoupledProblem<'a> {
    pub law: &'a mut Law,
    pub external: &'a External,
    pub feedback: Feedback,
    pub problem: &'a mut Problem,
    pub solution: &'a mut Solution,
}

/// Solves a problem with its law, from the velocities and contact forces in `next`; leaves there those found, and all
/// that acted in the solution.
pub(in crate::integrators) fn solve<S: ContactSolver>(
    solver: &mut S,
    coupled: CoupledProblem<'_>,
    step: ToSolve,
    next: &mut Candidate,
    statistics: &mut Statistics,
) -> Result<(), StepFailure> {
    let (CoupledProblem { law, external, feedback, problem, solution }, ToSolve { h, tolerance }) = (coupled, step);
    solution.velocity.clone_from(&next.velocity);
    solution.forces.clone_from(&next.forces);
    // Every round clamps at least one more effort, so that it ends.
    loop {
        let mut lap = statistics.watch.start();
        problem.set_step(h);
        solver.set_step(problem);
        statistics.watch.lap(Phase::Problem, &mut lap);
        statistics.solves += 1;
        let report = match solver.solve(problem, tolerance, solution, &mut statistics.watch) {
            Ok(report) => report,
            Err(failure) => {
                if !law.decouple(external, feedback, problem).map_err(|at| runaway(external, at, h))? {
                    let near = name_of_velocity(external, failure.first_velocity);
                    return Err(StepFailure::Solve { near, failure: Box::new(failure) });
                }
                solution.velocity.copy_from_slice(problem.start_velocity());
                continue;
            }
        };
        statistics.solver_iterations += report.iterations;
        statistics.factorizations += report.factorizations;
        statistics.linesearch_evaluations += report.linesearch_evaluations;
        statistics.unsettled_solves += usize::from(report.unsettled > 0);
        statistics.max_residual = statistics.max_residual.max(report.residual);
        let mut lap = statistics.watch.start();
        let clamped = law.clamp_exceeded(external, feedback, &solution.velocity, problem);
        statistics.watch.lap(Phase::External, &mut lap);
        if !clamped.map_err(|at| runaway(external, at, h))? {
            next.velocity.clone_from(&solution.velocity);
            next.forces.clone_from(&solution.forces);
            return Ok(());
        }
    }
}
