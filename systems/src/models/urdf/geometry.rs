//! `<collision>`: a shape and where it sits on its link.

use super::element::{Element, Known};
use super::pose::read_origin;
use crate::geometry::Shape;
use crate::models::fault::FaultKind;
use crate::models::mesh;
use crate::models::note::NoteKind;
use crate::models::report::Report;
use crate::models::source::cut;
use crate::multibody::Collision;
use nalgebra::Vector3;
use std::sync::Arc;

const COLLISION: Known = Known {
    attributes: &["name"],
    once: &["origin", "geometry"],
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
const SHAPES: [&str; 5] = ["box", "sphere", "cylinder", "capsule", "mesh"];

/// A collision shape; `None` for one that is ignored or at fault.
pub(super) fn read_collision(element: Element<'_, '_>, link: &str, report: &mut Report<'_>) -> Option<Collision> {
    element.check(&COLLISION, report);
    let name = element.attribute("name").map(|name| name.value.to_owned()).unwrap_or_default();
    let X_BG = read_origin(element, report);
    let geometry = element.required_child("geometry", report)?;
    let mut shapes = geometry.children();
    let Some(first) = shapes.next() else {
        report.fault(geometry.span(), FaultKind::NoShape { element: geometry.describe() });
        return None;
    };
    for other in shapes {
        let (element, parent) = (cut(other.name()).to_owned(), geometry.describe());
        report.note(other.span(), NoteKind::RepeatedElement { element, parent });
    }
    let shape = read_shape(first, link, report)?;
    Some(Collision { name, X_BG, shape })
}

fn read_shape(element: Element<'_, '_>, link: &str, report: &mut Report<'_>) -> Option<Shape> {
    let known = |attributes| Known { attributes, once: &[], many: &[], ignored: &[], ignored_attributes: &[] };
    match element.name() {
        "box" => {
            element.check(&known(&["size"]), report);
            let size = element.required("size", report)?;
            let edges = size.numbers::<3>(report)?;
            for edge in edges {
                size.positive(edge, report)?;
            }
            Some(Shape::Box { half_extents: Vector3::from(edges) / 2.0 })
        }
        "sphere" => {
            element.check(&known(&["radius"]), report);
            Some(Shape::Sphere { radius: element.required_length("radius", report)? })
        }
        "cylinder" | "capsule" | "drake:capsule" => {
            element.check(&known(&["radius", "length"]), report);
            // Both are read before either is missed, so that both are reported.
            let radius = element.required_length("radius", report);
            let half_length = element.required_length("length", report).map(|length| length / 2.0);
            let (radius, half_length) = (radius?, half_length?);
            let is_cylinder = element.name() == "cylinder";
            Some(if is_cylinder {
                Shape::Cylinder { radius, half_length }
            } else {
                Shape::Capsule { radius, half_length }
            })
        }
        "mesh" => {
            element.check(&MESH, report);
            read_mesh(element, link, report)
        }
        other => {
            let nearest = report.nearest(other, SHAPES);
            let owner = format!("a <collision> of link {}", crate::models::source::quoted(link));
            let kind = FaultKind::UnknownShape { element: owner, found: cut(other).to_owned(), nearest };
            report.fault(element.span(), kind);
            None
        }
    }
}

/// The convex hull of a mesh. A mesh that cannot be had is noted: motion without contact does not depend on it.
fn read_mesh(element: Element<'_, '_>, link: &str, report: &mut Report<'_>) -> Option<Shape> {
    // Both are read before either is missed, so that both are reported.
    let scale = match element.attribute("scale") {
        Some(scale) => scale.numbers::<3>(report).map(Vector3::from),
        None => Some(Vector3::repeat(1.0)),
    };
    let filename = element.required("filename", report)?;
    let (link, name) = (link.to_owned(), filename.value.to_owned());
    match mesh::read_hull(filename.value.trim(), report.folder(), scale?) {
        Ok(hull) => {
            if element.child("drake:declare_convex").is_none() {
                let vertices = hull.vertices().len();
                report.note(filename.span, NoteKind::MeshHull { link, filename: name, vertices });
            }
            Some(Shape::Convex(Arc::new(hull)))
        }
        Err(fault) => {
            report.note(filename.span, NoteKind::MeshIgnored { link, filename: name, fault });
            None
        }
    }
}
