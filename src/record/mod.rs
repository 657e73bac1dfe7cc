//! What a run tells while it runs, to files: recorded channels, and the history of step sizes.

pub mod csv;
mod row_file;
pub mod steps;

pub use row_file::RowFile;
