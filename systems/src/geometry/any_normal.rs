//! Directions across a direction.

use nalgebra::Vector3;

/// A unit vector normal to `n`, the same for the same `n`.
pub(super) fn any_normal(n: &Vector3<f64>) -> Vector3<f64> {
    let i = n.iamin();
    let mut e = Vector3::zeros();
    e[i] = 1.0;
    n.cross(&e).try_normalize(0.0).unwrap_or_else(Vector3::z)
}
