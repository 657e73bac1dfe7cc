//! The solver of convex steps, one island at a time.
//!
//! Every island has its own loop, step length, convergence test and factor, so that separate things neither slow each
//! other down nor loosen each other's tolerance. A solve that fails is a value, never a panic: the integrator rejects
//! the step.
//!
//! The method of an island is [`monotone`](super::monotone) where feedback is not symmetric, else the chosen one,
//! [`primal_dual`](super::primal_dual) or [`newton`](super::newton). If either of these does not converge, the other
//! one continues. Without contact the two are one.

use super::certificate::Certificate;
use super::monotone_memory::Monotone;
use super::pools::{ContactPool, Pools};
use super::primal_dual_memory::PrimalDual;
use super::subproblem::Subproblem;
use super::workers::Workers;
use crate::choices::solver::{LINESEARCH_TOLERANCE, MAX_ITERATIONS, MIN_TOLERANCE};
use crate::contact::Island;
use crate::contact::Problem;
use crate::contact::{ContactForces, Solution};
use crate::profile::Stopwatch;
use crate::solvers::common::assemble::Workspace;
use crate::solvers::common::island_factor::IslandFactor;
use crate::solvers::common::shares::Shares;
use crate::solvers::{SolveFailure, SolveReport};

/// Momentum that counts as zero: squares of smaller ones are no longer numbers of full precision.
const AT_REST: f64 = 1e-140; // rounding

/// Reference of the solver's tolerance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ToleranceScale {
    /// The momentum and constraint impulses of the island itself, so that light and slow bodies are solved as well as
    /// heavy ones.
    #[default]
    Island,
    /// `max(1, |D r|)` over the whole problem, in sqrt(J): absolute for light bodies. Used to compare with the
    /// reference implementation.
    Reference,
}

/// Method that minimizes the cost of an island with contacts. Both methods find the same minimum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Method {
    /// Newton's method with line search.
    Newton,
    /// Newton's method on velocities and contact impulses together: fewer iterations.
    #[default]
    PrimalDual,
}

/// Options of the solver.
#[derive(Clone, Copy, Debug)]
pub struct SolverOptions {
    /// Method for islands with contacts.
    pub method: Method,
    /// Largest number of iterations; a solve that needs more fails.
    pub max_iterations: usize,
    /// Smallest relative tolerance.
    pub min_tolerance: f64,
    /// Line search: accepted slope relative to the initial slope.
    pub linesearch_tolerance: f64,
    /// Reference of the tolerance.
    pub scale: ToleranceScale,
    /// Number of islands that are solved at the same time, where there is enough work; the bits of the solution do not
    /// depend on it.
    pub threads: usize,
}

impl Default for SolverOptions {
    fn default() -> Self {
        SolverOptions {
            method: Method::default(),
            max_iterations: MAX_ITERATIONS,
            min_tolerance: MIN_TOLERANCE,
            linesearch_tolerance: LINESEARCH_TOLERANCE,
            scale: ToleranceScale::Island,
            threads: 1,
        }
    }
}

/// Solves convex problems; keeps its memory from solve to solve.
#[derive(Clone, Debug)]
pub struct Solver {
    /// Options.
    pub options: SolverOptions,
    /// Times of the phases of solves, if they are measured.
    pub watch: Stopwatch,
    pub(super) pools: Pools,
    pub(super) work: Workspace,
    pub(super) factor: IslandFactor,
    pub(super) primal_dual: PrimalDual,
    pub(super) monotone: Monotone,
    pub(super) certificate: Certificate,
    /// Workers for islands that are solved at the same time.
    pub(super) workers: Workers,
}

/// Tolerance of islands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    relative: f64,
    reference: Option<f64>,
}

impl Default for Solver {
    fn default() -> Self {
        Solver::new(SolverOptions::default())
    }
}

impl Solver {
    /// Solver with the given options.
    pub fn new(options: SolverOptions) -> Self {
        Solver {
            options,
            watch: Stopwatch::default(),
            pools: Pools::new(ContactPool::default()),
            work: Workspace::default(),
            factor: IslandFactor::default(),
            primal_dual: PrimalDual::default(),
            monotone: Monotone::default(),
            certificate: Certificate::default(),
            workers: Workers::default(),
        }
    }

