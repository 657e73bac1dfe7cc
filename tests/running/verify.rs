//! `--verify`: comparison runs and their verdict.

use super::command::kinegraph;
use kinegraph::scenario::Scenario;
use kinegraph::sweep::{Sweep, Template, columns, run_variation};
use kinegraph::verify::{Verdict, Verifier, verify};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("a file");
    path
}

/// x'' = -x from 1, which is cos t.
fn oscillator(name: &str, simulation: &str) -> PathBuf {
    let text = format!(
        "kinegraph: 1\nsystems:\n  v: {{type: integrator, initial: 0}}\n  x: {{type: integrator, initial: 1}}\n  \
         spring: {{type: gain, gain: -1}}\nconnections: [v.output -> x.input, x.output -> spring.input, \
         spring.output -> v.input]\nsimulation: {{{simulation}, duration: 6}}\nrecord: {{every: 0.5}}\n"
    );
    file(name, &text)
}

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("examples/{name}/{name}.yaml"));
    path.to_string_lossy().into_owned()
}

fn verified(path: &Path, options: &[&str]) -> (u8, Value, String) {
    let file = path.to_string_lossy();
    let (code, out, err) = kinegraph(&[&["run", &file, "--verify", "--json"], options].concat());
    (code, serde_json::from_str(&out).unwrap_or_default(), err)
}

#[test]
fn smooth_motion_is_verified_and_the_difference_is_the_error() {
    let (code, report, err) = verified(&oscillator("smooth.yaml", "accuracy: 1e-5"), &[]);
    assert_eq!((code, err.as_str()), (0, ""));
    let verify = &report["verify"];
    assert_eq!(verify["verdict"], "verified");
    let runs = verify["runs"].as_array().expect("runs");
    let accuracy = runs[0]["accuracy"].as_f64().expect("a number");
    assert!(runs[0]["integrator"] == "cenic" && (accuracy / 1e-6 - 1.0).abs() < 1e-12, "{runs:?}");
    assert_eq!((runs[1]["integrator"].as_str(), runs[1]["status"].as_str()), (Some("dopri5"), Some("done")));
    // Against the closed form, to within what the runs beside err themselves.
    let scenario = Scenario::open(oscillator("smooth.yaml", "accuracy: 1e-5")).expect("a diagram");
    let mut simulation = scenario.simulation().expect("a simulation");
    let mut largest = 0.0_f64;
    for k in 0..=12 {
        let time = 0.5 * f64::from(k);
        simulation.advance_to(time).expect("a run");
        largest = largest.max((simulation.channel("x.output").expect("x") - time.cos()).abs() / 1e-5);
    }
    let channels = verify["channels"].as_array().expect("channels");
    let x = channels.iter().find(|one| one["channel"] == "x.output").expect("x");
    let found = x["accuracies"].as_f64().expect("a number");
    assert!((found - largest).abs() < 1.0 + 0.2 * largest, "{found} for {largest}");
}

#[test]
fn steps_that_are_too_long_differ_and_the_first_channel_is_named() {
    let coarse = oscillator("coarse.yaml", "integrator: icf, step: 0.1");
    let (code, report, err) = verified(&coarse, &[]);
    let verify = &report["verify"];
    assert_eq!((code, verify["verdict"].as_str()), (1, Some("differs")), "{err}");
    let parted = &verify["parted"];
    assert!(parted["time"].as_f64().is_some_and(|time| time <= 1.0), "{parted}");
    assert!(parted["channel"].as_str().is_some_and(|name| err.contains(name)), "{err}");
    // Half of the step, and another family.
    assert_eq!(verify["runs"][0]["step"].as_f64(), Some(0.05));
    let (code, report, _) = verified(&coarse, &["--verify-within", "1e6"]);
    assert_eq!((code, report["verify"]["verdict"].as_str()), (0, Some("verified")));
}

#[test]
fn motion_that_nobody_can_predict_is_undetermined_from_a_time_on() {
    let file = example("double_pendulum");
    let (code, report, err) = verified(Path::new(&file), &["--until", "15"]);
    let verify = &report["verify"];
    assert_eq!((code, verify["verdict"].as_str()), (1, Some("undetermined")), "{err}");
    let from = verify["undetermined_from"].as_f64().expect("a time");
    assert!((1.0..14.0).contains(&from), "{from}");
    assert!(verify["accuracies"].as_f64().is_some_and(|size| size <= 20.0), "{verify}");
    assert!(verify["time"].as_f64().is_some_and(|time| time < from), "{verify}");
    // Before that time it is verified.
    let (code, _, err) = verified(Path::new(&file), &["--until", &format!("{}", from - 0.5)]);
    assert_eq!(code, 0, "{err}");
}

