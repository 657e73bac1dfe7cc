//! The shapes that collide, and what they are called. Primitives are centred at their frame's origin; lengths in
//! metres.

use super::{ConvexHull, ExactMesh};
use nalgebra::Vector3;
use std::sync::Arc;

/// A convex solid, a rigid triangle mesh, or the ground.
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
    /// An ellipsoid.
    Ellipsoid {
        /// Its semi-axes along x, y, z.
        semi_axes: Vector3<f64>,
    },
    /// A cone along z with its apex up, centred half way between apex and base.
    Cone {
        /// Radius of the base.
        radius: f64,
        /// Half of its height.
        half_length: f64,
    },
    /// Rigid triangles, as they are; shared, because they may be many.
    Mesh(Arc<ExactMesh>),
    /// A convex polyhedron; shared, because a mesh may have many vertices.
    Convex(Arc<ConvexHull>),
    /// All points with z <= 0 (of its frame).
    HalfSpace,
}

impl Shape {
    /// Radius of a ball that fits inside it about its centre \[m\]; infinite for the ground, nothing for triangles.
    pub fn half_thickness(&self) -> f64 {
        match self {
            Shape::Sphere { radius } | Shape::Capsule { radius, .. } => *radius,
            Shape::Box { half_extents } => half_extents.min(),
            Shape::Cylinder { radius, half_length } => radius.min(*half_length),
            Shape::Convex(hull) => hull.half_thickness(),
            Shape::Ellipsoid { semi_axes } => semi_axes.min(),
            // About the middle of the axis: to the base, or to the side.
            Shape::Cone { radius, half_length } => {
                half_length.min(radius * half_length / radius.hypot(2.0 * half_length))
            }
            Shape::Mesh(_) => 0.0,
            Shape::HalfSpace => f64::INFINITY,
        }
    }

    /// Radius of the ball about the origin of its frame that holds it \[m\]; nothing for the ground.
    pub fn bounding_radius(&self) -> f64 {
        match self {
            Shape::Sphere { radius } => *radius,
            Shape::Box { half_extents } => half_extents.norm(),
            Shape::Cylinder { radius, half_length } | Shape::Cone { radius, half_length } => radius.hypot(*half_length),
            Shape::Capsule { radius, half_length } => radius + half_length,
            Shape::Ellipsoid { semi_axes } => semi_axes.max(),
            Shape::Convex(hull) => hull.vertices().map(|v| v.norm()).fold(0.0, f64::max),
            Shape::Mesh(mesh) => mesh.radius(),
            Shape::HalfSpace => 0.0,
        }
    }

    /// What it is called.
    pub fn kind(&self) -> ShapeKind {
        match self {
            Shape::Sphere { .. } => ShapeKind::Sphere,
            Shape::Box { .. } => ShapeKind::Box,
            Shape::Cylinder { .. } => ShapeKind::Cylinder,
            Shape::Capsule { .. } => ShapeKind::Capsule,
            Shape::Ellipsoid { .. } => ShapeKind::Ellipsoid,
            Shape::Cone { .. } => ShapeKind::Cone,
            Shape::Convex(_) => ShapeKind::Hull,
            Shape::Mesh(_) => ShapeKind::Mesh,
            Shape::HalfSpace => ShapeKind::HalfSpace,
        }
    }
}

/// What a shape is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShapeKind {
    /// A ball.
    Sphere,
    /// A box.
    Box,
    /// A cylinder.
    Cylinder,
    /// A capsule.
    Capsule,
    /// An ellipsoid.
    Ellipsoid,
    /// A cone.
    Cone,
    /// A convex polyhedron.
    Hull,
    /// Rigid triangles.
    Mesh,
    /// The ground.
    HalfSpace,
}

impl std::fmt::Display for ShapeKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            ShapeKind::Sphere => "ball",
            ShapeKind::Box => "box",
            ShapeKind::Cylinder => "cylinder",
            ShapeKind::Capsule => "capsule",
            ShapeKind::Ellipsoid => "ellipsoid",
            ShapeKind::Cone => "cone",
            ShapeKind::Hull => "convex polyhedron",
            ShapeKind::Mesh => "triangle mesh",
            ShapeKind::HalfSpace => "half-space",
        })
    }
}
