//! A bounded convex shape placed in a frame: centre, axes, sizes. [`Solid::reach`] is its support function, one number
//! per direction. Most are symmetric about their centre: the support function is the same along n and -n.

use super::convex::Convex;
use super::feature::Feature;
use super::placed::Placed;
use super::shapes::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid};
use super::{CollisionShape, ConvexHull, Shape};
use nalgebra::{Isometry3, UnitQuaternion, Vector3};
use std::ops::{Deref, Range};

/// Kind of a solid, with its sizes \[m\].
#[derive(Clone, Copy, Debug)]
pub enum Kind<'a> {
    /// A segment along the third axis, swept by a ball (a sphere has length 0).
    Round(Capsule),
    /// A box, its edges along the axes.
    Box(Cuboid),
    /// A cylinder along the third axis.
    Cylinder(Cylinder),
    /// An ellipsoid, its semi-axes along the axes.
    Ellipsoid(Ellipsoid),
    /// A cone along the third axis, apex up; its centre is half way up.
    Cone(Cone),
    /// A convex polyhedron.
    Hull(&'a ConvexHull),
    /// The convex hull of a shape of a program, known by its support mapping.
    Custom(&'a dyn CollisionShape),
}

/// Calls a method of the shape of a solid, whichever kind it is.
macro_rules! ask {
    ($solid:expr, $shape:ident => $answer:expr) => {
        match &$solid.kind {
            Kind::Round($shape) => $answer,
            Kind::Box($shape) => $answer,
            Kind::Cylinder($shape) => $answer,
            Kind::Ellipsoid($shape) => $answer,
            Kind::Cone($shape) => $answer,
            Kind::Hull($shape) => $answer,
            Kind::Custom($shape) => $answer,
        }
    };
}

/// A shape with its pose.
#[derive(Clone, Copy, Debug)]
pub struct Solid<'a> {
    /// Kind of shape, with its sizes \[m\].
    pub kind: Kind<'a>,
    placed: Placed,
}

impl Deref for Solid<'_> {
    type Target = Placed;

    fn deref(&self) -> &Placed {
        &self.placed
    }
}

impl<'a> Solid<'a> {
    /// A shape at the pose `X`; `None` for a half-space, which is not bounded, and a mesh, which is not convex.
    pub fn new(shape: &'a Shape, X: &Isometry3<f64>) -> Option<Self> {
        let mut pose = *X;
        let kind = match *shape {
            Shape::Sphere { radius } => Kind::Round(Capsule { radius, half_length: 0.0 }),
            Shape::Capsule { radius, half_length } => Kind::Round(Capsule { radius, half_length }),
            Shape::Box { half_extents } => Kind::Box(Cuboid { half_extents }),
            Shape::Cylinder { radius, half_length } => Kind::Cylinder(Cylinder { radius, half_length }),
            Shape::Convex(ref hull) => {
                pose.translation.vector += X.rotation * hull.center();
                Kind::Hull(hull)
            }
            Shape::Ellipsoid { semi_axes } => Kind::Ellipsoid(Ellipsoid { semi_axes }),
            Shape::Cone { radius, half_length } => Kind::Cone(Cone { radius, half_length }),
            Shape::Custom(ref shape) => Kind::Custom(&**shape),
            Shape::HalfSpace | Shape::Mesh(_) => return None,
        };
        Some(Self { kind, placed: Placed::new(pose) })
    }

    /// A hull in the frame of its points.
    pub fn of_hull(hull: &'a ConvexHull) -> Self {
        let pose = Isometry3::from_parts(hull.center().into(), UnitQuaternion::identity());
        let axes = [Vector3::x(), Vector3::y(), Vector3::z()];
        Self { kind: Kind::Hull(hull), placed: Placed { pose, center: hull.center(), axes } }
    }

    /// The solid moved by `d`.
    pub fn moved(&self, d: Vector3<f64>) -> Self {
        let mut moved = *self;
        moved.placed.pose.translation.vector += d;
        moved.placed.center += d;
        moved
    }

