//! An arm pushes thin plates against a thin sheet, with the force of its gains: no body passes through another.

use super::{run_at, steps};

/// Half the thickness and half the width of a plate, thickness of the back and where it stands, radius of the finger,
/// clearance of a plate between its wires \[m\].
const PLATE: [f64; 2] = [0.002, 0.08];
const SHELF: f64 = 0.3;
const BACK: f64 = 0.15;
const CLEARANCE: f64 = 0.001;

const CHANNELS: &str = "record.channels=[point.position, controller.pose, plant.rack.rack.contact.fy, \
                        plant.plate0.plate.pose, plant.plate1.plate.pose, plant.plate2.plate.pose]";

#[test]
fn three_plates_stand_at_the_back_of_their_slots() {
    for accuracy in ["1e-1", "1e-2", "1e-3"] {
        let (report, samples) = run_at("plate_rack", accuracy, &[CHANNELS]);
        for (plate, slot) in [0.44, 0.50, 0.56].into_iter().enumerate() {
            let pose = |c: &str| samples.last(&format!("plant.plate{plate}.plate.pose.{c}"));
            let which = format!("{accuracy}: plate {plate}");
            let edge = pose("py") + PLATE[1];
            assert!((edge - BACK).abs() < 5e-4, "{which} ends at y = {edge}, the back is at {BACK}");
            assert!((pose("pz") - SHELF - PLATE[1]).abs() < 1e-4, "{which} is at z = {}", pose("pz"));
            assert!((pose("px") - slot).abs() < CLEARANCE + 1e-4, "{which} is at x = {}", pose("px"));
            // As far as the wires let it turn: twice the clearance over 0.16 m.
            let turned = 2.0 * pose("qw").abs().min(1.0).acos();
            assert!(turned < 2.0 * CLEARANCE / PLATE[1], "{which} is turned by {turned} rad");
            // While it was pushed it never went further; a sample within a step is as good as the accuracy.
            let off = 0.1 * accuracy.parse::<f64>().expect("a number");
            let furthest =
                samples.series(&format!("plant.plate{plate}.plate.pose.py")).map(|(_, y)| y).fold(0.0, f64::max);
            assert!(furthest + PLATE[1] < BACK + 5e-4 + off, "{which} was at y = {furthest}");
        }
        let deepest = report.statistics.max_penetration;
        assert!(deepest < 1e-3, "{accuracy}: {deepest} m deep in a back of 2 mm");
        // 5 mm of spring: with 10⁴ 1/s² and the kilogram, nearly, that the arm has along y.
        let push = samples.series("plant.rack.rack.contact.fy").map(|(_, f)| f).fold(0.0, f64::max);
        assert!((20.0..200.0).contains(&push), "{accuracy}: the back is pushed with {push} N");
        // Where nothing is in the way the finger is where it should be, at rest behind the last plate.
        for axis in 0..3 {
            let [goal, found] = ["point.position", "controller.pose"].map(|port| format!("{port}[{axis}]"));
            let error = samples.at(2.4, &found) - samples.at(2.4, &goal);
            assert!(error.abs() < 3e-3, "{accuracy}: the finger is off by {error} m along {axis}");
        }
    }
}

/// The rows of the table in the README.
pub fn table() -> Vec<String> {
    let row = |accuracy| {
        let (report, samples) = run_at("plate_rack", accuracy, &[]);
        let edges = [0, 1, 2].map(|i| PLATE[1] + samples.last(&format!("plant.plate{i}.plate.y")));
        let (deepest, [a, b, c]) = (1e3 * report.statistics.max_penetration, edges);
        format!("| {accuracy} | {} | {deepest:.2} mm | {a:.4}, {b:.4}, {c:.4} |", steps(&report))
    };
    ["1e-1", "1e-2", "1e-3"].map(row).into()
}
