//! Faults of controllers that have their own model of an arm.

use kinegraph_core::names::did_you_mean;
use kinegraph_core::parameter::ParameterError;
use kinegraph_multibody::AssemblyErrors;

/// Reasons why a controller cannot be made.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ControllerError {
    /// Its model does not assemble.
    #[error(transparent)]
    Model(#[from] AssemblyErrors),
    /// A gain is invalid.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The model does not have the controlled link.
    #[error("the model has no link `{link}`{}", did_you_mean(nearest))]
    UnknownLink {
        /// The name.
        link: String,
        /// The most similar name there is.
        nearest: Option<String>,
    },
    /// The controlled link does not move.
    #[error("link `{link}` is fixed to the root of the model: no joint moves it")]
    FixedLink {
        /// The name.
        link: String,
    },
    /// A joint that does not have one position per velocity.
    #[error("joint `{joint}` turns about every axis, but a controller needs joints of one axis each")]
    ManyAxes {
        /// The name.
        joint: String,
    },
}

kinegraph_core::debug_is_message!(ControllerError);
