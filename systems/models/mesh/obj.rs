//! Wavefront OBJ, by the crate `tobj`, with the colours and images of the library of materials beside it.

use super::bytes::{Beside, invalid};
use super::fault::MeshFault;
use super::triangles::{MeshImage, TriangleMesh};
use nalgebra::Vector3;
use std::io::Cursor;
use std::path::Path;

pub(super) fn read(bytes: Vec<u8>, beside: &Beside) -> Result<TriangleMesh, MeshFault> {
    let options = tobj::LoadOptions { triangulate: true, ..tobj::LoadOptions::default() };
    // Colours and images are in the library of materials; it may be missing.
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
        // Points and lines have fewer corners than a triangle and are skipped.
        let is_solid = part.face_arities.is_empty();
        let triangles = part.indices.chunks_exact(3).filter(|_| is_solid);
        mesh.triangles.extend(triangles.map(|t| [first + t[0], first + t[1], first + t[2]]));
        if is_solid && part.texcoord_indices.len() == part.indices.len() {
            add_places(part, &mut mesh);
        }
        let material = part.material_id.and_then(|id| materials.get(id));
        let image = material.and_then(|m| beside.find(m.diffuse_texture.as_deref()?.trim()).ok());
        let rgba = material.and_then(|m| {
            // Black together with an image means that the image is the colour.
            let stated = m.diffuse.filter(|rgb| image.is_none() || *rgb != [0.0; 3]);
            let [r, g, b] = stated.or(image.is_some().then_some([1.0; 3]))?;
            Some([r, g, b, m.dissolve.unwrap_or(1.0)].map(|x| x.clamp(0.0, 1.0)))
        });
        mesh.end_part_with(rgba, image.map(MeshImage::File));
    }
    if mesh.positions.is_empty() {
        mesh.positions = points(&bytes);
    }
    let (triangles, places) = (mesh.triangles.len(), &mut mesh.uv);
    if !places.is_empty() {
        places.resize(triangles, [[0.0; 2]; 3]);
    }
    Ok(mesh.without_plain_parts())
}

/// Adds the texture coordinates of the triangles of a part, which the format counts from below.
fn add_places(part: &tobj::Mesh, mesh: &mut TriangleMesh) {
    // Parts before this one may have none.
    mesh.uv.resize(mesh.triangles.len() - part.texcoord_indices.len() / 3, [[0.0; 2]; 3]);
    let place = |i: u32| {
        let at = 2 * i as usize;
        let [u, v] = part.texcoords.get(at..at + 2).and_then(|uv| <[f64; 2]>::try_from(uv).ok()).unwrap_or_default();
        [u as f32, 1.0 - v as f32]
    };
    mesh.uv.extend(part.texcoord_indices.chunks_exact(3).map(|t| [place(t[0]), place(t[1]), place(t[2])]));
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
