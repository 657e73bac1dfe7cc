//! Blocks in which signals end.

// The list below is written by `.ci/lists`.
mod recorder;

pub use recorder::Recorder;
// End of the list.
