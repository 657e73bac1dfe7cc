//! Friction that depends on the direction of sliding.
//!
//! A point has the coefficient mu in one direction along its surface and `r mu`, r <= 1, in the other, that of the unit
//! vector w. Its law is that of a plain point for the scaled velocity `T vc`, with
//!
//! ```text
//! T = 1 - (1 - r) w w',    l(vc) = l_c(T vc),    force T f,    Hessian T H T
//! ```
//!
//! So the potential stays convex, and the force is minus its gradient: of all forces in the ellipse with the semi-axes
//! `mu n` and `r mu n` it takes most energy from the bodies that slide, `-mu n T² u / |T u|` at the velocity u. T is
//! that of the start of the step, as the normal is.
//!
//! T belongs to the Jacobian of the point: [`ContactRow::velocity_between`] is a scaled velocity, the impulses of laws
//! and solutions are those of the plain law, and [`ContactRow::scaled`] gives the forces on the bodies. Laws and
//! solvers know of no direction.
//!
//! The scaled speed in the direction w is r times the speed. So that a load that is held creeps there no faster than
//! under a plain law, the regularization velocity of friction is r times as large, though no less than the part
//! [`STICTION_PART`](crate::choices::joint_friction::STICTION_PART).

use super::elements::ContactRow;
use nalgebra::{Matrix3, Vector3};

/// Ratio of coefficients below which no velocity follows from its scaled one.
const NONE: f64 = 1e-9; // rounding

impl ContactRow {
    /// True if friction depends on the direction of sliding.
    #[inline(always)]
    pub fn has_grain(&self) -> bool {
        self.grain != Vector3::zeros()
    }

    /// Ratio of the least coefficient of friction to the largest.
    pub fn ratio(&self) -> f64 {
        (1.0 - self.grain.norm_squared()).max(0.0)
    }

    /// `T u`: the scaled one of a velocity, and the force on the bodies of one of the plain law.
    #[inline(always)]
    pub fn scaled(&self, u: &Vector3<f64>) -> Vector3<f64> {
        if self.has_grain() { u - self.grain * self.grain.dot(u) } else { *u }
    }

    /// `T m T`.
    #[inline(always)]
    pub fn scaled_twice(&self, m: &Matrix3<f64>) -> Matrix3<f64> {
        if !self.has_grain() {
            return *m;
        }
        let scale = Matrix3::identity() - self.grain * self.grain.transpose();
        scale * m * scale
    }

    /// The velocity of which `u` is the scaled one; `None` where one direction has no friction.
    pub fn unscaled(&self, u: &Vector3<f64>) -> Option<Vector3<f64>> {
        let ratio = self.ratio();
        (ratio > NONE).then(|| u + self.grain * (self.grain.dot(u) / ratio))
    }
}
