//! Small mathematical blocks.

mod adder;
mod gain;
mod integrator;

pub use adder::Adder;
pub use gain::Gain;
pub use integrator::Integrator;
