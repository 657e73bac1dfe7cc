//! Sensors: what a robot knows of its plant.

mod axes;
mod link;
#[cfg(test)]
mod two_bodies;

pub use link::UnknownLink;

// The list below is written by `.ci/lists`.
mod force_torque_sensor;
mod frame_sensor;
mod imu;

pub use force_torque_sensor::ForceTorqueSensor;
pub use frame_sensor::FrameSensor;
pub use imu::{Imu, ImuError, ImuSettings};
// End of the list.
