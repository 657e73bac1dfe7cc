//! Derivatives through a bounce find the throw that flies through the hoop.

use super::run;
use crate::command::kinegraph;
use nalgebra::{Matrix3, Vector3};
use serde_json::Value;

const CENTRE: Vector3<f64> = Vector3::new(4.0, 0.4, 1.0);

/// The settings of a throw.
fn settings(throw: &Vector3<f64>) -> [String; 3] {
    [0, 1, 2].map(|i| format!("parameters.{}={:?}", ["vx", "vy", "vz"][i], throw[i]))
}

/// Where the ball is at 1.2 s, and the derivative of that by the throw.
fn arrival(throw: &Vector3<f64>) -> (Vector3<f64>, Matrix3<f64>) {
    let settings = settings(throw);
    let mut args = vec!["gradient", "examples/hoop/hoop.yaml", "--json"];
    for (of, by) in ["x", "y", "z"].iter().zip(["vx", "vy", "vz"]) {
        args.extend(["--of", ["at(plant.ball.ball.", of, ",1.2)"].concat().leak()]);
        args.extend(["--by", ["parameters.", by].concat().leak()]);
    }
    args.extend(settings.iter().flat_map(|one| ["--set", one]));
    let (code, out, err) = kinegraph(&args);
    assert_eq!(code, 0, "{err}");
    let found: Value = serde_json::from_str(&out).expect("an object");
    let numbers = |key: &str| -> Vec<f64> {
        let list = found[key].as_array().expect("a list").iter();
        list.map(|one| one["value"].as_f64().expect("a number")).collect()
    };
    (Vector3::from_vec(numbers("values")), Matrix3::from_row_slice(&numbers("gradient")))
}

#[test]
fn three_derivatives_find_the_throw() {
    let mut throw = Vector3::new(3.4, 0.2, 1.0);
    let mut misses = Vec::new();
    for _ in 0..3 {
        let (place, derivative) = arrival(&throw);
        misses.push((place - CENTRE).norm());
        let change = -derivative.try_inverse().expect("a direction for each") * (place - CENTRE);
        throw += change * (1.0 / change.norm()).min(1.0);
    }
    assert!(misses[0] > 1.0 && misses[2] < 0.01, "{misses:?}");
    let settings = settings(&throw);
    let (_, samples) = run("hoop", &settings.each_ref().map(String::as_str));
    let at = |channel: &str| samples.at(1.2, &format!("plant.ball.ball.{channel}"));
    let miss = (Vector3::new(at("x"), at("y"), at("z")) - CENTRE).norm();
    assert!(miss < 5e-3, "{throw} misses by {miss} m");
    // What touches the hoop is slower behind it.
    let speeds: Vec<f64> = samples.series("plant.ball.ball.vx").filter(|(t, _)| *t > 0.9).map(|(_, v)| v).collect();
    assert!(speeds.iter().all(|v| (v - speeds[0]).abs() < 1e-9), "the ball touches the hoop");
}
