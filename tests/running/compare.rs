//! `kinegraph compare`: errors decrease with the accuracy, refusals and budgets are rows, the output can be read back.

use super::command::kinegraph;
use serde_json::Value;
use std::path::Path;

const PENDULUM: &str = "examples/double_pendulum/double_pendulum.yaml";
const CART: &str = "tests/data/scenes/bouncing_ball/bouncing_ball.yaml";

fn scratch(name: &str) -> String {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).display().to_string()
}

fn rows(args: &[&str]) -> Vec<Value> {
    let mut all = vec!["compare"];
    all.extend(args);
    all.push("--json");
    let (code, out, err) = kinegraph(&all);
    assert_eq!(code, 0, "{err}");
    let comparison: Value = serde_json::from_str(&out).expect("one object");
    comparison["rows"].as_array().expect("rows").clone()
}

#[test]
fn errors_fall_with_the_accuracy_and_with_the_step() {
    let methods = "cenic,dopri5,icf";
    let rows = rows(&[
        PENDULUM,
        "--until",
        "1",
        "--integrators",
        methods,
        "--accuracies",
        "1e-3..1e-5",
        "--steps",
        "1e-2,1e-3",
    ]);
    let errors = |name: &str| -> Vec<f64> {
        let of_name = rows.iter().filter(|row| row["integrator"] == name);
        of_name.map(|row| row["largest_error"].as_f64().expect("an error")).collect()
    };
    assert_eq!((errors("cenic").len(), errors("dopri5").len(), errors("icf").len()), (3, 3, 2));
    for name in ["cenic", "dopri5"] {
        let errors = errors(name);
        assert!(errors[2] < 0.1 * errors[0] && errors[2] < 1e-3, "{name}: {errors:?}");
    }
    let icf = errors("icf");
    assert!(icf[1] < 0.3 * icf[0], "a method of first order: {icf:?}");
    assert!(rows.iter().all(|row| row["status"] == "done" && row["wall_s"].as_f64() > Some(0.0)));
    let drift =
        |name: &str| rows.iter().rfind(|row| row["integrator"] == name).expect("a row")["energy_drift"].as_f64();
    assert!(drift("dopri5").is_some_and(|drift| drift.abs() < 1e-2), "{:?}", drift("dopri5"));
}

#[test]
fn a_recording_serves_as_the_reference() {
    let file = scratch("compare_reference.csv");
    let (code, _, err) =
        kinegraph(&["run", PENDULUM, "--until", "0.3", "--accuracy", "1e-8", "--record", &file, "--quiet"]);
    assert_eq!(code, 0, "{err}");
    let args = [PENDULUM, "--until", "0.3", "--integrators", "cenic", "--accuracies", "1e-4"];
    let against_file = rows(&[&args[..], &["--reference", &file]].concat());
    let against_run = rows(&args);
    let error = |rows: &[Value]| rows[0]["largest_error"].as_f64().expect("an error");
    let (a, b) = (error(&against_file), error(&against_run));
    assert!(a > 0.0 && (a - b).abs() < 0.05 * b, "{a} {b}");

    std::fs::write(&file, "time,nobody.knows\n0,1\n").expect("written");
    let (code, _, err) = kinegraph(&["compare", PENDULUM, "--reference", &file]);
    assert!(code == 2 && err.contains("no column is a state"), "{err}");
    std::fs::write(&file, "time,plant.pendulum.j1.q\n0,1\n0.1,x\n").expect("written");
    let (code, _, err) = kinegraph(&["compare", PENDULUM, "--reference", &file]);
    assert!(code == 2 && err.contains("line 3: plant.pendulum.j1.q is `x`, no number"), "{err}");
}

#[test]
fn runs_beyond_their_budget_are_rows_with_the_reason() {
    let args = [CART, "--integrators", "cenic,icf", "--accuracies", "1e-2", "--steps", "1e-6", "--budget", "0.05"];
    let rows = rows(&args);
    assert_eq!((rows[0]["status"].as_str(), rows[0]["end_error"].is_number()), (Some("done"), true));
    assert!(rows[1]["status"].as_str().is_some_and(|status| status.ends_with("not done within 0.05 s")), "{rows:?}");
    assert!(rows[1]["end_error"].is_null());
}

#[test]
fn tables_are_written_and_plots_are_drawn() {
    let (svg, png) = (scratch("compare.svg"), scratch("compare.png"));
    let args = ["compare", CART, "--integrators", "cenic,rk3", "--accuracies", "1e-2,1e-3"];
    let (code, table, err) = kinegraph(&[&args[..], &["--plot", &svg, "--plot", &png]].concat());
    assert_eq!(code, 0, "{err}");
    assert_eq!(table.lines().count(), 2 + 4, "{table}");
    let picture = std::fs::read_to_string(&svg).expect("a plot");
    assert!(picture.starts_with("<svg") && picture.contains("cenic") && picture.contains("rk3"));
    assert!(std::fs::read(&png).expect("a plot").starts_with(b"\x89PNG"));

    let (_, csv, _) = kinegraph(&[&args[..], &["--csv"]].concat());
    let head: Vec<&str> = csv.lines().next().expect("a header").split(',').collect();
    let keys = rows(&args[1..])[0].as_object().expect("an object").len();
    assert_eq!((head.len(), csv.lines().count()), (keys, 5), "{csv}");
    let (_, markdown, _) = kinegraph(&[&args[..], &["--markdown"]].concat());
    assert_eq!(markdown.lines().filter(|line| line.starts_with("| `")).count(), 4, "{markdown}");
}

#[test]
fn wrong_usage_is_reported_before_anything_runs() {
    for (args, said) in [
        (&["--integrators", "cenik"][..], "did you mean cenic?"),
        (&["--accuracies", "1e-2..x"], "`x` is not a number"),
        (&["--budget", "0"], "not a positive number"),
        (&["--plot", "out.pdf"], ".svg and .png are"),
        (&["--reference", "nowhere.csv"], "nowhere.csv"),
    ] {
        let (code, out, err) = kinegraph(&[&["compare", PENDULUM], args].concat());
        assert!(code == 2 && out.is_empty() && err.contains(said), "{args:?}: {err}");
    }
}

/// A run whose end state is implausible is distinguished from a result, and is not drawn as one.
#[test]
fn implausible_runs_are_no_results() {
    let picture = scratch("compare_absurd.svg");
    let scene = "examples/conveyor/conveyor.yaml";
    let args =
        [scene, "--until", "1", "--integrators", "icf,semi-implicit-euler", "--steps", "1e-2", "--plot", &picture];
    let rows = rows(&args);
    assert_eq!(rows[0]["status"], "done");
    let status = rows[1]["status"].as_str().expect("a status");
    assert!(status.starts_with("no result: it errs by ") && rows[1]["largest_error"].is_number(), "{rows:?}");
    let picture = std::fs::read_to_string(&picture).expect("a plot");
    assert!(picture.contains("icf") && !picture.contains("semi-implicit-euler"));
}
