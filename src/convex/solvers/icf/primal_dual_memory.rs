//! What the primal-dual method keeps from solve to solve.

use super::inertia::Inertia;
use super::pair_iterate::PairIterate;

/// Memory of the method, kept from solve to solve.
#[derive(Clone, Debug, Default)]
pub(super) struct PrimalDual {
    pub inertia: Inertia,
    pub pairs: Vec<PairIterate>,
    /// The gradient without contact, and sums of it with impulses.
    pub rest: Vec<f64>,
    pub sum: Vec<f64>,
    /// The velocity at the start and the best since.
    pub start: Vec<f64>,
    pub best: Vec<f64>,
}
