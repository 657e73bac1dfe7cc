//! A geometry in pressure-field contact: a compliant or rigid body, a mesh or a half-space.

use super::fault::{FieldError, UnsupportedPair};
use super::mesh::{PressureMesh, SurfaceMesh};
use super::{ball, capsule, convex, cuboid, cylinder};
use crate::any_normal::directions;
use crate::cells::{Cells, Tessellation};
use crate::{CollisionShape, ConvexHull, Shape};
use nalgebra::Vector3;
use std::f64::consts::TAU;
use std::sync::Arc;

/// Maximum number of cells of a mesh.
pub(crate) const MAX_CELLS: usize = 1 << 19;

/// Compliance of a geometry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Compliance {
    /// Rigid.
    Rigid,
    /// Compliant, with a pressure that grows from zero on its surface to `modulus` at its core.
    Compliant {
        /// Pressure at the core \[Pa\].
        modulus: f64,
        /// For a half-space, which has no core: the depth at which the pressure is the modulus \[m\].
        slab_thickness: Option<f64>,
    },
}

/// A geometry with its pressure field, in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Field {
    /// A compliant body.
    Compliant(PressureMesh),
    /// A compliant half-space z <= 0: the pressure is `-gradient z`.
    CompliantHalfSpace {
        /// Gradient of the pressure with the depth \[Pa/m\].
        gradient: f64,
        /// Height up to which its field continues, with negative pressures \[m\].
        margin: f64,
    },
    /// A rigid body.
    Rigid(SurfaceMesh),
    /// A rigid half-space z <= 0.
    RigidHalfSpace,
}

impl Field {
    /// The field of a shape: for a cone, that of a pyramid of many sides; triangle meshes are always rigid.
    ///
    /// # Errors
    /// If a number is out of range, or the mesh would be too fine or vanish.
    pub fn new(shape: &Shape, compliance: Compliance, tessellation: &Tessellation) -> Result<Self, FieldError> {
        let positive = |what, value: f64| match value > 0.0 && value.is_finite() {
            true => Ok(()),
            false => Err(FieldError::OutOfRange { what, value, expected: "it must be a positive finite number" }),
        };
        let Tessellation { resolution, margin, volume } = *tessellation;
        if let Compliance::Compliant { modulus, slab_thickness } = compliance {
            positive("modulus", modulus)?;
            slab_thickness.map_or(Ok(()), |thickness| positive("slab thickness", thickness))?;
        }
        match shape {
            Shape::Mesh(mesh) => {
                return Ok(Field::Rigid(SurfaceMesh::new(mesh.vertices().to_vec(), mesh.triangles())?));
            }
            Shape::Cone { radius, half_length } => {
                positive("resolution", resolution)?;
                let hull = cone(*radius, *half_length, resolution).ok_or(FieldError::Vanishes)?;
                return Self::new(&Shape::Convex(Arc::new(hull)), compliance, tessellation);
            }
            Shape::Custom(custom) if custom.pressure_cells(tessellation).is_none() => {
                positive("resolution", resolution)?;
                let hull = sampled(&**custom, resolution).ok_or(FieldError::Vanishes)?;
                return Self::new(&Shape::Convex(Arc::new(hull)), compliance, tessellation);
            }
            _ => {}
        }
        let thickness = shape.half_thickness();
        if !(margin >= 0.0 && margin < thickness && margin.is_finite()) {
            let expected = "it must be zero or more, and below the half thickness of the shape";
            return Err(FieldError::OutOfRange { what: "margin", value: margin, expected });
        }
        if *shape == Shape::HalfSpace {
            return match compliance {
                Compliance::Rigid => Ok(Field::RigidHalfSpace),
                Compliance::Compliant { modulus, slab_thickness } => {
                    let gradient = modulus / slab_thickness.ok_or(FieldError::NoThickness)?;
                    Ok(Field::CompliantHalfSpace { gradient, margin })
                }
            };
        }
        positive("resolution", resolution)?;
        let cells = estimate(shape, resolution);
        if cells > MAX_CELLS as f64 {
            return Err(FieldError::TooFine { resolution, cells, most: MAX_CELLS });
        }
        match compliance {
            Compliance::Compliant { modulus, .. } => {
                Ok(Field::Compliant(PressureMesh::new(self::cells(shape, tessellation), modulus)?))
            }
            Compliance::Rigid => {
                let tessellation = Tessellation { resolution, margin: 0.0, volume };
                rigid(self::cells(shape, &tessellation))
            }
        }
    }

