//! Newton's method where feedback has no cost: gains that are not symmetric, and coupled efforts at their limits.
//!
//! The step is the root of
//!
//! ```text
//! F(v) = (M + dt D)(v - v0) + dt k - dt s(v) - J' gamma(v),   s_i(v) = clamp(tau_i - K_i (v - v0), -e_i, e_i)
//! ```
//!
//! Without limits F is the gradient of a convex cost plus a linear map. With M + dt D + dt K_sym > 0 it is strongly
//! monotone: the root exists and is unique. The Newton direction d = -H^-1 F, H = M + dt D + dt K + J'GJ, then has d'F
//! < 0, and d'F(v + alpha d) increases with alpha: the line search of the convex problem works as it is. Limits and
//! gains that destabilize break monotonicity; where the slope does not descend, the residual is made to. A solve that
//! does not converge rejects the step: gains act times dt, so that a shorter one does.

use super::line_search;
use super::monotone_memory::Monotone;
use super::rounding;
use super::solver::Solver;
use super::subproblem::Subproblem;
use crate::contact::Island;
use crate::contact::Problem;
use crate::profile::Phase;
use crate::solvers::common::assemble;
use crate::solvers::common::unsymmetric;
use crate::solvers::{SolveFailure, SolveFault, SolveReport};

use crate::choices::monotone::{DECREASE, MAX_FREE_ITERATIONS, MAX_ITERATIONS, MIN_STEP_FRACTION};
use crate::choices::newton::{FIRST_CONTRACTION, MAX_CONTRACTION};

impl Solver {
    /// Finds the root of the gradient of an island, starting from the guess in `v`.
    pub(super) fn solve_monotone(&mut self, part: Subproblem<'_>, v: &mut [f64]) -> Result<SolveReport, SolveFailure> {
        let Subproblem { problem, island, .. } = part;
        self.work.enter(problem, island);
        let mut report = SolveReport::default();
        if self.solve_free(problem, island, v, &mut report) {
            return Ok(report);
        }
        let (mut last_step, mut step, mut alpha) = (0.0_f64, 0.0_f64, 1.0_f64);
        loop {
            let iteration = report.iterations;
            let mut lap = self.watch.start();
            self.evaluate(problem, island, v);
            let norms = self.norms(problem, island, v);
            self.watch.lap(Phase::Assembly, &mut lap);
            let mut tolerance = part.tolerance(norms.scale);
            if norms.gradient > tolerance {
                tolerance = tolerance.max(rounding::of_rest(problem, island, v, &self.pools));
            }
            let failure = |fault| part.failure(fault, iteration, norms.gradient, tolerance);
            if !norms.gradient.is_finite() {
                return Err(failure(SolveFault::NotFinite));
            }
            if norms.gradient <= tolerance {
                return Ok(report);
            }
            // As for convex problems: the error after a full step of superlinear convergence.
            if iteration > 0 && alpha == 1.0 {
                let theta = if iteration > 1 && last_step > 0.0 {
                    (step / last_step).min(MAX_CONTRACTION)
                } else {
                    FIRST_CONTRACTION
                };
                if theta / (1.0 - theta) * step <= tolerance {
                    return Ok(report);
                }
            }
            if iteration == MAX_ITERATIONS {
                return Err(failure(SolveFault::IterationLimit));
            }
            if !self.unsymmetric_direction(problem, island, v, &mut report) {
                return Err(failure(SolveFault::NotFinite));
            }
            let mut lap = self.watch.start();
            self.pools.contact.values.set_rates(problem, island, &self.work.direction);
            let tolerance_ls = self.options.linesearch_tolerance;
            alpha = match line_search::search(problem, island, v, &mut self.pools, &mut self.work, tolerance_ls) {
                Some(found) => {
                    report.linesearch_evaluations += found.evaluations - 1;
                    found.alpha
                }
                None => self.backtrack(problem, island, v, norms.gradient, &mut report),
            };
            self.watch.lap(Phase::LineSearch, &mut lap);
            last_step = step;
            step = self.take(problem, island, alpha, v);
            report.iterations += 1;
        }
    }

