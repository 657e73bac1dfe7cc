//! Geometrically exact beams: one element between two frames (Simo 1985; Reissner 1981), with two nodes and one point
//! of integration, so that shear does not lock.
//!
//! With the frames 1 and 2, x along the beam, and the mean frame M half way between them,
//!
//! ```text
//! ψ = log(R_1' R_2),   R_M = R_1 exp(ψ/2),   x = R_M' (p_2 - p_1)
//! Γ = x/L - γ0  (stretch, two shears),       K = ψ/L - κ0  (twist, two bends)
//! V = L/2 (Γ' diag(EA, GA_2, GA_3) Γ + K' diag(GJ, EI_2, EI_3) K)
//! ```
//!
//! γ0 and κ0 are the strains of the frames without load: the reference may be curved and twisted. Common motion of both
//! frames changes neither Γ nor K. Kelvin-Voigt damping adds `t` times the rate of the strain to the strain, with the
//! damping time t.
//!
//! Forces are minus the gradient of V. With the angular velocity ω of 2 relative to 1, in world,
//!
//! ```text
//! ψ' = J⁻¹(ψ) R_1' ω,        J the left Jacobian of the rotation vector
//! ω_M = (ω_1 + ω_2)/2 - (a/2) R_M ψ × ω,        a = tan(|ψ|/4)/|ψ|
//! x' = R_M' (v_C + (a/2) (R_M ψ × ω) × d),      d = p_2 - p_1
//! ```
//!
//! (½ J(ψ/2) J⁻¹(ψ) has for the angle φ the eigenvalue 1/(exp(iφ/2) + 1), from which the second line follows), v_C the
//! velocity of the material point of 2 midway relative to that of 1. So a beam is two groups of rows with a compliance
//! for every axis, as a bushing is: every solver takes `B' C B`, the positive part of its tangent, implicitly, however
//! stiff stretch and shear are, and equal and opposite forces leave both momenta as they are.

use crate::rotation_vector::{inverse_left_jacobian, rotation_vector};
use kinegraph_core::convex::{Compliance, ConstraintRows, RowMeasure};
use kinegraph_core::scalar::Scalar;
use nalgebra::{Isometry3, Matrix3, UnitQuaternion, Vector3};

/// Angle below which series are used \[rad\]: their error is of the fourth order.
const SERIES_THRESHOLD: f64 = 1e-3;

/// A beam between two frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BeamLaw {
    /// Length without load \[m\].
    pub length: f64,
    /// EA, GA_2, GA_3 \[N\].
    pub stretch: [f64; 3],
    /// GJ, EI_2, EI_3 \[N m²\].
    pub bend: [f64; 3],
    /// `R_M' (p_2 - p_1)/L` without load: (1, 0, 0) for a straight beam.
    pub stretch_reference: Vector3<f64>,
    /// `ψ/L` without load \[1/m\]: zero for a straight beam.
    pub bend_reference: Vector3<f64>,
    /// Kelvin-Voigt damping time \[s\].
    pub damping: f64,
}

impl BeamLaw {
    /// The beam that is free of load with its frames at the two poses.
    pub fn at_rest(
        length: f64,
        stretch: [f64; 3],
        bend: [f64; 3],
        damping: f64,
        X_W1: &Isometry3<f64>,
        X_W2: &Isometry3<f64>,
    ) -> Self {
        let (x, psi, _) = coordinates(X_W1, X_W2);
        BeamLaw { length, stretch, bend, stretch_reference: x / length, bend_reference: psi / length, damping }
    }

    /// A beam between frames that a joint holds together: it resists twist and bending, and cannot stretch.
    pub fn hinge(length: f64, bend: [f64; 3], rest: Vector3<f64>) -> Self {
        let (stretch_reference, bend_reference) = (Vector3::zeros(), rest / length);
        BeamLaw { length, stretch: [0.0; 3], bend, stretch_reference, bend_reference, damping: 0.0 }
    }

