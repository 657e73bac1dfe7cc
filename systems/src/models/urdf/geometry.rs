//! `<geometry>`: a shape, and `<collision>`: a shape that touches and where it sits on its link.

use super::element::{Attribute, Element, Known};
use super::pose::read_origin;
use super::proximity::PROXIMITY;
use crate::geometry::Shape;
use crate::models::fault::FaultKind;
use crate::models::mesh::{self, MeshHull};
use crate::models::note::NoteKind;
use crate::models::options::MissingMeshes;
use crate::models::report::Report;
use crate::models::source::{cut, quoted};
use crate::multibody::Collision;
use nalgebra::Vector3;
use std::sync::Arc;

const COLLISION: Known = Known {
    attributes: &["name"],
    once: &["origin", "geometry", PROXIMITY],
    many: &[],
    ignored: &["contact_coefficients", "verbose", "material"],
    ignored_attributes: &["group"],
};
const MESH: Known = Known {
    attributes: &["filename", "scale"],
    once: &["drake:declare_convex"],
    many: &[],
    ignored: &[],
    ignored_attributes: &[],
};
pub(in crate::models) const SHAPES: [&str; 5] = ["box", "sphere", "cylinder", "capsule", "mesh"];

/// A collision shape; `None` for one that is ignored or at fault.
pub(in crate::models) fn read_collision(
    element: Element<'_, '_>,
    link: &str,
    report: &mut Report<'_>,
) -> Option<Collision> {
    element.check(&COLLISION, report);
    let name = element.attribute("name").map(|name| name.value.to_owned()).unwrap_or_default();
    let X_BG = read_origin(element, report);
    let shape = match read_geometry(element, report)? {
        Written::Solid(shape) => shape,
        Written::Mesh(mesh) => read_hull(&mesh, link, report)?,
        Written::Unknown(shape) => {
            let nearest = report.nearest(shape.name(), SHAPES);
            let element = format!("a <collision> of link {}", quoted(link));
            report
                .fault(shape.span(), FaultKind::UnknownShape { element, found: cut(shape.name()).to_owned(), nearest });
            return None;
        }
    };
    Some(Collision { name, X_BG, shape, surface: None })
}

/// What `<geometry>` states.
pub(in crate::models) enum Written<'a, 'i> {
    /// A solid.
    Solid(Shape),
    /// A mesh.
    Mesh(Mesh<'a, 'i>),
    /// An element that is none of [`SHAPES`].
    Unknown(Element<'a, 'i>),
}

/// A mesh as written.
pub(in crate::models) struct Mesh<'a, 'i> {
    pub(in crate::models) filename: Attribute<'a, 'i>,
    /// Factors of its coordinates.
    pub(in crate::models) scale: Vector3<f64>,
    pub(in crate::models) is_convex: bool,
}

/// The shape in the `<geometry>` of a collision or visual element; `None` after a fault.
pub(in crate::models) fn read_geometry<'a, 'i>(
    parent: Element<'a, 'i>,
    report: &mut Report<'_>,
) -> Option<Written<'a, 'i>> {
    let geometry = parent.required_child("geometry", report)?;
    let mut shapes = geometry.children();
    let Some(first) = shapes.next() else {
        report.fault(geometry.span(), FaultKind::NoShape { element: geometry.describe() });
        return None;
    };
    for other in shapes {
        let (element, parent) = (cut(other.name()).to_owned(), geometry.describe());
        report.note(other.span(), NoteKind::RepeatedElement { element, parent });
    }
    read_shape(first, report)
}

fn read_shape<'a, 'i>(element: Element<'a, 'i>, report: &mut Report<'_>) -> Option<Written<'a, 'i>> {
    let known = |attributes| Known { attributes, once: &[], many: &[], ignored: &[], ignored_attributes: &[] };
    Some(match element.name() {
        "box" => {
            element.check(&known(&["size"]), report);
            let size = element.required("size", report)?;
            let edges = size.numbers::<3>(report)?;
            for edge in edges {
                size.positive(edge, report)?;
            }
            Written::Solid(Shape::Box { half_extents: Vector3::from(edges) / 2.0 })
        }
        "sphere" => {
            element.check(&known(&["radius"]), report);
            Written::Solid(Shape::Sphere { radius: element.required_length("radius", report)? })
        }
        "cylinder" | "capsule" | "drake:capsule" => {
            element.check(&known(&["radius", "length"]), report);
            // Both are read before either is missed, so that both are reported.
            let radius = element.required_length("radius", report);
            let half_length = element.required_length("length", report).map(|length| length / 2.0);
            let (radius, half_length) = (radius?, half_length?);
            let is_cylinder = element.name() == "cylinder";
            Written::Solid(if is_cylinder {
                Shape::Cylinder { radius, half_length }
            } else {
                Shape::Capsule { radius, half_length }
            })
        }
        "mesh" => {
            element.check(&MESH, report);
            // Both are read before either is missed, so that both are reported.
            let scale = match element.attribute("scale") {
                Some(scale) => scale.numbers::<3>(report).map(Vector3::from),
                None => Some(Vector3::repeat(1.0)),
            };
            let filename = element.required("filename", report)?;
            let is_convex = element.child("drake:declare_convex").is_some();
            Written::Mesh(Mesh { filename, scale: scale?, is_convex })
        }
        _ => Written::Unknown(element),
    })
}

/// The convex hull of a mesh. Without it the link would pass through everything: that is a fault unless it is wanted.
pub(in crate::models) fn read_hull(mesh: &Mesh<'_, '_>, link: &str, report: &mut Report<'_>) -> Option<Shape> {
    let Mesh { filename, scale, is_convex } = mesh;
    let (link, name) = (link.to_owned(), filename.value.to_owned());
    match mesh::read_hull(filename.value.trim(), report.folder(), &report.options().model_paths, *scale) {
        Ok(MeshHull { hull, corners }) => {
            if corners > hull.vertices().len() {
                let (link, filename, vertices) = (link.clone(), name.clone(), hull.vertices().len());
                report.note(mesh.filename.span.clone(), NoteKind::MeshSimplified { link, filename, corners, vertices });
            }
            if !is_convex {
                let vertices = hull.vertices().len();
                report.note(filename.span.clone(), NoteKind::MeshHull { link, filename: name, vertices });
            }
            Some(Shape::Convex(Arc::new(hull)))
        }
        Err(fault) => {
            match report.options().missing_meshes {
                MissingMeshes::Error => {
                    report.fault(filename.span.clone(), FaultKind::MeshMissing { link, filename: name, fault });
                }
                MissingMeshes::Ignore => {
                    report.note(filename.span.clone(), NoteKind::MeshIgnored { link, filename: name, fault });
                }
            }
            None
        }
    }
}
