//! Reasons why a mesh does not take part in contact, or is not drawn.

use crate::access::AccessFault;
use kinegraph_core::sizes::{OutOfRange, show_number};
use kinegraph_geometry::{ExactMeshError, HullError};

/// The largest mesh file read \[MiB\].
pub(super) const LARGEST_MIB: u64 = 64;

/// Reasons why a mesh does not take part in contact, or is not drawn.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshFault {
    /// The package of a `package://` or `model://` address is not found.
    #[error(
        "package {0:?} is not found in the folders above the file (which need a package.xml), in `model_paths` or in \
         ROS_PACKAGE_PATH and AMENT_PREFIX_PATH"
    )]
    NoPackage(String),
    /// An address of another kind.
    #[error("addresses of the form {0:?} are not understood; use package://, file:// or a path")]
    UnknownScheme(String),
    /// The file may not be opened, or is none.
    #[error("{0}")]
    Access(#[from] AccessFault),
    /// The file cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// The file is too large.
    #[error("the file is larger than {LARGEST_MIB} MiB")]
    TooLarge,
    /// A format that is not read.
    #[error("its format is not read; write it as .obj, .stl, .ply, .dae, .msh, .vtk, .gltf or .glb")]
    Format,
    /// A file that is not of its format.
    #[error("it is no valid {format} file: {reason}")]
    Invalid {
        /// The format.
        format: &'static str,
        /// The fault.
        reason: String,
    },
    /// A mesh without a convex hull.
    #[error("{0}")]
    Hull(#[from] HullError),
    /// A mesh whose triangles cannot collide.
    #[error("{0}")]
    Exact(#[from] ExactMeshError),
    /// A coordinate that is NaN or infinite.
    #[error("it has a coordinate that is not a finite number")]
    NotFinite,
    /// A mesh that is too large or too small to be a thing.
    #[error("its largest coordinate is {}, expected {expected}", show_number(*.largest))]
    Size {
        /// The largest distance of a vertex from the origin along an axis, scaled \[m\].
        largest: f64,
        /// The valid range.
        expected: OutOfRange,
    },
    /// A mesh of which no convex part is left.
    #[error("its decomposition into convex parts has no part that is a solid")]
    NoParts,
}

kinegraph_core::debug_is_message!(MeshFault);
