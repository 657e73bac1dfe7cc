//! Mesh files: where they are, and the points in them. Only convex hulls are made of meshes, so faces are not kept. Of
//! meshes to look at, only the place is found.

mod collada;
mod fault;
mod locate;
mod soup;

pub use fault::MeshFault;
pub(super) use soup::{Soup, read_triangles};

use crate::geometry::ConvexHull;
use fault::LARGEST_MIB;
use nalgebra::Vector3;
use std::fs::File;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

/// The path that an address such as `package://name/path` means: in `model_paths`, at or above `folder`, or in the
/// folders of the environment (`ROS_PACKAGE_PATH`, `AMENT_PREFIX_PATH`).
///
/// # Errors
/// Addresses that are not understood, and packages that are not found.
pub fn locate(address: &str, folder: &Path, model_paths: &[PathBuf]) -> Result<PathBuf, MeshFault> {
    locate::locate(address, folder, model_paths)
}

/// The path of the file that `filename` means in a model file in `folder`.
pub(super) fn find(filename: &str, folder: &Path, model_paths: &[PathBuf]) -> Result<PathBuf, MeshFault> {
    let path = locate::locate(filename, folder, model_paths)?;
    let data = path.metadata().map_err(|error| unreadable(&path, &error))?;
    if data.is_file() { Ok(path) } else { Err(MeshFault::Unreadable("not a file".to_owned())) }
}

/// Hulls of more corners are simplified.
const MANY_CORNERS: usize = 200;

/// How far a left out corner may be outside, relative to the size.
pub(super) const SIMPLIFIED: f64 = 5e-3;

/// The convex hull of a mesh.
pub(super) struct MeshHull {
    pub hull: ConvexHull,
    /// How many corners it has if none is left out.
    pub corners: usize,
}

/// The convex hull of the mesh that `filename` means in a model file in `folder`, its coordinates multiplied by
/// `scale`.
pub(super) fn read_hull(
    filename: &str,
    folder: &Path,
    model_paths: &[PathBuf],
    scale: Vector3<f64>,
) -> Result<MeshHull, MeshFault> {
    let path = locate::locate(filename, folder, model_paths)?;
    let mut points = read_points(&path)?;
    points.iter_mut().for_each(|p| p.component_mul_assign(&scale));
    let (hull, corners) = hull_of(&points)?;
    Ok(MeshHull { hull, corners })
}

/// The convex hull of points, simplified if it has very many corners, and how many it has if none is left out.
pub(super) fn hull_of(points: &[Vector3<f64>]) -> Result<(ConvexHull, usize), MeshFault> {
    let exact = ConvexHull::new(points)?;
    let corners = exact.vertices().len();
    if corners <= MANY_CORNERS {
        return Ok((exact, corners));
    }
    let size = exact.vertices().map(|v| (v - exact.center()).norm()).fold(0.0, f64::max);
    Ok((exact.simplified(SIMPLIFIED * size), corners))
}

/// Where it was looked for, and why it cannot be read there.
fn unreadable(path: &Path, error: &std::io::Error) -> MeshFault {
    let reason = match error.kind() {
        std::io::ErrorKind::NotFound => format!("there is no file \"{}\"", path.display()),
        _ => format!("{}: {error}", path.display()),
    };
    MeshFault::Unreadable(reason)
}

fn read_points(path: &Path) -> Result<Vec<Vector3<f64>>, MeshFault> {
    let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
    let read = match extension.as_deref() {
        Some("obj") => points_of_obj,
        Some("stl") => |bytes| read_stl(bytes).map(|mesh| vertices_of_stl(&mesh)),
        Some("dae") => collada::points,
        _ => return Err(MeshFault::Format),
    };
    read(read_bytes(path)?)
}

/// The bytes of a file that is not too large.
fn read_bytes(path: &Path) -> Result<Vec<u8>, MeshFault> {
    let unreadable = |error: std::io::Error| unreadable(path, &error);
    // A pipe or a device could be read for ever.
    if !path.metadata().map_err(unreadable)?.is_file() {
        return Err(MeshFault::Unreadable("not a file".to_owned()));
    }
    let mut bytes = Vec::new();
    let largest = LARGEST_MIB << 20;
    File::open(path).and_then(|file| file.take(largest + 1).read_to_end(&mut bytes)).map_err(unreadable)?;
    if bytes.len() as u64 > largest {
        return Err(MeshFault::TooLarge);
    }
    Ok(bytes)
}

/// The points that faces use.
fn points_of_obj(bytes: Vec<u8>) -> Result<Vec<Vector3<f64>>, MeshFault> {
    // Materials do not matter; a library of them may be missing.
    let no_materials = |_: &Path| Ok(Default::default());
    let (models, _) = tobj::load_obj_buf(&mut Cursor::new(bytes), &tobj::LoadOptions::default(), no_materials)
        .map_err(|error| MeshFault::Invalid { format: "OBJ", reason: error.to_string() })?;
    let positions = models.iter().flat_map(|model| model.mesh.positions.chunks_exact(3));
    Ok(positions.map(Vector3::from_column_slice).collect())
}

fn read_stl(mut bytes: Vec<u8>) -> Result<stl_io::IndexedMesh, MeshFault> {
    // A binary file tells its length. Many begin with the word that marks text files.
    const HEADER: usize = 84;
    const TRIANGLE: usize = 50;
    if let Some(&[a, b, c, d]) = bytes.get(80..HEADER)
        && (u32::from_le_bytes([a, b, c, d]) as usize).checked_mul(TRIANGLE) == Some(bytes.len() - HEADER)
    {
        bytes[..5].fill(0);
    }
    stl_io::read_stl(&mut Cursor::new(bytes))
        .map_err(|error| MeshFault::Invalid { format: "STL", reason: error.to_string() })
}

fn vertices_of_stl(mesh: &stl_io::IndexedMesh) -> Vec<Vector3<f64>> {
    mesh.vertices.iter().map(|v| Vector3::new(v[0], v[1], v[2]).cast()).collect()
}
