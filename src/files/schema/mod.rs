//! The parts of a diagram file outside the blocks.

pub mod controlled_outputs;
pub mod diagram;
pub mod exports;
pub mod fit;
pub mod gradient;
mod integrator_name;
mod limits;
mod method_options;
pub mod nested;
pub mod record;
pub mod requirements;
pub mod simulation;
pub mod system;
mod view;
pub mod wiring;
pub mod written;
