//! Files that are named by the examples of block types.

/// Name and text of a file that an example names.
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

/// A mast with a lidar, in Gazebo's format.
pub(super) const SCANNER: ExampleFile = (
    "scanner.urdf",
    r#"<robot name="scanner">
  <link name="base"/>
  <link name="mast">
    <inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="turn" type="continuous"><parent link="base"/><child link="mast"/><axis xyz="0 0 1"/></joint>
  <gazebo reference="mast">
    <sensor name="front" type="lidar">
      <pose>0.2 0 1 0 0 0</pose>
      <update_rate>20</update_rate>
      <lidar>
        <scan><horizontal><samples>12</samples><min_angle>-1.5</min_angle><max_angle>1.5</max_angle></horizontal></scan>
        <range><max>20</max></range>
        <noise><type>gaussian</type><stddev>0.01</stddev></noise>
      </lidar>
    </sensor>
  </gazebo>
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

/// A recorded signal.
pub(super) const SAMPLES: ExampleFile = ("samples.csv", "time,effort [N m]\n0,0\n0.5,1\n1,-1\n");
