//! Sensors: what a robot knows of its plant.

mod imu;

pub use imu::{Imu, ImuError, ImuSettings};
