//! `<visual>`: a visual shape, without contact and mass, so that defects of it are only noted.

use super::geometry::{SHAPES, Written, read_geometry};
use super::material::Materials;
use super::pose::read_origin;
use crate::notes::NoteKind;
use crate::report::Report;
use crate::source::cut;
use crate::xml::{Element, Known};
use kinegraph_core::scene::Geometry;
use kinegraph_geometry::Shape;
use kinegraph_multibody::Visual;

const VISUAL: Known = Known {
    attributes: &["name"],
    once: &["origin", "geometry", "material"],
    many: &[],
    ignored: &["verbose"],
    ignored_attributes: &["group"],
};

/// Reads a visual shape; `None` if it is ignored or faulty.
pub(super) fn read_visual(
    element: Element<'_, '_>,
    link: &str,
    materials: &mut Materials,
    report: &mut Report<'_>,
) -> Option<Visual> {
    element.check(&VISUAL, report);
    let name = element.attribute("name").map(|name| name.value.to_owned()).unwrap_or_default();
    let mut X_BG = read_origin(element, report);
    let appearance = element.child("material").and_then(|material| materials.of_visual(material, link, report));
    let geometry = match read_geometry(element, report)? {
        Written::Solid(shape) => Geometry::from(&shape),
        Written::Plane(turn) => {
            X_BG *= turn;
            Geometry::from(&Shape::HalfSpace)
        }
        Written::Mesh(mesh) => {
            let address = report.mesh_address(mesh.filename.value);
            let source =
                materials.files.find(&address, report.folder(), report.options()).unwrap_or_else(|(source, fault)| {
                    let (link, filename) = (link.to_owned(), mesh.filename.value.to_owned());
                    report.note(mesh.filename.span.clone(), NoteKind::VisualMissing { link, filename, fault });
                    source
                });
            Geometry::Mesh { source, scale: mesh.scale.into() }
        }
        Written::Unknown(shape) => {
            let (link, found) = (link.to_owned(), cut(shape.name()).to_owned());
            let nearest = report.nearest(shape.name(), SHAPES);
            report.note(shape.span(), NoteKind::UnknownVisual { link, found, nearest });
            return None;
        }
    };
    Some(Visual { name, X_BG, geometry, appearance })
}
