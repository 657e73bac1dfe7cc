//! Directions normal to a direction, and directions all around.

use nalgebra::Vector3;
use std::f64::consts::TAU;

/// A unit vector normal to `n`, a function of `n`.
pub(super) fn any_normal(n: &Vector3<f64>) -> Vector3<f64> {
    let i = n.iamin();
    let mut e = Vector3::zeros();
    e[i] = 1.0;
    n.cross(&e).try_normalize(0.0).unwrap_or_else(Vector3::z)
}

/// Right-handed axes of which `n` is the third, a function of `n`.
pub(super) fn axes_about(n: &Vector3<f64>) -> [Vector3<f64>; 3] {
    let x = any_normal(n);
    [x, n.cross(&x), *n]
}

/// Directions spread evenly over the sphere on a spiral [Swinbank and Purser 2006, "Fibonacci grids"].
pub(super) fn directions(count: usize) -> impl Iterator<Item = Vector3<f64>> {
    let turn = 0.5 * TAU * (5.0_f64.sqrt() - 1.0);
    (0..count).map(move |i| {
        let z = 1.0 - (2.0 * i as f64 + 1.0) / count as f64;
        let (sin, cos) = (turn * i as f64).sin_cos();
        let across = (1.0 - z * z).sqrt();
        Vector3::new(across * cos, across * sin, z)
    })
}
