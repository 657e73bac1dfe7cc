//! A peg held by friction alone does not slip when the gripper strikes the ground, at any accuracy. Both fingers rest
//! on it by their springs.

use super::{run_at, steps};
use crate::reference::Samples;

const WEIGHT: f64 = (0.2225 + 2.0 * 0.15 + 0.25) * 9.81;
const STIFFNESS: f64 = 1e6;

fn largest_slip(samples: &Samples) -> f64 {
    samples.series("slip.output").map(|(_, slip)| slip.abs()).fold(0.0, f64::max)
}

#[test]
fn the_peg_does_not_slip_at_any_accuracy() {
    for accuracy in ["1e-1", "1e-2", "1e-3", "1e-4", "1e-5"] {
        let (report, samples) = run_at("gripper", accuracy, &[]);
        let slip = largest_slip(&samples);
        assert!(slip < 1e-4, "{accuracy}: the peg slips by {slip:e} m");
        let lowest = samples.series("plant.gripper.slide.q").map(|(_, q)| q).fold(f64::INFINITY, f64::min);
        // A sample within a step is as good as the accuracy.
        let off = 0.1 * accuracy.parse::<f64>().expect("a number");
        assert!((-2e-3 - off..0.0).contains(&lowest), "{accuracy}: the gripper goes to {lowest} m");
        let (rest, expected) = (samples.last("plant.gripper.slide.q"), -WEIGHT / (2.0 * STIFFNESS));
        assert!((rest - expected).abs() < 0.01 * -expected, "{accuracy}: it rests at {rest:e} m, not {expected:e}");
        assert!(report.energy_end < report.energy_start, "{accuracy}: {report:?}");
    }
}

/// The rows of the table in the README.
pub fn table() -> Vec<String> {
    let row = |accuracy| {
        let (report, samples) = run_at("gripper", accuracy, &[]);
        format!("| {accuracy} | {} | {:.1} µm |", steps(&report), -1e6 * samples.last("slip.output"))
    };
    ["1e-1", "1e-2", "1e-3", "1e-4", "1e-5"].map(row).into()
}
