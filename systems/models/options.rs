//! Options of a reader for imperfect files.

use super::access::FileAccess;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Treatment of links with an impossible inertia: a negative mass or principal moment, a rotational inertia without
/// mass, or a principal moment above the sum of the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum InertiaPolicy {
    /// Each such link is a fault.
    Strict,
    /// The nearest possible inertia is used, with a note.
    Project,
    /// The written inertia is used, with a note. It is a fault only if the rigid body that the link is welded into has
    /// negative mass or a negative principal moment: with these no motion can be computed.
    #[default]
    Raw,
}

/// Treatment of collision meshes that are not found, not readable, or flat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MissingMeshes {
    /// A fault: the robot would fall through its support.
    #[default]
    Error,
    /// Left out, with a note.
    Ignore,
}

/// Collision geometry of a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MeshCollision {
    /// Its convex hull.
    #[default]
    Hull,
    /// Convex parts that nearly fill it.
    Decomposed,
    /// Its triangles, rigid: against convex shapes, and against each other in local minima of the distance.
    Exact,
}

/// Collision geometry of each mesh of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MeshCollisions {
    /// For all meshes that are not named.
    pub default: MeshCollision,
    /// For those of a link (`LINK`), or for a single one (`LINK/COLLISION`), which takes precedence.
    pub named: BTreeMap<String, MeshCollision>,
}

impl MeshCollisions {
    /// Collision geometry of a mesh.
    pub fn of(&self, link: &str, collision: &str) -> MeshCollision {
        let one = || self.named.get(&format!("{link}/{collision}"));
        let known = if self.named.is_empty() { None } else { one().or_else(|| self.named.get(link)) };
        known.copied().unwrap_or(self.default)
    }
}

/// Options for reading a model file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct LoadOptions {
    /// Treatment of links with impossible inertia.
    pub inertia: InertiaPolicy,
    /// Treatment of unusable collision meshes.
    pub missing_meshes: MissingMeshes,
    /// Collision geometry of meshes.
    pub meshes: MeshCollisions,
    /// Folders in which `package://name` is searched for first: each is the package itself, or contains it.
    pub model_paths: Vec<PathBuf>,
    /// Other files that it may make its reader open, besides those of its own folder and package.
    pub access: FileAccess,
}

impl LoadOptions {
    /// Access of the model in the file at `path`.
    pub(super) fn access_of_model(&self, path: &Path) -> FileAccess {
        self.model_paths.iter().fold(self.access.of_model(path), |access, folder| access.with(folder))
    }
}
