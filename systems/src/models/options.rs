//! What a reader does with what is not quite right in a file.

use std::path::PathBuf;

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

/// How a model file is read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct LoadOptions {
    /// Of links with impossible numbers.
    pub inertia: InertiaPolicy,
    /// Of collision meshes that cannot be had.
    pub missing_meshes: MissingMeshes,
    /// Folders in which `package://name` is looked for first: each is the package itself, or holds it.
    pub model_paths: Vec<PathBuf>,
}
