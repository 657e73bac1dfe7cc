//! Sensors: what a robot knows of its plant.

// The list below is written by `.ci/lists`.
mod force_torque_sensor;
mod imu;

pub use force_torque_sensor::{ForceTorqueSensor, UnknownLink};
pub use imu::{Imu, ImuError, ImuSettings};
// End of the list.
