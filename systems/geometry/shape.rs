//! Collision shapes and their kinds. Primitives are centred at their frame's origin; lengths in metres.

use super::shapes::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Sphere};
use super::{Aabb, CollisionShape, ConvexHull, Drawing, ExactMesh, MassProperties, Ray, RayHit};
use nalgebra::{Isometry3, Vector3};
use std::ops::Deref;
use std::sync::Arc;

/// A convex solid, a rigid triangle mesh, the ground, or a shape of a program.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
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
    /// Rigid triangles, without convexification; shared, because they may be many.
    Mesh(Arc<ExactMesh>),
    /// A convex polyhedron; shared, because a mesh may have many vertices.
    Convex(Arc<ConvexHull>),
    /// All points with z <= 0 (of its frame).
    HalfSpace,
    /// A shape of a program; see [`Shape::custom`].
    Custom(CustomShape),
}

/// A shape that a program adds, shared. Two are equal if they are the same object: a copy of a model has the same
/// shapes as the model.
#[derive(Clone, Debug)]
pub struct CustomShape(Arc<dyn CollisionShape>);

impl PartialEq for CustomShape {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Deref for CustomShape {
    type Target = dyn CollisionShape;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl Shape {
    /// A shape that a program adds. Its contact, ray hits and drawing are those of its [`CollisionShape`].
    pub fn custom(shape: impl CollisionShape + 'static) -> Self {
        Shape::Custom(CustomShape(Arc::new(shape)))
    }

    /// Calls `ask` with the shape as a [`CollisionShape`].
    pub fn as_collision_shape<R>(&self, ask: impl FnOnce(&dyn CollisionShape) -> R) -> R {
        match *self {
            Shape::Sphere { radius } => ask(&Sphere { radius }),
            Shape::Box { half_extents } => ask(&Cuboid { half_extents }),
            Shape::Cylinder { radius, half_length } => ask(&Cylinder { radius, half_length }),
            Shape::Capsule { radius, half_length } => ask(&Capsule { radius, half_length }),
            Shape::Ellipsoid { semi_axes } => ask(&Ellipsoid { semi_axes }),
            Shape::Cone { radius, half_length } => ask(&Cone { radius, half_length }),
            Shape::Mesh(ref mesh) => ask(&**mesh),
            Shape::Convex(ref hull) => ask(&**hull),
            Shape::HalfSpace => ask(&HalfSpace),
            Shape::Custom(ref shape) => ask(&**shape),
        }
    }

    /// Radius of a ball that fits inside it about its centre \[m\]; infinite for the ground, zero for triangles.
    pub fn half_thickness(&self) -> f64 {
        self.as_collision_shape(|shape| shape.half_thickness())
    }

    /// Radius of the ball about the origin of its frame that contains it \[m\]; zero for the ground.
    pub fn bounding_radius(&self) -> f64 {
        self.as_collision_shape(|shape| shape.bounding_radius())
    }

    /// Volume, centre of mass and inertia of the solid of density one; `None` for triangles and the ground.
    pub fn mass_properties(&self) -> Option<MassProperties> {
        self.as_collision_shape(|shape| shape.mass_properties())
    }

    /// The first hit of a ray on the shape at the pose `X_WG`; ray and hit in world. See [`Ray`] for the convention.
    pub fn cast_ray(&self, X_WG: &Isometry3<f64>, ray: &Ray) -> Option<RayHit> {
        let hit = self.as_collision_shape(|shape| shape.cast_ray(&ray.in_frame(X_WG)))?;
        Some(hit.turned(X_WG))
    }

    /// Geometry to draw.
    pub fn drawing(&self) -> Drawing {
        self.as_collision_shape(|shape| shape.drawing())
    }

    /// Kind of the shape.
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
            Shape::Custom(shape) => ShapeKind::Custom(shape.name()),
        }
    }
}

impl From<&Shape> for Drawing {
    fn from(shape: &Shape) -> Self {
        shape.drawing()
    }
}

/// Kinds of shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
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
    /// A shape of a program, by its name.
    Custom(&'static str),
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
            ShapeKind::Custom(name) => name,
        })
    }
}

/// The tightest axis-aligned box around a shape at pose `X_WG`.
///
/// A half-space is unbounded, except above if its normal is a world axis (within 1e-9).
pub fn aabb(shape: &Shape, X_WG: &Isometry3<f64>) -> Aabb {
    shape.as_collision_shape(|shape| shape.aabb(X_WG))
}
