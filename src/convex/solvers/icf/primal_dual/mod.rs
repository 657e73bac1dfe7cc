//! A primal-dual Newton method: contact impulses are unknowns beside the velocity.
//!
//! Newton's method on the cost needs many iterations where contacts change between sticking and sliding, because the
//! Hessian of regularized friction varies by orders of magnitude within a step, and because the normal impulse is
//! quadratic in the velocity. Both are linearized differently here; one iteration solves a system of the same pattern,
//! and the minimum is the same:
//!
//! * Friction \[Chan, Golub & Mulet 1999, A nonlinear primal-dual method for total variation-based image restoration\]:
//!   with a direction t of its own for every contact, |t| < 1, the equations are `impulse = -mu n0 t` and
//!   `t |vt|_s = vt`. Newton's method on both, with t eliminated, has the gradient of the cost and the Hessian
//!
//!   ```text
//!   mu n0/s (I - (t th' + th t')/2),   s = |vt|_s + eps,   th = vt/s
//!   ```
//!
//!   which is positive semidefinite: `x'Hx = mu n0/s (|x|² - (t.x)(th.x))`. At t = 0 it bounds the cost from above; at
//!   t = th it is the true one.
//! * Where two bodies touch in one point, friction is at first linearized where it settles too, which is quicker from
//!   afar but not sure to converge where points share a load: at
//!   `w = argmin mu n0 |w|_s + |w - vt - s mu n0 t|²/(2 s)`.
//! * Normal impulses are linearized where the contact would settle if the impulses of all others stayed: at
//!   `w = argmin phi(w) + (w - u + s p)²/(2 s)` with the local compliance s and the last impulse p (see
//!   `pools/contact_dual.rs`).
//!
//! **Stopping.** For any impulses p~ with Fenchel gaps of the sum gam, and `r = A v - r - J'p~` the residual of the
//! balance, the error e = v - v* obeys `|e|²_A + (u - u*)'(p~ - p*) = r'e`, and the gaps give
//! `(u - u*)'(p~ - p*) >= -gam`. Hence `|e|² <= |r| |e| + gam`, and
//!
//! ```text
//! |v - v*|_A  <=  |r|/2 + sqrt(|r|²/4 + gam)      (|r| in A^-1)
//! ```
//!
//! Used are the impulses of the iteration, `n(w)` along the normal and `-mu n0 t` across it, and those at u, which have
//! no gap: then r is the gradient.
//!
//! **Convergence.** Full steps are taken as long as the bound halves every few iterations; there are finitely many such
//! steps. From then on, and from the best velocity so far, the iteration is guarded: the direction is used if it
//! descends well on the cost (`-g'd >= |d|²_A/10`), else the one with normal impulses linearized at the velocity, which
//! always descends. A line search halves the slope, unless the full step still descends at its end. The cost is
//! strongly convex and its gradient Lipschitz, so that such steps lead to the minimum (Zoutendijk). Near it the method
//! is Newton's, on semismooth equations, and full steps converge superlinearly. If that takes too many iterations,
//! Newton's method tries from the start, and if that does not converge either, this one continues from there.

mod system;
mod views;
#[doc(hidden)]
pub mod watch;

use super::line_search;
use super::pair_iterate::Expansion;
use super::pools::ContactPool;
use super::primal_dual_memory::PrimalDual;
use super::rounding;
use super::solver::{self, Solver};
use super::subproblem::Subproblem;
use crate::contact::ContactForces;
use crate::contact::Island;
use crate::contact::Problem;
use crate::profile::Phase;
use crate::solvers::{SolveFailure, SolveFault, SolveReport};
use kinegraph_core::wide;
use watch::Watch;

use crate::choices::primal_dual::{PHASE, SLOPE};
use crate::choices::watch::SLOW_CONTRACTION;

/// Reason why the iteration stopped short of the minimum.
struct Stop {
    fault: SolveFault,
    gradient: f64,
    tolerance: f64,
}

impl Solver {
    /// Minimizes the cost of an island with contacts, starting from the guess in `v` and the known contact forces.
    pub(super) fn solve_primal_dual(
        &mut self,
        part: Subproblem<'_>,
        v: &mut [f64],
        forces: &ContactForces,
    ) -> Result<SolveReport, SolveFailure> {
        let Subproblem { problem, island, .. } = part;
        let PrimalDual { start, best, .. } = &mut self.primal_dual;
        start.resize(problem.size(), 0.0);
        best.resize(problem.size(), 0.0);
        copy(island, v, start);
        copy(island, v, best);
        let mut report = SolveReport::default();
        let Err(stop) = self.iterate(part, v, forces, &mut report) else {
            return Ok(report);
        };
        if !stop.fault.leaves_a_guess() {
            return Err(part.failure(stop.fault, report.iterations, stop.gradient, stop.tolerance));
        }
        copy(island, &self.primal_dual.start, v);
        match self.solve_newton(part, v) {
            Ok(newton) => {
                report.add(&newton);
                ContactPool::for_each(problem, island, |i| {
                    self.primal_dual.pairs[i].start(&self.pools.contact.laws[i], &self.pools.contact.values.impulse[i]);
                });
            }
            Err(failure) if failure.fault.leaves_a_guess() => {
                report.add_failure(&failure);
                copy(island, v, &mut self.primal_dual.best);
                let mut last = SolveReport::default();
                if let Err(stop) = self.iterate(part, v, forces, &mut last) {
                    return Err(part.failure(stop.fault, last.iterations, stop.gradient, stop.tolerance));
                }
                report.add(&last);
            }
            Err(failure) => return Err(failure),
        }
        Ok(report)
    }

