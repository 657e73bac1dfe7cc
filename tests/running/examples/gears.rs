//! Two gears that are not convex mesh by their exact triangles.

use super::run;

#[test]
fn the_wheel_turns_by_the_ratio_of_teeth() {
    let (report, samples) = run("gears", &["simulation.duration=0.5"]);
    let last = |c: &str| samples.last(&format!("plant.{c}"));
    // 0.3 mm of play at 20 degrees on 45 mm, and how far flanks bend.
    let miss = 12.0 * last("pinion.turn.q") + 18.0 * last("wheel.turn.q");
    assert!(miss.abs() / 18.0 < 6e-3, "{miss}");
    assert!(last("pinion.turn.q") > 3.0);
    // Its torque less what flanks rub away, over its damping: 0.9 N m/0.2.
    let speeds: Vec<f64> = samples.series("plant.wheel.turn.v").filter(|(t, _)| *t > 0.2).map(|(_, v)| -v).collect();
    let mean = speeds.iter().sum::<f64>() / speeds.len() as f64;
    assert!(mean > 0.9 * 4.5 && mean < 4.5, "{mean} rad/s");
    assert!(report.statistics.max_penetration < 1e-4);
}
