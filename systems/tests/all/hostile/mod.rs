//! Hostile files, and damaged ones: mutations of good files from a fixed start. The reader must return soon, within its
//! memory.
//!
//! With `KINEGRAPH_FUZZ_SECONDS` each target runs for that long.

mod bombs;
mod mutations;
