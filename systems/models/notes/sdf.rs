//! Notes on accepted SDFormat files.

use crate::source::{quoted, rounded};

/// Kind of a note on an SDFormat file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SdfNote {
    /// A link without mass properties.
    #[error("link {} has no {missing}; the format's default is taken, {value}", quoted(.link))]
    DefaultInertial {
        /// Name of the link.
        link: String,
        /// The missing part: mass, inertia or both.
        missing: &'static str,
        /// The value assumed.
        value: &'static str,
    },
    /// A root link that is not at the origin.
    #[error(
        "the root link {} stands at [{}] in the file; `pose` of the model in the diagram file is that of the link",
        quoted(.link), rounded(.position)
    )]
    RootPose {
        /// Name of the link.
        link: String,
        /// Its position \[m\].
        position: [f64; 3],
    },
    /// Several unattached links.
    #[error("{count} links are no joint's child and float each on its own, {} among them; `base` is left out", quoted(.first))]
    SeveralRoots {
        /// Their number.
        count: usize,
        /// The first of them.
        first: String,
    },
    /// A file of a version in which axes are in the frame of the model.
    #[error(
        "the file is of SDFormat {version}: the axes of its joints are in the frame of the model, not of the joint"
    )]
    AxesInModel {
        /// The version.
        version: String,
    },
    /// Something that is simulated differently from the file, or not at all.
    #[error("{element} {how}")]
    Differs {
        /// The element.
        element: String,
        /// The difference.
        how: &'static str,
    },
}
