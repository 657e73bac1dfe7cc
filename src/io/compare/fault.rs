//! Errors of a comparison.

use kinegraph_engine::simulate::SimulationError;
use std::path::PathBuf;

/// Reason why a comparison is impossible.
#[derive(thiserror::Error)]
pub enum CompareError {
    /// The reference cannot be simulated.
    #[error("the reference cannot be simulated: {0}")]
    Reference(#[from] SimulationError),
    /// No run could serve as a reference.
    #[error("no reference: {integrator} at accuracy {accuracy}: {reason}")]
    NoReference {
        /// Name of the integrator.
        integrator: &'static str,
        /// The loosest accuracy that was tried.
        accuracy: f64,
        /// How its run ended.
        reason: String,
    },
    /// The file of the reference cannot be read.
    #[error("{path}: {reason}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason, with the line if there is one.
        reason: String,
    },
    /// The file of the reference has no state of this diagram.
    #[error("{path}: no column is a state of the diagram, such as {example}")]
    NoColumn {
        /// The file.
        path: PathBuf,
        /// Name of a state.
        example: String,
    },
    /// The file of the reference has no row at a time at which the runs are sampled.
    #[error("{path}: no row is of a time that is sampled: every {every} s up to {duration} s (`record.every`)")]
    NoTime {
        /// The file.
        path: PathBuf,
        /// Time between samples \[s\].
        every: f64,
        /// Time at the end \[s\].
        duration: f64,
    },
}

kinegraph_core::debug_is_message!(CompareError);
