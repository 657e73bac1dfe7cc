//! Errors of a sweep.

use crate::gradient::FileGradientError;
use kinegraph_diagram::BuildError;
use kinegraph_files::LoadError;

/// Reason why a sweep is impossible or cannot continue. A run that fails is no such error: its row gives the reason.
#[derive(thiserror::Error)]
pub enum SweepError {
    /// A malformed option.
    #[error("`{text}`: {reason}")]
    Syntax {
        /// The text of the option.
        text: String,
        /// The fault.
        reason: String,
    },
    /// One parameter is varied twice.
    #[error("`{path}` is varied twice")]
    Twice {
        /// Its path.
        path: String,
    },
    /// More variations than can be counted.
    #[error("there are more than 2^53 variations")]
    TooMany,
    /// None of the first variations can be built, so the fault is in the parameter that is varied, not in a value.
    #[error("no variation can be built; the first: {0}")]
    NoneBuilds(LoadError),
    /// A measure refers to a channel that the diagram does not have.
    #[error("--measure {measure}: {fault}")]
    Measure {
        /// The measure.
        measure: String,
        /// The fault of its channel.
        fault: Box<BuildError>,
    },
    /// Derivatives that the diagram does not have.
    #[error("--derivative: {0}")]
    Derivative(Box<FileGradientError>),
    /// The rows cannot be written.
    #[error("{0}")]
    Rows(#[from] std::io::Error),
}

kinegraph_core::debug_is_message!(SweepError);

impl SweepError {
    pub(super) fn syntax(text: &str, reason: impl Into<String>) -> Self {
        SweepError::Syntax { text: text.to_owned(), reason: reason.into() }
    }
}
