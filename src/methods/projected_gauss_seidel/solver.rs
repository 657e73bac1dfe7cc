//! The solver: sweeps row by row.

use crate::choices::projected_gauss_seidel::{MAX_SWEEPS, MIN_TOLERANCE};
use crate::inertia_groups::Groups;
use crate::sweeps::{self, CORRECTION, IslandRows, RowRules, Rows, Stopping, Sweeps, row_sweep, scale};
use kinegraph_convex::contact::{Island, Problem, Solution};
use kinegraph_convex::profile::Stopwatch;
use kinegraph_convex::solvers::{ContactSolver, SolveFailure, SolveReport};

/// Options of the solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Maximum number of sweeps of a solve, converged or not.
    pub max_sweeps: usize,
    /// Lower bound of the relative tolerance.
    pub min_tolerance: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { max_sweeps: MAX_SWEEPS, min_tolerance: MIN_TOLERANCE }
    }
}

/// Projected Gauss-Seidel; see the [module](super).
#[derive(Clone, Debug, Default)]
pub struct ProjectedGaussSeidel {
    /// Options.
    pub options: Options,
    own: IslandRows,
}

impl ProjectedGaussSeidel {
    /// A solver with the given options.
    pub fn new(options: Options) -> Self {
        ProjectedGaussSeidel { options, ..ProjectedGaussSeidel::default() }
    }
}

/// Sweeps row by row, which end when a sweep changes the velocities by no more than the tolerance, relative to the
/// motion.
struct RowByRow {
    tolerance: f64,
    enough: f64,
}

impl Sweeps for RowByRow {
    fn start(&mut self, problem: &Problem, island: &Island, _own: &mut IslandRows, v: &mut [f64]) -> bool {
        self.enough = self.tolerance * scale(problem, island, v);
        false
    }

    fn sweep(&mut self, rows: &mut Rows, groups: &Groups, v: &mut [f64], _: &mut SolveReport) -> (f64, bool) {
        let change = row_sweep::sweep(rows, groups, v, |_| true);
        (change, change <= self.enough)
    }
}

impl ContactSolver for ProjectedGaussSeidel {
    fn solve(
        &mut self,
        problem: &Problem,
        tolerance: f64,
        solution: &mut Solution,
        _watch: &mut Stopwatch,
    ) -> Result<SolveReport, SolveFailure> {
        let tolerance = tolerance.max(self.options.min_tolerance);
        let stopping = Stopping { max_sweeps: self.options.max_sweeps, tolerance };
        let rules = RowRules::at_the_end(problem.step_terms.dt, CORRECTION);
        let mut sweeps = RowByRow { tolerance, enough: 0.0 };
        sweeps::solve(problem, &rules, stopping, &mut sweeps, &mut self.own, solution)
    }
}