#[test]
fn jumps_of_a_relay_count_by_their_time() {
    // A thermostat: its relay switches where the temperature crosses, a little earlier or later in each run.
    let (code, report, err) = verified(Path::new(&example("thermostat")), &[]);
    assert_eq!((code, report["verify"]["verdict"].as_str()), (0, Some("verified")), "{err}");
}

#[test]
fn a_run_that_is_interrupted_is_unverified() {
    let path = oscillator("interrupted.yaml", "accuracy: 1e-5");
    let scenario = Scenario::open(&path).expect("a diagram");
    let begin = |options| kinegraph::simulate::Simulation::new(&scenario.diagram, options).map_err(|e| e.to_string());
    let interrupt = || Some("a signal".to_owned());
    let verifier = Verifier { scenario: &scenario, begin: &begin, within: 20.0, interrupt: &interrupt };
    let verification = verifier.verify(&kinegraph::simulate::Status::Done);
    assert_eq!(verification.verdict, Verdict::Unverified);
    assert!(verification.reason.is_some_and(|reason| reason.contains("a signal")));
    // So is one that did not get to its end itself.
    let (code, report, _) = verified(&path, &["--budget", "1e-9"]);
    assert_eq!((code, report["verify"]["verdict"].as_str()), (1, Some("unverified")));
}

#[test]
fn a_verified_run_records_the_same_bytes_and_goes_on_from_a_snapshot() {
    let path = oscillator("recorded.yaml", "accuracy: 1e-4");
    let at = |name: &str| Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).to_string_lossy().into_owned();
    let (plain, beside, half) = (at("plain.csv"), at("beside.csv"), at("half.snapshot"));
    let file = path.to_string_lossy();
    assert_eq!(kinegraph(&["run", &file, "--record", &plain, "--quiet"]).0, 0);
    assert_eq!(kinegraph(&["run", &file, "--record", &beside, "--verify", "--quiet"]).0, 0);
    let bytes = |name: &str| std::fs::read(name).expect("a recording");
    assert_eq!(bytes(&plain), bytes(&beside));
    assert_eq!(kinegraph(&["run", &file, "--until", "3", "--snapshot", &half, "--quiet"]).0, 0);
    let (code, report, err) = verified(&path, &["--resume", &half]);
    assert_eq!((code, report["verify"]["verdict"].as_str()), (0, Some("verified")), "{err}");
    assert!(report["verify"]["time"].as_f64().is_some_and(|time| time >= 3.0), "{report}");
}

#[test]
fn sweeps_have_the_verdict_as_a_column() {
    let path = oscillator("swept.yaml", "accuracy: 1e-4");
    let template = Template::open(&path, &[]).expect("a template");
    let sweep = Sweep { accuracies: vec![1e-3, 1e-5], verify: Some(20.0), ..Sweep::default() };
    let names = columns(&sweep);
    assert_eq!(names[names.len() - 2..], ["verdict", "accuracies"]);
    for variation in sweep.variations() {
        let row = run_variation(&template, &variation, &sweep.measures);
        let (verdict, accuracies) = row.verified.expect("a verdict");
        assert_eq!((verdict, row.cells().len()), (Verdict::Verified, names.len()));
        let alone = Scenario { options: template.scenario(&variation).expect("a diagram").options, ..scenario(&path) };
        assert_eq!(verify(&alone, 20.0).expect("a run").accuracies, accuracies);
    }
}

fn scenario(path: &Path) -> Scenario {
    Scenario::open(path).expect("a diagram")
}

#[test]
fn the_page_of_a_verified_run_has_the_verdict() {
    let page = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verified.html");
    let path = oscillator("page.yaml", "accuracy: 1e-5");
    let arguments = ["view", &path.to_string_lossy(), "--verify", "--html", &page.to_string_lossy()].map(str::to_owned);
    let (code, out, err) = kinegraph(&arguments.each_ref().map(String::as_str));
    if err.contains("page") && code != 0 {
        return; // The page is not built here.
    }
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.lines().last().is_some_and(|line| line.trim_start().starts_with("verify")), "{out}");
    let too_strict = [&arguments[..], &["--verify-within".to_owned(), "1e-6".to_owned()]].concat();
    let (code, out, _) = kinegraph(&too_strict.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(code, 1, "{out}");
    for live in [&["--live"][..], &["--record", "x.mcap", "--live"]] {
        let file = path.to_string_lossy();
        let (code, _, err) = kinegraph(&[&["view", &file, "--verify"], live].concat());
        assert!(code == 2 && err.contains("--live"), "{err}");
    }
}
