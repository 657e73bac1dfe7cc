//! Why a sweep cannot be made.

use kinegraph_diagram::BuildError;
use kinegraph_files::LoadError;

/// Why a sweep cannot be made, or cannot go on. A run that fails is none of these: it is a row that says why.
#[derive(thiserror::Error)]
pub enum SweepError {
    /// What was typed is no such option.
    #[error("`{text}`: {reason}")]
    Syntax {
        /// What was typed.
        text: String,
        /// What is wrong with it.
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
    /// None of the first variations can be built: what is varied is at fault, not a value of it.
    #[error("no variation can be built; the first: {0}")]
    NoneBuilds(LoadError),
    /// A measure is of no channel of the diagram.
    #[error("--measure {measure}: {fault}")]
    Measure {
        /// The measure.
        measure: String,
        /// What is wrong with its channel.
        fault: Box<BuildError>,
    },
    /// The rows cannot be kept.
    #[error("{0}")]
    Rows(#[from] std::io::Error),
}

kinegraph_core::debug_is_message!(SweepError);

impl SweepError {
    pub(super) fn syntax(text: &str, reason: impl Into<String>) -> Self {
        SweepError::Syntax { text: text.to_owned(), reason: reason.into() }
    }
}
