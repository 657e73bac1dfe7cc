//! The fixed-step convex step is of first order: its error against an independent reference halves with the step.

use crate::common::*;
use kinegraph::diagram::Diagram;
use kinegraph::systems::models::read_urdf;
use kinegraph::systems::multibody::{Base, PlantBuilder};
use std::path::Path;

#[derive(serde::Deserialize)]
struct Reference {
    t: Vec<f64>,
    q_names: Vec<String>,
    q: Vec<Vec<f64>>,
}

/// The scene of a reference motion, from rest; `prefix` is the model's name in it.
fn scene(name: &str, model: &str, prefix: &str) -> (Diagram, Reference) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let text = std::fs::read_to_string(folder.join(format!("reference/{name}.json"))).unwrap();
    let reference: Reference = serde_json::from_str(&text).unwrap();
    let model = read_urdf(folder.join(format!("scenes/{name}/{model}.urdf"))).unwrap().model;
    let mut plant = PlantBuilder::new().model(prefix, model, Base::fixed());
    for (q_name, q) in reference.q_names.iter().zip(&reference.q[0]) {
        let joint = q_name.strip_prefix(&format!("{prefix}_")).and_then(|n| n.strip_suffix("_q")).unwrap();
        plant = plant.initial(format!("{prefix}/{joint}"), *q, 0.0);
    }
    (alone(plant), reference)
}

fn halves(name: &str, model: &str, prefix: &str) {
    let (diagram, reference) = scene(name, model, prefix);
    let expected = &reference.q[reference.t.iter().position(|t| *t == 0.5).unwrap()];
    let error = |h: f64| {
        let simulation = run(&diagram, icf(h), 0.5);
        let q = &simulation.state().continuous[..expected.len()];
        q.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    let errors: Vec<f64> = (0..5).map(|k| error(1e-3 / f64::from(1 << k))).collect();
    for pair in errors.windows(2) {
        let ratio = pair[0] / pair[1];
        assert!((1.8..2.2).contains(&ratio), "{ratio}: {errors:?}");
    }
}

#[test]
fn error_of_a_double_pendulum_halves_with_the_step() {
    halves("double_pendulum", "double_pendulum", "dp");
}

#[test]
fn error_of_a_seven_joint_arm_halves_with_the_step() {
    halves("arm7", "arm", "arm");
}
