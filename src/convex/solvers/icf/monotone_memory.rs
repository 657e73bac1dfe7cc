//! What the method for feedback without a cost keeps from solve to solve.

use crate::linear_algebra::Lu;

/// Values of one solve, in memory that is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Monotone {
    pub lu: Lu,
    pub local: Vec<f64>,
    pub trial: Vec<f64>,
    pub start: Vec<f64>,
    /// Which efforts are at their limits, at this iterate and the last.
    pub regimes: Vec<u8>,
    pub last_regimes: Vec<u8>,
}
