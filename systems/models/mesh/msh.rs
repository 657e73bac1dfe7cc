//! MuJoCo's own format (`.msh`): four counts (points, normals, texture coordinates, triangles), then the numbers of
//! each, all of four bytes, little endian.

use super::fault::MeshFault;
use super::triangles::TriangleMesh;
use nalgebra::Vector3;

/// The triangles of a MSH file.
pub fn read(bytes: Vec<u8>) -> Result<TriangleMesh, MeshFault> {
    let invalid = |reason: &str| super::bytes::invalid("MSH", reason.to_owned());
    let word = |i: usize| bytes.get(4 * i..4 * i + 4).and_then(|b| <[u8; 4]>::try_from(b).ok());
    let count = |i: usize| word(i).map(i32::from_le_bytes).and_then(|n| usize::try_from(n).ok());
    let counts = [count(0), count(1), count(2), count(3)];
    let [Some(points), Some(normals), Some(coordinates), Some(triangles)] = counts else {
        return Err(invalid("it has no four counts at its start"));
    };
    let words = 4 + 3 * points as u128 + 3 * normals as u128 + 2 * coordinates as u128 + 3 * triangles as u128;
    if words * 4 != bytes.len() as u128 {
        return Err(invalid("its length is not that of the counts at its start"));
    }
    let number = |i: usize| word(i).map_or(0.0, |b| f64::from(f32::from_le_bytes(b)));
    let at = 4 + 3 * points + 3 * normals + 2 * coordinates;
    let index = |i: usize| count(i).filter(|&i| i < points).map(|i| i as u32);
    let point = |i: usize| Vector3::new(number(4 + 3 * i), number(5 + 3 * i), number(6 + 3 * i));
    let triangle = |i: usize| Some([index(at + 3 * i)?, index(at + 3 * i + 1)?, index(at + 3 * i + 2)?]);
    let triangles: Option<Vec<[u32; 3]>> = (0..triangles).map(triangle).collect();
    let triangles = triangles.ok_or_else(|| invalid("a triangle names a point that does not exist"))?;
    Ok(TriangleMesh { positions: (0..points).map(point).collect(), triangles, ..TriangleMesh::default() })
}
