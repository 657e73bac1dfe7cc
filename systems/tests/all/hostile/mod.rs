//! Files that mean harm, and files that came to it: mutations of good ones from a fixed start. The reader answers, soon
//! and within its memory.
//!
//! With `KINEGRAPH_FUZZ_SECONDS` each target goes on for that long.

mod bombs;
mod mutations;
