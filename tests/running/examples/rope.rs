//! A rope over a drum: friction holds it, and the drum carries its weight.

use super::run;

/// Length of the polyline of the file times mass per length \[kg\].
const MASS: f64 = 1.9340 * 1000.0 * std::f64::consts::PI * 0.005 * 0.005;

#[test]
fn the_drum_carries_the_rope() {
    let (_, samples) = run("rope", &[]);
    let last = |channel: &str| {
        let values: Vec<f64> = samples.series(channel).filter(|(t, _)| *t > 0.8).map(|(_, x)| x).collect();
        values.iter().sum::<f64>() / values.len() as f64
    };
    let weight = -last("plant.drum.drum.contact.fz");
    assert!((weight / (9.81 * MASS) - 1.0).abs() < 0.05, "{weight} N");
    assert!((last("plant.rope.n0.z") - 0.3).abs() < 0.01, "it slides");
}
