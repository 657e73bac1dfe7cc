//! Projection of a point onto an ellipsoid in a given metric.
//!
//! ```text
//! z = argmin 1/2 (z - p)' R (z - p),   |E^-1 z| <= ρ
//! ```
//!
//! With `s = E^-1 z/ρ`, `A = E R E` and `q = E^-1 p/ρ` that is s = q inside; outside `(A + λ) s = A q` with the λ > 0
//! of `|s| = 1`. In the axes of A, with eigenvalues a and `β = a q`,
//!
//! ```text
//! ψ(λ) = 1/|s| - 1,   |s|² = Σ (β/(a + λ))²,   ψ' = |s|^-3 Σ β²/(a + λ)³
//! ```
//!
//! rises and is concave: Newton's method from λ = 0 stays below the root and needs no safeguard.

use crate::choices::metric_friction::{MAX_ITERATIONS, REGULAR};
use nalgebra::{Matrix3, SymmetricEigen, Vector3};

/// Eigenvalues below this part of the largest count as zero: the metric is then regularized.
const SINGULAR: f64 = 1e-10; // rounding

/// Friction of a contact: its metric in the coordinates `E^-1 z` in which the ellipsoid is a ball.
#[derive(Clone, Copy, Debug)]
pub struct Ball {
    /// Semi-axes per unit of radius.
    pub axes: Vector3<f64>,
    values: Vector3<f64>,
    vectors: Matrix3<f64>,
}

impl Ball {
    /// Creates the ball of the metric `R`; `None` if the metric is zero.
    pub fn new(metric: &Matrix3<f64>, axes: Vector3<f64>) -> Option<Self> {
        let scale = Matrix3::from_diagonal(&axes);
        let mut a = scale * metric * scale;
        let norm = a.norm();
        if !(norm > f64::MIN_POSITIVE && norm.is_finite()) {
            return None;
        }
        let mut eigen = SymmetricEigen::new(a);
        if eigen.eigenvalues.min() < SINGULAR * eigen.eigenvalues.max() {
            a += Matrix3::identity() * (REGULAR * norm);
            eigen = SymmetricEigen::new(a);
        }
        let (values, vectors) = (eigen.eigenvalues, eigen.eigenvectors);
        (values.min() > 0.0).then_some(Ball { axes, values, vectors })
    }

    /// Local solution: new impulses from the present ones `now`, at the velocities `u`, within `radius`.
    pub fn solve(&self, now: &Vector3<f64>, u: &Vector3<f64>, radius: f64) -> Vector3<f64> {
        if radius <= 0.0 {
            return Vector3::zeros();
        }
        let force = self.vectors.tr_mul(&self.axes.component_mul(u)).component_div(&self.values);
        let target = self.vectors.tr_mul(&now.component_div(&self.axes)) - force;
        self.axes.component_mul(&(self.vectors * self.nearest(target, radius)))
    }

    /// Nearest point of the ball, in the axes of the metric.
    fn nearest(&self, target: Vector3<f64>, radius: f64) -> Vector3<f64> {
        let q = target / radius;
        if q.norm() <= 1.0 {
            return target;
        }
        let beta = self.values.component_mul(&q);
        let (mut lambda, mut s) = (0.0, q);
        for _ in 0..MAX_ITERATIONS {
            let length = s.norm();
            // rounding
            if (length - 1.0).abs() < 1e-14 {
                break;
            }
            let shifted = self.values.add_scalar(lambda);
            let slope = s.component_mul(&s).component_div(&shifted).sum() / length.powi(3);
            let next = lambda - (1.0 / length - 1.0) / slope;
            if next <= lambda {
                break;
            }
            lambda = next;
            s = beta.component_div(&self.values.add_scalar(lambda));
        }
        // Scaled onto the ball to the last digit.
        s * (radius / s.norm())
    }
}
