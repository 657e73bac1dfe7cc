//! Linear springs on joints.

use kinegraph_core::Scalar;

/// Spring on a single-axis joint, with the force `-stiffness (q - rest)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Spring {
    /// Full name of the joint, `model/joint`.
    pub joint: String,
    /// Stiffness \[N/m, N m/rad\].
    pub stiffness: f64,
    /// Position at which the force is zero \[m, rad\].
    pub rest: f64,
}

/// A spring whose joint is resolved to the indices of its position and velocity.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedSpring {
    pub position: usize,
    pub velocity: usize,
    pub stiffness: f64,
    pub rest: f64,
}

impl PlacedSpring {
    pub fn force<S: Scalar>(&self, q: &[S]) -> S {
        (q[self.position] - S::constant(self.rest)) * S::constant(-self.stiffness)
    }

    pub fn energy(&self, q: &[f64]) -> f64 {
        0.5 * self.stiffness * (q[self.position] - self.rest).powi(2)
    }
}
