//! Recorded signals: tables (CSV, JSON lines) and recordings (MCAP) as columns over time, by name.
//!
//! Plots, comparisons and the block `playback` read the same files by this one reader. A file whose program was stopped
//! is read up to its last whole row.

mod csv;
mod fault;
mod json_lines;
mod recording;
pub mod samples;
#[doc(hidden)]
pub mod stored;
mod table;
mod whole_lines;

pub use fault::TableError;
pub use table::{Column, Table, parse, read};
