//! The triangles of mesh files, for what their volume says.

use super::fault::MeshFault;
use super::{read_bytes, read_stl};
use nalgebra::Vector3;
use std::io::Cursor;
use std::path::Path;

/// Points and the triangles between them, anticlockwise seen from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::models) struct Soup {
    pub points: Vec<Vector3<f64>>,
    pub triangles: Vec<[u32; 3]>,
}

/// The triangles of an OBJ, STL or MSH file.
pub(in crate::models) fn read_triangles(path: &Path) -> Result<Soup, MeshFault> {
    let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
    let read = match extension.as_deref() {
        Some("obj") => of_obj,
        Some("stl") => of_stl,
        Some("msh") => of_msh,
        _ => return Err(MeshFault::Format),
    };
    read(read_bytes(path)?)
}

fn of_obj(bytes: Vec<u8>) -> Result<Soup, MeshFault> {
    let options = tobj::LoadOptions { triangulate: true, ..tobj::LoadOptions::default() };
    let (models, _) = tobj::load_obj_buf(&mut Cursor::new(bytes), &options, |_: &Path| Ok(Default::default()))
        .map_err(|error| MeshFault::Invalid { format: "OBJ", reason: error.to_string() })?;
    let mut soup = Soup::default();
    for mesh in models.iter().map(|model| &model.mesh) {
        let first = soup.points.len() as u32;
        soup.points.extend(mesh.positions.chunks_exact(3).map(Vector3::from_column_slice));
        // Points and lines have fewer corners than a triangle and are passed over.
        let is_solid = mesh.face_arities.is_empty();
        let triangles = mesh.indices.chunks_exact(3).filter(|_| is_solid);
        soup.triangles.extend(triangles.map(|t| [first + t[0], first + t[1], first + t[2]]));
    }
    Ok(soup)
}

fn of_stl(bytes: Vec<u8>) -> Result<Soup, MeshFault> {
    let mesh = read_stl(bytes)?;
    let triangles = mesh.faces.iter().map(|face| face.vertices.map(|v| v as u32)).collect();
    Ok(Soup { points: super::vertices_of_stl(&mesh), triangles })
}

/// MuJoCo's own format: four counts (points, normals, texture coordinates, triangles), then the numbers of each, all of
/// four bytes, the least first.
fn of_msh(bytes: Vec<u8>) -> Result<Soup, MeshFault> {
    let invalid = |reason: &str| MeshFault::Invalid { format: "MSH", reason: reason.to_owned() };
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
    Ok(Soup { points: (0..points).map(point).collect(), triangles })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_promises_more_than_it_holds_is_refused() {
        let mut bytes = Vec::new();
        [100_000_000_i32, 0, 0, 100_000_000].iter().for_each(|n| bytes.extend(n.to_le_bytes()));
        assert!(of_msh(bytes).is_err());
        assert!(of_msh(vec![1, 2, 3]).is_err());
        let mut bytes = Vec::new();
        [3_i32, 0, 0, 1].iter().for_each(|n| bytes.extend(n.to_le_bytes()));
        [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].iter().for_each(|x| bytes.extend(x.to_le_bytes()));
        [0_i32, 1, 2].iter().for_each(|n| bytes.extend(n.to_le_bytes()));
        let soup = of_msh(bytes).unwrap();
        assert_eq!((soup.points[1], soup.triangles), (Vector3::x(), vec![[0, 1, 2]]));
    }
}
