//! What solvers by sweeps share: islands one after the other, each in rounds until the efforts at their limits settle,
//! a round in sweeps until they arrive.

use super::island_rows::IslandRows;
use super::row_rules::RowRules;
use super::rows::Rows;
use crate::inertia_groups::Groups;
use kinegraph_convex::contact::{Island, Problem, Solution};
use kinegraph_convex::solvers::report::Balance;
use kinegraph_convex::solvers::{SolveFailure, SolveFault, SolveReport};

/// Rounds in which the set of efforts at their limits has to settle.
const MAX_ROUNDS: usize = 10;
/// How many times loads that are not determined are shared in a solve, within the first half of its sweeps: what slides
/// moves them, and is to settle again.
const MAX_SHARINGS: usize = 2;
/// Momenta below this count as nothing.
const AT_REST: f64 = 1e-140;

/// A way to sweep over the rows of an island.
pub(crate) trait Sweeps {
    /// Begins a round at the velocities `v`, to which the impulses in `own` have led. Whether there is nothing to do.
    fn start(&mut self, problem: &Problem, island: &Island, own: &mut IslandRows, v: &mut [f64]) -> bool;

    /// Solves every row once. Returns how much that changed, and whether the sweeps have arrived; what it did besides
    /// is added to `report`.
    fn sweep(&mut self, rows: &mut Rows, groups: &Groups, v: &mut [f64], report: &mut SolveReport) -> (f64, bool);

    /// Ends a round: the rows have the impulses that were found.
    fn end(&mut self, _rows: &mut Rows, _groups: &Groups, _v: &[f64]) {}

    /// True if loads that are not determined are to be shared evenly: sweeps whose order decides on them ask for that.
    /// The rows then have the impulses that were found so far.
    fn shares_loads(&self) -> bool {
        false
    }

    /// By how much an impulse of a contact is not the answer to its own velocity \[N s\].
    fn residual(&mut self, _rows: &mut Rows, _groups: &Groups, _v: &[f64]) -> f64 {
        0.0
    }
}

/// When sweeps stop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopping {
    /// A round takes no more sweeps than this, whether it has arrived or not.
    pub max_sweeps: usize,
    /// The relative tolerance, to be named in a failure.
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

/// Solves one island; its velocities and impulses are all that changes of `solution`.
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

/// By which laws, and for how long.
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
            report.residual = sweeps.residual(&mut own.rows, &own.groups, v) / problem.dt;
            own.write(problem, solution, rules.ratio);
            return Ok(());
        }
    }
    Err(SolveFault::IterationLimit)
}

/// What changes of the velocities are to be compared with \[sqrt(J)\].
pub(crate) fn scale(problem: &Problem, island: &Island, v: &[f64]) -> f64 {
    let (mut momentum, mut inertia) = (0.0, 0.0);
    for i in island.cliques.iter().flat_map(|&c| problem.velocities_of(c)) {
        momentum += (problem.scale[i] * problem.momentum[i]).powi(2);
        inertia += (v[i] / problem.scale[i]).powi(2);
    }
    momentum.max(inertia).sqrt().max(AT_REST)
}
