//! Common driver of solvers by sweeps: islands one after the other, each in rounds until the set of efforts at their
//! limits settles; a round consists of sweeps until convergence.

use super::island_rows::IslandRows;
use super::row_rules::RowRules;
use super::rows::Rows;
use crate::choices::sweeps::{MAX_ROUNDS, MAX_SHARINGS};
use crate::inertia_groups::Groups;
use kinegraph_convex::contact::{Island, Problem, Solution};
use kinegraph_convex::solvers::report::Balance;
use kinegraph_convex::solvers::{SolveFailure, SolveFault, SolveReport};

/// Momenta below this count as zero.
const AT_REST: f64 = 1e-140; // rounding

/// Sweeping method over the rows of an island.
pub(crate) trait Sweeps {
    /// Begins a round at the velocities `v`, which follow from the impulses in `own`. Returns true if there is nothing
    /// to do.
    fn start(&mut self, problem: &Problem, island: &Island, own: &mut IslandRows, v: &mut [f64]) -> bool;

    /// Solves every row once. Returns the size of the change, and whether the sweeps have converged; other counts are
    /// added to `report`.
    fn sweep(&mut self, rows: &mut Rows, groups: &Groups, v: &mut [f64], report: &mut SolveReport) -> (f64, bool);

    /// Ends a round; the rows have the final impulses.
    fn end(&mut self, _rows: &mut Rows, _groups: &Groups, _v: &[f64]) {}

    /// True if statically indeterminate loads are to be shared evenly, as needed for methods whose order of sweeps
    /// decides on them. The rows then have the present impulses.
    fn shares_loads(&self) -> bool {
        false
    }

    /// Largest residual of the contact laws: difference between an impulse and the one that its own velocity requires
    /// \[N s\].
    fn residual(&mut self, _rows: &mut Rows, _groups: &Groups, _v: &[f64]) -> f64 {
        0.0
    }
}

/// Stopping criteria of sweeps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopping {
    /// Maximum number of sweeps of a round, converged or not.
    pub max_sweeps: usize,
    /// Relative tolerance, for messages of failures.
    pub tolerance: f64,
}

/// Solves all islands of a problem under the laws of `rules`; `own` keeps its memory.
pub(crate) fn solve(
    problem: &Problem,
    rules: &RowRules,
    stopping: Stopping,
    sweeps: &mut impl Sweeps,
    own: &mut IslandRows,
    solution: &mut Solution,
) -> Result<SolveReport, SolveFailure> {
    if let Some(failure) = SolveFailure::of_unlisted(problem) {
        return Err(failure);
    }
    solution.start_impulses(problem);
    let mut report = SolveReport::default();
    for island in problem.islands() {
        report.add_island(&solve_one(problem, island, rules, stopping, sweeps, own, solution)?);
    }
    solution.keep_forces(problem);
    Ok(report)
}

/// Solves one island; of `solution` only its velocities and impulses change.
pub(crate) fn solve_one(
    problem: &Problem,
    island: &Island,
    rules: &RowRules,
    stopping: Stopping,
    sweeps: &mut impl Sweeps,
    own: &mut IslandRows,
    solution: &mut Solution,
) -> Result<SolveReport, SolveFailure> {
    let mut report = SolveReport::default();
    let sweeping = Sweeping { rules, max_sweeps: stopping.max_sweeps };
    let found = solve_island(problem, island, sweeping, sweeps, own, solution, &mut report);
    let balance = Balance { gradient_norm: f64::NAN, tolerance: stopping.tolerance };
    found.map_err(|fault| SolveFailure::new(problem, island, fault, report.iterations, balance))?;
    Ok(report)
}

/// Laws and stopping criteria of a solve.
#[derive(Clone, Copy)]
struct Sweeping<'a> {
    rules: &'a RowRules,
    max_sweeps: usize,
}

fn solve_island(
    problem: &Problem,
    island: &Island,
    Sweeping { rules, max_sweeps }: Sweeping<'_>,
    sweeps: &mut impl Sweeps,
    own: &mut IslandRows,
    solution: &mut Solution,
    report: &mut SolveReport,
) -> Result<(), SolveFault> {
    own.enter(problem, island, rules);
    for _ in 0..MAX_ROUNDS {
        report.factorizations += own.factor(problem, island);
        own.start(problem, island, solution);
        let v = &mut solution.velocity;
        let mut arrived = sweeps.start(problem, island, own, v);
        let mut sharings = 0;
        for sweep in 0..max_sweeps {
            if arrived {
                sharings += 1;
                if sharings > MAX_SHARINGS
                    || sweep > max_sweeps / 2
                    || !sweeps.shares_loads()
                    || !own.share_loads(problem, v)
                {
                    break;
                }
            }
            let (changed, enough) = sweeps.sweep(&mut own.rows, &own.groups, v, report);
            report.iterations += 1;
            if !changed.is_finite() {
                return Err(SolveFault::NotFinite);
            }
            arrived = enough;
        }
        sweeps.end(&mut own.rows, &own.groups, v);
        if island.cliques.iter().any(|&c| v[problem.velocities_of(c)].iter().any(|x| !x.is_finite())) {
            return Err(SolveFault::NotFinite);
        }
        if own.settle(problem, island, v) {
            report.unsettled += usize::from(!arrived);
            report.residual = sweeps.residual(&mut own.rows, &own.groups, v) / problem.step_terms.dt;
            own.write(problem, solution, rules.ratio);
            return Ok(());
        }
    }
    Err(SolveFault::IterationLimit)
}

/// Scale for changes of velocities \[sqrt(J)\].
pub(crate) fn scale(problem: &Problem, island: &Island, v: &[f64]) -> f64 {
    let (mut momentum, mut inertia) = (0.0, 0.0);
    for i in island.cliques.iter().flat_map(|&c| problem.velocities_of(c)) {
        momentum += (problem.trees.scale[i] * problem.step_terms.momentum[i]).powi(2);
        inertia += (v[i] / problem.trees.scale[i]).powi(2);
    }
    momentum.max(inertia).sqrt().max(AT_REST)
}
