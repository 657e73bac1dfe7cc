//! The solver: islands one after the other, each by sweeps.

use super::options::{Friction, ThetaGammaOptions};
use super::proximal::Proximal;
use super::sweep::Blocks;
use crate::contact::{Island, Problem, Regime, Solution};
use crate::profile::Stopwatch;
use crate::solvers::projected_gauss_seidel::island_rows::IslandRows;
use crate::solvers::projected_gauss_seidel::rows::RowRules;
use crate::solvers::projected_gauss_seidel::scale;
use crate::solvers::{ContactSolver, SolveFailure, SolveFault, SolveReport};

/// Rounds in which the set of efforts at their limits has to settle.
const MAX_ROUNDS: usize = 10;
/// Sweeps before the first round of Newton's method, and after each.
const FIRST_SWEEPS: usize = 30;
const SWEEPS: usize = 5;
/// Changes below this part of what moves are rounding.
const ROUNDING: f64 = 1e-15;

/// Theta-gamma; see the [module](super). Its problems are those of the step `theta h`.
#[derive(Clone, Debug, Default)]
pub struct ThetaGamma {
    /// Options.
    pub options: ThetaGammaOptions,
    own: IslandRows,
    blocks: Blocks,
    proximal: Proximal,
}

impl ThetaGamma {
    /// A solver with the given options.
    pub fn new(options: ThetaGammaOptions) -> Self {
        ThetaGamma { options, ..ThetaGamma::default() }
    }

    fn rules(&self, dt: f64) -> RowRules {
        let o = &self.options;
        let ratio = o.gamma / o.theta;
        RowRules {
            ratio,
            time: ratio * dt,
            correction: o.correction * o.theta / dt,
            slop: o.slop,
            speed: o.correction_speed,
            restitution: o.restitution,
            spin: matches!(o.friction, Friction::Contensou { .. }),
        }
    }

    fn solve_island(
        &mut self,
        problem: &Problem,
        island: &Island,
        solution: &mut Solution,
    ) -> Result<SolveReport, SolveFailure> {
        let ThetaGammaOptions { tolerance, max_sweeps, friction, metric, mut rounds, .. } = self.options;
        let fail = |fault, iterations| SolveFailure {
            fault,
            first_velocity: problem.velocities_of(island.cliques[0]).start,
            size: island.size,
            contacts: island.patches.len(),
            iterations,
            gradient_norm: f64::NAN,
            tolerance,
        };
        let radius = match friction {
            Friction::Coulomb => None,
            Friction::Contensou { radius } => Some(radius),
        };
        let rules = self.rules(problem.dt);
        self.own.enter(problem, island, &rules);
        let mut report = SolveReport::default();
        for _ in 0..MAX_ROUNDS {
            report.factorizations += self.own.factor(problem, island);
            self.own.start(problem, island, solution);
            let v = &mut solution.velocity;
            let rounding = (ROUNDING * scale(problem, island, v)).powi(2);
            let IslandRows { rows, groups, .. } = &mut self.own;
            self.blocks.enter(rows, groups, radius, metric);
            let mut arrived = rows.all.is_empty();
            let mut next_round = FIRST_SWEEPS;
            for number in 0..max_sweeps {
                if arrived {
                    break;
                }
                if number == next_round && rounds > 0 {
                    // What is not found in this way is left to sweeps.
                    let found = self.proximal.round(rows, groups, radius, v);
                    report.iterations += found.unwrap_or(0);
                    report.factorizations += found.unwrap_or(0);
                    rounds = if found.is_some() { rounds - 1 } else { 0 };
                    next_round = number + SWEEPS;
                }
                let (changed, all) = self.blocks.sweep(rows, groups, number % 2 == 1, v);
                report.iterations += 1;
                if !changed.is_finite() {
                    return Err(fail(SolveFault::NotFinite, report.iterations));
                }
                arrived = changed <= tolerance * tolerance * all + rounding;
            }
            if island.cliques.iter().any(|&c| v[problem.velocities_of(c)].iter().any(|x| !x.is_finite())) {
                return Err(fail(SolveFault::NotFinite, report.iterations));
            }
            if self.own.settle(problem, island, v) {
                report.unsettled += usize::from(!arrived);
                self.own.write(problem, solution, rules.ratio);
                return Ok(report);
            }
        }
        Err(fail(SolveFault::IterationLimit, report.iterations))
    }
}

impl ContactSolver for ThetaGamma {
    const TELLS_REGIMES: bool = false;
    const ROWS_GIVE_WAY: bool = false;

    fn set_step(&mut self, _problem: &Problem) {}

    /// To the tolerance of the options: it is a part of what the method is.
    fn solve(
        &mut self,
        problem: &Problem,
        _tolerance: f64,
        solution: &mut Solution,
        _watch: &mut Stopwatch,
    ) -> Result<SolveReport, SolveFailure> {
        solution.start_impulses(problem);
        let mut report = SolveReport::default();
        for island in problem.islands() {
            let one = self.solve_island(problem, island, solution)?;
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
