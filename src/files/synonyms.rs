//! Names of block types in other tools and books.

/// Names elsewhere, and the block type of the same function.
pub const SYNONYMS: [(&str, &str); 48] = [
    ("pd pd_controller pi pi_controller pid_controller p_controller", "pid"),
    ("inverse_dynamics computed_torque", "inverse_dynamics_controller"),
    ("impedance", "impedance_controller"),
    ("osc operational_space", "operational_space_controller"),
    ("low_pass lowpass low_pass_filter filter first_order rc", "first_order_lag"),
    ("band_stop notch_filter", "notch"),
    ("second_order_filter", "second_order"),
    ("delay dead_time pure_delay", "transport_delay"),
    ("memory discrete_delay z_inverse", "unit_delay"),
    ("zoh hold sampler sample_and_hold", "zero_order_hold"),
    ("sum add subtract minus plus", "adder"),
    ("mux concatenate stack vector", "multiplexer"),
    ("demux split", "demultiplexer"),
    ("multiply divide times", "product"),
    ("limiter limit clamp clip saturate", "saturation"),
    ("deadzone deadband dead_band", "dead_zone"),
    ("schmitt_trigger bang_bang thermostat", "relay"),
    ("if", "switch"),
    ("selector index_switch case", "multiport_switch"),
    ("compare relational greater_than", "comparator"),
    ("flip_flop sr_latch set_reset", "latch"),
    ("edge_detector detect_rise detect_change monostable", "edge"),
    ("stopwatch elapsed", "timer"),
    ("lookup lookup_table interpolation map", "table"),
    ("fcn formula math equation", "expression"),
    ("abs sqrt sin cos exp log", "function"),
    ("min max atan2 power", "binary_function"),
    ("tf transfer_fcn", "transfer_function"),
    ("ss linear_system lti", "state_space"),
    ("discrete_filter discrete_tf zpk", "discrete_transfer_function"),
    ("discrete_ss", "discrete_state_space"),
    ("derivative differentiator du_dt", "discrete_derivative"),
    ("integrate accumulator", "integrator"),
    ("random white_noise gaussian", "noise"),
    ("square square_wave pulse_generator pwm", "pulse"),
    ("sine_wave sinusoid cosine", "sine"),
    ("sweep", "chirp"),
    ("setpoint reference value", "constant"),
    ("heaviside step_input", "step"),
    ("spline playback", "trajectory"),
    ("robot plant multibody model mechanism arm", "multibody_plant"),
    ("subsystem subdiagram", "diagram"),
    ("camera rgbd", "depth_camera"),
    ("encoder", "joint_encoder"),
    ("accelerometer gyro gyroscope", "imu"),
    ("motor", "dc_motor"),
    ("suction gripper", "vacuum_gripper"),
    ("joystick gamepad keyboard", "operator_input"),
];

/// Block type that is called `name` elsewhere.
pub fn block_type_of(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase().replace(['-', ' '], "_");
    SYNONYMS.iter().find(|(words, _)| words.split(' ').any(|word| word == name)).map(|(_, block)| *block)
}
