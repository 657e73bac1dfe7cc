//! The recording of a double pendulum says what its lower rod and its joints are.

use crate::command::kinegraph;
use serde_json::Value;

/// The values that the recording was made with, in the order of the fit, and the bounds of the fit.
const TRUE: [(&str, f64, &str); 5] = [
    ("mass", 0.7, "0.1:3"),
    ("centre", 0.42, "0.1:0.9"),
    ("inertia", 0.05, "0.01:0.5"),
    ("upper_damping", 0.02, "0.001:1"),
    ("lower_damping", 0.05, "0.001:1"),
];

/// True values lie within twice the interval of 95 %: all five within once it is what three recordings in four give.
#[test]
fn the_rod_is_found_from_noisy_angles() {
    let folder = "examples/identified_pendulum";
    let (file, data) = (format!("{folder}/identified_pendulum.yaml"), format!("{folder}/measured.csv"));
    let mut args = vec!["fit".to_owned(), file, "--json".into(), "--data".into(), data];
    for joint in ["j1", "j2"] {
        args.extend(["--match".into(), format!("plant.pendulum.{joint}.q=encoders.pendulum.{joint}.position")]);
    }
    args.extend(TRUE.iter().flat_map(|(name, _, bounds)| ["--by".into(), format!("parameters.{name}={bounds}")]));
    let (code, out, err) = kinegraph(&args.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(code, 0, "{err}");
    let found: Value = serde_json::from_str(&out).expect("an object");
    for ((name, truth, _), one) in TRUE.iter().zip(found["parameters"].as_array().expect("parameters")) {
        let (value, half) = (one["value"].as_f64().expect("a value"), one["interval"].as_f64().expect("an interval"));
        assert!((value - truth).abs() < 2.0 * half && half < 0.2 * truth, "{name} is {value} +- {half}, not {truth}");
    }
    for one in found["channels"].as_array().expect("channels") {
        let after = one["rms"][1].as_f64().expect("a number");
        assert!((after - 0.01).abs() < 1e-3, "{one}");
    }
}
