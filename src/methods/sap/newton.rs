//! Newton's method on the cost of an island.
//!
//! It ends when `|D grad| <= ε_a + ε_r max(|D A v|, |D J'γ|)` with `D = diag(A)^-1/2`, or when the cost no longer
//! changes. Unsymmetric feedback has no cost: then the gradient is brought to zero with the exact line search, or with
//! backtracking if that fails.

use super::line_search::Search;
use super::options::{Digits, SolverOptions};
use super::pool::ConePool;
use super::solver::Sap;
use crate::choices::sap_newton::{DECREASE, MAX_IMBALANCE, MIN_STEP_FRACTION};
use kinegraph_convex::contact::{Island, Problem};
use kinegraph_convex::linear_algebra::RealScalar;
use kinegraph_convex::profile::{Lap, Phase, Stopwatch};
use kinegraph_convex::solvers::common::assemble::Workspace;
use kinegraph_convex::solvers::common::island_factor::IslandFactor;
use kinegraph_convex::solvers::common::pools::{Pools, Potential};
use kinegraph_convex::solvers::common::unsymmetric;
use kinegraph_convex::solvers::report::Balance;
use kinegraph_convex::solvers::{SolveFailure, SolveFault, SolveReport};

/// Scaled norms at a velocity.
#[derive(Clone, Copy, Debug)]
struct Norms {
    /// Norm of the gradient.
    gradient: f64,
    /// Scale that it is compared with.
    scale: f64,
}

impl Sap {
    /// Solves an island from the guess in `v`.
    pub(super) fn solve_island(
        &mut self,
        problem: &Problem,
        island: &Island,
        v: &mut [f64],
        watch: &mut Stopwatch,
    ) -> Result<SolveReport, SolveFailure> {
        let options = self.options;
        let mut report = SolveReport::default();
        let failure = |fault, iterations, norms: Option<Norms>| {
            let balance = match norms {
                Some(norms) => Balance { gradient_norm: norms.gradient, tolerance: tolerance(&options, &norms) },
                None => Balance { gradient_norm: f64::NAN, tolerance: f64::NAN },
            };
            SolveFailure::new(problem, island, fault, iterations, balance)
        };
        let mut lap = watch.start();
        if !self.free.solve(problem, island, options.precision.free_motion) {
            return Err(failure(SolveFault::NotPositiveDefinite, 0, None));
        }
        let is_free = self.is_free(problem, island);
        watch.lap(Phase::Assembly, &mut lap);
        if is_free {
            let velocities = island.cliques.iter().flat_map(|&c| problem.velocities_of(c));
            for i in velocities {
                v[i] = self.free.velocity[i];
            }
            return if v.iter().all(|x| x.is_finite()) {
                Ok(report)
            } else {
                Err(failure(SolveFault::NotFinite, 0, None))
            };
        }
        let has_cost = !problem.is_unsymmetric(island);
        self.work.enter(problem, island);
        if has_cost {
            self.enter_factor(problem, island);
        }
        let (absolute, relative, shortest) = options.cost_test();
        let mut cost = f64::INFINITY;
        let mut alpha = 0.0;
        loop {
            let iteration = report.iterations;
            self.pools.contact.evaluate(problem, island, v);
            let norms = self.gradient(problem, island, v);
            let inertia = self.cost_of_inertia(problem, island, v);
            let cost_before = std::mem::replace(&mut cost, inertia + self.cost_of_rest(problem, island, v));
            watch.lap(Phase::Assembly, &mut lap);
            if !norms.gradient.is_finite() {
                return Err(failure(SolveFault::NotFinite, iteration, Some(norms)));
            }
            let change = (cost_before - cost).abs();
            let settled = has_cost
                && iteration > 0
                && alpha > shortest
                && change < absolute + 0.5 * relative * (cost.abs() + cost_before.abs());
            if norms.gradient <= tolerance(&options, &norms) || settled {
                return Ok(report);
            }
            if iteration == options.max_iterations {
                return Err(failure(SolveFault::IterationLimit, iteration, Some(norms)));
            }
            report.factorizations += 1;
            if !self.direction(problem, island, v, has_cost, watch) {
                return Err(failure(SolveFault::NotPositiveDefinite, iteration, Some(norms)));
            }
            lap = watch.start();
            self.pools.contact.values.set_rates(problem, island, &self.work.direction);
            let Sap { free, pools, work, trial, .. } = self;
            let momentum = &free.momentum[..];
            let search = Search { problem, island, v, momentum, pools, options: &options, cost, inertia };
            let found = search.run(work, trial, !has_cost);
            alpha = match found {
                Some(found) => {
                    report.linesearch_evaluations += found.trials;
                    found.alpha
                }
                None if has_cost => return Err(failure(SolveFault::LineSearch, iteration, Some(norms))),
                None => self.backtrack(problem, island, v, norms.gradient, &mut report),
            };
            for i in island.cliques.iter().flat_map(|&c| problem.velocities_of(c)) {
                v[i] += alpha * self.work.direction[i];
            }
            watch.lap(Phase::LineSearch, &mut lap);
            report.iterations += 1;
        }
    }

