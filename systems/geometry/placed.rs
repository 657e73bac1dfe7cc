//! Placement of a solid: its centre and axes in world.

use nalgebra::{Isometry3, Vector3};

/// Centre and axes of a solid.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// Axes and centre as a pose.
    pub pose: Isometry3<f64>,
    pub center: Vector3<f64>,
    pub axes: [Vector3<f64>; 3],
}

impl Placed {
    /// The placement at a pose.
    pub fn new(pose: Isometry3<f64>) -> Self {
        let R = pose.rotation.to_rotation_matrix();
        let axes = [0, 1, 2].map(|i| R.matrix().column(i).into_owned());
        Self { pose, center: pose.translation.vector, axes }
    }

    /// The third axis: the axis of cylinders and capsules.
    pub fn axis(&self) -> Vector3<f64> {
        self.axes[2]
    }

    /// Rotates the direction `n` from world into the axes of the solid.
    pub fn turned(&self, n: &Vector3<f64>) -> Vector3<f64> {
        Vector3::new(self.axes[0].dot(n), self.axes[1].dot(n), self.axes[2].dot(n))
    }

    /// Rotates a direction from the axes of the solid into world.
    pub fn unturned(&self, n: &Vector3<f64>) -> Vector3<f64> {
        self.axes[0] * n.x + self.axes[1] * n.y + self.axes[2] * n.z
    }

    /// Transforms the point `p` from world into the axes of the solid, about its centre.
    pub fn local(&self, p: &Vector3<f64>) -> Vector3<f64> {
        self.turned(&(p - self.center))
    }

    /// Transforms a point from the axes of the solid into world.
    pub fn unlocal(&self, p: &Vector3<f64>) -> Vector3<f64> {
        self.center + self.unturned(p)
    }
}

/// Clamps `x` to `[-limit, limit]`; unlike the standard method, it never panics.
pub(super) fn clamp(x: f64, limit: f64) -> f64 {
    x.min(limit).max(-limit)
}

/// Sign of `x`; zero within rounding.
pub(super) fn side(x: f64) -> f64 {
    if x.abs() < 1e-7 { 0.0 } else { x.signum() }
}
