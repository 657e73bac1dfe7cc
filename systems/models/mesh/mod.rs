//! Mesh files: their paths, their triangles, and the collision shapes from them. For visual meshes, models have only
//! the path; [`read_mesh`] reads them for drawing.

pub mod bytes;
pub mod collada;
pub mod collide;
mod fault;
pub mod gltf;
mod locate;
pub mod msh;
mod obj;
pub mod ply;
pub mod stl;
mod triangles;
pub mod vtk;

pub(super) use collide::{Collides, collides};
pub use fault::MeshFault;
pub use triangles::{MeshImage, MeshPart, TriangleMesh};

use crate::access::FileAccess;
use crate::options::LoadOptions;
use bytes::Beside;
pub(super) use bytes::read_bytes;
use kinegraph_geometry::ConvexHull;
use nalgebra::Vector3;
use std::path::{Path, PathBuf};

/// The path of an address such as `package://name/path`: in `model_paths`, at or above `folder`, or in the folders of
/// the environment (`ROS_PACKAGE_PATH`, `AMENT_PREFIX_PATH`).
///
/// # Errors
/// Addresses that are not understood, packages that are not found, and paths to files that may not be opened.
pub fn locate(address: &str, folder: &Path, options: &LoadOptions) -> Result<PathBuf, MeshFault> {
    locate::locate(address, folder, &options.model_paths, &options.access)
}

/// The path of the file `filename` in a model file in `folder`.
pub(super) fn find(filename: &str, folder: &Path, options: &LoadOptions) -> Result<PathBuf, MeshFault> {
    let path = locate(filename, folder, options)?;
    options.access.check_plain(&path)?;
    Ok(path)
}

/// Number of corners above which a hull is simplified.
const MANY_CORNERS: usize = 200;

/// Largest distance of a dropped corner outside of the hull, relative to the size.
pub(super) const SIMPLIFIED: f64 = 5e-3;

/// The triangles of the mesh `filename` in a model file in `folder`, with coordinates multiplied by `scale`.
pub(super) fn read_scaled(
    filename: &str,
    folder: &Path,
    options: &LoadOptions,
    scale: Vector3<f64>,
) -> Result<TriangleMesh, MeshFault> {
    let path = find(filename, folder, options)?;
    read_found(&path, &options.access)?.scaled(&scale).measured()
}

/// The convex hull of points, simplified if it has very many corners; then with false.
pub(super) fn hull_of(points: &[Vector3<f64>]) -> Result<(ConvexHull, bool), MeshFault> {
    Ok(ConvexHull::simple(points, SIMPLIFIED, MANY_CORNERS)?)
}

/// The triangles of a mesh file of at most 64 MiB: OBJ, STL, PLY, COLLADA (`.dae`), MSH, VTK, glTF (`.gltf`, `.glb`).
/// Its nodes are placed as in the file; its axes are not turned. Files that it names (materials, buffers) are searched
/// for in its folder.
///
/// # Errors
/// A file that cannot be read, or is not of its format.
pub fn read_mesh(path: &Path) -> Result<TriangleMesh, MeshFault> {
    read_found(path, &FileAccess::default())
}

/// The files that the mesh file at `path` names and that are read with it: colours, numbers.
pub fn files_of_mesh(path: &Path) -> Vec<PathBuf> {
    let access = FileAccess::default();
    // A file that cannot be read names nothing.
    let _ = read_found(path, &access);
    access.opened()
}

/// The triangles of a file that may be opened; files that it names are recorded in `access`.
pub(super) fn read_found(path: &Path, access: &FileAccess) -> Result<TriangleMesh, MeshFault> {
    let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
    let beside = Beside::new(path, access);
    match extension.as_deref() {
        Some("obj") => obj::read(read_bytes(path)?, &beside),
        Some("stl") => stl::read(read_bytes(path)?),
        Some("dae") => collada::read(read_bytes(path)?),
        Some("msh") => msh::read(read_bytes(path)?),
        Some("ply") => ply::read(read_bytes(path)?),
        Some("vtk") => vtk::read(read_bytes(path)?),
        Some("gltf" | "glb") => gltf::read(read_bytes(path)?, &beside),
        _ => Err(MeshFault::Format),
    }
}
