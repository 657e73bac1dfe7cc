//! A strip of steel throws a ball up.

use super::run;

#[test]
fn the_strip_bends_as_far_as_its_energy_says_and_throws_the_ball_up() {
    let mut lowest = Vec::new();
    for accuracy in ["simulation.accuracy=1e-3", "simulation.accuracy=1e-4"] {
        let (report, samples) = run("steel_strip", &[accuracy]);
        let heights = |c: &str| -> Vec<f64> { samples.series(c).map(|(_, z)| z).collect() };
        lowest.push(heights("plant.strip.n8.z").into_iter().fold(f64::INFINITY, f64::min));
        assert!(heights("plant.ball.ball.z").last().is_some_and(|z| *z > 0.03));
        assert!(report.energy_end < report.energy_start);
    }
    // The ball at 0.2 m of a massless cantilever: m g (h + d) = 3 E I d²/(2 a³), less what the strip moves by itself.
    let stiffness = 3.0 * 2.1e11 * 0.02 * 1e-9 / 12.0 / 0.2_f64.powi(3);
    let weight = 0.1 * 9.81;
    let bend = (weight + (weight * weight + 2.0 * stiffness * weight * 0.1).sqrt()) / stiffness;
    assert!((-lowest[1] / bend - 1.0).abs() < 0.15, "{} instead of {bend}", -lowest[1]);
    assert!((lowest[0] - lowest[1]).abs() < 20.0 * 1e-3 * 0.2, "{lowest:?}");
}
