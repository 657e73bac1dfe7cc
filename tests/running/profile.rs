//! Profile of the time of a run, and history of its steps: both add up, and neither changes the run.

use super::command;
use kinegraph::integrators::{Options, Outcome, method};
use kinegraph::profile::Phase;
use kinegraph::simulate::{Scenario, Simulation};
use serde_json::Value;
use std::path::Path;

const CLUTTER: &str = "examples/clutter/clutter.yaml";
const FRANKA: &str = "examples/franka/franka.yaml";

fn kinegraph(args: &[&str]) -> String {
    let (code, out, err) = command::kinegraph(args);
    let faults = err.lines().find(|line| !line.contains("on what the model files say"));
    assert_eq!((code, faults), (0, None), "{args:?}");
    out
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&kinegraph(&[args, &["--json"]].concat())).expect("JSON")
}

fn seconds(profile: &Value, key: &str) -> f64 {
    profile[key].as_f64().unwrap_or_else(|| panic!("no {key} in {profile}"))
}

fn key(phase: Phase) -> String {
    format!("{}_s", phase.name().replace(' ', "_"))
}

#[test]
fn all_phases_of_a_scene_with_contact_take_time_and_together_no_more_than_all_of_it() {
    // The primal-dual method searches lines only where it gets stuck.
    let report = json(&["run", CLUTTER, "--until", "0.25", "--profile", "--set", "simulation.solver=newton"]);
    let profile = &report["profile"];
    let contact = Phase::ALL.into_iter().filter(|phase| *phase != Phase::Refinement);
    contact.for_each(|phase| assert!(seconds(profile, &key(phase)) > 0.0, "{phase:?} in {profile}"));
    let sum: f64 = Phase::ALL.iter().map(|&phase| seconds(profile, &key(phase))).sum();
    let (total, rest) = (seconds(profile, "total_s"), seconds(profile, "rest_s"));
    assert!(sum <= total, "{sum} s of {total} s");
    assert!((total - sum - rest).abs() < 1e-9 * total, "{rest} s is not the rest of {profile}");
    assert_eq!(profile["total_s"], report["wall_s"]);
    assert!(report["max_contacts"].as_u64() > Some(0) && profile["linearizations"].as_u64() > Some(0));
}

#[test]
fn the_table_has_a_row_for_every_phase_the_rest_and_the_total() {
    let shown = kinegraph(&["run", FRANKA, "--until", "0.2", "--profile"]);
    let (_, table) = shown.split_once("  profile\n").expect("a table");
    let names: Vec<&str> = table.lines().map(|line| line[4..22].trim_end()).collect();
    let expected: Vec<&str> = Phase::ALL.iter().map(|phase| phase.name()).chain(["rest", "total"]).collect();
    assert_eq!(names, expected);
    let percent = |line: &str| -> f64 {
        let columns: Vec<&str> = line[22..].split_whitespace().collect();
        assert_eq!((columns[1], columns[3]), ("s", "%"), "{line}");
        columns[2].parse().expect("a number")
    };
    let shares: Vec<f64> = table.lines().map(percent).collect();
    let (total, parts) = shares.split_last().expect("rows");
    assert_eq!(*total, 100.0);
    assert!((parts.iter().sum::<f64>() - 100.0).abs() < 0.05 * shares.len() as f64, "{table}");
    assert!(!kinegraph(&["run", FRANKA, "--until", "0.01"]).contains("profile"));
}

/// A simulation with all measurements and observers, or none.
fn watched(scenario: &Scenario, options: Options, watch: bool) -> Simulation {
    let mut simulation = Simulation::new(&scenario.diagram, options).expect("an integrator");
    if watch {
        simulation.profile();
        simulation.keep_attempts();
    }
    simulation
}

#[test]
fn measuring_changes_no_bit_of_a_run() {
    let cases = [
        (CLUTTER, "cenic", 0.3),
        (CLUTTER, "cenic-trapezoid", 0.25),
        (CLUTTER, "icf", 0.25),
        (FRANKA, "cenic", 0.3),
        ("examples/conveyor/conveyor.yaml", "cenic", 0.3),
        ("examples/cascade/cascade.yaml", "rk3", 1.0),
        ("examples/cascade/cascade.yaml", "dopri5", 1.0),
    ];
    for (file, name, end) in cases {
        let scenario = Scenario::open(file).expect("a diagram");
        let integrator = method(name).expect("an integrator");
        let step = (!integrator.error_controlled()).then_some(5e-3);
        let options = Options { integrator, step, ..scenario.options };
        let (mut plain, mut measured) = (watched(&scenario, options, false), watched(&scenario, options, true));
        let (mut steps, mut rejected, mut iterations, mut reached) = (0, 0, 0, plain.time());
        while measured.time() < end {
            plain.step(end).expect("a step");
            measured.step(end).expect("a step");
            assert_eq!(plain.state(), measured.state(), "{file}, {name}");
            let (last, before) = measured.attempts().split_last().expect("an attempt");
            assert_eq!(last.outcome, Outcome::Accepted, "{file}, {name}");
            assert!(before.iter().all(|attempt| attempt.outcome != Outcome::Accepted), "{file}, {name}");
            // Attempts at a step start where the last one ended, and rejected ones are longer than what follows.
            assert!(measured.attempts().iter().all(|attempt| attempt.time == reached), "{file}, {name}");
            assert!(measured.attempts().windows(2).all(|pair| pair[1].h < pair[0].h), "{:?}", measured.attempts());
            assert!((last.time + last.h - measured.time()).abs() < 1e-12);
            reached = measured.time();
            steps += 1;
            rejected += before.len();
            iterations += measured.attempts().iter().map(|attempt| attempt.solver_iterations).sum::<usize>();
            if let Some(error) = last.error {
                assert!(integrator.error_controlled() && error.is_finite());
                assert!(measured.worst_coordinate(last).contains('.'), "{}", measured.worst_coordinate(last));
            }
        }
        let (counts, plain_counts) = (measured.statistics(), plain.statistics());
        assert_eq!((steps, rejected, iterations), (counts.steps, counts.rejected_steps, counts.solver_iterations));
        assert_eq!((counts.steps, counts.solver_iterations), (plain_counts.steps, plain_counts.solver_iterations));
        assert!(plain.attempts().is_empty() && plain.phases().is_none());
        assert!(measured.phases().is_some_and(|phases| !phases.sum().is_zero()), "{file}, {name}");
    }
}

