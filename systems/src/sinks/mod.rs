//! Blocks in which signals end.

mod recorder;

pub use recorder::Recorder;
