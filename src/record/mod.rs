//! What a run tells while it runs, to files: recorded channels, and the history of step sizes.

pub mod csv;
pub mod steps;