    /// True if no impulse acts at the velocities of free motion: they are the solution.
    fn is_free(&mut self, problem: &Problem, island: &Island) -> bool {
        let v = std::mem::take(&mut self.free.velocity);
        self.pools.contact.evaluate_impulses(problem, island, &v);
        let velocities = || island.cliques.iter().flat_map(|&c| problem.velocities_of(c));
        velocities().for_each(|i| self.work.gradient[i] = 0.0);
        self.add_impulses(problem, island, &v);
        self.free.velocity = v;
        velocities().all(|i| self.work.gradient[i] == 0.0)
    }

    /// Subtracts all impulses at `v` from `work.gradient`.
    fn add_impulses(&mut self, problem: &Problem, island: &Island, v: &[f64]) {
        let gradient = &mut self.work.gradient;
        self.pools.rest().for_each(|pool| pool.add_gradient(problem, island, v, gradient));
        self.pools.contact.add_gradient(problem, island, v, gradient);
        for block in island.feedback.iter().map(|&f| &problem.feedback[f]) {
            for (row, gain) in block.limited_rows() {
                let effort = block.asked(row, gain, v, &problem.trees.v0).clamp(-row.limit, row.limit);
                gradient[row.velocity] -= problem.step_terms.dt * effort;
            }
        }
    }

    /// Computes the gradient at `v` in the workspace; the contact points have been evaluated there.
    fn gradient(&mut self, problem: &Problem, island: &Island, v: &[f64]) -> Norms {
        let velocities = || island.cliques.iter().flat_map(|&c| problem.velocities_of(c));
        let mut product = std::mem::take(&mut self.product);
        product.resize(problem.size(), 0.0);
        velocities().for_each(|i| product[i] = 0.0);
        problem.add_product(island, v, &mut product);
        velocities().for_each(|i| self.work.gradient[i] = product[i] - self.free.momentum[i]);
        self.add_impulses(problem, island, v);
        let (mut gradient, mut momentum, mut impulse) = (0.0, 0.0, 0.0);
        for i in velocities() {
            let d = self.scale[i];
            let own = product[i] - self.free.momentum[i] - self.work.gradient[i];
            gradient += (d * self.work.gradient[i]).powi(2);
            momentum += (d * product[i]).powi(2);
            impulse += (d * own).powi(2);
        }
        self.product = product;
        Norms { gradient: gradient.sqrt(), scale: f64::max(momentum, impulse).sqrt() }
    }

    /// Cost of inertia `1/2 (v - v*)' A (v - v*)` at `v`, where the gradient was computed last.
    fn cost_of_inertia(&self, problem: &Problem, island: &Island, v: &[f64]) -> f64 {
        let velocities = island.cliques.iter().flat_map(|&c| problem.velocities_of(c));
        let one = |i: usize| (v[i] - self.free.velocity[i]) * (self.product[i] - self.free.momentum[i]);
        0.5 * velocities.map(one).sum::<f64>()
    }

