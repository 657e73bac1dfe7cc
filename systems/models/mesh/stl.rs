//! STL, text (in any letter case) or binary, by the crate `stl_io`.
//!
//! Many binary files begin with the word `solid` that marks text, so that the length decides: a file is binary if its
//! length fits the count in its header, or if its content cannot be text. A count larger than the content is refused
//! before anything is allocated for it.

use super::bytes::invalid;
use super::fault::MeshFault;
use super::triangles::TriangleMesh;
use nalgebra::Vector3;
use rustc_hash::FxHashMap;
use std::io::Cursor;

const HEADER: usize = 84;
const TRIANGLE: usize = 50;

/// The triangles of a STL file.
pub fn read(mut bytes: Vec<u8>) -> Result<TriangleMesh, MeshFault> {
    if let Some(triangles) = binary_triangles(&bytes)? {
        // Bytes after the triangles are ignored.
        bytes.truncate(HEADER + TRIANGLE * triangles);
        bytes[..5].fill(0);
    } else {
        bytes.make_ascii_lowercase();
        let start = bytes.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(bytes.len());
        bytes.drain(..start);
        // A solid without a name.
        if bytes.get(5).is_some_and(|b| *b == b'\n' || *b == b'\r') {
            bytes.insert(5, b' ');
        }
    }
    let mut cursor = Cursor::new(bytes);
    let fault = |error: std::io::Error| invalid("STL", error.to_string());
    let mut mesh = TriangleMesh::default();
    let mut known: FxHashMap<[u32; 3], u32> = FxHashMap::default();
    for triangle in stl_io::create_stl_reader(&mut cursor).map_err(fault)? {
        mesh.triangles.push(triangle.map_err(fault)?.vertices.map(|v| {
            // Adding zero turns -0 into 0.
            let at = [v[0], v[1], v[2]].map(|x| x + 0.0);
            *known.entry(at.map(f32::to_bits)).or_insert_with(|| {
                mesh.positions.push(Vector3::from(at).cast());
                mesh.positions.len() as u32 - 1
            })
        }));
    }
    Ok(mesh)
}

/// Number of triangles of a binary file; `None` for text.
fn binary_triangles(bytes: &[u8]) -> Result<Option<usize>, MeshFault> {
    let start = bytes.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(0);
    let word = bytes.get(start..start + 5).unwrap_or_default();
    let is_text = word.eq_ignore_ascii_case(b"solid");
    let Some(&[a, b, c, d]) = bytes.get(80..HEADER) else {
        return if is_text { Ok(None) } else { Err(invalid("STL", "it is shorter than a header".to_owned())) };
    };
    let (promised, held) = (u32::from_le_bytes([a, b, c, d]) as usize, (bytes.len() - HEADER) / TRIANGLE);
    let exact = promised.checked_mul(TRIANGLE) == Some(bytes.len() - HEADER);
    if exact {
        Ok(Some(promised))
    } else if is_text {
        Ok(None)
    } else if promised > held {
        Err(invalid("STL", format!("its header promises {promised} triangles; there is room for {held}")))
    } else {
        Ok(Some(promised))
    }
}
