//! Solves a problem with its law, repeatedly until the law agrees with its solution.

use super::failures::{name_of_velocity, runaway};
use crate::integrators::{Candidate, Statistics, StepFailure, ToSolve};
use crate::linearize::{External, Feedback, Law};
use kinegraph_convex::contact::{Problem, Solution};
use kinegraph_convex::profile::Phase;
use kinegraph_convex::solvers::ContactSolver;

/// A contact problem, and the law of the external systems in it.
pub struct CoupledProblem<'a> {
    /// Law of the external systems.
    pub law: &'a mut Law,
    /// The external systems.
    pub external: &'a External,
    /// Treatment of feedback within the step.
    pub feedback: Feedback,
    /// The problem.
    pub problem: &'a mut Problem,
    /// Its solution.
    pub solution: &'a mut Solution,
}

/// Solves a problem with its law, from the velocities and contact forces in `next`. Leaves there those of the solution,
/// and all forces and regimes in it.
pub fn solve(
    solver: &mut dyn ContactSolver,
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