    /// Sum of the potentials at `v`, where the contact points were evaluated last.
    fn cost_of_rest(&self, problem: &Problem, island: &Island, v: &[f64]) -> f64 {
        let rest: f64 = self.pools.rest().map(|pool| pool.cost(problem, island, v)).sum();
        rest + self.pools.contact.cost(problem, island, v)
    }

    /// Finds the pattern of the Hessian of an island that the workspace has entered.
    pub(super) fn enter_factor(&mut self, problem: &Problem, island: &Island) {
        if self.options.precision.linear == Digits::Single {
            self.single.enter(problem, island, &self.pools, &self.work);
        }
        self.double.enter(problem, island, &self.pools, &self.work);
    }

    /// Computes the Newton direction at `v` in the workspace. `false` if there is none.
    pub(super) fn direction(
        &mut self,
        problem: &Problem,
        island: &Island,
        v: &[f64],
        has_cost: bool,
        watch: &mut Stopwatch,
    ) -> bool {
        let mut lap = watch.start();
        let Sap { pools, work, single, double, lu, local, options, .. } = self;
        if !has_cost {
            unsymmetric::assemble(problem, island, v, pools, work, lu);
            watch.lap(Phase::Assembly, &mut lap);
            let solved = unsymmetric::direction(problem, island, lu, local, work);
            watch.lap(Phase::Factorization, &mut lap);
            return solved;
        }
        let at = At { problem, island, v };
        let timing = &mut Timing { watch, lap };
        // If single precision does not suffice to factor the Hessian, it is factored in double precision.
        options.precision.linear == Digits::Single && direction_by(single, at, pools, work, timing)
            || direction_by(double, at, pools, work, timing)
    }

    /// Longest step, halved from 1, that decreases the gradient below `from`.
    fn backtrack(&mut self, problem: &Problem, island: &Island, v: &[f64], from: f64, report: &mut SolveReport) -> f64 {
        let mut trial = std::mem::take(&mut self.trial);
        trial.clear();
        trial.extend_from_slice(v);
        let mut alpha = 1.0;
        loop {
            for i in island.cliques.iter().flat_map(|&c| problem.velocities_of(c)) {
                trial[i] = v[i] + alpha * self.work.direction[i];
            }
            self.pools.contact.evaluate(problem, island, &trial);
            report.linesearch_evaluations += 1;
            if self.gradient(problem, island, &trial).gradient < (1.0 - DECREASE * alpha) * from
                || alpha < MIN_STEP_FRACTION
            {
                break;
            }
            alpha *= 0.5;
        }
        self.trial = trial;
        alpha
    }
}

/// A velocity of an island.
#[derive(Clone, Copy)]
struct At<'a> {
    problem: &'a Problem,
    island: &'a Island,
    v: &'a [f64],
}

/// Stopwatch and its present lap.
struct Timing<'a> {
    watch: &'a mut Stopwatch,
    lap: Lap,
}

/// Computes the Newton direction at `v` in the workspace, by a factor of this precision. `false` if there is none.
fn direction_by<T: RealScalar>(
    factor: &mut IslandFactor<T>,
    At { problem, island, v }: At<'_>,
    pools: &Pools<ConePool>,
    work: &mut Workspace,
    Timing { watch, lap }: &mut Timing<'_>,
) -> bool {
    factor.assemble(problem, island, v, pools, work);
    watch.lap(Phase::Assembly, lap);
    let factored = factor.factor();
    if factored {
        factor.newton_direction(problem, island, work);
    }
    watch.lap(Phase::Factorization, lap);
    factored
}

/// Bound below which the gradient counts as zero.
fn tolerance(options: &SolverOptions, norms: &Norms) -> f64 {
    let least = options.absolute_tolerance.min(SolverOptions::default().absolute_tolerance);
    let asked = options.absolute_tolerance + options.relative_tolerance * norms.scale;
    asked.min(least + MAX_IMBALANCE * norms.scale)
}