    /// Solves as if there were no contact and no stop: a linear problem but for the set of limited efforts. `false`,
    /// with `v` as it was, if one of them acts after all or the set does not settle.
    fn solve_free(&mut self, problem: &Problem, island: &Island, v: &mut [f64], report: &mut SolveReport) -> bool {
        self.monotone.start.clear();
        self.monotone.start.extend_from_slice(v);
        let before = *report;
        for iteration in 0..=MAX_FREE_ITERATIONS {
            let mut lap = self.watch.start();
            self.evaluate(problem, island, v);
            self.watch.lap(Phase::Assembly, &mut lap);
            if self.is_constrained(problem, island, v) {
                break;
            }
            self.note_regimes(problem, island, v);
            if iteration > 0 && self.monotone.regimes == self.monotone.last_regimes {
                return true;
            }
            if iteration == MAX_FREE_ITERATIONS || !self.unsymmetric_direction(problem, island, v, report) {
                break;
            }
            self.take(problem, island, 1.0, v);
            report.iterations += 1;
        }
        v.copy_from_slice(&self.monotone.start);
        report.iterations = before.iterations;
        false
    }

    /// True if a contact or a joint stop acts at `v`, where [`evaluate`](Self::evaluate) was last called.
    fn is_constrained(&self, problem: &Problem, island: &Island, v: &[f64]) -> bool {
        self.pools.all().any(|pool| pool.is_touching(problem, island, v))
    }

    fn note_regimes(&mut self, problem: &Problem, island: &Island, v: &[f64]) {
        let Monotone { regimes, last_regimes, .. } = &mut self.monotone;
        std::mem::swap(regimes, last_regimes);
        regimes.clear();
        self.pools.rest().for_each(|pool| pool.push_saturations(problem, island, v, regimes));
        for &f in &island.feedback {
            let block = &problem.feedback[f];
            regimes.extend(
                block.limited_rows().map(|(row, gain)| row.regime(block.asked(row, gain, v, &problem.trees.v0))),
            );
        }
    }

    /// Evaluates pair velocities and F at `v`.
    fn evaluate(&mut self, problem: &Problem, island: &Island, v: &[f64]) {
        self.pools.contact.evaluate(problem, island, v);
        assemble::gradient(problem, island, v, &self.pools, &mut self.work.gradient);
        for &f in &island.feedback {
            let block = &problem.feedback[f];
            for (row, gain) in block.limited_rows() {
                let effort = block.asked(row, gain, v, &problem.trees.v0).clamp(-row.limit, row.limit);
                self.work.gradient[row.velocity] -= problem.step_terms.dt * effort;
            }
        }
    }

    /// Computes the Newton direction at `v`. `false` if it is not finite: H is singular.
    pub(super) fn unsymmetric_direction(
        &mut self,
        problem: &Problem,
        island: &Island,
        v: &[f64],
        report: &mut SolveReport,
    ) -> bool {
        let mut lap = self.watch.start();
        let Monotone { lu, local, .. } = &mut self.monotone;
        unsymmetric::assemble(problem, island, v, &self.pools, &mut self.work, lu);
        self.watch.lap(Phase::Assembly, &mut lap);
        report.factorizations += 1;
        let solved = unsymmetric::direction(problem, island, lu, local, &mut self.work);
        self.watch.lap(Phase::Factorization, &mut lap);
        solved
    }

    /// Longest step, halved from 1, that reduces the residual below `from`.
    fn backtrack(&mut self, problem: &Problem, island: &Island, v: &[f64], from: f64, report: &mut SolveReport) -> f64 {
        let mut trial = std::mem::take(&mut self.monotone.trial);
        trial.clear();
        trial.extend_from_slice(v);
        let mut alpha = 1.0;
        loop {
            for &c in &island.cliques {
                for i in problem.trees.cliques[c].velocities.clone() {
                    trial[i] = v[i] + alpha * self.work.direction[i];
                }
            }
            self.evaluate(problem, island, &trial);
            report.linesearch_evaluations += 1;
            if self.norms(problem, island, &trial).gradient < (1.0 - DECREASE * alpha) * from
                || alpha < MIN_STEP_FRACTION
            {
                break;
            }
            alpha *= 0.5;
        }
        self.monotone.trial = trial;
        alpha
    }
}
