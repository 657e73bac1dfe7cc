//! Parts of runs.

mod bracket;
mod envelope;
mod pace;
mod plausibility;
mod report;
mod sample_times;
