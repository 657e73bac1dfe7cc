//! Controllers.

mod pid;

pub use pid::Pid;
