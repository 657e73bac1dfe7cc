//! Part of a gradient that is rounding.
//!
//! Impulses that cancel leave a balance of about `eps |J' p|` whatever the velocity, `eps |p| sqrt(delassus)` in
//! `M^-1`: smaller errors cannot be distinguished from it. Where a motor at its limit presses against a stop, momenta
//! vanish and with them a tolerance relative to them; only this rounding remains. Where bodies stick under heavy load,
//! or a stop holds, even the rounding of a velocity makes a force.

use super::pools::Pools;
use crate::contact::{Island, Problem};

/// Operations whose rounding adds up in a balance.
const OPERATIONS: f64 = 8.0; // rounding

/// Rounding of impulses whose sizes, in the norm of the gradient, add up to `impulses`.
pub(super) fn of_impulses(impulses: f64) -> f64 {
    OPERATIONS * f64::EPSILON * impulses
}

/// Rounding of the impulses by that of `v`.
pub(super) fn of_velocity(problem: &Problem, island: &Island, v: &[f64], pools: &Pools) -> f64 {
    f64::EPSILON * pools.all().map(|pool| pool.impulse_norms_of_velocity(problem, island, v)).sum::<f64>()
}

/// Rounding of all impulses at `v` but those of contacts.
pub(super) fn of_rest(problem: &Problem, island: &Island, v: &[f64], pools: &Pools) -> f64 {
    of_impulses(pools.rest().map(|pool| pool.impulse_norms(problem, island, v)).sum())
}
