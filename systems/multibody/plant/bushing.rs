//! Bushings: six springs and dampers between two frames, each axis with its own.
//!
//! With the frames A and C, the pose of C in A is the position x and the rotation vector θ, both in axes of A. The
//! bushing holds the energy
//!
//! ```text
//! V = 1/2 Σ k_i x_i² + 1/2 Σ κ_i θ_i²
//! ```
//!
//! and dampens the rates of x and θ. Its elastic forces are minus the gradient of V, so that it returns all energy that
//! it stores: with the relative angular velocity ω in axes of A, `θ' = L(θ)⁻¹ ω`, L the left Jacobian of the rotation
//! vector, and the torque is `-L⁻ᵀ (κ θ + δ θ')`. If all κ are equal, that is `-κ θ`, and the whole is a compliant
//! weld. Forces act on both bodies at the origin of C; being equal and opposite, they leave both momenta as they are.
//!
//! A bushing is two groups of rows, with a compliance for every axis. The step of every solver treats it implicitly,
//! and connects the two bodies into one island.

use kinegraph_core::convex::{Compliance, ConstraintRows, RowMeasure};
use kinegraph_core::scalar::Scalar;
use nalgebra::{Isometry3, Matrix3, Vector3};

/// Angle below which series are used \[rad\]: their error is of the fourth order.
const SERIES_THRESHOLD: f64 = 1e-3;

/// The springs and dampers of a bushing, axis by axis of its first frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BushingLaw {
    /// Along the axes \[N/m, N s/m\].
    pub linear: [Compliance; 3],
    /// About the axes \[N m/rad, N m s/rad\].
    pub angular: [Compliance; 3],
}

impl BushingLaw {
    /// Constraint rows between the body `body_a` of frame A and the body `body_c` of frame C.
    pub fn rows(
        &self,
        constraint: usize,
        [body_a, body_c]: [usize; 2],
        X_WA: &Isometry3<f64>,
        X_WC: &Isometry3<f64>,
        out: &mut Vec<ConstraintRows>,
    ) {
        let (x, theta) = coordinates(X_WA, X_WC);
        let R_AW = X_WA.rotation.to_rotation_matrix().inverse();
        let axes = (inverse_left_jacobian(&theta) * R_AW.matrix()).into();
        let measure = RowMeasure::Turn { body_a, body_b: body_c, axes };
        out.push(ConstraintRows {
            constraint,
            measure,
            violation: theta.into(),
            compliance: Some(self.angular),
            material: false,
            friction: None,
            range: None,
            curve: None,
        });
        let p_WC = X_WC.translation.vector.into();
        let measure =
            RowMeasure::Shift { body_a, body_b: body_c, p_WC, axes: (*R_AW.matrix()).into(), turn: [[0.0; 3]; 3] };
        out.push(ConstraintRows {
            constraint,
            measure,
            violation: x.into(),
            compliance: Some(self.linear),
            material: false,
            friction: None,
            range: None,
            curve: None,
        });
    }

    /// Elastic energy \[J\].
    pub fn energy(&self, X_WA: &Isometry3<f64>, X_WC: &Isometry3<f64>) -> f64 {
        let (x, theta) = coordinates(X_WA, X_WC);
        self.energy_at(&x, &theta)
    }

    /// Elastic energy with C at `x`, rotated by `theta`, in A \[J\].
    pub fn energy_at<S: Scalar>(&self, x: &Vector3<S>, theta: &Vector3<S>) -> S {
        let stored = |laws: &[Compliance; 3], by: &Vector3<S>| {
            let of_axis = |(law, by): (&Compliance, &S)| S::constant(0.5 * law.stiffness) * *by * *by;
            laws.iter().zip(by.iter()).map(of_axis).fold(S::zero(), |sum, energy| sum + energy)
        };
        stored(&self.linear, x) + stored(&self.angular, theta)
    }
}

/// Position and rotation vector of C in A.
fn coordinates(X_WA: &Isometry3<f64>, X_WC: &Isometry3<f64>) -> (Vector3<f64>, Vector3<f64>) {
    let X_AC = X_WA.inverse() * X_WC;
    (X_AC.translation.vector, X_AC.rotation.scaled_axis())
}

/// `L(θ)⁻¹ = 1 - [θ]/2 + (1 - θ/2 cot(θ/2))/θ² [θ]²`: the rate of the rotation vector by the angular velocity.
fn inverse_left_jacobian(theta: &Vector3<f64>) -> Matrix3<f64> {
    let (cross, angle) = (theta.cross_matrix(), theta.norm());
    let factor = if angle < SERIES_THRESHOLD {
        1.0 / 12.0 + angle * angle / 720.0
    } else {
        (1.0 - 0.5 * angle / (0.5 * angle).tan()) / (angle * angle)
    };
    Matrix3::identity() - cross * 0.5 + cross * cross * factor
}