#[test]
fn another_integrator_takes_over_the_stopwatch_and_the_list() {
    let scenario = Scenario::open(CLUTTER).expect("a diagram");
    let mut simulation = watched(&scenario, Options::cenic(1e-2), true);
    simulation.advance_to(0.02).expect("the end");
    let before = *simulation.phases().expect("phases");
    simulation.switch(Options::icf(0.01)).expect("a switch");
    simulation.advance_to(0.04).expect("the end");
    let after = simulation.phases().expect("phases");
    assert!(Phase::ALL.iter().all(|&phase| after.of(phase) >= before.of(phase)) && after.sum() > before.sum());
    assert!(after.sum() <= simulation.stepping_time());
    assert_eq!(simulation.attempts().len(), 1);
}

#[test]
fn a_failed_run_lists_the_attempts_that_failed_it() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("failed_steps.csv");
    let steps = file.to_string_lossy();
    let tight = ["--accuracy", "1e-6", "--set", "simulation.min_step=0.02", "--quiet"];
    let args = [&["run", CLUTTER, "--steps", &steps][..], &tight].concat();
    assert_eq!(command::kinegraph(&args).0, 1);
    let history = rows(&file);
    let last = history.last().expect("an attempt");
    assert_eq!(last.2, "inaccurate");
    assert!(last.3 > Some(1e-6) && last.1 >= 0.02, "{last:?}");
}

/// The rows of a steps file as (time, h, outcome, error, worst, iterations).
fn rows(file: &Path) -> Vec<(f64, f64, String, Option<f64>, String, u64)> {
    let mut reader = csv::Reader::from_path(file).expect("the file");
    assert_eq!(
        reader.headers().expect("a header"),
        vec!["time", "h", "outcome", "error", "worst", "iterations", "rule"]
    );
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

#[test]
fn the_history_of_steps_has_every_attempt() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("steps.csv");
    let recording = Path::new(env!("CARGO_TARGET_TMPDIR")).join("steps_and_samples.csv");
    let steps = ["run", CLUTTER, "--until", "0.3", "--steps", &file.to_string_lossy()].map(str::to_owned);
    let steps = steps.each_ref().map(String::as_str);
    let report = json(&steps);
    let history = rows(&file);
    let accepted: Vec<_> = history.iter().filter(|row| row.2 == "accepted").collect();
    assert_eq!(accepted.len() as u64, report["steps"].as_u64().expect("a count"));
    assert_eq!((history.len() - accepted.len()) as u64, report["rejected_steps"].as_u64().expect("a count"));
    assert!(history.len() > accepted.len(), "nothing was rejected");
    assert_eq!(history.iter().map(|row| row.5).sum::<u64>(), report["solver_iterations"].as_u64().expect("a count"));
    let whole: f64 = accepted.iter().map(|row| row.1).sum();
    assert!((whole - 0.3).abs() < 1e-12, "{whole} s");
    let accuracy = report["accuracy"].as_f64().expect("an accuracy");
    assert!(history.iter().all(|row| row.2 != "inaccurate" || row.3.is_some_and(|error| error > 0.5 * accuracy)));
    let known = report["final_state"].as_object().expect("a state");
    let named = |worst: &str| known.contains_key(worst) || known.contains_key(&worst.replace(".rotation", ".qw"));
    // An attempt that failed, met something or was given up has no error, and no coordinate that errs most.
    let is_whole = |outcome: &str, error: Option<f64>, worst: &str| match outcome {
        "failed" | "not_free" => worst.is_empty(),
        "transition" if error.is_none() => worst.is_empty(),
        _ => named(worst),
    };
    assert_eq!(history.iter().find(|row| !is_whole(&row.2, row.3, &row.4)), None);

    // Samples read off the same steps do not change them.
    let recording = recording.to_string_lossy();
    json(&[&steps[..], &["--record", &recording, "--every", "0.007"]].concat());
    assert_eq!(rows(&file), history);
}
