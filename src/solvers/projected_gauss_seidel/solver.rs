//! The solver: islands one after the other, each by sweeps.

use super::island_rows::IslandRows;
use super::rows::RowRules;
use super::sweep;
use crate::contact::{Island, Problem, Regime, Solution};
use crate::profile::Stopwatch;
use crate::solvers::{ContactSolver, SolveFailure, SolveFault, SolveReport};

/// Rounds in which the set of efforts at their limits has to settle.
const MAX_ROUNDS: usize = 10;
/// Momenta below this count as nothing.
const AT_REST: f64 = 1e-140;

/// Options of the solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// A solve takes no more sweeps than this, whether it has arrived or not.
    pub max_sweeps: usize,
    /// The relative tolerance is never tighter than this.
    pub min_tolerance: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { max_sweeps: 1000, min_tolerance: 1e-6 }
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

    fn solve_island(
        &mut self,
        problem: &Problem,
        island: &Island,
        tolerance: f64,
        solution: &mut Solution,
    ) -> Result<SolveReport, SolveFailure> {
        let fail = |fault, iterations| SolveFailure {
            fault,
            first_velocity: problem.velocities_of(island.cliques[0]).start,
            size: island.size,
            contacts: island.patches.len(),
            iterations,
            gradient_norm: f64::NAN,
            tolerance,
        };
        self.own.enter(problem, island, &RowRules::at_the_end(problem.dt));
        let mut report = SolveReport::default();
        for _ in 0..MAX_ROUNDS {
            report.factorizations += self.own.factor(problem, island);
            self.own.start(problem, island, solution);
            let v = &mut solution.velocity;
            let enough = tolerance * scale(problem, island, v);
            let IslandRows { rows, groups, .. } = &mut self.own;
            let mut arrived = false;
            for _ in 0..self.options.max_sweeps {
                let change = sweep::sweep(rows, groups, v);
                report.iterations += 1;
                if !change.is_finite() {
                    return Err(fail(SolveFault::NotFinite, report.iterations));
                }
                arrived = change <= enough;
                if arrived {
                    break;
                }
            }
            if island.cliques.iter().any(|&c| v[problem.velocities_of(c)].iter().any(|x| !x.is_finite())) {
                return Err(fail(SolveFault::NotFinite, report.iterations));
            }
            if self.own.settle(problem, island, v) {
                report.unsettled += usize::from(!arrived);
                self.own.write(problem, solution, 1.0);
                return Ok(report);
            }
        }
        Err(fail(SolveFault::IterationLimit, report.iterations))
    }
}

/// What changes of the velocities are to be compared with \[sqrt(J)\].
pub(in crate::solvers) fn scale(problem: &Problem, island: &Island, v: &[f64]) -> f64 {
    let (mut momentum, mut inertia) = (0.0, 0.0);
    for i in island.cliques.iter().flat_map(|&c| problem.velocities_of(c)) {
        momentum += (problem.scale[i] * problem.momentum[i]).powi(2);
        inertia += (v[i] / problem.scale[i]).powi(2);
    }
    momentum.max(inertia).sqrt().max(AT_REST)
}

impl ContactSolver for ProjectedGaussSeidel {
    const TELLS_REGIMES: bool = false;
    const ROWS_GIVE_WAY: bool = false;

    fn set_step(&mut self, _problem: &Problem) {}

    fn solve(
        &mut self,
        problem: &Problem,
        tolerance: f64,
        solution: &mut Solution,
        _watch: &mut Stopwatch,
    ) -> Result<SolveReport, SolveFailure> {
        solution.start_impulses(problem);
        let tolerance = tolerance.max(self.options.min_tolerance);
        let mut report = SolveReport::default();
        for island in problem.islands() {
            let one = self.solve_island(problem, island, tolerance, solution)?;
            report.iterations = report.iterations.max(one.iterations);
            report.factorizations += one.factorizations;
            report.unsettled += one.unsettled;
        }
        solution.keep_forces(problem);
        Ok(report)
    }

    fn regimes(&self, _problem: &Problem, _solution: &Solution, out: &mut Vec<Regime>) {
        out.clear();
    }

    fn backsolve(&mut self, _problem: &Problem, _solution: &Solution, _rhs: &mut [f64]) -> bool {
        false
    }
}
