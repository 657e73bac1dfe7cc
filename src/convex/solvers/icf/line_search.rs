//! Line search: the minimum of the cost along the Newton direction.
//!
//! Along a line every relative velocity is affine in alpha, so an evaluation is one pass over the pairs (see
//! [`contact_line`](super::pools::contact_line)). Only the slope is needed: it increases with alpha (the cost is
//! convex), and its root is bracketed by 0 and 1. [CENIC spec 3.3] The same holds without a cost where the gradient is
//! monotone.

use super::pools::{ContactPool, Pools};
use crate::contact::{Island, Problem};
use crate::solvers::common::assemble::Workspace;
use crate::solvers::common::line::Line;

/// Result of the search.
pub(super) struct Found {
    pub alpha: f64,
    pub evaluations: usize,
}

/// Finds the root of the slope along `work.direction` in (0, 1], to `tolerance` times the slope at 0. `None` if the
/// direction does not descend or the search breaks down (not-a-number).
pub(super) fn search(
    problem: &Problem,
    island: &Island,
    v: &[f64],
    pools: &mut Pools,
    work: &mut Workspace,
    tolerance: f64,
) -> Option<Found> {
    pools.contact.set_line(problem, island);
    let line = Line::new(problem, island, v, &problem.step_terms.momentum, pools, work);
    let initial_slope = line.initial_slope();
    if initial_slope >= 0.0 || !initial_slope.is_finite() {
        return None;
    }
    let (slope, slope_rate) = line.derivatives(1.0);
    if !slope.is_finite() {
        return None;
    }
    let small = tolerance * -initial_slope;
    if slope <= small {
        return Some(Found { alpha: 1.0, evaluations: 1 });
    }
    bracketed_root(&line, initial_slope, [slope, slope_rate], small)
}

/// Approximate zero of the cubic with the slope and its rate at both ends. At 0 a Newton direction has `w' H w = -w'
/// g`: the rate is minus the slope.
fn cubic_root(slope0: f64, slope1: f64, rate1: f64) -> f64 {
    let at = |x: f64| {
        let y = 1.0 - x;
        slope0 * y * y * (1.0 + 2.0 * x) - slope0 * x * y * y + slope1 * x * x * (3.0 - 2.0 * x) - rate1 * x * x * y // formula
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..12 {
        let middle = 0.5 * (low + high);
        if at(middle) > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    0.5 * (low + high)
}

/// Newton safeguarded by bisection on the bracket \[0, 1\], where the slope is negative at 0 and positive at 1.
fn bracketed_root(line: &Line<'_, ContactPool>, slope0: f64, end: [f64; 2], small: f64) -> Option<Found> {
    let (mut low, mut high) = (0.0, 1.0);
    let mut alpha = 1.0_f64;
    let mut last_step = 1.0_f64;
    let mut guess = cubic_root(slope0, end[0], end[1]);
    for evaluations in 2..=100 {
        if !(guess > low && guess < high) {
            guess = 0.5 * (low + high);
        }
        let step = guess - alpha;
        alpha = guess;
        let (f, df) = line.derivatives(alpha);
        if !f.is_finite() {
            return None;
        }
        // rounding
        if f.abs() <= small || high - low < 1e-14 {
            return Some(Found { alpha, evaluations });
        }
        if f > 0.0 {
            high = alpha;
        } else {
            low = alpha;
        }
        // Bisect where Newton does not at least halve the last step.
        guess = alpha - f / df;
        if 2.0 * f.abs() > (last_step * df).abs() {
            guess = 0.5 * (low + high);
        }
        last_step = step;
    }
    // The bracket cannot shrink further; its lower end descends.
    Some(Found { alpha: if low > 0.0 { low } else { alpha }, evaluations: 100 })
}
