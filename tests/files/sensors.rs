//! Sensors of a diagram file: their readings of a pendulum that hangs at rest.

use kinegraph::files::load_str;
use kinegraph::scenario::Scenario;
use kinegraph::simulate::{Simulation, held_read_outs};
use std::path::Path;
use std::sync::Once;

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

/// The diagram of this text at a time.
fn simulated(text: &str, time: f64) -> Simulation {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sensors");
    // Tests run beside each other: none reads the model while another writes it.
    static WRITTEN: Once = Once::new();
    WRITTEN.call_once(|| {
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("rod.urdf"), ROD).expect("a file");
    });
    let loaded = load_str(&folder.join("d.yaml"), text, &[]).unwrap_or_else(|error| panic!("{error}"));
    let scenario = Scenario::build(&loaded.diagram, &loaded.loader);
    let scenario = scenario.unwrap_or_else(|| panic!("{}", loaded.failed()));
    let mut simulation = scenario.simulation().expect("an integrator");
    simulation.advance_to(time).expect("a run");
    simulation
}

/// A force that a continuous block reads is that of the last step: a note names the sensor that reads it.
#[test]
fn a_reaction_that_continuous_state_depends_on_is_named() {
    let named = |systems: &str, wires: &str| {
        let text = HANGING.replace("connections:", &format!("{systems}connections:"));
        let text = text.replace("simulation:", &format!("{wires}simulation:"));
        let simulation = simulated(&text, 0.0);
        held_read_outs(simulation.diagram()).iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert!(named("", "").is_empty());
    let impulse = "  impulse: {type: integrator, initial: [0]}\n";
    let held = named(impulse, "  - joint.force[2] -> impulse.input\n");
    assert_eq!(held.len(), 1, "{held:?}");
    assert!(held[0].starts_with("`joint` reads `plant.reaction_forces` of the last step"), "{held:?}");
    let sampled = format!("{impulse}  sampled: {{type: zero_order_hold, period: 0.01}}\n");
    let wires = "  - joint.force[2] -> sampled.input\n  - sampled.output -> impulse.input\n";
    assert!(named(&sampled, wires).is_empty());
}

#[test]
fn a_pendulum_at_rest_weighs_on_its_joint_and_its_tip_hangs_below() {
    let mut simulation = simulated(HANGING, 0.1);
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

/// Sampled sensors at the tip of the rod, two metres above the ground: closed forms, at exact times.
#[test]
fn sampled_sensors_read_what_stands_below_the_tip() {
    let text = "kinegraph: 1
systems:
  plant: {type: multibody_plant, ground: {height: 0}, models: [{name: arm, file: rod.urdf, base: fixed}], initial: {arm: {pivot: {q: 0, v: 0}}}}
  time: {type: clock, period: 0.03, latency: 0.05, start: 10}
  angle: {type: joint_encoder, plant: plant, joints: [arm/pivot], counts_per_turn: 1000, period: 0.01, bias: 0.01}
  touch: {type: contact_sensor, plant: plant, link: arm/rod, period: 0.01}
  below: {type: range_finder, plant: plant, link: arm/rod, pose: {xyz: [0, 0, -1], rpy: [0, 90°, 0]}, max_range: 5, period: 0.01, resolution: 0.3}
  around: {type: lidar, plant: plant, link: arm/rod, pose: {xyz: [0, 0, -1]}, columns: 4, elevations: [-30°, 0], max_range: 50, period: 0.05}
  camera: {type: depth_camera, plant: plant, link: arm/rod, pose: {xyz: [0, 0, -1], rpy: [180°, 0, 0]}, columns: 5, rows: 3, max_depth: 10, period: 0.05, latency: 0.02}
  compass: {type: magnetometer, plant: plant, link: arm/rod, pose: {rpy: [0, 0, 90°]}, magnetic_field: [1, 2, 3], period: 0.01}
connections:
  - plant.state -> angle.state
  - plant.body_poses -> touch.body_poses
  - plant.contact_results -> touch.contact_results
  - plant.body_poses -> below.body_poses
  - plant.body_poses -> around.body_poses
  - plant.body_poses -> camera.body_poses
  - plant.body_poses -> compass.body_poses
simulation: {duration: 0.1}
";
    let mut simulation = simulated(text, 0.1);
    let count = std::f64::consts::TAU / 1000.0;
    for (channel, expected) in [
        // Readings at 0, 0.03 and 0.06 s; that of 0.03 s is there from 0.08 s on.
        ("time.time", 10.03),
        ("angle.arm.pivot.position", (0.01 / count).round() * count),
        ("angle.arm.pivot.velocity", 0.0),
        ("touch.force[2]", 0.0),
        ("touch.touching", 0.0),
        ("below.range", 2.1),
        ("around.ranges[1]", 4.0),
        ("around.ranges[5]", 50.0),
        ("camera.depth[0]", 2.0),
        ("camera.depth[14]", 2.0),
        ("compass.field[0]", 2.0),
        ("compass.field[1]", -1.0),
    ] {
        let found = simulation.channel(channel).unwrap_or_else(|error| panic!("{channel}: {error}"));
        assert!((found - expected).abs() < 1e-9, "{channel}: {found} instead of {expected}");
    }
}
