//! Filters of first and second order in coordinates of their own frequency.
//!
//! With σ = s/ω, a section of second order and one of first order are
//!
//! ```text
//! (b₀ + b₁ σ + b₂ σ²)/(1 + 2 ζ σ + σ²)    x₁' = ω x₂,   x₂' = ω e,   e = u - x₁ - 2 ζ x₂,   y = b₀ x₁ + b₁ x₂ + b₂ e
//! (b₀ + b₁ σ)/(1 + σ)                     x₁' = ω e,    e = u - x₁,                        y = b₀ x₁ + b₁ e
//! ```
//!
//! All states have the unit of the input. At rest e and x₂ are zero and x₁ is the input, to the last bit: the gain of
//! constant signals is b₀ without rounding. A filter of high order is a chain of sections, which rounds far less than
//! its polynomial.

use kinegraph_core::Scalar;

/// A filter of first or second order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Section {
    /// ω \[rad/s\].
    pub frequency: f64,
    /// ζ; `None`: of first order.
    pub damping_ratio: Option<f64>,
    /// b₀, b₁ and b₂; b₂ is zero in a section of first order.
    pub numerator: [f64; 3],
}

impl Section {
    /// Number of states.
    pub fn order(&self) -> usize {
        if self.damping_ratio.is_some() { 2 } else { 1 }
    }

    /// True if the output depends directly on the input.
    pub fn has_feedthrough(&self) -> bool {
        self.numerator[self.order()] != 0.0
    }

    /// The highest derivative: e.
    fn drive<S: Scalar>(&self, x: &[S], u: S) -> S {
        match self.damping_ratio {
            Some(zeta) => u - x[0] - S::constant(2.0 * zeta) * x[1],
            None => u - x[0],
        }
    }

    /// y for the states x, which others may follow, and the input u, which is not read without feedthrough.
    pub fn output<S: Scalar>(&self, x: &[S], u: S) -> S {
        let mut y = S::zero();
        for (&b, &x) in self.numerator.iter().zip(x).take(self.order()) {
            y += S::constant(b) * x;
        }
        if self.has_feedthrough() {
            y += S::constant(self.numerator[self.order()]) * self.drive(x, u);
        }
        y
    }

    /// Writes the rates of the states x.
    pub fn rates<S: Scalar>(&self, x: &[S], u: S, rates: &mut [S]) {
        let frequency = S::constant(self.frequency);
        let last = self.order() - 1;
        if last > 0 {
            rates[0] = frequency * x[1];
        }
        rates[last] = frequency * self.drive(x, u);
    }
}
