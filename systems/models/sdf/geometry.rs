//! `<collision>` and `<visual>`: collision shapes and visual shapes.

use super::pose;
use crate::common::files::Files;
use crate::common::meshes::{Mesh, read_mesh, read_scale};
use crate::common::proximity;
use crate::faults::FaultKind;
use crate::faults::SdfFault;
use crate::notes::NoteKind;
use crate::report::Report;
use crate::source::{cut, quoted};
use crate::xml::{Element, Known};
use kinegraph_core::scene::{Appearance, Geometry};
use kinegraph_geometry::Shape;
use kinegraph_multibody::proximity::Proximity;
use kinegraph_multibody::scene_data::Grain;
use kinegraph_multibody::{Collision, Link, Visual};
use nalgebra::{Isometry3, UnitQuaternion, Vector3};
use std::sync::Arc;

const COLLISION: Known = Known {
    attributes: &["name"],
    once: &["pose", "geometry", "surface", "density", proximity::PROXIMITY],
    many: &[],
    ignored: &["laser_retro", "max_contacts", "auto_inertia_params"],
    ignored_attributes: &[],
};
const VISUAL: Known = Known {
    attributes: &["name"],
    once: &["pose", "geometry", "material"],
    many: &["cast_shadows", "visibility_flags", "transparency", "laser_retro", "meta"],
    ignored: &["plugin"],
    ignored_attributes: &[],
};
const GEOMETRY: Known = Known { attributes: &[], once: &[], many: &SHAPES, ignored: &[], ignored_attributes: &[] };
const SHAPES: [&str; 10] =
    ["box", "sphere", "cylinder", "capsule", "drake:capsule", "cone", "ellipsoid", "plane", "mesh", "empty"];
const MESH: Known = Known {
    attributes: &[],
    once: &["uri", "scale", "drake:declare_convex"],
    many: &[],
    ignored: &["submesh"],
    ignored_attributes: &["optimization"],
};
const MATERIAL: Known = Known {
    attributes: &[],
    once: &["diffuse"],
    many: &["ambient", "specular", "emissive", "script", "shader", "pbr", "lighting", "double_sided", "render_order"],
    ignored: &[],
    ignored_attributes: &[],
};

/// Adds a collision shape to a link.
pub(super) fn read_collision(element: Element<'_, '_>, link: &mut Link, report: &mut Report<'_>) {
    element.check(&COLLISION, report);
    let (name, X_BG) = place(element, report);
    let mut said = proximity::read(element, report);
    if let Some((friction, grain)) = element.child("surface").and_then(|surface| friction(surface, &X_BG, report)) {
        let said = said.get_or_insert_with(Proximity::default);
        said.static_friction = said.static_friction.or(Some(friction));
        said.dynamic_friction = said.dynamic_friction.or(Some(friction));
        said.grain = grain;
    }
    let Some((turn, shape)) = read_shape(element, report) else { return };
    let shapes = match shape {
        Written::Solid(shape) => vec![(name, shape)],
        Written::Mesh(mesh) => read_mesh(&mesh, &link.name, &name, report),
    };
    for (name, shape) in shapes {
        link.proximity.extend(said.map(|said| (link.collisions.len(), said)));
        link.collisions.push(Collision { name, X_BG: X_BG * turn, shape, surface: None });
    }
}

/// Adds a visual shape to a link.
pub(super) fn read_visual(element: Element<'_, '_>, link: &mut Link, report: &mut Report<'_>) {
    element.check(&VISUAL, report);
    let (name, X_BG) = place(element, report);
    let appearance = element.child("material").and_then(|material| read_material(material, report));
    let Some((turn, shape)) = read_shape(element, report) else { return };
    let geometry = match shape {
        Written::Solid(shape) => Geometry::from(&shape),
        Written::Mesh(mesh) => {
            let uri = mesh.filename.value;
            let found = Files::default().find(uri, report.folder(), report.options());
            let source = found.unwrap_or_else(|(source, fault)| {
                let (link, filename) = (link.name.clone(), uri.to_owned());
                report.note(mesh.filename.span.clone(), NoteKind::VisualMissing { link, filename, fault });
                source
            });
            Geometry::Mesh { source, scale: mesh.scale.into() }
        }
    };
    link.visuals.push(Visual { name, X_BG: X_BG * turn, geometry, appearance });
}

fn place(element: Element<'_, '_>, report: &mut Report<'_>) -> (String, Isometry3<f64>) {
    let name = element.attribute("name").map(|name| name.value.to_owned()).unwrap_or_default();
    let pose = pose::read(element, report);
    if let Some(relative_to) = pose.relative_to {
        let what = "is relative to another frame, which is read of links, joints, frames and models only";
        report.fault_at(&relative_to.at, SdfFault::Other { element: relative_to.element, what }.into());
    }
    (name, pose.X)
}

/// Content of `<geometry>`.
enum Written<'a, 'i> {
    Solid(Shape),
    Mesh(Mesh<'a, 'i>),
}

