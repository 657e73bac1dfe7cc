//! Small mathematical blocks.

mod adder;
mod gain;

pub use crate::dynamics::Integrator;
pub use adder::Adder;
pub use gain::Gain;
