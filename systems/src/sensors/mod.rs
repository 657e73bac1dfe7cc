//! Sensors of a plant.

mod axes;
mod lens;
mod link;
mod rays;
mod sampled;
mod sensor_error;

pub use lens::Lens;
pub use link::UnknownLink;
pub use sampled::SampleSettings;
pub use sensor_error::SensorError;

// The list below is written by `.ci/lists`.
mod clock;
mod contact_sensor;
mod depth_camera;
mod force_torque_sensor;
mod frame_sensor;
mod imu;
mod joint_encoder;
mod lidar;
mod magnetometer;
mod range_finder;
mod segmentation_camera;

pub use clock::{Clock, ClockSettings};
pub use contact_sensor::ContactSensor;
pub use depth_camera::DepthCamera;
pub use force_torque_sensor::ForceTorqueSensor;
pub use frame_sensor::FrameSensor;
pub use imu::{Imu, ImuError, ImuSettings};
pub use joint_encoder::JointEncoder;
pub use lidar::{Lidar, Scan};
pub use magnetometer::Magnetometer;
pub use range_finder::RangeFinder;
pub use segmentation_camera::{SegmentationCamera, Shutter};
// End of the list.
