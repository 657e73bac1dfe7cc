//! Gains cost no steps if the controller acts within the step. The error from an unknown load falls with the gain: at
//! rest `kp error = M⁻¹ load`.

use super::run;

/// Attempts at a step, and the largest error of a joint at the end \[rad\].
fn track(kp: f64, settings: &[&str]) -> (u64, f64) {
    let gains = [("kp", kp), ("kd", 2.0 * kp.sqrt())].map(|(name, gain)| format!("systems.controller.{name}={gain:e}"));
    let (report, samples) = run("high_gain", &[&gains.each_ref().map(String::as_str)[..], settings].concat());
    let largest = (0..7).map(|i| samples.last(&format!("error.output[{i}]")).abs()).fold(0.0, f64::max);
    (report.statistics.steps + report.statistics.rejected_steps, largest)
}

#[test]
fn large_gains_take_no_more_steps_than_small_ones() {
    for accuracy in ["1e-2", "1e-3", "1e-4", "1e-5"] {
        let accuracy = format!("simulation.accuracy={accuracy}");
        let [small, large] = [1e2, 1e6].map(|kp| track(kp, &[&accuracy]).0);
        assert!(2 * large <= 3 * small, "{accuracy}: {large} steps at kp = 1e6, {small} at 1e2");
    }
}

/// Held constant over a step, feedback is followed through its own time constant, `1/√kp`.
#[test]
fn explicit_feedback_takes_steps_of_its_own_time_constant() {
    let explicit = "simulation.external=explicit";
    let [implicit, held] = [track(1e6, &[]).0, track(1e6, &[explicit]).0];
    assert!(held > 20 * implicit, "{held} steps, {implicit} within the step");
    let stiffer = track(1e6, &[explicit]).0 as f64 / track(1e4, &[explicit]).0 as f64;
    assert!((5.0..20.0).contains(&stiffer), "{stiffer} times the steps for ten times the rate");
}

#[test]
fn the_error_falls_with_the_gain() {
    let [small, large] = [1e4, 1e6].map(|kp| track(kp, &["simulation.accuracy=1e-5"]).1);
    // Small: the arm sags, and its inverse mass matrix changes with it.
    assert!((small / large / 100.0 - 1.0).abs() < 0.02, "{small:e} rad, {large:e} rad");
}

/// The rows of the table in the README.
pub fn table() -> Vec<String> {
    let row = |kp: f64| {
        let ((implicit, error), (explicit, _)) = (track(kp, &[]), track(kp, &["simulation.external=explicit"]));
        format!("| {kp:.0e} | {implicit} | {explicit} | {error:.1e} rad |")
    };
    [1e2, 1e3, 1e4, 1e5, 1e6].map(row).into()
}
