//! Faults of SDFormat files.

use crate::source::{did_you_mean, quoted, quoted_list};

/// Kind of a fault of an SDFormat file.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SdfFault {
    /// There is neither a world nor a model, or several worlds, or several models beside a world.
    #[error("an SDFormat file of one <world>, or of one <model> or several, is read; this has {worlds} and {models}")]
    Models {
        /// Number of models outside of worlds.
        models: usize,
        /// Number of worlds.
        worlds: usize,
    },
    /// An included file is not one model.
    #[error("a file of one <model> is included; this has {models} and {worlds} <world>")]
    Included {
        /// Number of models outside of worlds.
        models: usize,
        /// Number of worlds.
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
    /// Two frames, links or joints have the same name.
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
    /// A pose that does not have six numbers, or seven with a quaternion.
    #[error("{element} needs {expected} numbers, it has {found}")]
    Pose {
        /// The pose.
        element: String,
        /// Number of values expected.
        expected: usize,
        /// Number of values found.
        found: usize,
    },
    /// A file that cannot be included.
    #[error("{} cannot be included: {reason}", quoted(.uri))]
    Include {
        /// The address as written.
        uri: String,
        /// The reason.
        reason: String,
    },
    /// Elements nested too deep.
    #[error("models are nested deeper than {levels} levels")]
    TooDeep {
        /// Maximum number of levels.
        levels: usize,
    },
    /// Any other fault.
    #[error("{element} {what}")]
    Other {
        /// The element.
        element: String,
        /// The fault.
        what: &'static str,
    },
}

kinegraph_core::debug_is_message!(SdfFault);