    /// Number of island Hessians whose pattern was known from an earlier solve, and of those that had to be analyzed.
    pub fn pattern_counts(&self) -> (usize, usize) {
        self.factor.patterns.counts
    }

    /// Minimizes the cost of `problem` to relative `tolerance`, starting from the velocities in `solution` and, where
    /// the method uses them, the contact forces there. Leaves the solution there, with the impulses of all elements.
    pub(super) fn minimize(
        &mut self,
        problem: &Problem,
        tolerance: f64,
        solution: &mut Solution,
    ) -> Result<SolveReport, SolveFailure> {
        if let Some(failure) = SolveFailure::of_unlisted(problem) {
            return Err(failure);
        }
        let mut v = std::mem::take(&mut solution.velocity);
        let target = self.target(problem, tolerance);
        let report = if self.options.threads > 1 && Shares::are_worth_it(problem) {
            self.minimize_together(problem, target, &mut v, &solution.forces)
        } else {
            self.minimize_islands(problem, target, &mut v, &solution.forces)
        };
        if report.is_ok() {
            if self.options.method == Method::PrimalDual {
                self.keep_forces(problem, &mut solution.forces);
            }
            self.pools.write(problem, &v, solution);
        }
        solution.velocity = v;
        report
    }

    /// Reads the laws of `problem` and minimizes its cost from the guess `v` and the contact forces in `solution`.
    ///
    /// # Errors
    /// The solve did not converge.
    pub fn solve_from(
        &mut self,
        problem: &Problem,
        tolerance: f64,
        v: &[f64],
        solution: &mut Solution,
    ) -> Result<SolveReport, SolveFailure> {
        self.pools.set_step(problem);
        solution.velocity.clear();
        solution.velocity.extend_from_slice(v);
        self.minimize(problem, tolerance, solution)
    }

    /// Solves from the guess `v` without known contact forces; leaves the solution in `v`, also where the solve failed.
    ///
    /// # Errors
    /// The solve did not converge.
    pub fn solve_for(&mut self, problem: &Problem, tolerance: f64, v: &mut [f64]) -> Result<SolveReport, SolveFailure> {
        let mut solution = Solution::default();
        let report = self.solve_from(problem, tolerance, v, &mut solution);
        v.copy_from_slice(&solution.velocity);
        report
    }

    /// True if the tolerance is the smallest one: then no guess counts as solved, however near.
    pub(super) fn wants_all_digits(&self, part: Subproblem<'_>) -> bool {
        part.relative <= self.options.min_tolerance
    }

    fn target(&self, problem: &Problem, tolerance: f64) -> Target {
        let relative = tolerance.max(self.options.min_tolerance);
        let reference = match self.options.scale {
            ToleranceScale::Island => None,
            ToleranceScale::Reference => {
                let r = problem
                    .step_terms
                    .momentum
                    .iter()
                    .zip(&problem.trees.scale)
                    .map(|(r, d)| (r * d).powi(2))
                    .sum::<f64>()
                    .sqrt();
                Some(r.max(1.0) * relative)
            }
        };
        Target { relative, reference }
    }

    fn minimize_islands(
        &mut self,
        problem: &Problem,
        target: Target,
        v: &mut [f64],
        forces: &ContactForces,
    ) -> Result<SolveReport, SolveFailure> {
        self.work.resize(problem);
        let mut report = SolveReport::default();
        for island in problem.islands() {
            report.add_island(&self.minimize_island(problem, island, target, v, forces)?);
        }
        Ok(report)
    }

    /// Minimizes the cost of one island, by its method; the workspace must have the size of the problem.
    pub(super) fn minimize_island(
        &mut self,
        problem: &Problem,
        island: &Island,
        target: Target,
        v: &mut [f64],
        forces: &ContactForces,
    ) -> Result<SolveReport, SolveFailure> {
        let Target { relative, reference } = target;
        let part = Subproblem { problem, island, relative, reference };
        if problem.is_unsymmetric(island) {
            self.solve_monotone(part, v)
        } else if self.options.method == Method::PrimalDual && !island.patches.is_empty() {
            self.solve_primal_dual(part, v, forces)
        } else {
            self.solve_newton_first(part, v, forces)
        }
    }

