//! Derivatives with their errors and ranges.

use super::notes::Note;
use super::request::By;

/// A derivative of a measure by a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Derivative {
    /// The derivative.
    pub value: f64,
    /// Estimate of its error, likely above it; not-a-number without a second look.
    pub error: f64,
    /// Smallest and largest value of the number for which the derivative describes the run: beyond, something touches
    /// that does not touch now, or does not what does. Infinite where nothing is near.
    pub valid: (f64, f64),
}

/// Derivatives of a run.
#[derive(Clone, Debug)]
pub struct Gradient {
    /// Names of the measures.
    pub of: Vec<String>,
    /// The measures; not-a-number of one that the run does not have.
    pub values: Vec<f64>,
    /// Numbers by which they are differentiated.
    pub by: Vec<By>,
    /// Derivatives, measure by measure.
    pub derivatives: Vec<Derivative>,
    /// Channels of the measures at the times that were asked for.
    pub samples: Samples,
    /// Where a derivative is not what it seems.
    pub notes: Vec<Note>,
    /// Number of steps of the run, and of steps taken in all.
    pub steps: (usize, usize),
}

impl Gradient {
    /// Derivative of measure number `of` by number `by`.
    pub fn get(&self, of: usize, by: usize) -> Derivative {
        self.derivatives[of * self.by.len() + by]
    }
}

/// Channels at some times, with their derivatives.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// Number of times, of channels, and of numbers by which is differentiated.
    pub size: [usize; 3],
    /// The channels, time after time.
    pub values: Vec<f64>,
    /// Their derivatives: for each value those by each number; not-a-number at the time of a knot that moves with it.
    pub derivatives: Vec<f64>,
    /// Estimates of the errors of the derivatives, in their order; none without a second look.
    pub errors: Vec<f64>,
}
