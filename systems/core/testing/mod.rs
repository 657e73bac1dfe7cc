//! Tests of one block without a diagram: a [`Bench`] evaluates it, [`conformance`] checks the rules for every block.

mod bench;
pub mod conformance;
mod probe;
mod random;
mod sample;

pub use bench::Bench;
pub use sample::Sample;
