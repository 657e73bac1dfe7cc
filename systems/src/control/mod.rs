//! Controllers.

mod inverse_dynamics_controller;
mod pid;

pub use inverse_dynamics_controller::{ControllerError, InverseDynamicsController};
pub use pid::Pid;
