//! Fits of examples to the recordings beside them, and what they are judged by.

use crate::command::kinegraph;
use serde_json::Value;

/// A parameter: its name, the value that the recording was made with, and the bounds of the fit.
pub type Truth = (&'static str, f64, &'static str);

/// The result of a fit.
pub struct Fitted {
    /// Half the interval of 95 % of each parameter, in the order of the fit.
    pub halves: Vec<f64>,
    /// Root mean squares of the differences that remain, one a channel.
    pub differences: Vec<f64>,
}

/// Fits an example to its `measured.csv`. True values lie within twice the interval of 95 %.
pub fn fitted(name: &str, matches: &[String], truths: &[Truth]) -> Fitted {
    let folder = format!("examples/{name}");
    let (file, data) = (format!("{folder}/{name}.yaml"), format!("{folder}/measured.csv"));
    let mut args = vec!["fit".to_owned(), file, "--json".into(), "--data".into(), data];
    args.extend(matches.iter().flat_map(|one| ["--match".into(), one.clone()]));
    args.extend(truths.iter().flat_map(|(name, _, bounds)| ["--by".into(), format!("parameters.{name}={bounds}")]));
    let (code, out, err) = kinegraph(&args.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(code, 0, "{err}");
    let found: Value = serde_json::from_str(&out).expect("an object");
    let number = |value: &Value| value.as_f64().expect("a number");
    let list = |key: &str| found[key].as_array().expect("a list").clone();
    let mut halves = Vec::new();
    for ((name, truth, _), one) in truths.iter().zip(list("parameters")) {
        let (value, half) = (number(&one["value"]), number(&one["interval"]));
        assert!((value - truth).abs() < 2.0 * half, "{name} is {value} +- {half}, not {truth}");
        halves.push(half);
    }
    Fitted { halves, differences: list("channels").iter().map(|one| number(&one["rms"][1])).collect() }
}
