//! No value that is not finite ends a run as if nothing had happened.

use super::command::kinegraph;
use super::{scratch, written};

/// A diagram file of these blocks and wires.
fn file(name: &str, systems: &str, connections: &str, more: &str) -> String {
    let text = format!(
        "kinegraph: 1\nsystems:\n{systems}connections: [{connections}]\nsimulation: {{integrator: rk3, duration: 2{more}}}\n"
    );
    written(name, &text)
}

/// `log` of `1 - t`, which no state depends on: finite before t = 1.
fn logarithm(name: &str, more: &str) -> String {
    let systems = "  time: {type: ramp, slope: -1, initial: 1}\n  log: {type: function, function: log}\n  \
                   twice: {type: gain, gain: 2}\n";
    file(name, systems, "time.output -> log.input, log.output -> twice.input", more)
}

#[test]
fn an_output_that_is_not_finite_ends_the_run_with_its_block_and_its_time() {
    let file = logarithm("log.yaml", "");
    let recording = scratch("log.csv").display().to_string();
    for args in [&["run", &file, "--quiet"][..], &["run", &file, "--quiet", "--record", &recording, "--every", "0.25"]]
    {
        let (code, _, err) = kinegraph(args);
        assert_eq!(code, 1, "{err}");
        // Where it began, and not what follows from it.
        assert!(err.contains("at t = 1 s output `log.output` is -inf, computed by block `log`"), "{err}");
    }
    let rows = std::fs::read_to_string(&recording).unwrap();
    let times: Vec<&str> = rows.lines().skip(1).filter_map(|row| row.split(',').next()).collect();
    assert_eq!(times, ["0.0", "0.25", "0.5", "0.75"], "{rows}");
}

#[test]
fn failure_of_a_run_does_not_depend_on_the_recorded_channels() {
    let systems = "  one: {type: constant, value: 1}\n  zero: {type: constant, value: 0}\n  \
                   ratio: {type: product, factors: \"*/\"}\n";
    let wires = "one.output -> ratio.input0, zero.output -> ratio.input1";
    let text = file("ratio.yaml", systems, wires, "");
    let (code, _, err) = kinegraph(&["run", &text, "--quiet", "--set", "record.channels=[one.output]"]);
    assert!(code == 1 && err.contains("at t = 0 s output `ratio.output` is inf, computed by block `ratio`"), "{err}");
}

#[test]
fn a_discrete_state_that_overflows_ends_the_run() {
    let systems = "  one: {type: constant, value: 1}\n  \
                   growing: {type: discrete_state_space, A: [[1.0e100]], B: [[1]], C: [[0]], period: 0.1}\n";
    let file = file("growing.yaml", systems, "one.output -> growing.input", "");
    let (code, _, err) = kinegraph(&["run", &file, "--quiet"]);
    assert!(code == 1 && err.contains("discrete state `growing.x` is inf, computed by block `growing`"), "{err}");
}

#[test]
fn values_that_are_not_finite_are_kept_where_that_is_asked_for() {
    let file = logarithm("kept.yaml", ", non_finite: keep");
    let recording = scratch("kept.csv").display().to_string();
    let (code, _, err) = kinegraph(&["run", &file, "--quiet", "--record", &recording, "--every", "0.5"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let rows = std::fs::read_to_string(&recording).unwrap();
    assert!(rows.contains("-inf") && rows.contains("NaN"), "{rows}");
}

#[test]
fn the_row_of_a_sweep_names_the_value_that_was_not_finite() {
    let file = logarithm("swept.yaml", "");
    let table = scratch("swept.csv");
    for old in [table.clone(), scratch("swept.csv.sweep.json")] {
        let _ = std::fs::remove_file(old);
    }
    let out = table.display().to_string();
    let vary = "systems.time.slope=-1,1";
    kinegraph(&["sweep", &file, "--out", &out, "--vary", vary, "--measure", "max(log.output)", "--quiet"]);
    let rows = std::fs::read_to_string(&table).unwrap();
    assert!(rows.contains("output `log.output` is -inf, computed by block `log`"), "{rows}");
    assert!(rows.lines().any(|row| row.contains(",done,")), "{rows}");
}
