//! A pendulum under PID control, composed in Rust: `cargo run --example pid_pendulum`.

use kinegraph::prelude::*;

const PENDULUM: &str = r#"<robot name="pendulum">
  <link name="base"/>
  <link name="rod">
    <inertial><origin xyz="0 0 -0.5"/><mass value="1"/>
      <inertia ixx="0.083" ixy="0" ixz="0" iyy="0.083" iyz="0" izz="0.001"/></inertial>
  </link>
  <joint name="pivot" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint>
</robot>"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let goal = 1.0; // rad

    let mut b = DiagramBuilder::new("pid_pendulum");
    let model = parse_urdf(PENDULUM, "pendulum.urdf")?.model;
    let plant = b.add("plant", PlantBuilder::new().model("pendulum", model, Base::fixed()).build()?);
    let pid = b.add("pid", Pid::new(1, 60.0, 40.0, 15.0)?);
    let desired = b.add("desired", Constant::new([goal, 0.0])?);
    b.connect(plant.state("pendulum"), pid.measured);
    b.connect(desired.output, pid.desired);
    b.connect(pid.effort, plant.actuation("pendulum"));
    let diagram = b.build()?;

    let mut simulation = Simulation::new(&diagram, Options::cenic(1e-4))?;
    simulation.advance_to(10.0)?;

    let angle = simulation.channel("plant.pendulum.pivot.q")?;
    println!("{angle:.6} rad after {} steps", simulation.statistics().steps);
    assert!((angle - goal).abs() < 1e-3, "the pendulum is not at its goal");
    Ok(())
}
