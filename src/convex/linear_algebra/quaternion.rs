//! Rotations as unit quaternions (w, x, y, z), and their exponential map.
//!
//! ```text
//! Exp(x) = (cos |x|/2, sin(|x|/2)/|x| x),   Log its inverse: the turn x [rad] about the axis x/|x|
//! ```
//!
//! A body that turns by the constant angular velocity w for a time h is at `Exp(h w) q`, whatever the angle. The change
//! `a = h q'` of its quaternion may replace h w, in world axes or in the body's: it is at right angles to q and half as
//! long as the turn.

use nalgebra::Vector3;
use std::f64::consts::{PI, TAU};

/// `Exp(h w) q` for the unit quaternion `q` and the change `a = h q'` that the angular velocity w makes of it.
#[inline]
pub fn turned_by_change(q: &[f64], a: &[f64]) -> [f64; 4] {
    let half = a.iter().map(|x| x * x).sum::<f64>().sqrt();
    let (sine, cosine) = half.sin_cos();
    let part = if half > 0.0 { sine / half } else { 1.0 };
    std::array::from_fn(|i| cosine * q[i] + part * a[i])
}

/// `Exp(x) q` for the unit quaternion `q` and the turn `x` \[rad\] in world axes.
#[inline]
pub fn turned(x: &Vector3<f64>, q: &[f64]) -> [f64; 4] {
    let (x, y, z) = (0.5 * x.x, 0.5 * x.y, 0.5 * x.z);
    let change = [
        -x * q[1] - y * q[2] - z * q[3],
        x * q[0] + y * q[3] - z * q[2],
        y * q[0] + z * q[1] - x * q[3],
        z * q[0] + x * q[2] - y * q[1],
    ];
    turned_by_change(q, &change)
}

/// `Log(b a⁻¹)`: the turn \[rad\], in world axes, of at most half a revolution from `a` to `b`.
#[inline]
pub fn turn_between(a: &[f64], b: &[f64]) -> Vector3<f64> {
    let w = a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let part = vector_part(a, b) * w.signum();
    let sine = part.norm();
    if sine > 0.0 { part * (2.0 * sine.atan2(w.abs()) / sine) } else { Vector3::zeros() }
}

/// Angle \[rad\] between two rotations, whatever the signs of their quaternions.
#[inline]
pub fn angle_between(a: &[f64], b: &[f64]) -> f64 {
    let w = a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    2.0 * vector_part(a, b).norm().atan2(w.abs())
}

/// Turn from `a` to `b` \[rad\] that is nearest to `expected`: among the turns about the same axis, whole revolutions
/// apart.
#[inline]
pub fn turn_near(a: &[f64], b: &[f64], expected: &Vector3<f64>) -> Vector3<f64> {
    let least = turn_between(a, b);
    let length = expected.norm();
    if length <= PI || !length.is_finite() {
        return least;
    }
    let angle = least.norm();
    // After whole revolutions the rest is rounding, and so is its axis.
    let axis = if angle > f64::EPSILON.sqrt() { least / angle } else { expected / length };
    least + axis * (TAU * ((axis.dot(expected) - angle) / TAU).round())
}

/// Angular velocity \[rad/s\], in world axes, of a unit quaternion `q` that changes at `rate`.
#[inline]
pub fn angular_velocity(q: &[f64], rate: &[f64]) -> Vector3<f64> {
    vector_part(q, rate) * 2.0
}

/// The vector part of `b a*`.
#[inline]
fn vector_part(a: &[f64], b: &[f64]) -> Vector3<f64> {
    Vector3::new(
        a[0] * b[1] - b[0] * a[1] + (a[2] * b[3] - a[3] * b[2]),
        a[0] * b[2] - b[0] * a[2] + (a[3] * b[1] - a[1] * b[3]),
        a[0] * b[3] - b[0] * a[3] + (a[1] * b[2] - a[2] * b[1]),
    )
}
