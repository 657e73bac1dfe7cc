//! Errors decrease with the step as orders predict: of the fixed-step convex step against an independent reference, of
//! every method with error control with the steps that it chose, in free motion and in soft contact.

use crate::common::*;
use kinegraph::diagram::Diagram;
use kinegraph::integrators::{ErrorWeights, METHODS, OfOptions, Options};
use kinegraph::systems::models::read_urdf;
use kinegraph::systems::multibody::plant::ContactParameters;
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

/// A method with error control, its order in free motion, and an accuracy below which its errors have this order.
type Controlled = (fn(f64) -> Options, f64, f64);

const CONTROLLED: [Controlled; 8] = [
    (Options::cenic, 4.0, 1e-4),
    (Options::cenic_trapezoid, 2.0, 1e-3),
    (Options::rk3, 3.0, 1e-4),
    (Options::bs23, 3.0, 1e-4),
    (Options::dopri5, 5.0, 1e-4),
    (Options::sdirk2, 2.0, 1e-4),
    (Options::ros2, 2.0, 1e-3),
    (Options::implicit_euler, 1.0, 1e-3),
];

/// The power of the number of steps with which the error at time `end` decreases while the accuracy decreases by
/// `factor`.
fn slope(diagram: &Diagram, options: impl Fn(f64) -> Options, start: f64, factor: f64, exact: &[f64], end: f64) -> f64 {
    let [coarse, fine] = [start, start * factor].map(|accuracy| {
        let simulation = run(diagram, options(accuracy), end);
        let errors = simulation.state().continuous.iter().zip(exact).map(|(a, b)| (a - b).abs());
        (simulation.statistics().steps as f64, errors.fold(0.0, f64::max))
    });
    (coarse.1 / fine.1).ln() / (fine.0 / coarse.0).ln()
}

#[test]
fn every_controlled_error_falls_by_its_order() {
    assert_eq!(CONTROLLED.len(), METHODS.iter().filter(|method| method.options.contains(&"accuracy")).count());
    for (name, model, prefix) in [("double_pendulum", "double_pendulum", "dp"), ("arm7", "arm", "arm")] {
        let (diagram, reference) = scene(name, model, prefix);
        let exact = run(&diagram, Options::dopri5(1e-12), 0.5).state().continuous.clone();
        // The reference has seven digits.
        let expected = &reference.q[reference.t.iter().position(|t| *t == 0.5).unwrap()];
        assert!(exact.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-7), "{exact:?} {expected:?}");
        for (options, order, start) in CONTROLLED {
            let found = slope(&diagram, options, start, 1e-2, &exact, 0.5);
            assert!(found > order - 0.3, "{name}, {:?}: {found}", options(start).integrator);
        }
    }
}

/// Contact forces begin with a kink, which reduces the order of methods of higher order: methods of order two or more
/// have at least order two. Velocities are included in the error, since impacts matter.
#[test]
fn every_controlled_error_falls_in_soft_contact() {
    let soft = ContactParameters { stiction_tolerance: 0.1, ..contact(1e4, 2.0, 0.5) };
    let mut plant = PlantBuilder::new().ground(0.0).contact(soft);
    for (name, p, v) in [
        ("a", [0.0, 0.0, 0.06], [0.5, 0.0, 0.0]),
        ("b", [0.07, 0.01, 0.17], [0.0, 0.0, -0.5]),
        ("c", [0.0, 0.02, 0.29], [0.0, 0.0, -0.8]),
    ] {
        plant = plant.model(name, ball(std::f64::consts::FRAC_PI_6, 0.05), thrown(p, [0.0; 3], v));
    }
    let diagram = alone(plant);
    let exact = run(&diagram, Options::dopri5(1e-11), 0.2).state().continuous.clone();
    for (options, order, _) in CONTROLLED {
        let by_state = |accuracy| Options { error_weights: ErrorWeights::STATE, ..options(accuracy) };
        let start = if order == 1.0 { 1e-4 } else { 1e-3 };
        let found = slope(&diagram, by_state, start, if order == 1.0 { 1e-1 } else { 1e-3 }, &exact, 0.2);
        assert!(found > order.min(2.0) - 0.3, "{:?}: {found}", options(start).integrator);
    }
}
