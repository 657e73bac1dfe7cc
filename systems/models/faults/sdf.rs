//! What makes an SDFormat file unusable.

use crate::source::{did_you_mean, quoted, quoted_list};

/// What is wrong with an SDFormat file.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SdfFault {
    /// There is neither a world nor a model, or several worlds, or several models beside a world.
    #[error("an SDFormat file of one <world>, or of one <model> or several, is read; this has {worlds} and {models}")]
    Models {
        /// How many models it has outside of worlds.
        models: usize,
        /// How many worlds it has.
        worlds: usize,
    },
    /// An included file is not one model.
    #[error("a file of one <model> is included; this has {models} and {worlds} <world>")]
    Included {
        /// How many models it has outside of worlds.
        models: usize,
        /// How many worlds it has.
        worlds: usize,
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

kinegraph_core::debug_is_message!(SdfFault);
