//! The theta-gamma solver: sweeps contact by contact.

use super::fold::Fold;
use super::options::{Friction, ThetaGammaOptions};
use super::proximal::Proximal;
use super::sweep::Blocks;
use super::workers::{Shared, Workers};
use crate::choices::theta_gamma::{FIRST_SWEEPS, RESIDUAL_TOLERANCE, STALLED, SWEEPS};
use crate::inertia_groups::Groups;
use crate::sweeps::{self, IslandRows, RowRules, Rows, Stopping, Sweeps, scale};
use kinegraph_convex::contact::{Island, Problem, Solution};
use kinegraph_convex::profile::Stopwatch;
use kinegraph_convex::solvers::common::shares::Shares;
use kinegraph_convex::solvers::{ContactSolver, SolveFailure, SolveReport};

/// Changes below this relative size are rounding.
const ROUNDING: f64 = 1e-15; // rounding

/// The theta-gamma solver; see the [module](super). Its problems are those of the step `theta h`.
#[derive(Clone, Debug, Default)]
pub struct ThetaGamma {
    /// Options.
    pub options: ThetaGammaOptions,
    worker: Worker,
    /// Workers that solve islands at the same time.
    workers: Workers,
}

/// Workspace for the solve of an island.
#[derive(Clone, Debug, Default)]
pub(super) struct Worker {
    own: IslandRows,
    blocks: Blocks,
    proximal: Proximal,
    fold: Fold,
}

impl Worker {
    /// Solves one island; of `solution` only its velocities and impulses change.
    pub fn solve(
        &mut self,
        problem: &Problem,
        island: &Island,
        shared: &Shared<'_>,
        solution: &mut Solution,
    ) -> Result<SolveReport, SolveFailure> {
        let Shared { options, rules, stopping } = shared;
        let Worker { own, blocks, proximal, fold } = self;
        let mut sweeps = InTurns::new(blocks, proximal, fold, options);
        sweeps::solve_one(problem, island, rules, *stopping, &mut sweeps, own, solution)
    }
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

/// Sweeps by contacts, forwards and backwards in turn, with rounds of Newton's method on all impulses in between. They
/// end when a sweep changes impulses by no more than a part of them.
struct InTurns<'a> {
    blocks: &'a mut Blocks,
    proximal: &'a mut Proximal,
    fold: &'a mut Fold,
    options: &'a ThetaGammaOptions,
    /// Radius of the spins of contacts \[m\], if they have any.
    radius: Option<f64>,
    rounding: f64,
    /// Number of sweeps of this round, and the sweep before which Newton's method is tried.
    number: usize,
    next_round: usize,
    /// Number of rounds of Newton's method left.
    rounds: usize,
    /// Relative change of the impulses by the last sweep, and residual before the last round.
    left: f64,
    left_before: f64,
}

impl<'a> InTurns<'a> {
    fn new(
        blocks: &'a mut Blocks,
        proximal: &'a mut Proximal,
        fold: &'a mut Fold,
        options: &'a ThetaGammaOptions,
    ) -> Self {
        let radius = match options.friction {
            Friction::Coulomb => None,
            Friction::Contensou { radius } => Some(radius),
        };
        let (number, next_round, rounds) = (0, FIRST_SWEEPS, options.rounds);
        let (left, left_before, rounding) = (f64::INFINITY, f64::INFINITY, 0.0);
        InTurns { blocks, proximal, fold, options, radius, rounding, number, next_round, rounds, left, left_before }
    }
}

impl Sweeps for InTurns<'_> {
    fn start(&mut self, problem: &Problem, island: &Island, own: &mut IslandRows, v: &mut [f64]) -> bool {
        self.fold.enter(&mut own.rows, &own.groups, v);
        self.proximal.begin(self.fold.is_active());
        self.rounding = (ROUNDING * scale(problem, island, v)).powi(2);
        (self.number, self.next_round, self.rounds) = (0, FIRST_SWEEPS, self.options.rounds);
        (self.left, self.left_before) = (f64::INFINITY, f64::INFINITY);
        let rows = if self.fold.is_active() { &self.fold.rows } else { &own.rows };
        self.blocks.enter(rows, self.radius, self.options.metric);
        rows.all.is_empty()
    }

    fn sweep(&mut self, rows: &mut Rows, groups: &Groups, v: &mut [f64], report: &mut SolveReport) -> (f64, bool) {
        if self.number == self.next_round && self.rounds > 0 {
            let stalls = self.left > STALLED * self.left_before || self.proximal.is_near_law();
            if self.fold.is_active() && self.left < RESIDUAL_TOLERANCE && stalls {
                return (0.0, true);
            }
            self.left_before = self.left;
            // If this fails, sweeps continue.
            self.end(rows, groups, v);
            let found = self.proximal.round(rows, groups, self.radius, v);
            if self.fold.is_active() {
                self.fold.take(rows, v);
            }
            report.iterations += found.unwrap_or(0);
            report.factorizations += found.unwrap_or(0);
            self.rounds = if found.is_some() { self.rounds - 1 } else { 0 };
            self.next_round = self.number + SWEEPS;
        }
        let backwards = self.number % 2 == 1;
        let (changed, all) = if self.fold.is_active() {
            let Fold { rows, groups, responses, .. } = &mut *self.fold;
            self.blocks.sweep(rows, groups, backwards, v, &mut |rows, i| responses.find(rows, groups, i))
        } else {
            self.blocks.sweep(rows, groups, backwards, v, &mut |_, _| {})
        };
        self.number += 1;
        self.left = (changed / all.max(f64::MIN_POSITIVE)).sqrt();
        (changed, changed <= self.options.tolerance * self.options.tolerance * all + self.rounding)
    }

    fn end(&mut self, rows: &mut Rows, groups: &Groups, v: &[f64]) {
        if self.fold.is_active() {
            self.fold.unfold(rows, groups, v);
        }
    }

    fn shares_loads(&self) -> bool {
        !self.fold.is_active()
    }

    fn residual(&mut self, rows: &mut Rows, groups: &Groups, v: &[f64]) -> f64 {
        if self.fold.is_active() {
            let Fold { rows, groups, responses, .. } = &mut *self.fold;
            self.blocks.residual(rows, groups, v, &mut |rows, i| responses.find(rows, groups, i))
        } else {
            self.blocks.residual(rows, groups, v, &mut |_, _| {})
        }
    }
}

impl ContactSolver for ThetaGamma {
    /// Solves to the tolerance of the options, which belongs to the method.
    fn solve(
        &mut self,
        problem: &Problem,
        _tolerance: f64,
        solution: &mut Solution,
        _watch: &mut Stopwatch,
    ) -> Result<SolveReport, SolveFailure> {
        let ThetaGammaOptions { tolerance, max_sweeps, threads, .. } = self.options;
        let rules = self.rules(problem.step_terms.dt);
        let stopping = Stopping { max_sweeps, tolerance };
        let ThetaGamma { options, worker, workers } = self;
        if threads > 1 && Shares::are_worth_it(problem) {
            return workers.solve(problem, &Shared { options, rules: &rules, stopping }, solution);
        }
        let Worker { own, blocks, proximal, fold } = worker;
        let mut sweeps = InTurns::new(blocks, proximal, fold, options);
        sweeps::solve(problem, &rules, stopping, &mut sweeps, own, solution)
    }
}
