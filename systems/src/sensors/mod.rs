//! Sensors: what a robot knows of its plant.

// The list below is written by `.ci/lists`.
mod imu;

pub use imu::{Imu, ImuError, ImuSettings};
// End of the list.
