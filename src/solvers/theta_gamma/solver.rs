//! The solver: sweeps contact by contact.

use super::options::{Friction, ThetaGammaOptions};
use super::sweep::Blocks;
use crate::contact::{Island, Problem, Solution};
use crate::profile::Stopwatch;
use crate::solvers::inertia_groups::Groups;
use crate::solvers::projected_gauss_seidel::island_rows::IslandRows;
use crate::solvers::projected_gauss_seidel::rows::{RowRules, Rows};
use crate::solvers::projected_gauss_seidel::sweeps::{self, Stopping, Sweeps, scale};
use crate::solvers::{ContactSolver, SolveFailure, SolveReport};

/// Changes below this part of what moves are rounding.
const ROUNDING: f64 = 1e-15;

/// Theta-gamma; see the [module](super). Its problems are those of the step `theta h`.
#[derive(Clone, Debug, Default)]
pub struct ThetaGamma {
    /// Options.
    pub options: ThetaGammaOptions,
    own: IslandRows,
    blocks: Blocks,
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
}

/// Sweeps by contacts, forwards and backwards in turns, that end when one changes impulses by no more than a part of
/// them.
struct InTurns<'a> {
    blocks: &'a mut Blocks,
    /// Of the spins of contacts \[m\], if they have any.
    radius: Option<f64>,
    tolerance: f64,
    rounding: f64,
    backwards: bool,
}

impl Sweeps for InTurns<'_> {
    fn start(&mut self, problem: &Problem, island: &Island, own: &IslandRows, v: &[f64]) -> bool {
        self.rounding = (ROUNDING * scale(problem, island, v)).powi(2);
        self.backwards = false;
        self.blocks.enter(&own.rows, &own.groups, self.radius);
        own.rows.all.is_empty()
    }

    fn sweep(&mut self, rows: &mut Rows, groups: &Groups, v: &mut [f64]) -> (f64, bool) {
        let (changed, all) = self.blocks.sweep(rows, groups, self.backwards, v);
        self.backwards = !self.backwards;
        (changed, changed <= self.tolerance * self.tolerance * all + self.rounding)
    }
}

impl ContactSolver for ThetaGamma {
    /// To the tolerance of the options: it is a part of what the method is.
    fn solve(
        &mut self,
        problem: &Problem,
        _tolerance: f64,
        solution: &mut Solution,
        _watch: &mut Stopwatch,
    ) -> Result<SolveReport, SolveFailure> {
        let ThetaGammaOptions { tolerance, max_sweeps, friction, .. } = self.options;
        let radius = match friction {
            Friction::Coulomb => None,
            Friction::Contensou { radius } => Some(radius),
        };
        let rules = self.rules(problem.dt);
        let ThetaGamma { own, blocks, .. } = self;
        let mut sweeps = InTurns { blocks, radius, tolerance, rounding: 0.0, backwards: false };
        sweeps::solve(problem, &rules, Stopping { max_sweeps, tolerance }, &mut sweeps, own, solution)
    }
}
