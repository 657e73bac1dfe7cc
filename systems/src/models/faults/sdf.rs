//! What makes an SDFormat file unusable.

use crate::models::source::{did_you_mean, quoted, quoted_list};

/// What is wrong with an SDFormat file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SdfFault {
    /// There is not exactly one model.
    #[error("an SDFormat file of one <model> is read; this has {found}{}", in_world(.world))]
    Models {
        /// How many it has.
        found: usize,
        /// Whether it has a `<world>`.
        world: bool,
    },
    /// A name that no frame, link or joint has.
    #[error("{element} names {}, which no link, joint, frame or model is called{}", quoted(.name), did_you_mean(.nearest))]
    UnknownFrame {
        /// The element.
        element: String,
        /// The name as written.
        name: String,
        /// The name that was probably meant.
        nearest: Option<String>,
    },
    /// Two of what poses may be relative to have the same name.
    #[error("a second link, joint, frame or model is named {}", quoted(.name))]
    DuplicateFrame {
        /// The name.
        name: String,
    },
    /// Poses that are relative to each other in a ring.
    #[error("the poses of {} are relative to each other in a ring", quoted_list(.frames))]
    FrameRing {
        /// The frames of the ring.
        frames: Vec<String>,
    },
    /// A frame that is fixed to no link.
    #[error("{element} names {}, which is fixed to no link", quoted(.name))]
    NoLink {
        /// The element.
        element: String,
        /// The name as written.
        name: String,
    },
    /// A pose that is no six numbers, or seven with a quaternion.
    #[error("{element} needs {expected} numbers, it has {found}")]
    Pose {
        /// The pose.
        element: String,
        /// How many numbers it needs.
        expected: usize,
        /// How many it has.
        found: usize,
    },
    /// A file that cannot be included.
    #[error("{} cannot be included: {reason}", quoted(.uri))]
    Include {
        /// The address as written.
        uri: String,
        /// Why not.
        reason: String,
    },
    /// Elements in elements without end.
    #[error("models are nested deeper than {levels} levels")]
    TooDeep {
        /// The most levels.
        levels: usize,
    },
    /// Anything else.
    #[error("{element} {what}")]
    Other {
        /// The element.
        element: String,
        /// What is wrong with it.
        what: &'static str,
    },
}

fn in_world(world: &bool) -> &'static str {
    if *world { " outside of its <world>, which is not read: write models into files of their own" } else { "" }
}
