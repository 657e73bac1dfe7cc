//! Anderson's mixing of a fixed-point iteration `x <- g(x)` \[Anderson 1965; Walker & Ni 2011\].
//!
//! ```text
//! f = g(x) - x,   α = argmin |f - ΔF α|,   x <- g(x) - ΔG α
//! ```
//!
//! over the differences of the last few iterations: slowly contracting and oscillating modes are extrapolated. Its
//! parameters are explained in `docs/decisions/19-other-contact-steppers.md`.

use crate::choices::mixing::{DEPTH, RIDGE, WORSE};
use nalgebra::{SMatrix, SVector};

/// History of mixing.
#[derive(Clone, Debug, Default)]
pub struct Mixing {
    /// `f` and `g` of the last iteration.
    change: Vec<f64>,
    image: Vec<f64>,
    /// Differences of these, one after the other.
    changes: Vec<f64>,
    images: Vec<f64>,
    /// Number of iterations so far.
    count: usize,
    /// Square of `change`.
    square: f64,
}

impl Mixing {
    /// Clears the history.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Advances `x`, which led to `image`, to the next x.
    pub fn next(&mut self, x: &mut [f64], image: &[f64]) {
        let n = x.len();
        if self.count == 0 {
            for values in [&mut self.change, &mut self.image] {
                values.clear();
                values.resize(n, 0.0);
            }
        }
        for values in [&mut self.changes, &mut self.images] {
            values.resize(n * DEPTH, 0.0);
        }
        let slot = (self.count.max(1) - 1) % DEPTH * n;
        let mut square = 0.0;
        for (i, (image, x)) in image.iter().zip(x.iter()).enumerate() {
            let change = image - x;
            square += change * change;
            self.changes[slot + i] = change - self.change[i];
            self.images[slot + i] = image - self.image[i];
            (self.change[i], self.image[i]) = (change, *image);
        }
        let worse = square > WORSE * WORSE * self.square;
        self.square = square;
        self.count = if self.count > 0 && worse { 1 } else { self.count + 1 };
        x.copy_from_slice(image);
        self.mix(x);
    }

    /// Subtracts the combination of differences that leaves the least change.
    fn mix(&self, x: &mut [f64]) {
        let (n, depth) = (x.len(), (self.count - 1).min(DEPTH));
        let column = |k: usize| &self.changes[k * n..(k + 1) * n];
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let (mut squares, mut right) = (SMatrix::<f64, DEPTH, DEPTH>::identity(), SVector::<f64, DEPTH>::zeros());
        for i in 0..depth {
            right[i] = dot(column(i), &self.change);
            for j in 0..=i {
                let square = dot(column(i), column(j));
                (squares[(i, j)], squares[(j, i)]) = (square, square);
            }
        }
        let largest = (0..depth).map(|i| squares[(i, i)]).fold(0.0, f64::max);
        (0..depth).for_each(|i| squares[(i, i)] += RIDGE * largest);
        let Some(factor) = squares.cholesky() else { return };
        let weights = factor.solve(&right);
        if !weights.iter().all(|w| w.is_finite()) {
            return;
        }
        for (k, weight) in weights.iter().enumerate().take(depth) {
            x.iter_mut().zip(&self.images[k * n..(k + 1) * n]).for_each(|(x, d)| *x -= weight * d);
        }
    }
}
