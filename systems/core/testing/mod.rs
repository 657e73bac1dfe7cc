//! Testing one block without a diagram: a [`Bench`] evaluates it, [`conformance`] checks what every block must keep to.

mod bench;
pub mod conformance;
mod probe;
mod random;
mod sample;

pub use bench::Bench;
pub use sample::Sample;
