//! Errors of sampled sensors.

use super::link::UnknownLink;
use kinegraph_core::names::did_you_mean;
use kinegraph_core::parameter::ParameterError;

/// Reasons why a sampled sensor cannot be made.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum SensorError {
    /// A link that the plant does not have.
    #[error(transparent)]
    Link(#[from] UnknownLink),
    /// A joint that the plant does not have.
    #[error("the plant has no joint `{joint}` of one coordinate{}", did_you_mean(nearest))]
    UnknownJoint {
        /// The name.
        joint: String,
        /// The most similar name there is.
        nearest: Option<String>,
    },
    /// A number is invalid.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
}

kinegraph_core::debug_is_message!(SensorError);
