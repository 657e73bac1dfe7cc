//! A robot without motors falls on its feet, folds up within its stops, and lies on the ground with its weight.

use super::{run_at, steps};

const LEGS: [&str; 4] = ["fl", "fr", "hl", "hr"];
/// Joints of a leg and their stops \[rad\].
const JOINTS: [(&str, f64, f64); 3] = [("hx", -0.785, 0.785), ("hy", -0.9, 2.3), ("kn", -2.79, -0.25)];

#[test]
fn the_quadruped_folds_within_its_stops_and_rests_with_its_weight() {
    let weight = (20.0 + 4.0 * (1.7 + 2.3 + 0.4)) * 9.81;
    let touching = LEGS.map(|leg| format!("plant.robot.{leg}_lower")).into_iter().chain(["plant.robot.body".into()]);
    let forces: Vec<String> = touching.map(|link| format!("{link}.contact.fz")).collect();
    let channels = format!("record.channels=[plant.state, {}]", forces.join(", "));
    for accuracy in ["1e-1", "1e-2", "1e-3", "1e-4"] {
        let (report, samples) = run_at("quadruped", accuracy, &[&channels]);
        for leg in LEGS {
            for (joint, lower, upper) in JOINTS {
                for (time, q) in samples.series(&format!("plant.robot.{leg}_{joint}.q")) {
                    // A stop yields by twice what a thousandth of a step would move its joint, and a sample within a
                    // step is as good as the accuracy.
                    let way = 1e-3 + 0.6 * accuracy.parse::<f64>().expect("a number");
                    assert!((lower - way..upper + way).contains(&q), "{accuracy}: {leg}_{joint} at {q}, {time} s");
                }
            }
        }
        // The robot comes to rest at about 2.5 s. The very end is not used: in a last step that is short, knees that a
        // long one let into their stops rebound at once.
        let carried: f64 = forces.iter().map(|force| samples.at(2.8, force)).sum();
        assert!((carried - weight).abs() < 0.01 * weight, "{accuracy}: {carried} N of {weight} N");
        let deepest = report.statistics.max_penetration;
        assert!(deepest < 0.01, "{accuracy}: {deepest} m deep");
        // The robot lies on the lower balls of its body, whose centres are 5 cm below the middle.
        let height = samples.last("plant.robot.body.z");
        assert!((height - 0.09).abs() < 2e-3, "{accuracy}: the body is at {height} m");
        let (start, end) = (report.energy_start.expect("a plant"), report.energy_end.expect("a plant"));
        assert!(end < 0.2 * start, "{accuracy}: {start} J became {end} J");
    }
}

/// The rows of the table in the README.
pub fn table() -> Vec<String> {
    let row = |accuracy| {
        let (report, samples) = run_at("quadruped", accuracy, &[]);
        let (deepest, height) = (1e3 * report.statistics.max_penetration, samples.last("plant.robot.body.z"));
        format!("| {accuracy} | {} | {deepest:.1} mm | {height:.4} m |", steps(&report))
    };
    ["1e-1", "1e-2", "1e-3", "1e-4"].map(row).into()
}
