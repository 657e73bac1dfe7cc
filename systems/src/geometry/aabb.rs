//! Axis-aligned boxes around shapes.

use super::Shape;
use nalgebra::{Isometry3, Vector3};

/// A box along the world axes; bounds may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Least coordinates \[m\].
    pub min: Vector3<f64>,
    /// Greatest coordinates \[m\].
    pub max: Vector3<f64>,
}

impl Aabb {
    /// Whether the two boxes share a point (touching counts).
    pub fn overlaps(&self, other: &Self) -> bool {
        (0..3).all(|i| self.min[i] <= other.max[i] && other.min[i] <= self.max[i])
    }

    /// Whether `other` lies within this box.
    pub fn contains(&self, other: &Self) -> bool {
        (0..3).all(|i| self.min[i] <= other.min[i] && other.max[i] <= self.max[i])
    }

    /// Grown by `margin` \[m\] on every side.
    pub fn inflated(&self, margin: f64) -> Self {
        Self { min: self.min.add_scalar(-margin), max: self.max.add_scalar(margin) }
    }
}

/// The tightest axis-aligned box around a shape at pose `X_WG`.
///
/// A half-space is unbounded, except above when its normal is a world axis (within 1e-9).
pub fn aabb(shape: &Shape, X_WG: &Isometry3<f64>) -> Aabb {
    if let Shape::Sphere { radius } = shape {
        let center = X_WG.translation.vector;
        return Aabb { min: center.add_scalar(-radius), max: center.add_scalar(*radius) };
    }
    let R = X_WG.rotation.to_rotation_matrix();
    let R = R.matrix();
    let z = R.column(2);
    let reach = match shape {
        Shape::Sphere { radius } => Vector3::repeat(*radius),
        Shape::Box { half_extents } => R.abs() * half_extents,
        Shape::Cylinder { radius, half_length } => {
            z.map(|a: f64| half_length * a.abs() + radius * (1.0 - a * a).max(0.0).sqrt())
        }
        Shape::Capsule { radius, half_length } => z.map(|a: f64| half_length * a.abs() + radius),
        Shape::Convex(hull) => {
            let center = X_WG.transform_point(&hull.center().into()).coords;
            let mut bounds = Aabb { min: center, max: center };
            for i in 0..3 {
                let [low, top] = hull.extent(&R.row(i).transpose());
                bounds.min[i] += low;
                bounds.max[i] += top;
            }
            return bounds;
        }
        Shape::Ellipsoid { semi_axes } => Vector3::from_fn(|i, _| R.row(i).transpose().component_mul(semi_axes).norm()),
        Shape::Cone { radius, half_length } => {
            // The apex, and a disc about the base.
            let across = z.map(|a: f64| radius * (1.0 - a * a).max(0.0).sqrt());
            let (apex, base) = (z * *half_length, z * -half_length);
            let center = X_WG.translation.vector;
            return Aabb { min: center + apex.inf(&(base - across)), max: center + apex.sup(&(base + across)) };
        }
        Shape::Mesh(mesh) => {
            let [low, high] = mesh.bounds();
            let center = X_WG.rotation * ((low + high) * 0.5) + X_WG.translation.vector;
            let reach = R.abs() * ((high - low) * 0.5);
            return Aabb { min: center - reach, max: center + reach };
        }
        Shape::HalfSpace => {
            let mut bounds = Aabb { min: Vector3::repeat(f64::NEG_INFINITY), max: Vector3::repeat(f64::INFINITY) };
            for i in 0..3 {
                if z[i] > 1.0 - 1e-18 {
                    bounds.max[i] = X_WG.translation.vector[i];
                } else if z[i] < -1.0 + 1e-18 {
                    bounds.min[i] = X_WG.translation.vector[i];
                }
            }
            return bounds;
        }
    };
    Aabb { min: X_WG.translation.vector - reach, max: X_WG.translation.vector + reach }
}