    /// An ellipsoid about the origin.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn ellipsoid(
        semi_axes: Vector3<f64>,
        compliance: Compliance,
        tessellation: &Tessellation,
    ) -> Result<Self, FieldError> {
        let cells = ball::ellipsoid(semi_axes, tessellation);
        match compliance {
            Compliance::Compliant { modulus, .. } => Ok(Field::Compliant(PressureMesh::new(cells, modulus)?)),
            Compliance::Rigid => rigid(cells),
        }
    }

    /// Checks that two geometries can have a contact surface.
    ///
    /// # Errors
    /// The reason if they cannot.
    pub fn meets(&self, other: &Field) -> Result<(), UnsupportedPair> {
        match (self.is_half_space() && other.is_half_space(), self.is_rigid() && other.is_rigid()) {
            (true, _) => Err(UnsupportedPair::BothHalfSpaces),
            (_, true) => Err(UnsupportedPair::BothRigid),
            _ => Ok(()),
        }
    }

    /// Number of elements (tetrahedra, triangles); a half-space is one.
    pub fn num_elements(&self) -> usize {
        match self {
            Field::Compliant(mesh) => mesh.num_tetrahedra(),
            Field::Rigid(mesh) => mesh.num_triangles(),
            Field::CompliantHalfSpace { .. } | Field::RigidHalfSpace => 1,
        }
    }

    /// Least and greatest coordinates of its mesh, in its own frame; `None` for a half-space.
    pub fn bounds(&self) -> Option<[Vector3<f64>; 2]> {
        let vertices = match self {
            Field::Compliant(mesh) => &mesh.vertices,
            Field::Rigid(mesh) => &mesh.vertices,
            Field::CompliantHalfSpace { .. } | Field::RigidHalfSpace => return None,
        };
        let first = *vertices.first()?;
        Some(vertices.iter().fold([first, first], |[low, high], v| [low.inf(v), high.sup(v)]))
    }

    /// True if it is rigid.
    pub fn is_rigid(&self) -> bool {
        matches!(self, Field::Rigid(_) | Field::RigidHalfSpace)
    }

    fn is_half_space(&self) -> bool {
        matches!(self, Field::CompliantHalfSpace { .. } | Field::RigidHalfSpace)
    }
}

fn rigid(cells: Cells) -> Result<Field, FieldError> {
    let mesh = PressureMesh::new(cells, 1.0)?;
    let triangles = mesh.boundary();
    Ok(Field::Rigid(SurfaceMesh::new(mesh.vertices, &triangles)?))
}

pub(crate) fn cells(shape: &Shape, tessellation: &Tessellation) -> Cells {
    match *shape {
        Shape::Sphere { radius } => ball::ball(radius, tessellation),
        Shape::Box { half_extents } => cuboid::cuboid(half_extents, tessellation),
        Shape::Cylinder { radius, half_length } => cylinder::cylinder(radius, half_length, tessellation),
        Shape::Capsule { radius, half_length } => capsule::capsule(radius, half_length, tessellation),
        Shape::Convex(ref hull) => convex::convex(hull, tessellation),
        Shape::Ellipsoid { semi_axes } => ball::ellipsoid(semi_axes, tessellation),
        Shape::Custom(ref shape) => shape.pressure_cells(tessellation).unwrap_or_default(),
        // Handled before.
        Shape::Cone { .. } | Shape::Mesh(_) | Shape::HalfSpace => Cells::default(),
    }
}

/// The pyramid whose base is a polygon within that of a cone.
pub(crate) fn cone(radius: f64, half_length: f64, resolution: f64) -> Option<ConvexHull> {
    let sides = (TAU * radius / resolution).ceil().clamp(8.0, 128.0) as usize;
    let rim = (0..sides).map(|i| {
        let (sin, cos) = (TAU * i as f64 / sides as f64).sin_cos();
        Vector3::new(radius * cos, radius * sin, -half_length)
    });
    ConvexHull::new(&rim.chain([Vector3::z() * half_length]).collect::<Vec<_>>()).ok()
}

/// The polyhedron whose corners are support points of a shape, in directions spread evenly over the sphere.
pub(crate) fn sampled(shape: &dyn CollisionShape, resolution: f64) -> Option<ConvexHull> {
    let count = (TAU * shape.bounding_radius() / resolution).powi(2).clamp(64.0, 4096.0) as usize;
    let points: Option<Vec<Vector3<f64>>> = directions(count).map(|n| shape.support(&n)).collect();
    ConvexHull::new(&points?).ok()
}

/// Approximate number of cells that a shape is cut into.
pub(crate) fn estimate(shape: &Shape, resolution: f64) -> f64 {
    let around = |radius: f64| TAU * radius / resolution;
    match *shape {
        Shape::Sphere { radius } => around(radius).powi(2),
        Shape::Capsule { radius, .. } => 2.0 * around(radius).powi(2),
        Shape::Cylinder { radius, .. } => 9.0 * around(radius),
        Shape::Ellipsoid { semi_axes } => around(semi_axes.max()).powi(2),
        Shape::Box { .. }
        | Shape::Convex(_)
        | Shape::Cone { .. }
        | Shape::Mesh(_)
        | Shape::HalfSpace
        | Shape::Custom(_) => 0.0,
    }
}
