//! Nearest points of ellipsoids and cones to a given point, each in the axes of its shape.
//!
//! For an ellipsoid with semi-axes s and a point p outside, it is `x_i = s_i² p_i / (t + s_i²)` with the root t of
//! `sum (s_i p_i / (t + s_i²))² = 1` [Eberly 2013, "Distance from a point to an ellipse, an ellipsoid, or a
//! hyperellipsoid"]. The sum is convex and falls with t, so that Newton's steps from the left never pass the root.

use nalgebra::Vector3;

/// The point of an ellipsoid about the origin nearest to `p`; `p` itself if it is inside.
pub fn nearest_on_ellipsoid(s: &Vector3<f64>, p: &Vector3<f64>) -> Vector3<f64> {
    if p.component_div(s).norm_squared() <= 1.0 {
        return *p;
    }
    let squares = s.component_mul(s);
    let y = s.component_mul(p);
    // The largest t at which a single term alone is one.
    let mut t = (y.abs() - squares).max().max(0.0);
    for _ in 0..100 {
        let (mut value, mut slope) = (-1.0, 0.0);
        for i in 0..3 {
            let ratio = y[i] / (t + squares[i]);
            value += ratio * ratio;
            slope -= 2.0 * ratio * ratio / (t + squares[i]);
        }
        let next = t - value / slope;
        if next.is_nan() || next <= t {
            break;
        }
        t = next;
    }
    let near = Vector3::from_fn(|i, _| squares[i] * p[i] / (t + squares[i]));
    // On the surface to rounding.
    near / near.component_div(s).norm()
}

/// The point of a cone about the origin, its apex up, nearest to `p`; `p` itself if it is inside.
pub fn nearest_on_cone(radius: f64, half_length: f64, p: &Vector3<f64>) -> Vector3<f64> {
    let rho = p.x.hypot(p.y);
    let at = |r: f64, z: f64| {
        if rho > 0.0 { Vector3::new(p.x * r / rho, p.y * r / rho, z) } else { Vector3::new(r, 0.0, z) }
    };
    if p.z <= -half_length && rho <= radius {
        return Vector3::new(p.x, p.y, -half_length);
    }
    // From the rim to the apex.
    let (across, up) = (-radius, 2.0 * half_length);
    if p.z >= -half_length && (rho - radius) * up - (p.z + half_length) * across <= 0.0 {
        return *p;
    }
    let t = ((rho - radius) * across + (p.z + half_length) * up) / (across * across + up * up);
    let t = t.clamp(0.0, 1.0);
    at(radius + across * t, (-half_length + up * t).min(half_length).max(-half_length))
}
