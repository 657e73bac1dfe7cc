//! Derivatives of a run find the gains that a closed form says, as far as that holds.

use super::run;
use crate::command::kinegraph;
use serde_json::Value;

/// Derivatives of the cost by the logarithms of both gains, in costs.
fn slopes(kp: f64, kd: f64) -> [f64; 2] {
    let settings = [format!("parameters.kp={kp}"), format!("parameters.kd={kd}")];
    let file = "examples/tuned_franka/tuned_franka.yaml";
    let mut args = vec!["gradient", file, "--quick", "--json", "--of", "end(cost.output)"];
    args.extend(["--by", "parameters.kp", "--by", "parameters.kd", "--set", &settings[0], "--set", &settings[1]]);
    let (code, out, err) = kinegraph(&args);
    assert_eq!(code, 0, "{err}");
    let found: Value = serde_json::from_str(&out).expect("an object");
    let cost = found["values"][0]["value"].as_f64().expect("a number");
    let slope = |i: usize| found["gradient"][i]["value"].as_f64().expect("a number") / cost;
    [kp * slope(0), kd * slope(1)]
}

/// A joint of inertia `I` that turns alone: kp = 50 N m/rad / `I` and kd² = 2 kp make the cost least.
#[test]
fn derivatives_vanish_where_the_regulator_of_a_single_joint_says() {
    let before = slopes(100.0, 6.0);
    assert!(before[0] > 1.0 && before[1] < -0.5, "{before:?}");
    let (_, samples) = run("tuned_franka", &[]);
    let inertia = samples.at(0.0, "controller.generalized_force[0]") / (100.0 * 0.4);
    let kp = 50.0 / inertia;
    let at = slopes(kp, (2.0 * kp).sqrt());
    assert!(at.iter().all(|slope| slope.abs() < 0.03), "{at:?} at kp = {kp}");
}
