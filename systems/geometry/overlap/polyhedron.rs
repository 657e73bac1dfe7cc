//! Convex solids: polyhedra with flat faces, and the half-space.

use super::fault::SolidError;
use crate::cells::Tessellation;
use crate::hydroelastic::field;
use crate::hydroelastic::polygon::Plane;
use crate::{ConvexHull, Shape};
use nalgebra::Vector3;
use std::sync::Arc;

/// Maximum number of corners of the hull of a curved shape: every one of its faces is tested against every other solid.
const MAX_CORNERS: usize = 4096;

/// A convex solid in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid(pub(super) Body);

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Body {
    /// All points with z <= 0.
    HalfSpace,
    Polyhedron(Polyhedron),
}

/// A polyhedron: corners, and faces with their outward planes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Polyhedron {
    pub vertices: Vec<Vector3<f64>>,
    pub planes: Vec<Plane>,
    /// Corners of face i, anticlockwise seen from outside: `corners[starts[i]..starts[i + 1]]`.
    pub corners: Vec<u32>,
    pub starts: Vec<u32>,
    /// Radius of the ball about the origin that contains it \[m\].
    pub size: f64,
}

impl Solid {
    /// The solid of a shape. Polyhedra are taken as they are; a curved shape is the hull of a mesh with edges of the
    /// length `tessellation.resolution`, which deviates from the surface by up to `edge²/(8 R)` and, unless it is
    /// inscribed, has the volume of the shape.
    ///
    /// # Errors
    /// Triangles that collide as they are, and numbers out of range.
    pub fn new(shape: &Shape, tessellation: &Tessellation) -> Result<Self, SolidError> {
        let resolution = tessellation.resolution;
        let positive = |what, value: f64| match value > 0.0 && value.is_finite() {
            true => Ok(()),
            false => Err(SolidError::OutOfRange { what, value }),
        };
        let hull = match shape {
            Shape::HalfSpace => return Ok(Solid(Body::HalfSpace)),
            Shape::Box { half_extents } => {
                half_extents.iter().try_for_each(|&half| positive("half extent", half))?;
                return Ok(Solid(Body::Polyhedron(cuboid(half_extents))));
            }
            Shape::Mesh(_) => return Err(SolidError::Triangles),
            Shape::Convex(hull) => hull.clone(),
            _ => {
                positive("resolution", resolution)?;
                let corners = field::estimate(shape, resolution);
                if corners > MAX_CORNERS as f64 {
                    return Err(SolidError::TooFine { resolution, corners, most: MAX_CORNERS });
                }
                Arc::new(curved(shape, tessellation)?)
            }
        };
        Ok(Solid(Body::Polyhedron(polyhedron(&hull))))
    }

    /// Number of faces.
    pub fn num_faces(&self) -> usize {
        match &self.0 {
            Body::HalfSpace => 1,
            Body::Polyhedron(polyhedron) => polyhedron.planes.len(),
        }
    }

    /// Its corners; a half-space has none.
    pub fn vertices(&self) -> &[Vector3<f64>] {
        match &self.0 {
            Body::HalfSpace => &[],
            Body::Polyhedron(polyhedron) => &polyhedron.vertices,
        }
    }

    /// True if it is a half-space.
    pub fn is_half_space(&self) -> bool {
        matches!(self.0, Body::HalfSpace)
    }
}

/// The hull of the outer vertices of the shape's mesh for hydroelastic contact.
fn curved(shape: &Shape, tessellation: &Tessellation) -> Result<ConvexHull, SolidError> {
    let flat = crate::HullError::Flat;
    match shape {
        Shape::Cone { radius, half_length } => {
            field::cone(*radius, *half_length, tessellation.resolution).ok_or(SolidError::Hull(flat))
        }
        Shape::Custom(custom) if custom.pressure_cells(tessellation).is_none() => {
            field::sampled(&**custom, tessellation.resolution).ok_or(SolidError::Hull(flat))
        }
        _ => {
            let cells = field::cells(shape, &Tessellation { margin: 0.0, ..*tessellation });
            let outer = cells.vertices.iter().zip(&cells.levels).filter(|(_, level)| **level <= 0.0);
            Ok(ConvexHull::new(&outer.map(|(vertex, _)| *vertex).collect::<Vec<_>>())?)
        }
    }
}

fn cuboid(half: &Vector3<f64>) -> Polyhedron {
    let vertices = (0..8)
        .map(|corner| Vector3::from_fn(|axis, _| if corner >> axis & 1 == 1 { half[axis] } else { -half[axis] }))
        .collect();
    let mut found = Polyhedron { vertices, starts: vec![0], size: half.norm(), ..Polyhedron::default() };
    for axis in 0..3 {
        let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
        for (sign, side) in [(-1.0, 0), (1.0, 1 << axis)] {
            let mut normal = Vector3::zeros();
            normal[axis] = sign;
            found.planes.push(Plane { normal, offset: half[axis] });
            let ring = if side == 0 { [0, v, u | v, u] } else { [side, side | u, side | u | v, side | v] };
            found.corners.extend(ring);
            found.starts.push(found.corners.len() as u32);
        }
    }
    found
}

fn polyhedron(hull: &ConvexHull) -> Polyhedron {
    let vertices: Vec<Vector3<f64>> = hull.vertices().collect();
    let size = vertices.iter().map(|v| v.norm()).fold(0.0, f64::max);
    let mut found = Polyhedron { vertices, starts: vec![0], size, ..Polyhedron::default() };
    let center = hull.center();
    for (corners, face) in hull.faces().zip(&hull.faces) {
        found.planes.push(Plane { normal: face.normal, offset: face.offset + face.normal.dot(&center) });
        found.corners.extend(corners);
        found.starts.push(found.corners.len() as u32);
    }
    found
}
