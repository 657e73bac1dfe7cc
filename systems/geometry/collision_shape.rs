//! The trait of collision shapes, which built-in shapes and those of a program implement.

use super::cells::{Cells, Tessellation};
use super::{Aabb, Drawing, MassProperties, Ray, RayHit};
use nalgebra::{Isometry3, Vector3};
use std::fmt::Debug;

/// A shape, in its own frame G. Lengths are metres.
///
/// A program adds a shape by implementing this trait and placing it as [`Shape::custom`](super::Shape::custom).
/// `docs/write-a-shape.md` does so step by step, and [`check_shape`](super::check_shape) checks the result.
///
/// Contact uses the [support mapping](Self::support) of a shape, so that a shape that is not convex touches as its
/// convex hull; rays and pictures use the shape itself.
///
/// Every method is a pure function of the shape and the arguments: the same call gives the same bits at any time. An
/// integrator with error control relies on that.
pub trait CollisionShape: Debug + Send + Sync {
    /// Name of the shape in messages (`torus`).
    fn name(&self) -> &'static str;

    /// Support mapping: the point of the shape that is farthest along `direction`, which has any length above zero. If
    /// several points tie, one of them, always the same. The origin of G lies within the convex hull.
    ///
    /// `None`: the shape is unbounded or touches by its surface. A shape of a program without a support mapping
    /// touches nothing, and a plant that could bring it into contact is refused.
    fn support(&self, direction: &Vector3<f64>) -> Option<Vector3<f64>>;

    /// The part of the boundary that touches along the unit vector `direction`: a flat part if one faces it.
    ///
    /// The default, the support point alone, is right for shapes without flat parts.
    fn feature(&self, direction: &Vector3<f64>) -> Option<ContactFeature> {
        self.support(direction).map(ContactFeature::Point)
    }

    /// Visits the points that touch a plane, each with its share of the stiffness of the pair. `down` is the unit
    /// vector into the plane.
    ///
    /// The shares of a shape that lies flat sum to one. While the shape turns, the points and their shares must change
    /// such that no force jumps. The default is the support point alone.
    fn plane_contacts(&self, down: &Vector3<f64>, visit: &mut dyn FnMut(PlaneContact)) {
        if let Some(p_GC) = self.support(down) {
            visit(PlaneContact { p_GC, share: 1.0, feature: 0 });
        }
    }

    /// The axis-aligned box in world around the shape at the pose `X_WG`. The default uses the support mapping.
    fn aabb(&self, X_WG: &Isometry3<f64>) -> Aabb {
        let center = X_WG.translation.vector;
        let reach = |i: usize, sign: f64| {
            let mut axis = Vector3::zeros();
            axis[i] = sign;
            let along = X_WG.rotation.inverse_transform_vector(&axis);
            self.support(&along).map_or(f64::INFINITY, |p| p.dot(&along))
        };
        Aabb {
            min: Vector3::from_fn(|i, _| center[i] - reach(i, -1.0)),
            max: Vector3::from_fn(|i, _| center[i] + reach(i, 1.0)),
        }
    }

    /// Radius of a ball about the origin of G that contains the shape \[m\]. The default is that of the box around it.
    fn bounding_radius(&self) -> f64 {
        let Aabb { min, max } = self.aabb(&Isometry3::identity());
        min.abs().sup(&max.abs()).norm()
    }

    /// Radius of a ball that fits into the convex hull about its centre \[m\]: half of the smallest width. Integrators
    /// take no step in which a body could pass through the shape.
    fn half_thickness(&self) -> f64;

    /// Volume, centre of mass and inertia of the solid of density one; `None` for a surface.
    fn mass_properties(&self) -> Option<MassProperties>;

    /// The first hit of a ray on the surface; see [`Ray`] for the convention.
    fn cast_ray(&self, ray: &Ray) -> Option<RayHit>;

    /// Geometry to draw.
    fn drawing(&self) -> Drawing;

    /// Tetrahedra with the pressure field of hydroelastic contact. If `None`, the default, the field is that of a
    /// polyhedron with corners on the surface of the convex hull.
    fn pressure_cells(&self, _tessellation: &Tessellation) -> Option<Cells> {
        None
    }
}

/// The part of a shape that touches along a direction, in the frame of the shape. Flat parts are those whose normal is
/// within 60° of the direction.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ContactFeature {
    /// A point.
    Point(Vector3<f64>),
    /// A straight edge or line between two points.
    Segment([Vector3<f64>; 2]),
    /// A flat rectangle.
    Rectangle {
        /// Centre.
        center: Vector3<f64>,
        /// Unit vectors along its sides.
        axes: [Vector3<f64>; 2],
        /// Half of the length of each side.
        half_lengths: [f64; 2],
    },
    /// A flat disc.
    Disc {
        /// Centre.
        center: Vector3<f64>,
        /// Outward unit normal.
        normal: Vector3<f64>,
        /// Radius.
        radius: f64,
    },
}

/// A point of a shape that touches a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaneContact {
    /// The point C of the surface, in the frame of the shape.
    pub p_GC: Vector3<f64>,
    /// Its share of the stiffness of the pair.
    pub share: f64,
    /// Distinguishes the points of one shape, and stays with a point while the shape turns; less than 64.
    pub feature: u32,
}

/// Four points 90° apart on a circle, the first one the farthest along `direction`; for
/// [`plane_contacts`](CollisionShape::plane_contacts) of round shapes.
///
/// Four points with equal shares carry forces and moments that do not depend on the position of the first one, so that
/// nothing jumps as a shape rolls through the upright position. Very near to it the first point fades to a fixed one.
pub fn rim_points(
    center: &Vector3<f64>,
    normal: &Vector3<f64>,
    radius: f64,
    direction: &Vector3<f64>,
) -> [Vector3<f64>; 4] {
    let axes = super::any_normal::axes_about(normal);
    super::feature::rim_directions(&axes, direction).map(|d| center + d * radius)
}
