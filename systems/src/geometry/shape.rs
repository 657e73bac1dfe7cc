//! The shapes that collide. Primitives are centred at their frame's origin; lengths in metres.

use super::ConvexHull;
use nalgebra::Vector3;
use std::sync::Arc;

/// A convex solid, or the ground.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A ball.
    Sphere {
        /// Radius.
        radius: f64,
    },
    /// A box with half extents along x, y, z.
    Box {
        /// Half of each edge length.
        half_extents: Vector3<f64>,
    },
    /// A cylinder along z.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Half of its length.
        half_length: f64,
    },
    /// A capsule along z: a segment swept by a ball.
    Capsule {
        /// Radius.
        radius: f64,
        /// Half of the segment's length (without the caps).
        half_length: f64,
    },
    /// A convex polyhedron; shared, because a mesh may have many vertices.
    Convex(Arc<ConvexHull>),
    /// All points with z <= 0 (of its frame).
    HalfSpace,
}

impl Shape {
    /// Radius of a ball that fits inside it about its centre \[m\]; infinite for the ground.
    pub fn half_thickness(&self) -> f64 {
        match self {
            Shape::Sphere { radius } | Shape::Capsule { radius, .. } => *radius,
            Shape::Box { half_extents } => half_extents.min(),
            Shape::Cylinder { radius, half_length } => radius.min(*half_length),
            Shape::Convex(hull) => hull.half_thickness(),
            Shape::HalfSpace => f64::INFINITY,
        }
    }
}
