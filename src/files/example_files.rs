//! The files that examples of block types name.

/// A file that an example names: its name and its text.
pub type ExampleFile = (&'static str, &'static str);

/// A pendulum with a motor.
pub(super) const PENDULUM: ExampleFile = (
    "pendulum.urdf",
    r#"<robot name="pendulum">
  <link name="base"/>
  <link name="rod">
    <inertial><origin xyz="0 0 -0.5"/><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="pivot" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint>
</robot>
"#,
);

/// A motor with its controller.
pub(super) const SERVO: ExampleFile = (
    "servo.yaml",
    "kinegraph: 1
systems:
  pid: {type: pid, kp: 4, kd: 3, ki: 1}
  motor: {type: integrator, initial: [0, 0]}
connections:
  - motor.output -> pid.measured
exports:
  inputs: {reference: pid.desired, rate: motor.input}
  outputs: {effort: pid.effort}
",
);