    /// The iteration, by the instructions of the machine.
    fn iterate(
        &mut self,
        part: Subproblem<'_>,
        v: &mut [f64],
        forces: &ContactForces,
        report: &mut SolveReport,
    ) -> Result<(), Stop> {
        wide(
            #[inline(always)]
            || self.iterate_inlined(part, v, forces, report),
        )
    }

    #[inline(always)]
    fn iterate_inlined(
        &mut self,
        part: Subproblem<'_>,
        v: &mut [f64],
        forces: &ContactForces,
        report: &mut SolveReport,
    ) -> Result<(), Stop> {
        let Subproblem { problem, island, relative, .. } = part;
        let stop = |fault, gradient, tolerance| Err(Stop { fault, gradient, tolerance });
        if !self.set_up(problem, island, forces) {
            return stop(SolveFault::NotPositiveDefinite, f64::NAN, relative);
        }
        let fixed_scale = solver::fixed_scale(problem, island);
        let mut watch = Watch::new();
        let mut lap = self.watch.start();
        loop {
            let phase = report.iterations < PHASE && !watch.guarded;
            let mut bound = self.assess(problem, island, v, phase);
            let tolerance = part.tolerance(solver::scale(problem, island, v, fixed_scale));
            if !bound.gradient.is_finite() {
                return stop(SolveFault::NotFinite, bound.gradient, tolerance);
            }
            // Where all digits are asked for, no guess is near enough.
            let is_guess = report.iterations == 0 && bound.error > 0.0 && self.wants_all_digits(part);
            if bound.error <= tolerance && !is_guess {
                self.watch.lap(Phase::Assembly, &mut lap);
                return Ok(());
            }
            if report.iterations == self.options.max_iterations {
                return stop(SolveFault::IterationLimit, bound.gradient, tolerance);
            }
            self.watch.lap(Phase::Assembly, &mut lap);
            let verdict = watch.note(bound.error, if phase { PHASE } else { 0 });
            // Only then can the remaining error be rounding.
            if !verdict.best && bound.error <= self.rounding(problem, island, v) {
                return Ok(());
            }
            if verdict.slow && !watch.guarded {
                ContactPool::for_each(problem, island, |i| self.primal_dual.pairs[i].stiffen(SLOW_CONTRACTION));
            }
            if verdict.best {
                copy(island, v, &mut self.primal_dual.best);
            } else if verdict.guard {
                copy(island, &self.primal_dual.best, v);
            }
            if verdict.guard {
                bound = self.assess_again(problem, island, v);
            }
            let mut expansion = Expansion::Settled;
            if !self.direction(problem, island, v, expansion, report, &mut lap) {
                return stop(SolveFault::NotPositiveDefinite, bound.gradient, tolerance);
            }
            let mut alpha = 1.0;
            if watch.guarded && !self.descends(problem, island, bound.gradient) {
                expansion = Expansion::Primal;
                if !self.other_direction(problem, island, v, expansion, report, &mut lap) {
                    return stop(SolveFault::NotPositiveDefinite, bound.gradient, tolerance);
                }
            }
            self.pools.contact.values.set_rates(problem, island, &self.work.direction);
            if watch.guarded {
                let Some(found) = line_search::search(problem, island, v, &mut self.pools, &mut self.work, SLOPE)
                else {
                    return stop(SolveFault::LineSearch, bound.gradient, tolerance);
                };
                report.linesearch_evaluations += found.evaluations - 1;
                alpha = found.alpha;
                self.watch.lap(Phase::LineSearch, &mut lap);
            }
            ContactPool::for_each(problem, island, |i| {
                // Impulses follow the full step.
                let contact = &self.pools.contact;
                self.primal_dual.pairs[i].follow(&contact.laws[i], &contact.values.uc[i], expansion, watch.guarded);
            });
            for run in &island.runs {
                for (v, w) in v[run.clone()].iter_mut().zip(&self.work.direction[run.clone()]) {
                    *v += alpha * w;
                }
            }
            report.iterations += 1;
        }
    }
}

impl Solver {
    /// Part of an error that is rounding of impulses, at the velocity last assessed.
    fn rounding(&self, problem: &Problem, island: &Island, v: &[f64]) -> f64 {
        let mut impulses = 0.0;
        ContactPool::for_each(problem, island, |i| {
            let law = &self.pools.contact.laws[i];
            impulses += self.primal_dual.pairs[i].primal(law).norm() * law.mobility.sqrt();
        });
        rounding::of_impulses(impulses)
            + rounding::of_rest(problem, island, v, &self.pools)
            + rounding::of_velocity(problem, island, v, &self.pools)
    }
}

/// Copies the entries of the island's velocities.
#[inline(always)]
fn copy(island: &Island, from: &[f64], to: &mut [f64]) {
    for run in &island.runs {
        to[run.clone()].copy_from_slice(&from[run.clone()]);
    }
}

/// Calls `f` with the index of every velocity of the island.
#[inline(always)]
fn for_velocities(island: &Island, mut f: impl FnMut(usize)) {
    for run in &island.runs {
        for i in run.clone() {
            f(i);
        }
    }
}
