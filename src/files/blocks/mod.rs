//! Forms of block types in diagram files, one per file: parameters, and how the block is built from them.

mod catalog;
mod end_effector;
mod gravity;
mod lens;
mod linear_system;
mod network;
mod pid_settings;
mod plant_beside;
mod riccati;
mod robot_model;
mod sampled_sensor;
mod sampling;
mod sliding;
mod truth;

use crate::block_type::BlockType;

// The list below is written by `.ci/lists`.
pub mod adder;
pub mod angle_difference;
pub mod backlash;
pub mod binary_function;
pub mod butterworth;
pub mod chirp;
pub mod clock;
pub mod comparator;
pub mod constant;
pub mod contact_sensor;
pub mod conveyor_belt;
pub mod counter;
pub mod dc_motor;
pub mod dead_zone;
pub mod demultiplexer;
pub mod depth_camera;
pub mod diagram;
pub mod discrete_derivative;
pub mod discrete_state_space;
pub mod discrete_transfer_function;
pub mod edge;
pub mod electrical_network;
pub mod expression;
pub mod first_order_lag;
pub mod force_torque_sensor;
pub mod frame_sensor;
pub mod friction;
pub mod function;
pub mod gain;
pub mod hydraulic_network;
pub mod hysteresis;
pub mod impedance_controller;
pub mod imu;
pub mod integrator;
pub mod inverse_dynamics_controller;
pub mod joint_encoder;
pub mod kalman_filter;
pub mod latch;
pub mod lead_lag;
pub mod lidar;
pub mod lqr;
pub mod lugre_friction;
pub mod magnetometer;
pub mod matrix_gain;
pub mod mixer;
pub mod model_sensor;
pub mod moving_average;
pub mod multibody_plant;
pub mod multiplexer;
pub mod multiport_switch;
pub mod noise;
pub mod notch;
pub mod operational_space_controller;
pub mod operator_input;
pub mod pid;
pub mod pid_2dof;
pub mod piecewise_polynomial;
pub mod playback;
pub mod product;
pub mod pulse;
pub mod quantizer;
pub mod quaternion;
pub mod ramp;
pub mod range_finder;
pub mod rate_limiter;
pub mod rate_transition;
pub mod recorder;
pub mod relay;
pub mod saturation;
pub mod second_order;
pub mod segmentation_camera;
pub mod sine;
pub mod state_machine;
pub mod state_space;
pub mod step;
pub mod switch;
pub mod table;
pub mod thermal;
pub mod thermal_network;
pub mod timer;
pub mod trajectory;
pub mod transfer_function;
pub mod transport_delay;
pub mod unit_delay;
pub mod vacuum_gripper;
pub mod variable_delay;
pub mod waypoints;
pub mod zero_order_hold;

/// The block types of the library.
const TYPES: &[BlockType] = &[
    adder::TYPE,
    angle_difference::TYPE,
    backlash::TYPE,
    binary_function::TYPE,
    butterworth::TYPE,
    chirp::TYPE,
    clock::TYPE,
    comparator::TYPE,
    constant::TYPE,
    contact_sensor::TYPE,
    conveyor_belt::TYPE,
    counter::TYPE,
    dc_motor::TYPE,
    dead_zone::TYPE,
    demultiplexer::TYPE,
    depth_camera::TYPE,
    diagram::TYPE,
    discrete_derivative::TYPE,
    discrete_state_space::TYPE,
    discrete_transfer_function::TYPE,
    edge::TYPE,
    electrical_network::TYPE,
    expression::TYPE,
    first_order_lag::TYPE,
    force_torque_sensor::TYPE,
    frame_sensor::TYPE,
    friction::TYPE,
    function::TYPE,
    gain::TYPE,
    hydraulic_network::TYPE,
    hysteresis::TYPE,
    impedance_controller::TYPE,
    imu::TYPE,
    integrator::TYPE,
    inverse_dynamics_controller::TYPE,
    joint_encoder::TYPE,
    kalman_filter::TYPE,
    latch::TYPE,
    lead_lag::TYPE,
    lidar::TYPE,
    lqr::TYPE,
    lugre_friction::TYPE,
    magnetometer::TYPE,
    matrix_gain::TYPE,
    mixer::TYPE,
    model_sensor::TYPE,
    moving_average::TYPE,
    multibody_plant::TYPE,
    multiplexer::TYPE,
    multiport_switch::TYPE,
    noise::TYPE,
    notch::TYPE,
    operational_space_controller::TYPE,
    operator_input::TYPE,
    pid::TYPE,
    pid_2dof::TYPE,
    piecewise_polynomial::TYPE,
    playback::TYPE,
    product::TYPE,
    pulse::TYPE,
    quantizer::TYPE,
    quaternion::TYPE,
    ramp::TYPE,
    range_finder::TYPE,
    rate_limiter::TYPE,
    rate_transition::TYPE,
    recorder::TYPE,
    relay::TYPE,
    saturation::TYPE,
    second_order::TYPE,
    segmentation_camera::TYPE,
    sine::TYPE,
    state_machine::TYPE,
    state_space::TYPE,
    step::TYPE,
    switch::TYPE,
    table::TYPE,
    thermal::TYPE,
    thermal_network::TYPE,
    timer::TYPE,
    trajectory::TYPE,
    transfer_function::TYPE,
    transport_delay::TYPE,
    unit_delay::TYPE,
    vacuum_gripper::TYPE,
    variable_delay::TYPE,
    waypoints::TYPE,
    zero_order_hold::TYPE,
];
// End of the list.
