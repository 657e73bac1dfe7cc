//! Figure 14: a block of 1 kg on a belt that goes to and fro (`conveyor`), friction 0.5 at rest and 0.3 in motion:
//! force and velocity at the end of every step.

use crate::chart::{Axis, Curve, Figure, Panel, Style, thinned};
use crate::measure::controlled;
use crate::output::{Outcome, Output, number};
use crate::scenes::scene;
use kinegraph::simulate::Simulation;

const ACCURACIES: [f64; 3] = [1e-2, 1e-3, 1e-4];
/// Simulated time \[s\].
const DURATION: f64 = 2.0;
/// Weight of the block \[N\]; coefficients of friction at rest and in motion.
const WEIGHT: f64 = 9.81;
const FRICTION: [f64; 2] = [0.5, 0.3];

/// Runs it.
pub fn run(output: &Output) -> Outcome {
    let scenario = scene("conveyor", &[])?;
    let (mut forces, mut speeds, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    for (index, accuracy) in ACCURACIES.into_iter().enumerate() {
        let mut simulation = Simulation::new(&scenario.diagram, controlled("cenic", accuracy))?;
        let (mut force, mut speed) = (Vec::new(), Vec::new());
        while simulation.time() < DURATION {
            simulation.step(DURATION)?;
            let time = simulation.time();
            let along = simulation.contact_results("plant")?.force_on("block/block")[0];
            let slip = simulation.channel("plant.block.block.vx")? - simulation.channel("plant.belt.slide.v")?;
            force.push((time, along));
            speed.push((time, slip));
            rows.push(vec![number(accuracy), format!("{time:.6}"), number(along), number(slip)]);
        }
        eprintln!("  fig14: {accuracy:e}: {} steps", force.len());
        let style = Style::line(index);
        let panel = |title: String, label: &str, points: &[(f64, f64)], most: f64| Panel {
            title,
            x: Axis::linear("time [s]").within(0.0, DURATION),
            y: Axis::linear(label).within(-most, most),
            curves: vec![Curve { style, points: thinned(points, 700), ..Curve::default() }],
            ..Panel::default()
        };
        let mut above = panel(format!("accuracy {accuracy:e}"), "friction force [N]", &force, 7.0);
        for mu in FRICTION {
            above.levels.push((mu * WEIGHT, format!("{mu} m g")));
            above.levels.push((-mu * WEIGHT, String::new()));
        }
        forces.push(above);
        speeds.push(panel(String::new(), "velocity on the belt [m/s]", &speed, 1.5));
    }
    output.csv("fig14", &["accuracy", "time_s", "friction_N", "velocity_on_belt_m_s"], &rows)?;
    let title = "Figure 14: a block on an oscillating belt (conveyor)".into();
    output.figure(
        "fig14",
        &Figure { title, rows: vec![forces, speeds], legend: Vec::new(), panel: (420, 300), filled: false },
    )
}
