//! Sensors of a diagram file: what they read of a pendulum that hangs at rest.

use kinegraph::files::load_str;
use kinegraph::scenario::Scenario;
use std::path::Path;

const HANGING: &str = "kinegraph: 1
systems:
  plant:
    type: multibody_plant
    models: [{name: arm, file: rod.urdf, base: fixed}]
  joint: {type: force_torque_sensor, plant: plant, link: arm/rod}
  tip: {type: frame_sensor, plant: plant, link: arm/rod, pose: {xyz: [0, 0, -1]}}
  seen: {type: frame_sensor, plant: plant, link: arm/rod, pose: {xyz: [0, 0, -1]}, reference: arm/base}
connections:
  - plant.body_poses -> joint.body_poses
  - plant.reaction_forces -> joint.spatial_forces
  - plant.body_poses -> tip.body_poses
  - plant.body_velocities -> tip.body_velocities
  - plant.body_poses -> seen.body_poses
  - plant.body_velocities -> seen.body_velocities
simulation: {duration: 0.1}
";

const ROD: &str = r#"<robot name="rod"><link name="base"/><link name="rod"><inertial><origin xyz="0 0 -0.5"/><mass value="2"/>
<inertia ixx="0.2" iyy="0.2" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="pivot" type="continuous"><parent link="base"/><child link="rod"/><origin xyz="0 0 3"/><axis xyz="0 1 0"/></joint>
</robot>"#;

#[test]
fn a_pendulum_at_rest_weighs_on_its_joint_and_its_tip_hangs_below() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sensors");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("rod.urdf"), ROD).expect("a file");
    let loaded = load_str(&folder.join("d.yaml"), HANGING, &[]).expect("a file without faults");
    let scenario = Scenario::build(&loaded.diagram, &loaded.loader);
    let scenario = scenario.unwrap_or_else(|| panic!("{}", loaded.failed()));
    let mut simulation = scenario.simulation().expect("an integrator");
    simulation.advance_to(0.1).expect("a run");
    let weight = 2.0 * 9.81;
    for (channel, expected) in [("joint.force[0]", 0.0), ("joint.force[2]", weight), ("joint.torque[1]", 0.0)] {
        let found = simulation.channel(channel).expect("a channel");
        assert!((found - expected).abs() < 1e-9, "{channel}: {found} instead of {expected}");
    }
    // Positions are the first three numbers of a pose.
    for block in ["tip", "seen"] {
        let found: Vec<f64> =
            (0..3).map(|i| simulation.channel(&format!("{block}.pose[{i}]")).expect("a channel")).collect();
        assert!(found[0].abs() < 1e-12 && (found[2] - 2.0).abs() < 1e-12, "{block}: {found:?}");
    }
}
