//! Geometry of a shape to draw, as plain data.

use serde::{Deserialize, Serialize};

/// A shape in its own frame. Boxes, cylinders, capsules and cones are centred, all but boxes along z.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Drawing {
    /// A ball.
    Sphere {
        /// Radius \[m\].
        radius: f64,
    },
    /// A box.
    Box {
        /// Edge lengths along x, y, z \[m\].
        size: [f64; 3],
    },
    /// A cylinder.
    Cylinder {
        /// Radius \[m\].
        radius: f64,
        /// Length \[m\].
        length: f64,
    },
    /// A cylinder with a half-ball on either end.
    Capsule {
        /// Radius \[m\].
        radius: f64,
        /// Length of the cylinder, without the caps \[m\].
        length: f64,
    },
    /// An ellipsoid.
    Ellipsoid {
        /// Its semi-axes along x, y, z \[m\].
        semi_axes: [f64; 3],
    },
    /// A cone along z with its apex up, centred half way between apex and base.
    Cone {
        /// Radius of the base \[m\].
        radius: f64,
        /// Height \[m\].
        length: f64,
    },
    /// Triangles.
    Triangles {
        /// Their corners \[m\].
        vertices: Vec<[f64; 3]>,
        /// The three corners of each, anticlockwise seen from outside.
        triangles: Vec<[u32; 3]>,
    },
    /// A mesh, which is not read: only its file, and the scale of its coordinates.
    Mesh {
        /// The file.
        source: FileReference,
        /// Factors of its coordinates along x, y, z; negative: mirrored.
        scale: [f64; 3],
    },
    /// A convex polyhedron.
    Hull {
        /// Its corners \[m\].
        vertices: Vec<[f64; 3]>,
        /// The corners of each of its flat faces, anticlockwise seen from outside.
        faces: Vec<Vec<u32>>,
    },
    /// All points with z <= 0.
    HalfSpace,
}

/// A file that a model names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileReference {
    /// Path as the model file states it (`package://arm/link.dae`).
    pub uri: String,
    /// Its path; `None` if there is no such file.
    pub file: Option<String>,
}

impl Drawing {
    /// True if all its numbers are finite.
    pub fn is_finite(&self) -> bool {
        match self {
            Drawing::Sphere { radius } => radius.is_finite(),
            Drawing::Box { size: numbers } | Drawing::Mesh { scale: numbers, .. } => {
                numbers.iter().all(|x| x.is_finite())
            }
            Drawing::Ellipsoid { semi_axes } => semi_axes.iter().all(|x| x.is_finite()),
            Drawing::Cylinder { radius, length }
            | Drawing::Capsule { radius, length }
            | Drawing::Cone { radius, length } => radius.is_finite() && length.is_finite(),
            Drawing::Hull { vertices, .. } | Drawing::Triangles { vertices, .. } => {
                vertices.iter().flatten().all(|x| x.is_finite())
            }
            Drawing::HalfSpace => true,
        }
    }
}
