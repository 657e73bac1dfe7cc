//! Collision meshes: the mesh element as written, and the shapes from it.

use crate::faults::FaultKind;
use crate::mesh::{self, Collides};
use crate::notes::NoteKind;
use crate::options::MissingMeshes;
use crate::report::Report;
use crate::source::quoted;
use crate::xml::Attribute;
use kinegraph_geometry::Shape;
use nalgebra::Vector3;

/// A mesh as written.
pub(crate) struct Mesh<'a, 'i> {
    pub(crate) filename: Attribute<'a, 'i>,
    /// Scale factors of its coordinates.
    pub(crate) scale: Vector3<f64>,
    pub(crate) is_convex: bool,
}

/// The scale factors in files: one for all, or one for each coordinate; surplus ones are ignored, and missing ones are
/// one.
pub(crate) fn read_scale(text: &Attribute<'_, '_>, report: &mut Report<'_>) -> Option<Vector3<f64>> {
    let found = text.value.split_whitespace().count();
    if found == 1 {
        return text.number(report).map(Vector3::repeat);
    }
    let how = match found {
        2 => "has two numbers; the third factor is 1",
        4 => "has four numbers; the fourth is ignored",
        _ => return text.numbers::<3>(report).map(Vector3::from),
    };
    let (element, at) = (format!("the scale {}", quoted(text.value)), text.span.clone());
    report.note(at, NoteKind::ElementDiffers { element, how });
    if found == 2 {
        text.numbers::<2>(report).map(|[x, y]| Vector3::new(x, y, 1.0))
    } else {
        text.numbers::<4>(report).map(|[x, y, z, _]| Vector3::new(x, y, z))
    }
}

/// Collision shapes of a mesh. Without them the link would pass through everything: failing is a fault unless the
/// options leave such meshes out.
pub(crate) fn read_mesh(
    mesh: &Mesh<'_, '_>,
    link: &str,
    collision: &str,
    report: &mut Report<'_>,
) -> Vec<(String, Shape)> {
    let Mesh { filename, scale, is_convex } = mesh;
    let (link, name) = (link.to_owned(), filename.value.to_owned());
    let how = report.options().meshes.of(&link, collision);
    let address = report.mesh_address(filename.value);
    let read = mesh::read_scaled(&address, report.folder(), report.options(), *scale);
    let found = read.and_then(|mesh| Ok((mesh::collides(&mesh, how)?, mesh.positions.len())));
    match found {
        Ok((found, points)) => {
            let at = filename.span.clone();
            match &found {
                Collides::Hull { hull, exact } => {
                    let vertices = hull.vertices().len();
                    if !exact {
                        let (link, filename) = (link.clone(), name.clone());
                        report.note(at.clone(), NoteKind::MeshSimplified { link, filename, points, vertices });
                    }
                    if !is_convex {
                        report.note(at, NoteKind::MeshHull { link, filename: name, vertices });
                    }
                }
                Collides::Parts { parts, error } => {
                    let (parts, error) = (parts.len(), 100.0 * error);
                    report.note(at, NoteKind::MeshDecomposed { link, filename: name, parts, error });
                }
                Collides::Exact(mesh) => {
                    let (triangles, faces) = (mesh.triangles().len(), mesh.num_faces());
                    report.note(at, NoteKind::MeshExact { link, filename: name, triangles, faces });
                }
            }
            found.shapes(collision)
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
            Vec::new()
        }
    }
}
