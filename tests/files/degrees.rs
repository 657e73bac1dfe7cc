//! Angles in degrees.

use kinegraph::files::load_str;
use kinegraph::scenario::Scenario;
use std::path::Path;

/// The scenario of a double pendulum that starts as `initial` says, or its faults.
fn pendulum(initial: &str) -> Result<Scenario, String> {
    let text = format!(
        "kinegraph: 1
systems:
  plant:
    type: multibody_plant
    models: [{{name: p, file: double_pendulum.urdf, base: fixed, pose: {{rpy: [0, 90deg, 0]}}}}]
    initial: {{p: {initial}}}
  goal: {{type: constant, value: [180°, 0.5, 30deg/s]}}
simulation: {{duration: 1}}
"
    );
    let loaded =
        load_str(Path::new("examples/double_pendulum/degrees.yaml"), &text, &[]).map_err(|error| error.to_string())?;
    Scenario::build(&loaded.diagram, &loaded.loader).ok_or_else(|| loaded.failed().to_string())
}

#[test]
fn angles_in_degrees_start_where_they_say() {
    let scenario = pendulum("{j1: 90deg, j2: {q: -45°, v: 180 deg/s}}").expect("a scenario");
    let mut simulation = scenario.simulation().expect("an integrator");
    for (channel, degrees) in [("plant.p.j1.q", 90.0), ("plant.p.j2.q", -45.0), ("plant.p.j2.v", 180.0)] {
        let found = simulation.channel(channel).expect("a channel");
        assert!((found - f64::to_radians(degrees)).abs() < 1e-15, "{channel}: {found}");
    }
    let goal: Vec<f64> = (0..3).map(|i| simulation.channel(&format!("goal.output[{i}]")).expect("a channel")).collect();
    assert_eq!(goal, [f64::to_radians(180.0), 0.5, f64::to_radians(30.0)]);
}

#[test]
fn degrees_are_refused_for_numbers_that_are_no_angles() {
    let faults = pendulum("{j1: 90deg/s, j2: 90 grad}").expect_err("faults");
    assert_eq!(faults.matches("degrees.yaml:6:").count(), 2, "{faults}");
    assert!(faults.contains("a number"), "{faults}");
}
