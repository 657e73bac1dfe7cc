//! Vectors and unit quaternions `w x y z` as arrays of scalars, for sensors.

use kinegraph_core::Scalar;
use nalgebra::Vector3;

pub(super) fn cross<S: Scalar>(a: [S; 3], b: [S; 3]) -> [S; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(super) fn add<S: Scalar>(a: [S; 3], b: [S; 3]) -> [S; 3] {
    std::array::from_fn(|i| a[i] + b[i])
}

pub(super) fn subtract<S: Scalar>(a: [S; 3], b: [S; 3]) -> [S; 3] {
    std::array::from_fn(|i| a[i] - b[i])
}

pub(super) fn constants<S: Scalar>(v: Vector3<f64>) -> [S; 3] {
    [S::constant(v.x), S::constant(v.y), S::constant(v.z)]
}

/// Rotates `v` from world axes into the axes of orientation `q`.
pub(super) fn into_axes<S: Scalar>(q: [S; 4], v: [S; 3]) -> [S; 3] {
    let [w, x, y, z] = q;
    let once = cross([x, y, z], v);
    let twice = cross([x, y, z], once);
    std::array::from_fn(|i| v[i] + S::constant(2.0) * (twice[i] - w * once[i]))
}

/// Rotates `v` from the axes of orientation `q` into world axes.
pub(super) fn from_axes<S: Scalar>(q: [S; 4], v: [S; 3]) -> [S; 3] {
    into_axes(conjugate(q), v)
}

pub(super) fn conjugate<S: Scalar>(q: [S; 4]) -> [S; 4] {
    let zero = S::constant(0.0);
    [q[0], zero - q[1], zero - q[2], zero - q[3]]
}

/// Product of unit quaternions: the rotation `b`, then `a`.
pub(super) fn product<S: Scalar>(a: [S; 4], b: [S; 4]) -> [S; 4] {
    let ([aw, ax, ay, az], [bw, bx, by, bz]) = (a, b);
    let u = cross([ax, ay, az], [bx, by, bz]);
    [
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + bw * ax + u[0],
        aw * by + bw * ay + u[1],
        aw * bz + bw * az + u[2],
    ]
}
