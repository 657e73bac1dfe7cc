//! `<geometry>`: a shape, and `<collision>`: a collision shape and its pose on the link.

use super::pose::read_origin;
use crate::common::meshes::{Mesh, read_mesh, read_scale};
use crate::common::proximity::PROXIMITY;
use crate::faults::FaultKind;
use crate::notes::NoteKind;
use crate::report::Report;
use crate::source::{cut, quoted};
use crate::xml::{Element, Known};
use kinegraph_geometry::Shape;
use kinegraph_multibody::Collision;
use nalgebra::{UnitQuaternion, Vector3};

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
pub(crate) const SHAPES: [&str; 8] = ["box", "sphere", "cylinder", "capsule", "ellipsoid", "cone", "plane", "mesh"];
const PLANE: Known =
    Known { attributes: &["normal"], once: &[], many: &[], ignored: &[], ignored_attributes: &["size"] };

/// The shapes of a collision element: one, several for a mesh in parts, or none if it is ignored or faulty.
pub(crate) fn read_collision(element: Element<'_, '_>, link: &str, report: &mut Report<'_>) -> Vec<Collision> {
    element.check(&COLLISION, report);
    let name = element.attribute("name").map(|name| name.value.to_owned()).unwrap_or_default();
    let mut X_BG = read_origin(element, report);
    let shapes = match read_geometry(element, report) {
        None => Vec::new(),
        Some(Written::Plane(turn)) => {
            X_BG *= turn;
            vec![(name, Shape::HalfSpace)]
        }
        Some(Written::Solid(shape)) => vec![(name, shape)],
        Some(Written::Mesh(mesh)) => read_mesh(&mesh, link, &name, report),
        Some(Written::Unknown(shape)) => {
            let nearest = report.nearest(shape.name(), SHAPES);
            let element = format!("a <collision> of link {}", quoted(link));
            report
                .fault(shape.span(), FaultKind::UnknownShape { element, found: cut(shape.name()).to_owned(), nearest });
            Vec::new()
        }
    };
    shapes.into_iter().map(|(name, shape)| Collision { name, X_BG, shape, surface: None }).collect()
}

/// Content of `<geometry>`.
pub(crate) enum Written<'a, 'i> {
    /// A solid.
    Solid(Shape),
    /// A half-space, with the rotation from the z axis to its normal.
    Plane(UnitQuaternion<f64>),
    /// A mesh.
    Mesh(Mesh<'a, 'i>),
    /// An element that is none of [`SHAPES`].
    Unknown(Element<'a, 'i>),
}

/// The shape in the `<geometry>` of a collision or visual element; `None` after a fault.
pub(crate) fn read_geometry<'a, 'i>(parent: Element<'a, 'i>, report: &mut Report<'_>) -> Option<Written<'a, 'i>> {
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

/// Radius of the sphere that represents a point \[m\]: far below the depth of any contact.
const POINT_RADIUS: f64 = 1e-6;

/// A shape without size: a point of contact.
fn point<'a, 'i>(element: Element<'a, 'i>, report: &mut Report<'_>) -> Written<'a, 'i> {
    let how = "is a point; it touches as a sphere with a radius of a micrometre";
    report.note(element.span(), NoteKind::ElementDiffers { element: element.describe(), how });
    Written::Solid(Shape::Sphere { radius: POINT_RADIUS })
}

fn read_shape<'a, 'i>(element: Element<'a, 'i>, report: &mut Report<'_>) -> Option<Written<'a, 'i>> {
    let known = |attributes| Known { attributes, once: &[], many: &[], ignored: &[], ignored_attributes: &[] };
    Some(match element.name() {
        "box" => {
            element.check(&known(&["size"]), report);
            let size = element.required("size", report)?;
            let edges = size.numbers::<3>(report)?;
            if edges == [0.0; 3] {
                return Some(point(element, report));
            }
            for edge in edges {
                size.positive(edge, report)?;
            }
            Written::Solid(Shape::Box { half_extents: Vector3::from(edges) / 2.0 })
        }
        "sphere" => {
            element.check(&known(&["radius"]), report);
            if element.attribute("radius").is_some_and(|radius| radius.number(report) == Some(0.0)) {
                return Some(point(element, report));
            }
            Written::Solid(Shape::Sphere { radius: element.required_length("radius", report)? })
        }
        "ellipsoid" | "drake:ellipsoid" => {
            element.check(&known(&["a", "b", "c"]), report);
            let axes = ["a", "b", "c"].map(|axis| element.required_length(axis, report));
            let [Some(a), Some(b), Some(c)] = axes else { return None };
            Written::Solid(Shape::Ellipsoid { semi_axes: Vector3::new(a, b, c) })
        }
        "cylinder" | "capsule" | "drake:capsule" | "cone" => {
            element.check(&known(&["radius", "length"]), report);
            // Both are read before either fails, so that both are reported.
            let radius = element.required_length("radius", report);
            let half_length = element.required_length("length", report).map(|length| length / 2.0);
            let (radius, half_length) = (radius?, half_length?);
            Written::Solid(match element.name() {
                "cylinder" => Shape::Cylinder { radius, half_length },
                "cone" => Shape::Cone { radius, half_length },
                _ => Shape::Capsule { radius, half_length },
            })
        }
        "plane" => {
            // The size does not matter: a plane has no edge to fall off.
            element.check(&PLANE, report);
            let normal = match element.attribute("normal") {
                Some(normal) => Vector3::from(normal.numbers::<3>(report)?),
                None => Vector3::z(),
            };
            if normal.norm() == 0.0 {
                report.fault(element.span(), FaultKind::ZeroNormal { element: element.describe() });
                return None;
            }
            let turn = UnitQuaternion::rotation_between(&Vector3::z(), &normal);
            let over = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI);
            Written::Plane(turn.unwrap_or(over))
        }
        "mesh" => {
            element.check(&MESH, report);
            // Both are read before either fails, so that both are reported.
            let scale = match element.attribute("scale") {
                Some(scale) => read_scale(&scale, report),
                None => Some(Vector3::repeat(1.0)),
            };
            let filename = element.required("filename", report)?;
            let is_convex = element.child("drake:declare_convex").is_some();
            Written::Mesh(Mesh { filename, scale: scale?, is_convex })
        }
        _ => Written::Unknown(element),
    })
}
