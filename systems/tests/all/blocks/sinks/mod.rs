//! Blocks in which signals end.

// The list below is written by `.ci/lists`.
mod recorder;
// End of the list.
