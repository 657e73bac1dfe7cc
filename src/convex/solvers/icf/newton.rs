//! Newton's method with line search on the cost of an island.

use super::line_search;
use super::rounding;
use super::solver::Solver;
use super::subproblem::Subproblem;
use crate::profile::Phase;
use crate::solvers::common::assemble;
use crate::solvers::{SolveFailure, SolveFault, SolveReport};

/// Part of the scale of the velocities below which a step leaves them as they are, up to rounding.
const IDLE: f64 = 16.0 * f64::EPSILON;
use crate::choices::newton::{EDGE_ERROR_RATIO, EDGES, FIRST_CONTRACTION, MAX_CONTRACTION};

impl Solver {
    /// Minimizes the cost of an island by Newton's method, starting from the guess in `v`.
    pub(super) fn solve_newton(&mut self, part: Subproblem<'_>, v: &mut [f64]) -> Result<SolveReport, SolveFailure> {
        let Subproblem { problem, island, relative, .. } = part;
        self.work.enter(problem, island);
        self.factor.enter(problem, island, &self.pools, &self.work);
        let mut report = SolveReport::default();
        let (mut last_step, mut step, mut alpha) = (0.0_f64, 0.0_f64, 1.0_f64);
        let touches = !island.patches.is_empty();
        let quadratic = self.pools.all().all(|pool| pool.is_quadratic(island));
        let (mut idle_steps, mut lasting_rounding, mut best) = (0, 0, f64::INFINITY);
        if touches && !self.certificate.enter(problem, island) {
            return Err(part.failure(SolveFault::NotPositiveDefinite, 0, f64::NAN, relative));
        }
        let mut lap = self.watch.start();
        loop {
            let iteration = report.iterations;
            self.pools.contact.evaluate(problem, island, v);
            assemble::gradient(problem, island, v, &self.pools, &mut self.work.gradient);
            let norms = self.norms(problem, island, v);
            self.watch.lap(Phase::Assembly, &mut lap);
            let mut tolerance = part.tolerance(norms.scale);
            if !norms.gradient.is_finite() {
                return Err(part.failure(SolveFault::NotFinite, iteration, norms.gradient, tolerance));
            }
            if norms.gradient > tolerance {
                tolerance = tolerance.max(rounding::of_rest(problem, island, v, &self.pools));
            }
            // One step leads to the minimum of a quadratic. A guess within the tolerance would save it, but the errors
            // left that way add up over the steps of a run: a body that falls fast and spins slowly would stop turning.
            // Likewise where all digits are asked for: runs nearby start from solutions of each other, and differ by
            // less than the tolerance.
            let done = if (quadratic || self.wants_all_digits(part)) && iteration == 0 && part.reference.is_none() {
                IDLE * norms.scale
            } else {
                tolerance
            };
            if norms.gradient <= done {
                return Ok(report);
            }
            // Where full steps no longer change the velocity, no step can: the remaining gradient is rounding of stiff
            // laws.
            let idle = iteration > 0 && step <= alpha * IDLE * norms.scale;
            idle_steps = if idle { idle_steps + 1 } else { 0 };
            if idle_steps == 2 {
                return Ok(report);
            }
            // Between two edges of stiff laws that are nearer than that, steps alternate.
            if lasting_rounding >= EDGES {
                let error = match touches {
                    true => self.certificate.bound(problem, island, &self.pools.contact, &self.work).error,
                    false => norms.gradient,
                };
                if error <= EDGE_ERROR_RATIO * rounding::of_velocity(problem, island, v, &self.pools) {
                    return Ok(report);
                }
            }
            if iteration > 0 && touches {
                let bound = self.certificate.bound(problem, island, &self.pools.contact, &self.work);
                if bound.error <= tolerance.max(bound.rounding) {
                    return Ok(report);
                }
                // Rounding of velocities appears much larger than necessary: used only as the last resort.
                if bound.error >= best && bound.error <= rounding::of_velocity(problem, island, v, &self.pools) {
                    return Ok(report);
                }
                best = best.min(bound.error);
            } else if iteration > 0 && alpha == 1.0 {
                // Stops and clamps have few pieces, each solved by one step: the error after a full step is about
                // theta/(1 - theta) times the step. One cut by the line search says nothing about the error.
                let theta = if iteration > 1 && last_step > 0.0 {
                    (step / last_step).min(MAX_CONTRACTION)
                } else {
                    FIRST_CONTRACTION
                };
                if theta / (1.0 - theta) * step <= tolerance {
                    return Ok(report);
                }
            }
            if iteration == self.options.max_iterations {
                return Err(part.failure(SolveFault::IterationLimit, iteration, norms.gradient, tolerance));
            }
            if self.watch.is_interrupted() {
                return Err(part.failure(SolveFault::Interrupted, iteration, norms.gradient, tolerance));
            }
            self.factor.assemble(problem, island, v, &self.pools, &mut self.work);
            self.watch.lap(Phase::Assembly, &mut lap);
            report.factorizations += 1;
            if !self.factor.factor() {
                return Err(part.failure(SolveFault::NotPositiveDefinite, iteration, norms.gradient, tolerance));
            }
            self.factor.newton_direction(problem, island, &mut self.work);
            self.watch.lap(Phase::Factorization, &mut lap);
            alpha = 1.0;
            if !quadratic {
                self.pools.contact.values.set_rates(problem, island, &self.work.direction);
                let tolerance_ls = self.options.linesearch_tolerance;
                let Some(found) =
                    line_search::search(problem, island, v, &mut self.pools, &mut self.work, tolerance_ls)
                else {
                    return Err(part.failure(SolveFault::LineSearch, iteration, norms.gradient, tolerance));
                };
                alpha = found.alpha;
                report.linesearch_evaluations += found.evaluations - 1;
                self.watch.lap(Phase::LineSearch, &mut lap);
            }
            if touches {
                self.certificate.note_step(problem, island, &self.pools.contact);
            }
            last_step = step;
            step = self.take(problem, island, alpha, v);
            if alpha < 1.0 && step <= f64::EPSILON * norms.scale {
                // At an edge of a stiff law whose other side acts in this direction: a step beyond the edge shows that
                // side.
                let beyond = (IDLE * norms.scale * alpha / step).min(1.0);
                if beyond.is_finite() && beyond > alpha {
                    step += self.take(problem, island, beyond - alpha, v);
                    alpha = beyond;
                }
            }
            lasting_rounding = if step <= 64.0 * IDLE * norms.scale { lasting_rounding + 1 } else { 0 }; // rounding
            report.iterations += 1;
        }
    }
}
