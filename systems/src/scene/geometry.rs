//! Shapes to draw, and how they look.

use crate::geometry::Shape;
use serde::{Deserialize, Serialize};

/// A shape in its own frame. Boxes, cylinders, capsules and cones are centred, all but boxes along z.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Geometry {
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
    /// A mesh, which is not read: only where it is, and how its coordinates become metres.
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
    /// As the model file writes it (`package://arm/link.dae`).
    pub uri: String,
    /// Its path; `None` where there is no such file.
    pub file: Option<String>,
}

/// How a shape looks. What is `None` the model file does not say.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Appearance {
    /// Name of the material; may be empty.
    pub name: String,
    /// Red, green, blue and opacity, each from 0 to 1.
    pub rgba: Option<[f64; 4]>,
    /// An image on the surface.
    pub texture: Option<FileReference>,
}

impl Geometry {
    /// Whether all its numbers are finite.
    pub fn is_finite(&self) -> bool {
        match self {
            Geometry::Sphere { radius } => radius.is_finite(),
            Geometry::Box { size: numbers } | Geometry::Mesh { scale: numbers, .. } => {
                numbers.iter().all(|x| x.is_finite())
            }
            Geometry::Ellipsoid { semi_axes } => semi_axes.iter().all(|x| x.is_finite()),
            Geometry::Cylinder { radius, length }
            | Geometry::Capsule { radius, length }
            | Geometry::Cone { radius, length } => radius.is_finite() && length.is_finite(),
            Geometry::Hull { vertices, .. } | Geometry::Triangles { vertices, .. } => {
                vertices.iter().flatten().all(|x| x.is_finite())
            }
            Geometry::HalfSpace => true,
        }
    }
}

impl From<&Shape> for Geometry {
    fn from(shape: &Shape) -> Self {
        match shape {
            Shape::Sphere { radius } => Geometry::Sphere { radius: *radius },
            Shape::Box { half_extents } => Geometry::Box { size: (half_extents * 2.0).into() },
            Shape::Cylinder { radius, half_length } => {
                Geometry::Cylinder { radius: *radius, length: half_length * 2.0 }
            }
            Shape::Capsule { radius, half_length } => Geometry::Capsule { radius: *radius, length: half_length * 2.0 },
            Shape::Convex(hull) => Geometry::Hull {
                vertices: hull.vertices().map(Into::into).collect(),
                faces: hull.faces().map(<[u32]>::to_vec).collect(),
            },
            Shape::Ellipsoid { semi_axes } => Geometry::Ellipsoid { semi_axes: (*semi_axes).into() },
            Shape::Cone { radius, half_length } => Geometry::Cone { radius: *radius, length: half_length * 2.0 },
            Shape::Mesh(mesh) => Geometry::Triangles {
                vertices: mesh.vertices().iter().map(|v| (*v).into()).collect(),
                triangles: mesh.triangles().to_vec(),
            },
            Shape::HalfSpace => Geometry::HalfSpace,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::ConvexHull;
    use nalgebra::Vector3;

    #[test]
    fn faces_of_a_hull_enclose_its_volume() {
        // A block of 1 x 2 x 3, away from the origin.
        let corner = |i: usize| Vector3::new((i & 1) as f64, (i >> 1 & 1) as f64 * 2.0, (i >> 2) as f64 * 3.0);
        let points: Vec<_> = (0..8).map(|i| corner(i) + Vector3::new(5.0, -1.0, 2.0)).collect();
        let hull = ConvexHull::new(&points).unwrap();
        let Geometry::Hull { vertices, faces } = Geometry::from(&Shape::Convex(hull.into())) else { panic!() };
        assert_eq!((vertices.len(), faces.len()), (8, 6));
        assert!(points.iter().all(|p| vertices.iter().any(|v| (Vector3::from(*v) - p).norm() < 1e-14)));
        // The divergence theorem: anticlockwise triangles seen from outside have the volume with its sign.
        let at = |i: u32| Vector3::from(vertices[i as usize]);
        let fan = |face: &Vec<u32>| {
            let triangles = face[1..].windows(2);
            triangles.map(|pair| at(face[0]).dot(&at(pair[0]).cross(&at(pair[1]))) / 6.0).sum::<f64>()
        };
        let volume: f64 = faces.iter().map(fan).sum();
        assert!((volume - 6.0).abs() < 1e-12, "{volume}");
    }

    #[test]
    fn the_json_of_a_shape_names_its_type() {
        let capsule = Geometry::from(&Shape::Capsule { radius: 0.25, half_length: 1.5 });
        let text = serde_json::to_string(&capsule).unwrap();
        assert_eq!(text, r#"{"type":"capsule","radius":0.25,"length":3.0}"#);
        assert_eq!(serde_json::to_string(&Geometry::HalfSpace).unwrap(), r#"{"type":"half_space"}"#);
    }
}
