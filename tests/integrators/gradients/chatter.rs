//! Derivatives of boxes and capsules that are thrown at a post and chatter between it and the ground. They end within a
//! number of steps that is some times that of the run, and are right, or said to be off.

use super::compositions::{build, contact};
use super::family::{add, report};
use super::scenes::{Scene, differences, gradient};
use crate::common::Random;
use kinegraph::prelude::*;

/// Most attempts at steps, in those of the run by itself for each run that is made.
const MAX_RUNS: f64 = 60.0;
/// Speed, friction, height, stiffness, dissipation, upward speed; direction, spins.
const RANGES: [(f64, f64); 8] =
    [(1.0, 3.0), (0.1, 0.7), (0.2, 0.6), (5e3, 1e5), (0.05, 5.0), (-1.0, 1.0), (-1.0, 1.0), (-8.0, 8.0)];
const CHANNEL: &str = "plant.m.body.x";

fn thrown(model: &str, p: &[f64]) -> String {
    let contact = contact(p[1], p[3], p[4]);
    format!(
        "kinegraph: 1
systems:
  plant:
    type: multibody_plant
    contact: {contact}
    ground: {{height: 0}}
    models:
      - {{name: post, file: post.urdf, base: fixed, pose: {{xyz: [0.6, 0.02, 0.3]}}}}
      - {{name: m, file: {model}, base: floating, pose: {{xyz: [0, 0, {:?}], rpy: [{:?}, 0.4, 0.2]}},
         velocity: {{linear: [{:?}, 0.1, {:?}], angular: [1, {:?}, 2]}}}}
",
        p[2], p[6], p[0], p[5], p[7]
    )
}

/// Attempts at steps of a run.
fn attempts(scene: &impl Scene, p: &[f64], until: f64, accuracy: f64) -> f64 {
    let mut simulation = Simulation::new(&scene(p), Options::cenic(accuracy)).unwrap();
    simulation.advance_to(until).unwrap();
    (simulation.statistics().steps + simulation.statistics().rejected_steps) as f64
}

#[test]
fn thrown_bodies_that_chatter_have_derivatives() {
    let count = std::env::var("KINEGRAPH_SCENES").ok().and_then(|n| n.parse().ok()).unwrap_or(3);
    let accuracy = 1e-4;
    let mut random = Random(23);
    let mut all = [(accuracy, Vec::new())];
    let mut most = 0.0_f64;
    for i in 0..count {
        let model = ["box.urdf", "thrown.urdf"][i % 2];
        let p: Vec<f64> = RANGES.iter().map(|&(low, high)| random.between(low, high)).collect();
        let until = random.between(0.5, 0.9);
        let scene = move |p: &[f64]| build(&thrown(model, p));
        let by = [0, 1];
        let step = |by: usize, part: f64| differences(&scene, &p, by, CHANNEL, until, part * p[by]);
        let references = by.map(|by| [2e-5, 1e-5].map(|part| step(by, part)));
        add(scene, &p, &by, (CHANNEL, until), &references, &mut all);
        let found = gradient(scene, &p, &by, &format!("end({CHANNEL})"), until, accuracy);
        let runs = found.steps.1 as f64 / (5.0 * attempts(&scene, &p, until, accuracy));
        println!("{model} {p:?}: {runs:.1} runs for each");
        most = most.max(runs);
    }
    for (accuracy, silent, within, count) in report("thrown at a post", &all) {
        assert_eq!(silent, 0, "{accuracy:e}: {within} of {count} within 30");
    }
    assert!(most < MAX_RUNS, "{most} runs for each");
}
