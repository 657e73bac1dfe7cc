//! Memory of the primal-dual method from solve to solve.

use super::inertia::Inertia;
use super::pair_iterate::PairIterate;

/// Memory of the method, kept from solve to solve.
#[derive(Clone, Debug, Default)]
pub(super) struct PrimalDual {
    pub inertia: Inertia,
    pub pairs: Vec<PairIterate>,
    /// Gradient without contact, and its sums with impulses.
    pub rest: Vec<f64>,
    pub sum: Vec<f64>,
    /// Velocity at the start, and the best since.
    pub start: Vec<f64>,
    pub best: Vec<f64>,
}
