//! STL, text (in any letter case) or binary, by the crate `stl_io`.
//!
//! Many binary files begin with the word `solid` that marks text, so that the length decides: a file is binary if it is
//! as long as the count in its header says, or if what it holds cannot be text. A count that promises more than the
//! file holds is refused before anything is allocated for it.

use super::bytes::invalid;
use super::fault::MeshFault;
use super::triangles::TriangleMesh;
use nalgebra::Vector3;
use std::io::Cursor;

const HEADER: usize = 84;
const TRIANGLE: usize = 50;

pub(super) fn read(mut bytes: Vec<u8>) -> Result<TriangleMesh, MeshFault> {
    if let Some(triangles) = binary_triangles(&bytes)? {
        // What follows the triangles is none of them.
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
    let mesh = stl_io::read_stl(&mut Cursor::new(bytes)).map_err(|error| invalid("STL", error.to_string()))?;
    let positions = mesh.vertices.iter().map(|v| Vector3::new(v[0], v[1], v[2]).cast()).collect();
    let triangles = mesh.faces.iter().map(|face| face.vertices.map(|v| v as u32)).collect();
    Ok(TriangleMesh { positions, triangles, ..TriangleMesh::default() })
}

/// How many triangles a binary file has; `None` for text.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn binary(promised: u32, word: &[u8]) -> Vec<u8> {
        let mut bytes = vec![b' '; 80];
        bytes[..word.len()].copy_from_slice(word);
        bytes.extend(promised.to_le_bytes());
        for p in [[0.0_f32; 3], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] {
            p.iter().for_each(|x| bytes.extend(x.to_le_bytes()));
        }
        bytes.extend([0, 0]);
        bytes
    }

    #[test]
    fn text_of_any_letter_case_and_binary_files_that_begin_like_text() {
        let text = "SOLID Part\nFacet NORMAL 0 0 1\nouter loop\nVERTEX 0 0 0\nvertex 1E0 0 0\nvertex 0 1 0\nendloop\n\
                    ENDFACET\nendsolid Part\n";
        let expected = vec![[0, 1, 2]];
        assert_eq!(read(text.as_bytes().to_vec()).unwrap().triangles, expected);
        for word in [&b"solid"[..], b"binary"] {
            assert_eq!(read(binary(1, word)).unwrap().triangles, expected);
        }
        let mut longer = binary(1, b"binary");
        longer.extend([0; 60]);
        assert_eq!(read(longer).unwrap().triangles, expected);
    }

    #[test]
    fn a_header_that_promises_more_than_the_file_holds_is_refused() {
        let fault = read(binary(100_000_000, b"binary")).unwrap_err().to_string();
        assert!(fault.contains("promises 100000000 triangles"), "{fault}");
        for bytes in [&b""[..], b"solid", b"solid a\nfacet", b"\0\0\0", &[0xff; 90]] {
            let _ = read(bytes.to_vec());
        }
        assert!(read(b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 x".to_vec()).is_err());
    }
}
