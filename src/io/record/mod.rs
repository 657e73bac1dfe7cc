//! Files that are written during a run: recorded channels, whole recordings, and the history of step sizes.

pub mod csv;
pub mod json_lines;
pub mod mcap;
mod row_file;
pub mod steps;

pub use row_file::RowFile;