    /// Another shape about the same centre and axes.
    pub fn with(&self, kind: Kind<'a>) -> Self {
        Self { kind, ..*self }
    }

    /// Support function from the centre along the unit vector `n`: `h(n) - centre · n`.
    pub fn reach(&self, n: &Vector3<f64>) -> f64 {
        ask!(self, shape => Convex::reach(shape, &self.placed, n))
    }

    /// Support function from the centre along a direction in the axes of the solid.
    pub fn reach_turned(&self, n: &Vector3<f64>) -> f64 {
        ask!(self, shape => Convex::reach_local(shape, n))
    }

    /// True if the support function is the same along n and -n, for all n.
    pub fn is_symmetric(&self) -> bool {
        ask!(self, shape => Convex::is_symmetric(shape))
    }

    /// True if a direction of contact with it takes a search.
    pub fn takes_a_search(&self) -> bool {
        matches!(self.kind, Kind::Hull(_) | Kind::Cylinder(_))
    }

    /// Radius of the ball around the centre that contains the solid.
    pub fn size(&self) -> f64 {
        ask!(self, shape => Convex::size(shape))
    }

    /// A point farthest along a direction, both in the axes of the solid, from its centre; for round solids, a point of
    /// the segment.
    pub fn corner(&self, direction: &Vector3<f64>) -> Vector3<f64> {
        ask!(self, shape => Convex::corner(shape, direction))
    }

    /// The feature that touches along the unit vector `n`.
    pub fn feature(&self, n: &Vector3<f64>) -> Feature<'a> {
        ask!(self, shape => Convex::feature(shape, &self.placed, n))
    }

    /// Visits the points that can touch a half-space of normal `n`: vector from the centre, share of the stiffness,
    /// number.
    pub fn plane_contacts(&self, n: &Vector3<f64>, visit: impl FnMut(Vector3<f64>, f64, u32)) {
        ask!(self, shape => Convex::plane_contacts(shape, &self.placed, n, visit));
    }

    /// The axes along which its surface has straight lines, on all sides.
    pub fn straight_axes(&self) -> Range<usize> {
        ask!(self, shape => Convex::straight_axes(shape))
    }

    /// The unit vectors along its straight axes.
    pub fn straight(&self) -> &[Vector3<f64>] {
        &self.axes[self.straight_axes()]
    }

    /// The unit vectors along which it has flat sides, one on either end.
    pub fn flat(&self) -> &[Vector3<f64>] {
        &self.axes[ask!(self, shape => Convex::flat_axes(shape))]
    }

    /// For capsules and cylinders: the vector from the axis to the surface towards `n`, and half of the length.
    pub fn rod(&self, n: &Vector3<f64>) -> Option<(Vector3<f64>, f64)> {
        ask!(self, shape => Convex::rod(shape, &self.placed, n))
    }

    /// The point of the solid (boxes, cylinders and hulls) or of its segment (round solids) nearest to `p`.
    pub fn nearest(&self, p: &Vector3<f64>) -> Vector3<f64> {
        let local = self.local(p);
        let q = ask!(self, shape => Convex::nearest(shape, &local));
        // A point inside is its own nearest point; transformed to and fro, it would be off by rounding.
        if q == local { *p } else { self.unlocal(&q) }
    }
}

/// Support overlap `D(n) = h_A(n) + h_B(-n)`: an upper bound of the depth for any unit `n`.
pub fn overlap(a: &Solid, b: &Solid, n: &Vector3<f64>) -> f64 {
    a.reach(n) + b.reach(&-n) - (b.center - a.center).dot(n)
}

/// The support point of `solid` along `n`; the middle of the feature if it is not unique.
pub fn support(solid: &Solid, n: &Vector3<f64>) -> Vector3<f64> {
    solid.center + ask!(solid, shape => Convex::support(shape, &solid.placed, n))
}
