//! Mesh files: where they are, and the points in them. Only convex hulls are made of meshes, so faces are not kept. Of
//! meshes to look at, only the place is found.

mod locate;

use crate::geometry::{ConvexHull, HullError};
use nalgebra::Vector3;
use std::fs::File;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

/// The largest mesh file read \[MiB\].
const LARGEST_MIB: u64 = 64;

/// Why a mesh does not take part in contact, or is not drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshFault {
    /// The package of a `package://` or `model://` address is not found.
    #[error("package {0:?} is not found in the folders above the file")]
    NoPackage(String),
    /// An address of another kind.
    #[error("addresses of the form {0:?} are not understood; use package://, file:// or a path")]
    UnknownScheme(String),
    /// The file cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// The file is too large.
    #[error("the file is larger than {LARGEST_MIB} MiB")]
    TooLarge,
    /// A format that is not read.
    #[error("its format is not read; write it as .obj or .stl")]
    Format,
    /// A file that is not of its format.
    #[error("it is no valid {format} file: {reason}")]
    Invalid {
        /// The format.
        format: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// A mesh without a convex hull.
    #[error("{0}")]
    Hull(#[from] HullError),
}

/// The path of the file that `filename` means in a model file in `folder`.
pub(super) fn find(filename: &str, folder: &Path) -> Result<PathBuf, MeshFault> {
    let path = locate::locate(filename, folder)?;
    let data = path.metadata().map_err(|error| MeshFault::Unreadable(error.to_string()))?;
    if data.is_file() { Ok(path) } else { Err(MeshFault::Unreadable("not a file".to_owned())) }
}

/// The convex hull of the mesh that `filename` means in a model file in `folder`, its coordinates multiplied by
/// `scale`.
pub(super) fn read_hull(filename: &str, folder: &Path, scale: Vector3<f64>) -> Result<ConvexHull, MeshFault> {
    let path = locate::locate(filename, folder)?;
    let mut points = read_points(&path)?;
    points.iter_mut().for_each(|p| p.component_mul_assign(&scale));
    Ok(ConvexHull::new(&points)?)
}

fn read_points(path: &Path) -> Result<Vec<Vector3<f64>>, MeshFault> {
    let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
    let read = match extension.as_deref() {
        Some("obj") => points_of_obj,
        Some("stl") => points_of_stl,
        _ => return Err(MeshFault::Format),
    };
    let unreadable = |error: std::io::Error| MeshFault::Unreadable(error.to_string());
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
    read(bytes)
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

fn points_of_stl(mut bytes: Vec<u8>) -> Result<Vec<Vector3<f64>>, MeshFault> {
    // A binary file tells its length. Many begin with the word that marks text files.
    const HEADER: usize = 84;
    const TRIANGLE: usize = 50;
    if let Some(&[a, b, c, d]) = bytes.get(80..HEADER)
        && (u32::from_le_bytes([a, b, c, d]) as usize).checked_mul(TRIANGLE) == Some(bytes.len() - HEADER)
    {
        bytes[..5].fill(0);
    }
    let mesh = stl_io::read_stl(&mut Cursor::new(bytes))
        .map_err(|error| MeshFault::Invalid { format: "STL", reason: error.to_string() })?;
    Ok(mesh.vertices.iter().map(|v| Vector3::new(v[0], v[1], v[2]).cast()).collect())
}
