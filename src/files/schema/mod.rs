//! The parts of a diagram file outside the blocks.

pub mod connection;
pub mod diagram;
pub mod exports;
pub mod nested;
pub mod record;
mod sap;
pub mod simulation;
pub mod system;
mod theta_gamma;
mod view;
