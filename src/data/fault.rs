//! Reasons why recorded signals cannot be read.

use super::samples::{MessageError, topics};
use kinegraph_core::memory::TooMuchMemory;
use kinegraph_engine::io_reason::plain_reason;
use std::io;

/// Reason why a table cannot be read.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The file cannot be read.
    #[error("it cannot be read: {}", plain_reason(.0))]
    Io(#[from] io::Error),
    /// The table needs more memory than is allowed.
    #[error(transparent)]
    Memory(#[from] TooMuchMemory),
    /// Not a table, or one with a row that is none.
    #[error("{0}")]
    Table(String),
    /// Not an MCAP file.
    #[error("it is no MCAP file: {0}")]
    Format(&'static str),
    /// A recording written by another program.
    #[error("it has no message {}: it is no recording of Kinegraph", topics::RUN)]
    Foreign,
    /// A malformed message.
    #[error(transparent)]
    Message(#[from] MessageError),
}

kinegraph_core::debug_is_message!(TableError);

/// A field as shown in a message.
pub(super) fn quoted(text: &str) -> String {
    const MAX_CHARACTERS: usize = 40;
    match text.char_indices().nth(MAX_CHARACTERS) {
        None => format!("`{text}`"),
        Some((cut, _)) => format!("`{}…`", &text[..cut]),
    }
}
