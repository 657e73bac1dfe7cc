//! The solver as the contact step sees it.

use super::solver::Solver;
use crate::contact::{Problem, Regime, Solution};
use crate::profile::Stopwatch;
use crate::solvers::{ContactSolver, SolveFailure, SolveReport};

impl ContactSolver for Solver {
    fn reports_regimes(&self) -> bool {
        true
    }

    fn has_compliant_rows(&self) -> bool {
        true
    }

    fn set_step(&mut self, problem: &Problem) {
        self.pools.set_step(problem);
    }

    fn solve(
        &mut self,
        problem: &Problem,
        tolerance: f64,
        solution: &mut Solution,
        watch: &mut Stopwatch,
    ) -> Result<SolveReport, SolveFailure> {
        // The solver has the stopwatch for as long as it works.
        std::mem::swap(&mut self.watch, watch);
        let solved = self.minimize(problem, tolerance, solution);
        std::mem::swap(&mut self.watch, watch);
        solved
    }

    fn regimes(&self, problem: &Problem, solution: &Solution, out: &mut Vec<Regime>) {
        self.find_regimes(problem, &solution.velocity, out);
    }

    fn backsolve(&mut self, problem: &Problem, solution: &Solution, rhs: &mut [f64]) -> bool {
        problem.islands().iter().all(|island| self.backsolve_island(problem, island, &solution.velocity, rhs))
    }
}
