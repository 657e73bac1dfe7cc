//! Linear springs on joints.

use kinegraph_core::Scalar;

/// The force `-stiffness (q - rest)` on a single-axis joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Spring {
    /// Full name of the joint, `model/joint`.
    pub joint: String,
    /// Stiffness \[N/m, N m/rad\].
    pub stiffness: f64,
    /// Position without force \[m, rad\].
    pub rest: f64,
}

/// A spring with its joint found.
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
