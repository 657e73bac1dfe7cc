//! Rotations as vectors: axis times angle.
//!
//! With `R = exp([φ]×)`, θ = |φ|: for a rotation that turns with ω in the axes it maps to, `Ṙ = [ω]× R`,
//!
//! ```text
//! φ̇ = J_l⁻¹(φ) ω,   J_l⁻¹(φ) = 1 - [φ]×/2 + c [φ]×²,   c = (1 - (θ/2) cot(θ/2))/θ²
//! ```
//!
//! (Bullo, Murray, "Proportional derivative control on the Euclidean group", 1995; Chirikjian 2012, section 10.8).
//! Near θ = 0 both are power series of squares, so that their derivatives exist there.

use kinegraph_core::scalar::Scalar;
use nalgebra::{Matrix3, Quaternion, Rotation3, UnitQuaternion, Vector3};

/// Value of sin²(θ/2), and of θ², below which the power series are accurate to rounding.
const SMALL_ANGLE: f64 = 1e-4;

/// The vector φ of a rotation matrix, |φ| <= π \[rad\]. At π it jumps from one side to the other.
pub fn rotation_vector<S: Scalar>(R: &Matrix3<S>) -> Vector3<S> {
    let rotation = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(*R));
    rotation_vector_of(rotation.quaternion())
}

/// The vector φ of a quaternion of any length, |φ| <= π \[rad\]; not finite for one of zero length.
pub fn rotation_vector_of<S: Scalar>(quaternion: &Quaternion<S>) -> Vector3<S> {
    // Same rotation as its negative, which turns by the larger angle.
    let quaternion = if quaternion.w.value() < 0.0 { -quaternion } else { *quaternion };
    let (w, e) = (quaternion.w, quaternion.imag());
    let (square, length2) = (e.norm_squared(), quaternion.norm_squared());
    let s2 = square / length2;
    let factor = if s2.value() < SMALL_ANGLE {
        // 2 asin(s)/s
        let [a, b, c] = [1.0 / 6.0, 3.0 / 40.0, 5.0 / 112.0].map(S::constant);
        S::constant(2.0) * (S::one() + s2 * (a + s2 * (b + s2 * c))) / length2.sqrt()
    } else {
        let s = square.sqrt();
        S::constant(2.0) * s.atan2(w) / s
    };
    e * factor
}

/// `J_l⁻¹(φ) ω`, for |φ| < 2 π.
pub fn inverse_left_jacobian<S: Scalar>(phi: &Vector3<S>, w: &Vector3<S>) -> Vector3<S> {
    let theta2 = phi.norm_squared();
    let c = if theta2.value() < SMALL_ANGLE {
        let [a, b, c] = [1.0 / 12.0, 1.0 / 720.0, 1.0 / 30240.0].map(S::constant);
        a + theta2 * (b + theta2 * c)
    } else {
        let half = S::constant(0.5) * theta2.sqrt();
        (S::one() - half / half.tan()) / theta2
    };
    let across = phi.cross(w);
    w - across * S::constant(0.5) + phi.cross(&across) * c
}
