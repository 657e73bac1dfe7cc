//! Controllers.

mod inverse_dynamics_controller;
mod kalman_filter;
mod lqr;
mod lyapunov;
mod pid;
mod pid_law;
mod pid_on_error;
mod riccati;

pub use inverse_dynamics_controller::{ControllerError, InverseDynamicsController};
pub use kalman_filter::{KalmanFilter, KalmanModel};
pub use lqr::Lqr;
pub use pid::Pid;
pub use pid_law::{AntiWindup, PidSettings};
pub use pid_on_error::PidOnError;
pub use riccati::{RiccatiError, continuous_riccati, kalman_gain, lqr_gain};
