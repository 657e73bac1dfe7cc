//! Every feature with every method, with contact that begins, ends or changes: the generator of `benches/reliability`,
//! and common properties of mechanisms that it found.

use crate::command::kinegraph;
use serde_json::Value;
use std::process::Command;

/// Where there is a Python: each feature once with each method.
#[test]
fn combinations_neither_panic_nor_gain_energy() {
    let python = std::env::var("KINEGRAPH_PYTHON").unwrap_or_else(|_| "python3".into());
    let mut command = Command::new(python);
    command.args(["-B", "benches/reliability/combinations.py", "--kinegraph", env!("CARGO_BIN_EXE_kinegraph")]);
    command.args(["--each", "--jobs", "4"]);
    match command.output() {
        Ok(output) => assert!(
            output.status.success(),
            "{}\n{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        ),
        Err(error) => println!("skipped: no Python ({error})"),
    }
}

/// The report of a run of a file of `tests/data/rows`.
fn report(file: &str, arguments: &[&str]) -> Value {
    let path = format!("tests/data/rows/{file}.yaml");
    let mut command = vec!["run", path.as_str(), "--json"];
    command.extend(arguments);
    let (code, out, err) = kinegraph(&command);
    assert_eq!(code, 0, "{file} {arguments:?}: {err}");
    serde_json::from_str(&out).expect("a report")
}

/// Contacts with torsional resistance begin and end in one plant. The rows of a loop in another plant change their
/// indices, but are the same rows: it moves as it does where its plant is listed first.
#[test]
fn contacts_of_one_plant_do_not_affect_another() {
    for method in ["cenic", "cenic-trapezoid"] {
        let [ball_first, loop_first] = ["ball_first", "loop_first"].map(|file| report(file, &["--integrator", method]));
        let state = |report: &Value| report["final_state"].as_object().expect("a state").clone();
        let (one, other) = (state(&ball_first), state(&loop_first));
        for (name, value) in one.iter().filter(|(name, _)| name.starts_with("second")) {
            let off = (value.as_f64().unwrap() - other[name].as_f64().unwrap()).abs();
            assert!(off < 1e-12, "{method}: {name} is off by {off:e}");
        }
    }
}

/// A ball with torsional resistance lands, and the trapezoid scheme continues.
#[test]
fn a_ball_that_resists_spinning_lands() {
    for file in ["ball_first", "loop_first"] {
        for method in ["cenic", "cenic-trapezoid", "sdirk2", "implicit-euler", "ros2", "dopri5", "rk3"] {
            let ended = report(file, &["--integrator", method, "--until", "0.1"]);
            let height = ended["final_state"]["first.b.body.z"].as_f64().expect("a height");
            assert!((0.0499..0.06).contains(&height), "{file} {method}: {height}");
        }
    }
}
