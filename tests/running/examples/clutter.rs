//! Bodies dropped into a bin: all of them stay in it, no body passes through another, the bin carries their weight, and
//! each body that lies flat is as high as the bodies below it.

use super::{run_at, steps};
use crate::reference::Samples;
use kinegraph::simulate::RunReport;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

const G: f64 = 9.81;
/// Half the inner width of the bin, and half of what any of the bodies measures [m].
const HALF_BIN: f64 = 0.2;
/// How high its walls are \[m\].
const WALL: f64 = 0.4;
const HALF: f64 = 0.05;
/// A ball of 0.1 m and of water's density [kg].
const BALL: f64 = std::f64::consts::FRAC_PI_6;

const CHANNELS: &str = "record.channels=[plant.bin.bin.contact.fz, plant.state]";

/// Final position and orientation of a body.
fn place(samples: &Samples, name: &str) -> (Vector3<f64>, UnitQuaternion<f64>) {
    let kind = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let [x, y, z, qw, qx, qy, qz] =
        ["x", "y", "z", "qw", "qx", "qy", "qz"].map(|c| samples.last(&format!("plant.{name}.{kind}.{c}")));
    (Vector3::new(x, y, z), UnitQuaternion::from_quaternion(Quaternion::new(qw, qx, qy, qz)))
}

/// Common checks of both heaps; `slack` is the allowed overlap of bodies.
fn check_heap(names: &[String], weight: f64, slack: f64, (report, samples): &(RunReport, Samples), which: &str) {
    let places: Vec<_> = names.iter().map(|name| place(samples, name).0).collect();
    for (i, p) in places.iter().enumerate() {
        // Corners reach further than faces. What lies on the heap above the walls may lean over them.
        let room = if p.z > WALL { HALF_BIN } else { HALF_BIN - HALF + slack };
        let inside = |x: f64| x.abs() < room;
        assert!(inside(p.x) && inside(p.y) && p.z > HALF - slack, "{which}: {} is at {p}", names[i]);
        for (j, q) in places[..i].iter().enumerate() {
            let apart = (p - q).norm();
            assert!(apart > 2.0 * HALF - slack, "{which}: {} is {apart} m from {}", names[i], names[j]);
        }
    }
    let carried = -samples.last("plant.bin.bin.contact.fz");
    assert!((carried - weight).abs() < 0.02 * weight, "{which}: the bin carries {carried} N of {weight} N");
    let (start, end) = (report.energy_start.expect("a plant"), report.energy_end.expect("a plant"));
    assert!(end < 0.5 * start, "{which}: {start} J became {end} J");
}

#[test]
fn soft_balls_lie_in_the_bin() {
    let names: Vec<String> = (0..20).map(|i| format!("ball{i}")).collect();
    for accuracy in ["1e-1", "1e-2", "1e-3"] {
        let run = run_at("soft_clutter", accuracy, &[CHANNELS]);
        // The hardest impact: a ball from 0.85 m, √(m/k) times its speed deep; dissipation takes some of it.
        let (deepest, bound) = (run.0.statistics.max_penetration, (BALL / 1e4).sqrt() * (2.0 * G * 0.85).sqrt());
        assert!(deepest < bound, "{accuracy}: {deepest} m deep");
        check_heap(&names, 20.0 * BALL * G, 5e-3, &run, accuracy);
        // Twenty balls do not stand on one another in columns: the heap has slid down.
        let mean = names.iter().map(|name| place(&run.1, name).0.z).sum::<f64>() / 20.0;
        assert!((0.06..0.15).contains(&mean), "{accuracy}: the balls are at {mean} m on the mean");
    }
}

#[test]
fn hard_balls_and_cubes_lie_in_the_bin_and_cubes_stack() {
    let names: Vec<String> = (0..20).map(|i| format!("{}{i}", if i % 2 == 0 { "ball" } else { "cube" })).collect();
    for accuracy in ["1e-1", "1e-2", "1e-3"] {
        let run = run_at("hard_clutter", accuracy, &[CHANNELS]);
        check_heap(&names, 10.0 * (1.0 + BALL) * G, 5e-4, &run, accuracy);
        // All bodies are 0.1 m high: a cube that lies flat, on the ground, on flat cubes or on balls, is at a level.
        let flat = names.iter().filter(|name| name.starts_with("cube")).filter_map(|name| {
            let (p, turned) = place(&run.1, name);
            let up = turned.inverse() * Vector3::z();
            (up.amax() > 1.0 - 1e-8).then_some(p.z)
        });
        let heights: Vec<f64> = flat.collect();
        let off = |z: f64| (z / (2.0 * HALF) - 0.5).fract().abs();
        let on_a_level = |z: &&f64| 2.0 * HALF * off(**z).min(1.0 - off(**z)) < 1e-4;
        let count = heights.iter().filter(on_a_level).count();
        assert!(count >= 2 && count == heights.len(), "{accuracy}: cubes lie flat at {heights:?}");
    }
}

fn table(name: &str, accuracies: &[&str]) -> Vec<String> {
    let row = |accuracy: &&str| {
        let (report, samples) = run_at(name, accuracy, &[]);
        let (deepest, carried) = (1e3 * report.statistics.max_penetration, -samples.last("plant.bin.bin.contact.fz"));
        format!("| {accuracy} | {} | {deepest:.1} mm | {carried:.1} N |", steps(&report))
    };
    accuracies.iter().map(row).collect()
}

/// The rows of the table in the README of the soft clutter.
pub fn soft_table() -> Vec<String> {
    table("soft_clutter", &["1e-1", "1e-2", "1e-3", "1e-4"])
}

/// The rows of the table in the README of the hard clutter.
pub fn hard_table() -> Vec<String> {
    table("hard_clutter", &["1e-1", "1e-2", "1e-3"])
}
