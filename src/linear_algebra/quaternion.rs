//! Rotations as unit quaternions (w, x, y, z), and their exponential map.
//!
//! ```text
//! Exp(x) = (cos |x|/2, sin(|x|/2)/|x| x),   Log its inverse: the turn x [rad] about the axis x/|x|
//! ```
//!
//! A body that turns by the constant angular velocity w for a time h is at `Exp(h w) q`, whatever the angle. In place
//! of h w, in world axes or in the body's, stands the change `a = h q'` of its quaternion, to which w leads: it is at
//! right angles to q and half as long as the turn.

use nalgebra::Vector3;
use std::f64::consts::{PI, TAU};

/// `Exp(h w) q` for the unit quaternion `q` and the change `a = h q'` that the angular velocity w makes of it.
pub(crate) fn turned_by_change(q: &[f64], a: &[f64]) -> [f64; 4] {
    let half = a.iter().map(|x| x * x).sum::<f64>().sqrt();
    let (sine, cosine) = half.sin_cos();
    let part = if half > 0.0 { sine / half } else { 1.0 };
    std::array::from_fn(|i| cosine * q[i] + part * a[i])
}

/// `Exp(x) q` for the unit quaternion `q` and the turn `x` \[rad\] in world axes.
pub(crate) fn turned(x: &Vector3<f64>, q: &[f64]) -> [f64; 4] {
    let (x, y, z) = (0.5 * x.x, 0.5 * x.y, 0.5 * x.z);
    let change = [
        -x * q[1] - y * q[2] - z * q[3],
        x * q[0] + y * q[3] - z * q[2],
        y * q[0] + z * q[1] - x * q[3],
        z * q[0] + x * q[2] - y * q[1],
    ];
    turned_by_change(q, &change)
}

/// `Log(b a⁻¹)`: the turn \[rad\], in world axes, of at most half a revolution that leads from `a` to `b`.
pub(crate) fn turn_between(a: &[f64], b: &[f64]) -> Vector3<f64> {
    let w = a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let part = vector_part(a, b) * w.signum();
    let sine = part.norm();
    if sine > 0.0 { part * (2.0 * sine.atan2(w.abs()) / sine) } else { Vector3::zeros() }
}

/// The angle \[rad\] between two rotations, whatever the signs of their quaternions.
pub(crate) fn angle_between(a: &[f64], b: &[f64]) -> f64 {
    let w = a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    2.0 * vector_part(a, b).norm().atan2(w.abs())
}

/// The turn from `a` to `b` \[rad\] that is nearest to `expected`: of the turns about the same axis, whole revolutions
/// apart.
pub(crate) fn turn_near(a: &[f64], b: &[f64], expected: &Vector3<f64>) -> Vector3<f64> {
    let least = turn_between(a, b);
    let length = expected.norm();
    if length <= PI || !length.is_finite() {
        return least;
    }
    let angle = least.norm();
    // Of whole revolutions what is left is rounding, and so is its axis.
    let axis = if angle > f64::EPSILON.sqrt() { least / angle } else { expected / length };
    least + axis * (TAU * ((axis.dot(expected) - angle) / TAU).round())
}

/// The angular velocity \[rad/s\], in world axes, of a unit quaternion `q` that changes at `rate`.
pub(crate) fn angular_velocity(q: &[f64], rate: &[f64]) -> Vector3<f64> {
    vector_part(q, rate) * 2.0
}

/// The vector part of `b a*`.
fn vector_part(a: &[f64], b: &[f64]) -> Vector3<f64> {
    Vector3::new(
        a[0] * b[1] - b[0] * a[1] + (a[2] * b[3] - a[3] * b[2]),
        a[0] * b[2] - b[0] * a[2] + (a[3] * b[1] - a[1] * b[3]),
        a[0] * b[3] - b[0] * a[3] + (a[1] * b[2] - a[2] * b[1]),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::UnitQuaternion;

    fn numbers(q: &UnitQuaternion<f64>) -> [f64; 4] {
        [q.w, q.i, q.j, q.k]
    }

    fn start() -> UnitQuaternion<f64> {
        UnitQuaternion::from_scaled_axis(Vector3::new(0.3, -2.0, 0.7))
    }

    #[test]
    fn turns_in_world_axes_are_found_again() {
        for x in [Vector3::new(0.5, -1.0, 2.0), Vector3::new(1e-9, 2e-9, 0.0), Vector3::zeros()] {
            let q = numbers(&start());
            let expected = numbers(&(UnitQuaternion::from_scaled_axis(x) * start()));
            let end = turned(&x, &q);
            assert!(end.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{end:?} {expected:?}");
            for sign in [1.0, -1.0] {
                let signed = end.map(|x| sign * x);
                assert!((turn_between(&q, &signed) - x).norm() < 1e-15 + 1e-14 * x.norm());
                assert!((angle_between(&q, &signed) - x.norm()).abs() < 1e-14 * (1.0 + x.norm()));
            }
        }
        assert_eq!(turned(&Vector3::zeros(), &numbers(&start())), numbers(&start()));
    }

    #[test]
    fn whole_revolutions_are_those_that_are_expected() {
        let q = numbers(&start());
        for x in [Vector3::new(3.0, -4.0, 12.0), Vector3::z() * 2.0, Vector3::y() * (2.0 * TAU)] {
            let found = turn_near(&q, &turned(&x, &q), &(x * 1.02));
            assert!((found - x).norm() < 1e-12, "{found} {x}");
        }
    }

    #[test]
    fn rates_are_those_of_angular_velocities() {
        let (w, h) = (Vector3::new(2.0, -1.0, 0.5), 1e-6);
        let q = numbers(&start());
        let (back, on) = (turned(&(w * -h), &q), turned(&(w * h), &q));
        let rate: Vec<f64> = on.iter().zip(back).map(|(a, b)| (a - b) / (2.0 * h)).collect();
        assert!((angular_velocity(&q, &rate) - w).norm() < 1e-8);
    }
}