/// The shape, and its orientation in its frame; `None` if there is none, or after a fault.
fn read_shape<'a, 'i>(
    parent: Element<'a, 'i>,
    report: &mut Report<'_>,
) -> Option<(UnitQuaternion<f64>, Written<'a, 'i>)> {
    let geometry = parent.required_child("geometry", report)?;
    geometry.check(&GEOMETRY, report);
    let Some(element) = geometry.children().find(|child| SHAPES.contains(&child.name())) else {
        match geometry.children().next() {
            Some(other) => {
                let found = cut(other.name()).to_owned();
                let nearest = report.nearest(other.name(), SHAPES);
                let element = format!("<{}> of {}", cut(parent.name()), quoted(&geometry.describe()));
                // A visual shape may be missing; a collision shape may not.
                if parent.name() == "collision" {
                    report.fault(other.span(), FaultKind::UnknownShape { element, found, nearest });
                }
            }
            None => report.fault(geometry.span(), FaultKind::NoShape { element: geometry.describe() }),
        }
        return None;
    };
    let mut length = |name: &'static str| {
        let child = element.required_child(name, report)?;
        child.check(&Known::TEXT, report);
        let value = child.content();
        let number = value.number(report)?;
        value.positive(number, report)
    };
    let identity = UnitQuaternion::identity();
    Some(match element.name() {
        "box" => {
            let size = element.required_child("size", report)?.content();
            let edges = size.numbers::<3>(report)?;
            for edge in edges {
                size.positive(edge, report)?;
            }
            (identity, Written::Solid(Shape::Box { half_extents: Vector3::from(edges) / 2.0 }))
        }
        "sphere" => (identity, Written::Solid(Shape::Sphere { radius: length("radius")? })),
        "ellipsoid" => {
            let radii = element.required_child("radii", report)?.content();
            let semi_axes = radii.numbers::<3>(report)?;
            for semi_axis in semi_axes {
                radii.positive(semi_axis, report)?;
            }
            (identity, Written::Solid(Shape::Ellipsoid { semi_axes: Vector3::from(semi_axes) }))
        }
        kind @ ("cylinder" | "capsule" | "drake:capsule" | "cone") => {
            let (radius, half_length) = (length("radius"), length("length"));
            let (radius, half_length) = (radius?, half_length? / 2.0);
            let shape = match kind {
                "cylinder" => Shape::Cylinder { radius, half_length },
                "cone" => Shape::Cone { radius, half_length },
                _ => Shape::Capsule { radius, half_length },
            };
            (identity, Written::Solid(shape))
        }
        "plane" => {
            // The size does not matter: a plane has no edge to fall off.
            let normal = element.child("normal").and_then(|normal| normal.content().numbers::<3>(report));
            let normal = Vector3::from(normal.unwrap_or([0.0, 0.0, 1.0]));
            if normal.norm() == 0.0 {
                let what = "has a normal without direction";
                report.fault(element.span(), SdfFault::Other { element: element.describe(), what }.into());
                return None;
            }
            let turn = UnitQuaternion::rotation_between(&Vector3::z(), &normal);
            let over = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI);
            (turn.unwrap_or(over), Written::Solid(Shape::HalfSpace))
        }
        "mesh" => {
            element.check(&MESH, report);
            let scale = match element.child("scale") {
                Some(scale) => read_scale(&scale.content(), report),
                None => Some(Vector3::repeat(1.0)),
            };
            let filename = element.required_child("uri", report)?.content();
            let is_convex = element.child("drake:declare_convex").is_some();
            (identity, Written::Mesh(Mesh { filename, scale: scale?, is_convex }))
        }
        _ => return None,
    })
}

/// The coefficient of friction of `<surface>` for the first direction, and the second one with the first direction, of
/// a shape at `X_BG`; the rest of it is tuning of other engines.
fn friction(surface: Element<'_, '_>, X_BG: &Isometry3<f64>, report: &mut Report<'_>) -> Option<(f64, Option<Grain>)> {
    let ode = surface.child("friction").and_then(|friction| friction.child("ode"));
    let child = |name: &str| ode.and_then(|ode| ode.child(name)).map(|child| child.content());
    let mut coefficient = |name: &str| {
        let mu = child(name)?;
        let value = mu.number(report)?;
        mu.not_negative(value, report)
    };
    let (mu, across) = (coefficient("mu"), coefficient("mu2"));
    // Zero, the default of the format, is no direction.
    let along = child("fdir1").and_then(|along| along.numbers::<3>(report)).filter(|along| *along != [0.0; 3]);
    let grain = across.zip(along).map(|(across, along)| {
        let along = X_BG.rotation * Vector3::from(along);
        Grain { along: along.into(), across }
    });
    let is_read = |name: &str| {
        matches!(name, "mu" | "surface") || (matches!(name, "mu2" | "fdir1") && mu.is_some() && grain.is_some())
    };
    for element in surface.descendants().filter(|e| e.children().next().is_none() && !is_read(e.name())) {
        let element_name = cut(element.name()).to_owned();
        report.note(element.span(), NoteKind::IgnoredElement { element: element_name, parent: "surface".to_owned() });
    }
    Some((mu?, grain))
}

fn read_material(material: Element<'_, '_>, report: &mut Report<'_>) -> Option<Arc<Appearance>> {
    material.check(&MATERIAL, report);
    let diffuse = material.child("diffuse")?.content();
    let words = diffuse.value.split_whitespace().count();
    let rgba = match words {
        3 => diffuse.numbers::<3>(report).map(|[r, g, b]| [r, g, b, 1.0])?,
        _ => diffuse.numbers::<4>(report)?,
    };
    let rgba = Some(rgba.map(|part| part.clamp(0.0, 1.0)));
    Some(Arc::new(Appearance { name: String::new(), rgba, texture: None }))
}
