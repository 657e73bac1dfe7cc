//! Numbers that grow until the accuracy is lost in their rounding.
//!
//! The error norm is absolute. While a number x grows as `e^(λ t)`, a step covers ever less of the time `1/λ` in which
//! it grows e-fold; the rounding of so many steps is up to `ε |x| / (λ h)`. Once that exceeds the accuracy, error
//! control no longer keeps its promise, and steps become ever more: the run has diverged.

use super::{ErrorNorm, IntegratorError};
use crate::choices::divergence::MAX_RATE_RATIO;

/// Rounding error of an error estimate, in units in the last place.
const ROUNDING: f64 = 8.0 * f64::EPSILON;
/// A number of fewer accuracies than `ε^(-2/3)` has not diverged under any method: the steps of a first-order method
/// have `λ h = 2 sqrt(accuracy / |x|)`.
const MIN_SIZE_RATIO: f64 = 2.7e10; // rounding

/// Error by rounding alone of coordinate number `index` of the norm, at the state `x`.
pub(super) fn rounding(norm: &ErrorNorm, index: usize, x: &[f64]) -> f64 {
    norm.entry(index).map_or(0.0, |(i, weight)| ROUNDING * weight * x[i].abs())
}

/// A growing number in which rounding exceeds the accuracy if it grows by itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Suspect {
    /// Its place in the norm.
    index: usize,
    value: f64,
    /// Rate of growth \[1/s\].
    rate: f64,
}

impl Suspect {
    /// Finds the largest suspect in a step of length `h` from `start` to `end`, held to `accuracy`.
    pub fn find(norm: &ErrorNorm, start: &[f64], end: &[f64], h: f64, accuracy: f64) -> Option<Self> {
        let suspects = norm.entries().iter().enumerate().filter_map(|(index, &(i, weight))| {
            let (value, growth) = (end[i], (end[i] - start[i]) * end[i].signum() / h);
            let is_large = weight * value.abs() > MIN_SIZE_RATIO * accuracy;
            let is_lost = f64::EPSILON * weight * value * value > accuracy * h * growth;
            (is_large && growth > 0.0 && is_lost).then(|| Suspect { index, value, rate: growth / value.abs() })
        });
        suspects.max_by(|a, b| a.value.abs().total_cmp(&b.value.abs()))
    }

    /// Least rate of the growth that may cause it \[1/s\].
    pub fn least_rate(&self) -> f64 {
        self.rate / MAX_RATE_RATIO
    }

    /// Checks at `time` that it has not diverged, where the fastest growth has the rate `fastest`.
    ///
    /// # Errors
    /// It has diverged.
    pub fn check(&self, fastest: f64, time: f64, accuracy: f64, norm: &ErrorNorm) -> Result<(), IntegratorError> {
        let Suspect { index, value, rate } = *self;
        // The rate found may be a bound.
        if fastest <= rate / MAX_RATE_RATIO || fastest > rate * MAX_RATE_RATIO {
            return Ok(());
        }
        Err(IntegratorError::Diverges { time, what: norm.name(index).to_owned(), value, accuracy })
    }
}
