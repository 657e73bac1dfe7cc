//! Files that are written during a run: recorded channels, whole recordings, and the history of step sizes.

pub mod csv;
pub mod json_lines;
pub mod mcap;
mod row_file;
pub mod steps;
mod whole_lines;

pub use row_file::RowFile;
pub(crate) use whole_lines::whole_lines;
