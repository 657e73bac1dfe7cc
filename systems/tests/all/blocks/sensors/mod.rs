//! Sensors.

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
mod sampled;
mod segmentation_camera;
mod two_bodies;
// End of the list.
