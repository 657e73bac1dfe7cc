//! Line searches along `φ(α) = cost(v + α d)`.
//!
//! * **exact_root**: the root of φ' in (0, 1.5], by Newton's method within a bracket, to 1e-8 of the slope at 0
//!   \[Drake\].
//! * **armijo_decay**: α = 1/ρ if φ still falls there; else 1, ρ, ρ², … until the cost stops falling with an Armijo
//!   decrease, or hardly changes.
//! * **monotone_decay**: α = 1, 1/2, 1/4, … until the cost is not above that at 0.
//!
//! Contact velocities are affine in α: a trial moves no bodies.

use super::options::{LineSearch, SolverOptions};
use super::pool::ConePool;
use crate::choices::sap_line_search::MIN_STEP_FRACTION;
use kinegraph_convex::contact::{Island, Problem};
use kinegraph_convex::solvers::common::assemble::Workspace;
use kinegraph_convex::solvers::common::line::Line;
use kinegraph_convex::solvers::common::pools::Pools;

/// The longest step of the exact search.
const MAX_STEP_FRACTION: f64 = 1.5; // method
/// Slope relative to that at 0 at which the exact search ends, and its smallest update relative to the first guess.
const SLOPE: f64 = 1e-8; // method

/// Result of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Found {
    pub alpha: f64,
    pub trials: usize,
}

/// An island along its search direction; the contact points have the rates of the line already.
pub(super) struct Search<'a> {
    pub problem: &'a Problem,
    pub island: &'a Island,
    /// Start of the line.
    pub v: &'a [f64],
    pub momentum: &'a [f64],
    pub pools: &'a Pools<ConePool>,
    pub options: &'a SolverOptions,
    /// Cost at the start, and the part of inertia in it.
    pub cost: f64,
    pub inertia: f64,
}

impl Search<'_> {
    /// Runs the search; `None` if the direction does not descend or the search fails. `trial` is scratch, for all
    /// velocities.
    pub fn run(&self, work: &mut Workspace, trial: &mut Vec<f64>, exact: bool) -> Option<Found> {
        let line = Line::new(self.problem, self.island, self.v, self.momentum, self.pools, work);
        let slope = line.initial_slope();
        if slope >= 0.0 || !slope.is_finite() {
            return None;
        }
        let variant = if exact { LineSearch::ExactRoot } else { self.options.line_search };
        match variant {
            LineSearch::ExactRoot => self.exact_root(&line, slope, trial, !exact),
            LineSearch::ArmijoDecay => self.armijo_decay(&line, slope, trial),
            LineSearch::MonotoneDecay => self.monotone_decay(&line, trial),
        }
    }

    /// Cost at `alpha`: the part of inertia is a parabola, all others are evaluated.
    fn cost_at(&self, line: &Line<'_, ConePool>, alpha: f64, trial: &mut Vec<f64>) -> f64 {
        trial.resize(self.v.len(), 0.0);
        let direction = line.direction();
        for i in self.island.cliques.iter().flat_map(|&c| self.problem.velocities_of(c)) {
            trial[i] = self.v[i] + alpha * direction[i];
        }
        let (slope, curvature) = line.inertia();
        let rest: f64 = self.pools.rest().map(|pool| pool.cost(self.problem, self.island, trial)).sum();
        let contact = self.pools.contact.cost_along(self.problem, self.island, alpha);
        self.inertia + alpha * (slope + 0.5 * alpha * curvature) + rest + contact
    }

    fn exact_root(&self, line: &Line<'_, ConePool>, slope: f64, trial: &mut Vec<f64>, has_cost: bool) -> Option<Found> {
        let (end, rate) = line.derivatives(MAX_STEP_FRACTION);
        if !end.is_finite() {
            return None;
        }
        if end <= 0.0 {
            return Some(Found { alpha: MAX_STEP_FRACTION, trials: 1 });
        }
        if has_cost {
            let (absolute, relative, _) = self.options.cost_test();
            if -slope < absolute + relative * self.cost_at(line, MAX_STEP_FRACTION, trial) {
                return Some(Found { alpha: 1.0, trials: 1 });
            }
        }
        let (mut low, mut high) = (0.0, MAX_STEP_FRACTION);
        let mut alpha = (-slope / rate).min(MAX_STEP_FRACTION);
        let least = SLOPE * alpha;
        // Last update, and the one before.
        let (mut last, mut before) = (-MAX_STEP_FRACTION, -MAX_STEP_FRACTION);
        for trials in 2..=self.options.most_trials() + 1 {
            let (f, df) = line.derivatives(alpha);
            let (f, df) = (f / -slope, df / -slope);
            if !f.is_finite() {
                return None;
            }
            if f < 0.0 {
                low = alpha;
            } else {
                high = alpha;
            }
            if f.abs() < SLOPE {
                return Some(Found { alpha, trials });
            }
            let slow = 2.0 * f.abs() > (before * df).abs();
            before = last;
            let next = alpha - f / df;
            last = f / df;
            if slow || !(next >= low && next <= high) {
                last = 0.5 * (low - high);
                alpha = low - last;
            } else {
                alpha = next;
            }
            if last.abs() < least {
                return Some(Found { alpha, trials });
            }
        }
        None
    }

    fn monotone_decay(&self, line: &Line<'_, ConePool>, trial: &mut Vec<f64>) -> Option<Found> {
        let enough = self.cost + 1e-14 + 1e-12 * self.cost.abs(); // rounding
        let mut alpha = 1.0;
        for trials in 1..=self.options.most_trials() {
            if self.cost_at(line, alpha, trial) <= enough {
                return Some(Found { alpha, trials });
            }
            alpha *= 0.5;
            if alpha < MIN_STEP_FRACTION {
                break;
            }
        }
        None
    }

    fn armijo_decay(&self, line: &Line<'_, ConePool>, slope: f64, trial: &mut Vec<f64>) -> Option<Found> {
        let SolverOptions { armijo_c: c, rho, line_search_relative_slop, .. } = *self.options;
        let relative = line_search_relative_slop.unwrap_or(1000.0 * f64::EPSILON);
        let mut alpha = 1.0 / rho;
        let mut cost = self.cost_at(line, alpha, trial);
        // rounding
        let slop = 0.1 * relative * (0.5 * (cost.abs() + self.cost.abs())).max(1.0);
        if line.derivatives(alpha).0 < slop {
            return Some(Found { alpha, trials: 1 });
        }
        let decreases = |alpha: f64, cost: f64| cost < self.cost + c * alpha * slope;
        for trials in 2..=self.options.most_trials() {
            let (alpha_before, cost_before) = (alpha, cost);
            // The second trial is the full step, exactly.
            alpha = if trials == 2 { 1.0 } else { alpha * rho };
            cost = self.cost_at(line, alpha, trial);
            if !cost.is_finite() {
                continue;
            }
            if ((cost - cost_before) / (alpha - alpha_before)).abs() < slop {
                return Some(Found { alpha, trials });
            }
            if cost > cost_before && decreases(alpha, cost) {
                let alpha = if decreases(alpha_before, cost_before) { alpha_before } else { alpha };
                return Some(Found { alpha, trials });
            }
        }
        decreases(alpha, cost).then_some(Found { alpha, trials: self.options.most_trials() })
    }
}
