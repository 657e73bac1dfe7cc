//! What a reader does with what is not quite right in a file.

use super::access::FileAccess;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What is taken for the inertia of a link whose numbers no distribution of mass has: a negative mass or principal
/// moment, a rotational inertia without mass, or a principal moment above the sum of the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum InertiaPolicy {
    /// Each such link is a fault.
    Strict,
    /// The nearest inertia that a distribution of mass has, with a note.
    Project,
    /// What is written, with a note. A fault only where the rigid body that the link is welded into has negative mass
    /// or a negative principal moment: with these no motion can be computed.
    #[default]
    Raw,
}

/// What a collision mesh is that cannot be had: not found, not readable, or flat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MissingMeshes {
    /// A fault: the robot would fall through what it stands on.
    #[default]
    Error,
    /// Left out, with a note.
    Ignore,
}

/// What of a collision mesh collides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MeshCollision {
    /// Its convex hull.
    #[default]
    Hull,
    /// Convex parts that fill it nearly.
    Decomposed,
    /// Its triangles, rigid: against convex shapes, in local minima of the distance each other.
    Exact,
}

/// What of each collision mesh of a model collides.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MeshCollisions {
    /// Of all that are not named.
    pub default: MeshCollision,
    /// Of those of a link (`LINK`), or of one of them (`LINK/COLLISION`), which counts before its link.
    pub named: BTreeMap<String, MeshCollision>,
}

impl MeshCollisions {
    /// What of a mesh collides.
    pub fn of(&self, link: &str, collision: &str) -> MeshCollision {
        let one = || self.named.get(&format!("{link}/{collision}"));
        let known = if self.named.is_empty() { None } else { one().or_else(|| self.named.get(link)) };
        known.copied().unwrap_or(self.default)
    }
}

/// How a model file is read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct LoadOptions {
    /// Of links with impossible numbers.
    pub inertia: InertiaPolicy,
    /// Of collision meshes that cannot be had.
    pub missing_meshes: MissingMeshes,
    /// What of collision meshes collides.
    pub meshes: MeshCollisions,
    /// Folders in which `package://name` is looked for first: each is the package itself, or holds it.
    pub model_paths: Vec<PathBuf>,
    /// Which other files it may make its reader open, besides those of its own folder and package.
    pub access: FileAccess,
}

impl LoadOptions {
    /// What the model in the file at `path` may make its reader open.
    pub(super) fn access_of_model(&self, path: &Path) -> FileAccess {
        self.model_paths.iter().fold(self.access.of_model(path), |access, folder| access.with(folder))
    }
}
