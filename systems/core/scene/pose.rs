//! Poses as numbers with names.

use nalgebra::{Isometry3, Matrix3, Rotation3, UnitQuaternion};
use serde::{Deserialize, Serialize};

/// Pose of a frame in another one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// Position of the origin \[m\].
    pub xyz: [f64; 3],
    /// Orientation as a unit quaternion (w, x, y, z).
    pub quat: [f64; 4],
}

impl Default for Pose {
    fn default() -> Self {
        Pose { xyz: [0.0; 3], quat: [1.0, 0.0, 0.0, 0.0] }
    }
}

impl Pose {
    /// The pose with this origin and these axes: a rotation matrix, column major.
    pub fn from_rotation(xyz: [f64; 3], R: &[f64; 9]) -> Self {
        let R = Rotation3::from_matrix_unchecked(Matrix3::from_column_slice(R));
        let q = UnitQuaternion::from_rotation_matrix(&R);
        Pose { xyz, quat: [q.w, q.i, q.j, q.k] }
    }
}

impl From<&Isometry3<f64>> for Pose {
    fn from(X: &Isometry3<f64>) -> Self {
        let (p, q) = (X.translation, X.rotation);
        Pose { xyz: [p.x, p.y, p.z], quat: [q.w, q.i, q.j, q.k] }
    }
}
