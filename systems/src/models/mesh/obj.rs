//! Wavefront OBJ, by the crate `tobj`, with the colours of the library of materials beside it.

use super::bytes::{Beside, invalid};
use super::fault::MeshFault;
use super::triangles::TriangleMesh;
use nalgebra::Vector3;
use std::io::Cursor;
use std::path::Path;

pub(super) fn read(bytes: Vec<u8>, beside: &Beside) -> Result<TriangleMesh, MeshFault> {
    let options = tobj::LoadOptions { triangulate: true, ..tobj::LoadOptions::default() };
    // Colours alone are in the library of materials; it may be missing.
    let library = |path: &Path| match path.to_str().and_then(|name| beside.read(name).ok()) {
        Some(bytes) => tobj::load_mtl_buf(&mut Cursor::new(bytes)),
        None => Ok(Default::default()),
    };
    let loaded = tobj::load_obj_buf(&mut Cursor::new(&bytes), &options, library);
    let (models, materials) = loaded.map_err(|e| invalid("OBJ", e.to_string()))?;
    let materials = materials.unwrap_or_default();
    let mut mesh = TriangleMesh::default();
    for part in models.iter().map(|model| &model.mesh) {
        let first = mesh.positions.len() as u32;
        mesh.positions.extend(part.positions.chunks_exact(3).map(Vector3::from_column_slice));
        // Points and lines have fewer corners than a triangle and are passed over.
        let is_solid = part.face_arities.is_empty();
        let triangles = part.indices.chunks_exact(3).filter(|_| is_solid);
        mesh.triangles.extend(triangles.map(|t| [first + t[0], first + t[1], first + t[2]]));
        let material = part.material_id.and_then(|id| materials.get(id));
        mesh.end_part(material.and_then(|m| {
            let [r, g, b] = m.diffuse?;
            Some([r, g, b, m.dissolve.unwrap_or(1.0)].map(|x| x.clamp(0.0, 1.0)))
        }));
    }
    if mesh.positions.is_empty() {
        mesh.positions = points(&bytes);
    }
    Ok(mesh.without_plain_parts())
}

/// The points of a file without faces.
fn points(bytes: &[u8]) -> Vec<Vector3<f64>> {
    let text = String::from_utf8_lossy(bytes);
    let read = |line: &str| {
        let numbers = line.trim_start().strip_prefix("v ")?.split_whitespace().take(3);
        let numbers: Vec<f64> = numbers.filter_map(|word| word.parse().ok()).collect();
        (numbers.len() == 3).then(|| Vector3::from_column_slice(&numbers))
    };
    text.lines().filter_map(read).collect()
}
