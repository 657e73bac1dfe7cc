//! Controllers.

mod controller_error;
mod discrete_riccati;
mod end_effector;
mod lyapunov;
mod machine_fault;
mod matrix_sign;
mod pid_law;
mod riccati;
#[doc(hidden)]
pub mod task_inertia;

pub use controller_error::ControllerError;
pub use discrete_riccati::{discrete_lqr_gain, discrete_riccati, discretized};
pub use end_effector::EndEffector;
pub use lyapunov::lyapunov;
pub use machine_fault::{MachineError, MachineFault, MachinePlace, StatePart};
pub use matrix_sign::{inverse_and_scale, matrix_sign};
pub use pid_law::{AntiWindup, PidSettings};
pub use riccati::{RiccatiError, continuous_riccati, kalman_gain, lqr_gain};

// The list below is written by `.ci/lists`.
mod impedance_controller;
mod inverse_dynamics_controller;
mod kalman_filter;
mod lqr;
mod mixer;
mod operational_space_controller;
mod pid;
mod pid_2dof;
mod pid_on_error;
mod state_machine;

pub use impedance_controller::{Compensation, ImpedanceController, ImpedanceSettings};
pub use inverse_dynamics_controller::InverseDynamicsController;
pub use kalman_filter::{KalmanFilter, KalmanModel};
pub use lqr::{Lqr, OperatingPoint};
pub use mixer::{Mixer, Overload};
pub use operational_space_controller::{OperationalSpaceController, OperationalSpaceSettings, Task};
pub use pid::Pid;
pub use pid_2dof::{Pid2Dof, SetpointWeights};
pub use pid_on_error::PidOnError;
pub use state_machine::{Machine, MachineState, StateMachine, StateName};
// End of the list.
