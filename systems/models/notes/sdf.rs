//! What a person should know about an SDFormat file that was accepted.

use crate::source::{quoted, rounded};

/// What of an SDFormat file is assumed or differs.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SdfNote {
    /// A link without mass properties.
    #[error("link {} has no {missing}; the format's default is taken, {value}", quoted(.link))]
    DefaultInertial {
        /// Name of the link.
        link: String,
        /// What is missing: mass, inertia or both.
        missing: &'static str,
        /// What is taken.
        value: &'static str,
    },
    /// A root link that does not stand at the origin.
    #[error(
        "the root link {} stands at [{}] in the file; `pose` of the model in the diagram file is that of the link",
        quoted(.link), rounded(.position)
    )]
    RootPose {
        /// Name of the link.
        link: String,
        /// Where it stands \[m\].
        position: [f64; 3],
    },
    /// Several links that nothing holds.
    #[error("{count} links are no joint's child and float each on its own, {} among them; `base` is left out", quoted(.first))]
    SeveralRoots {
        /// How many.
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
    /// Something that is simulated in another way than the file says, or not at all.
    #[error("{element} {how}")]
    Differs {
        /// The element.
        element: String,
        /// In what.
        how: &'static str,
    },
}