    /// Solves by Newton's method, and continues with the primal-dual one if that does not converge. Two of a million
    /// random problems make it alternate between two pieces of the cost by steps that the line search cuts to a
    /// thousandth.
    fn solve_newton_first(
        &mut self,
        part: Subproblem<'_>,
        v: &mut [f64],
        forces: &ContactForces,
    ) -> Result<SolveReport, SolveFailure> {
        let failure = match self.solve_newton(part, v) {
            Err(failure) if failure.fault.leaves_a_guess() => failure,
            done => return done,
        };
        if part.island.patches.is_empty() {
            return Err(failure);
        }
        let mut report = self.solve_primal_dual(part, v, forces)?;
        report.add_failure(&failure);
        Ok(report)
    }

    /// Computes `H^-1 rhs` on an island, with the Hessian of the cost at `v` and gains that have none. `false` if H is
    /// singular.
    pub(super) fn backsolve_island(&mut self, problem: &Problem, island: &Island, v: &[f64], rhs: &mut [f64]) -> bool {
        self.work.enter(problem, island);
        self.pools.contact.evaluate(problem, island, v);
        for &c in &island.cliques {
            let range = problem.trees.cliques[c].velocities.clone();
            self.work.gradient[range.clone()].iter_mut().zip(&rhs[range]).for_each(|(g, x)| *g = -x);
        }
        let solved = if problem.is_unsymmetric(island) {
            self.unsymmetric_direction(problem, island, v, &mut SolveReport::default())
        } else {
            self.factor.enter(problem, island, &self.pools, &self.work);
            self.factor.assemble(problem, island, v, &self.pools, &mut self.work);
            self.factor.factor() && {
                self.factor.newton_direction(problem, island, &mut self.work);
                true
            }
        };
        if solved {
            for &c in &island.cliques {
                let range = problem.trees.cliques[c].velocities.clone();
                rhs[range.clone()].copy_from_slice(&self.work.direction[range]);
            }
        }
        solved
    }

    /// Sets `v += alpha d` on the island; returns the scaled length of the step.
    pub(super) fn take(&self, problem: &Problem, island: &Island, alpha: f64, v: &mut [f64]) -> f64 {
        let mut step = 0.0;
        for &c in &island.cliques {
            for i in problem.trees.cliques[c].velocities.clone() {
                let dv = alpha * self.work.direction[i];
                v[i] += dv;
                step += (dv / problem.trees.scale[i]).powi(2);
            }
        }
        step.sqrt()
    }

    /// Scaled norm of the gradient, and the scale of momenta and impulses for comparison with it.
    ///
    /// At exact equilibrium all of these are pure rounding, and a gradient is never small beside them. A velocity that
    /// moves its coordinate within the step by less than the last digit of a number of size one counts as zero: momenta
    /// count from there on.
    pub(super) fn norms(&self, problem: &Problem, island: &Island, v: &[f64]) -> Norms {
        let mut gradient = 0.0;
        for &c in &island.cliques {
            for i in problem.trees.cliques[c].velocities.clone() {
                gradient += (problem.trees.scale[i] * self.work.gradient[i]).powi(2);
            }
        }
        Norms { gradient: gradient.sqrt(), scale: scale(problem, island, v, fixed_scale(problem, island)) }
    }
}

/// The part of the [scale](Solver::norms) of an island that does not depend on its velocities, squared.
pub(super) fn fixed_scale(problem: &Problem, island: &Island) -> f64 {
    let (mut momentum, mut rest) = (0.0, 0.0);
    let idle = f64::EPSILON / problem.step_terms.dt;
    for &c in &island.cliques {
        for i in problem.trees.cliques[c].velocities.clone() {
            let d = problem.trees.scale[i];
            momentum += (d * problem.step_terms.momentum[i]).powi(2);
            rest += (idle / d).powi(2);
        }
    }
    f64::max(momentum, rest)
}

/// Scale of momenta and impulses of an island at `v`, where `fixed` is its constant part.
#[inline(always)]
pub(super) fn scale(problem: &Problem, island: &Island, v: &[f64], fixed: f64) -> f64 {
    let mut inertia: f64 = 0.0;
    for run in &island.runs {
        for (v, d) in v[run.clone()].iter().zip(&problem.trees.scale[run.clone()]) {
            inertia += (v / d).powi(2);
        }
    }
    fixed.max(inertia).sqrt().max(AT_REST)
}

pub(super) struct Norms {
    pub gradient: f64,
    pub scale: f64,
}