    /// Constraint rows of the beam, between the `bodies` of its frames.
    pub fn rows(
        &self,
        constraint: usize,
        [body_a, body_b]: [usize; 2],
        X_W1: &Isometry3<f64>,
        X_W2: &Isometry3<f64>,
        out: &mut Vec<ConstraintRows>,
    ) {
        let (x, psi, R_WM) = coordinates(X_W1, X_W2);
        let R_1W = X_W1.rotation.to_rotation_matrix().inverse();
        let jacobian = Matrix3::from_columns(
            &[Vector3::x(), Vector3::y(), Vector3::z()].map(|axis| inverse_left_jacobian(&psi, &axis)),
        );
        let compliance = |stiffness: [f64; 3]| {
            let law = |k: f64| Compliance { stiffness: k / self.length, damping: self.damping * k / self.length };
            Some(stiffness.map(law))
        };
        let axes = (jacobian * R_1W.matrix()).into();
        out.push(ConstraintRows {
            constraint,
            measure: RowMeasure::Turn { body_a, body_b, axes },
            violation: (psi - self.bend_reference * self.length).into(),
            compliance: compliance(self.bend),
            material: true,
            friction: None,
            range: None,
            curve: None,
        });
        if self.stretch == [0.0; 3] {
            return;
        }
        let (p_1, p_2) = (X_W1.translation.vector, X_W2.translation.vector);
        let (d, angle) = (p_2 - p_1, psi.norm());
        let a = if angle < SERIES_THRESHOLD { 0.25 + angle * angle / 192.0 } else { (0.25 * angle).tan() / angle };
        let R_MW = R_WM.to_rotation_matrix().inverse();
        let turn = R_MW.matrix() * d.cross_matrix() * (R_WM * psi).cross_matrix() * (-0.5 * a);
        let axes = (*R_MW.matrix()).into();
        let measure = RowMeasure::Shift { body_a, body_b, p_WC: ((p_1 + p_2) * 0.5).into(), axes, turn: turn.into() };
        out.push(ConstraintRows {
            constraint,
            measure,
            violation: (x - self.stretch_reference * self.length).into(),
            compliance: compliance(self.stretch),
            material: true,
            friction: None,
            range: None,
            curve: None,
        });
    }

    /// Elastic energy \[J\] with frame 2 at `p` from the origin of frame 1, in its axes, and rotated by `R`.
    pub fn energy_at<S: Scalar>(&self, p: &Vector3<S>, R: &Matrix3<S>) -> S {
        let psi = rotation_vector(R);
        let x = half_back(&psi, p);
        let strained = |now: &Vector3<S>, reference: &Vector3<f64>, stiffness: &[f64; 3]| {
            let length = S::constant(self.length);
            (0..3).fold(S::zero(), |sum, i| {
                let strain = now[i] / length - S::constant(reference[i]);
                sum + S::constant(0.5 * self.length * stiffness[i]) * strain * strain
            })
        };
        strained(&x, &self.stretch_reference, &self.stretch) + strained(&psi, &self.bend_reference, &self.bend)
    }

    /// Elastic energy \[J\] at these poses of the frames.
    pub fn energy(&self, X_W1: &Isometry3<f64>, X_W2: &Isometry3<f64>) -> f64 {
        let X = X_W1.inverse() * X_W2;
        self.energy_at(&X.translation.vector, X.rotation.to_rotation_matrix().matrix())
    }
}

/// x, ψ and the mean frame.
fn coordinates(X_W1: &Isometry3<f64>, X_W2: &Isometry3<f64>) -> (Vector3<f64>, Vector3<f64>, UnitQuaternion<f64>) {
    let psi = (X_W1.rotation.inverse() * X_W2.rotation).scaled_axis();
    let R_WM = X_W1.rotation * UnitQuaternion::from_scaled_axis(psi * 0.5);
    (R_WM.inverse() * (X_W2.translation.vector - X_W1.translation.vector), psi, R_WM)
}

/// `exp(-ψ/2) p`, by Rodrigues' formula; the series of its factors near zero.
fn half_back<S: Scalar>(psi: &Vector3<S>, p: &Vector3<S>) -> Vector3<S> {
    let half = psi * S::constant(-0.5);
    let square = half.norm_squared();
    let (first, second) = if square.value() < 1e-4 {
        let [a, b, c] = [1.0 / 6.0, 1.0 / 120.0, 1.0 / 5040.0].map(S::constant);
        let [d, e, f] = [1.0 / 24.0, 1.0 / 720.0, 1.0 / 40320.0].map(S::constant);
        let (sine, cosine) = (S::one() - square * (a - square * (b - square * c)), d - square * (e - square * f));
        (sine, S::constant(0.5) - square * cosine)
    } else {
        let angle = square.sqrt();
        (angle.sin() / angle, (S::one() - angle.cos()) / square)
    };
    let across = half.cross(p);
    p + across * first + half.cross(&across) * second
}
