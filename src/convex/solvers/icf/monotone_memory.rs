//! Memory of the method for feedback without a cost, from solve to solve.

use crate::linear_algebra::Lu;

/// Values of one solve, in memory that is reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Monotone {
    pub lu: Lu,
    pub local: Vec<f64>,
    pub trial: Vec<f64>,
    pub start: Vec<f64>,
    /// Regimes of efforts at this iterate and the last: within their limits or at one.
    pub regimes: Vec<u8>,
    pub last_regimes: Vec<u8>,
}
