//! A function of one number through given points.
//!
//! Cubic curves are Hermite: on a segment of length h with u from 0 to 1, end values y₀, y₁ and end slopes m₀, m₁,
//! `y = y₀ + s (y₁ - y₀) + h u (1-u) ((1-u) m₀ - u m₁)`, s = 3u² - 2u³. Only the choice of the slopes differs:
//!
//! - natural: the second derivative is continuous and zero at the ends, a tridiagonal system for the slopes (de Boor,
//!   "A practical guide to splines", ch. IV): `m₋/h₋ + 2 (1/h₋ + 1/h) m + m₊/h = 3 (d₋/h₋ + d/h)` inside,
//!   `2 m₀ + m₁ = 3 d₀` at an end, d: secants;
//! - monotone: weighted harmonic means of the secants beside a point (zero where they differ in sign), which keeps the
//!   slopes within the bounds of Fritsch and Carlson, "Monotone piecewise cubic interpolation" (1980), so that the
//!   curve rises and falls only where the points do (Fritsch and Butland, 1984); one-sided secants at the ends.

use kinegraph_core::Scalar;
use kinegraph_core::parameter::{self, ParameterError};

/// Interpolation between the points of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// Straight lines.
    Linear,
    /// A cubic spline that rises and falls only where the points do.
    Monotone,
    /// The natural cubic spline: twice continuously differentiable, but it may overshoot.
    Natural,
}

/// Extrapolation of a table beyond its first and last point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    /// The value at the end.
    Clamp,
    /// A straight line with the slope at the end.
    Extend,
}

/// The curve, ready to evaluate.
pub(super) struct Curve {
    arguments: Vec<f64>,
    values: Vec<f64>,
    /// Slopes at the points; `None`: straight lines.
    slopes: Option<Vec<f64>>,
    beyond: Beyond,
}

impl Curve {
    pub fn new(
        arguments: Vec<f64>,
        values: Vec<f64>,
        interpolation: Interpolation,
        beyond: Beyond,
    ) -> Result<Self, ParameterError> {
        parameter::increasing("arguments", &arguments)?;
        if arguments.len() < 2 {
            parameter::size("arguments", arguments.len(), 2)?;
        }
        parameter::size("values", values.len(), arguments.len())?;
        parameter::finite("values", &values)?;
        let lengths: Vec<f64> = arguments.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let secants: Vec<f64> = values.windows(2).zip(&lengths).map(|(pair, h)| (pair[1] - pair[0]) / h).collect();
        let slopes = match interpolation {
            Interpolation::Linear => None,
            Interpolation::Monotone => Some(monotone(&lengths, &secants)),
            Interpolation::Natural => Some(natural_slopes(&lengths, &secants)),
        };
        Ok(Curve { arguments, values, slopes, beyond })
    }

    /// The value at `x`.
    pub fn at<S: Scalar>(&self, x: S) -> S {
        let last = self.arguments.len() - 1;
        // At the ends themselves the curve holds.
        if x.value() < self.arguments[0] {
            return self.outside(0, x);
        }
        if x.value() > self.arguments[last] {
            return self.outside(last, x);
        }
        let i = self.arguments.partition_point(|&argument| argument <= x.value()).clamp(1, last) - 1;
        let (start, rise) = (S::constant(self.values[i]), S::constant(self.values[i + 1] - self.values[i]));
        let h = S::constant(self.arguments[i + 1] - self.arguments[i]);
        let u = (x - S::constant(self.arguments[i])) / h;
        match &self.slopes {
            Some(slopes) => hermite(u, h, start, rise, [slopes[i], slopes[i + 1]]),
            None => start + u * rise,
        }
    }

    /// The first point of the table between two arguments, in this direction; there the second derivative of a cubic
    /// curve has a jump.
    pub fn next_knot(&self, (from, to): (f64, f64)) -> Option<f64> {
        let knots = &self.arguments;
        let met = if to > from {
            knots.get(knots.partition_point(|&knot| knot <= from)).filter(|&&knot| knot <= to)
        } else {
            let below = knots.partition_point(|&knot| knot < from);
            below.checked_sub(1).map(|last| &knots[last]).filter(|&&knot| knot >= to)
        };
        met.copied()
    }

    /// The value beyond end point `end`.
    fn outside<S: Scalar>(&self, end: usize, x: S) -> S {
        let value = S::constant(self.values[end]);
        if self.beyond == Beyond::Clamp {
            return value;
        }
        let slope = match &self.slopes {
            Some(slopes) => slopes[end],
            None => {
                let i = end.max(1);
                (self.values[i] - self.values[i - 1]) / (self.arguments[i] - self.arguments[i - 1])
            }
        };
        value + S::constant(slope) * (x - S::constant(self.arguments[end]))
    }
}

/// Cubic on a segment of length h at its fraction u, from `start` by `rise`, with these slopes at its ends.
pub(crate) fn hermite<S: Scalar>(u: S, h: S, start: S, rise: S, slopes: [f64; 2]) -> S {
    let ([from, to], rest) = (slopes.map(S::constant), S::one() - u);
    let s = u * u * (S::constant(3.0) - S::constant(2.0) * u);
    start + s * rise + h * u * rest * (rest * from - u * to)
}

fn monotone(lengths: &[f64], secants: &[f64]) -> Vec<f64> {
    let inside = (1..secants.len()).map(|i| {
        let (left, right) = (secants[i - 1], secants[i]);
        if left * right <= 0.0 {
            return 0.0;
        }
        let (w_left, w_right) = (2.0 * lengths[i] + lengths[i - 1], lengths[i] + 2.0 * lengths[i - 1]);
        (w_left + w_right) / (w_left / left + w_right / right)
    });
    let (first, last) = (secants[0], secants[secants.len() - 1]);
    std::iter::once(first).chain(inside).chain(std::iter::once(last)).collect()
}

/// Slopes of the natural cubic spline, from the lengths and the secants of its segments (one at least).
pub(crate) fn natural_slopes(lengths: &[f64], secants: &[f64]) -> Vec<f64> {
    let n = secants.len();
    // Thomas' algorithm, with each row divided by its pivot. `above` holds the entries right of the diagonal.
    let (mut above, mut slopes) = (vec![0.5], vec![1.5 * secants[0]]);
    for i in 1..n {
        let (left, right) = (1.0 / lengths[i - 1], 1.0 / lengths[i]);
        let pivot = 2.0 * (left + right) - left * above[i - 1];
        above.push(right / pivot);
        slopes.push((3.0 * (secants[i - 1] * left + secants[i] * right) - left * slopes[i - 1]) / pivot);
    }
    slopes.push((3.0 * secants[n - 1] - slopes[n - 1]) / (2.0 - above[n - 1]));
    for i in (0..n).rev() {
        slopes[i] -= above[i] * slopes[i + 1];
    }
    slopes
}
