//! What of a gradient is rounding.
//!
//! Impulses that cancel leave a balance of about `eps |J' p|` whatever the velocity, `eps |p| sqrt(delassus)` in
//! `M^-1`: no error is told from one below that. Where a motor at its limit presses against a stop, momenta vanish and
//! a tolerance relative to them with them, and only this is left.

use crate::contact::Island;
use crate::contact::Problem;

/// Operations whose rounding adds up in a balance.
const OPERATIONS: f64 = 8.0;

/// Rounding of impulses whose sizes, in the norm of the gradient, add up to `impulses`.
pub(super) fn of_impulses(impulses: f64) -> f64 {
    OPERATIONS * f64::EPSILON * impulses
}

/// Rounding of all impulses at `v` but those of contacts: of stops, limited efforts and bilateral rows.
pub(super) fn of_rest(problem: &Problem, island: &Island, v: &[f64]) -> f64 {
    let mut sum = 0.0;
    for limit in island.limits.iter().map(|&l| &problem.limits[l]) {
        sum += limit.impulse(v[limit.velocity]).abs() * limit.delassus.sqrt();
    }
    for effort in island.efforts.iter().map(|&e| &problem.efforts[e]) {
        sum += effort.impulse(v[effort.velocity]).abs() * problem.scale[effort.velocity];
    }
    for &g in &island.rows {
        sum += problem.row_impulse(g, v).norm() * problem.rows[g].law.delassus.sqrt();
    }
    of_impulses(sum)
}
