//! Mistakes of newcomers: each message has the place, the reason and the remedy.

use crate::command::kinegraph;
use kinegraph::files::load_str;
use kinegraph::prelude::*;
use kinegraph::sweep::Axis;
use std::fs;
use std::path::{Path, PathBuf};

const DIAGRAM: &str = "\
kinegraph: 1
systems:
  e: {type: constant, value: 1}
  i: {type: integrator}
connections: [e.output -> i.input]
simulation: {duration: 1}
";

/// Replaced text, its replacement, and the line, the reason and the remedy of the message.
type Mistake = (&'static str, &'static str, usize, &'static str, &'static str);

#[rustfmt::skip]
const MISTAKES: &[Mistake] = &[
    ("[e.output ->", "[e.output[0] ->", 5, "broken YAML", "what has brackets needs quotes: \"e.output[0] -> i.input\""),
    ("i.input]", "i.input[0]]", 5, "broken YAML", "needs quotes: \"e.output -> i.input[0]\""),
    ("  i: {", "   i: {", 4, "broken YAML", "indented by 3 spaces: indent it by 2 to stand beside `e` (line 3)"),
    ("  i: {", " i: {", 4, "broken YAML", "indented by 1 space: indent it by 2 to stand beside `e` (line 3), or by 0 to"),
    ("  i: {", "\ti: {", 4, "broken YAML", "line 4 is indented by a tab: indent by spaces"),
    ("value: 1", "value: 2*3", 3, "found the text `2*3`", "write 6, or the formula \"=2*3\": a formula begins with `=`"),
    ("value: 1", "value: pi/2", 3, "found the text `pi/2`", "write 1.5707963267948966"),
    ("value: 1", "value: 5inch", 3, "found the text `5inch`", "`inch` is no unit of a file; 5 inch are 0.127 m"),
    ("value: 1", "value: 1,5", 3, "unknown key `5`", "decimals are written with a point, not with a comma"),
    ("value: 1", "value: [1 2 3]", 3, "found the text `1 2 3`", "have commas between them: [1, 2, 3]"),
    ("value: 1", "value: 1, value: 2", 3, "the key `value` is here a second time (the first is in line 3)", "keep one"),
    ("simul", "connections: []\nsimul", 6, "`connections` is here a second time (the first is in line 5)", "keep one"),
    ("input]", "input, e.output -> i.input]", 5, "i.input is driven by e.output already (line 5)", "type `adder`"),
    ("[e.output -> i.input]", "\n  - e.output -> i.input\n   - e.output -> i.input", 6, "more than one `->`", "same column"),
    ("{type: integrator}", "{type: first_order_lag, time_constant: 30deg}", 4, "`30deg` is in rad, the key in s",
        "write a number in s, as `30 s`, or alone, which is in s"),
    ("constant, value: 1", "expression, expression: \"t = 0\"", 3, "`=` has no meaning here", "two numbers are compared by `a == b`"),
    ("constant, value: 1", "expression, expression: \"t ? 1 : 2\"", 3, "`?` has no meaning here", "`if(condition, a, b)`"),
    ("constant, value: 1", "expression, expression: \"t ** 2\"", 3, "found `*`", "a power is written `a^b`"),
    ("constant, value: 1", "expression, expression: \"2t\"", 3, "found `t`", "a product is written with `*`"),
    ("constant, value: 1", "expression, expression: \"ln(t)\"", 3, "`ln` is not known", "write `log(x)`"),
    ("{type: integrator}", "{type: state_space, A: [10, 10], B: [[0], [1]], C: [[1, 0]]}", 4,
        "found a list of 2 numbers", "one column [[10], [10]], a diagonal matrix [[10, 0], [0, 10]]"),
    ("{type: integrator}", "{type: state_space, A: 1, B: [[1]], C: [[1]]}", 4, "found 1", "a matrix of one number is [[1]]"),
    ("{type: integrator}", "{type: pd_controller, kp: 1}", 4, "unknown block type `pd_controller`", "did you mean `pid`?"),
    ("{type: integrator}", "{type: low_pass_filter}", 4, "unknown block type", "did you mean `first_order_lag`?"),
    ("{type: integrator}", "{type: state_space, A: [[0, 1], [0, 0]], B: [[0], [1]], C: [[1], [0]]}", 4, "C is 2 x 1",
        "rows stand in brackets of their own, one row is [[1, 2]]"),
    ("{type: integrator}", "{type: state_space, A: [[0, 1], [0, 0]], B: [[0, 1]], C: [[1, 0]]}", 4, "B is 1 x 2",
        "one column is [[1], [2]]"),
    ("constant, value: 1", "expression, expression: \"atan2(t)\"", 3, "expected `,`, found `)`", "takes two numbers"),
    ("constant, value: 1", "expression, expression: \"sin(t, 1)\"", 3, "expected `)`, found `,`", "takes one number"),
    ("constant, value: 1", "expression, expression: \"sin(time)\"", 3, "`time` is not known", "write `t`"),
    ("constant, value: 1", "expression, inputs: {u: 1}, expression: \"q\"", 3, "`q` is neither", "inputs: `u`; the time"),
    ("constant, value: 1", "expression, inputs: {u: 2}, expression: u[0]", 3, "broken YAML",
        "within a map, what has brackets needs quotes: \"u[0]\""),
    ("[e.output -> i.input]", "{e.output: i.input}", 5, "expected a list", "a list of one is [{…}], or begins with `- `"),
    ("[e.output -> i.input]", "\n  - e.output -> i.input[0]\n  - e.output -> i.input", 6,
        "i.input[0] is a part of i.input, which is driven too (line 7)", "connect the whole or its parts"),
    ("simulation: {", "simulation {", 6, "unknown key", "a colon is missing: `simulation: {duration`"),
    ("e.output ->", "\"e.output[0:3]\" ->", 5, "broken YAML", "look at indentation, brackets and quotes"),
];

/// The diagram with a change, in a folder of its own.
fn saved(name: &str, old: &str, new: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("newcomers");
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join(name);
    assert!(DIAGRAM.contains(old), "{old}");
    fs::write(&file, DIAGRAM.replacen(old, new, 1)).expect("a file");
    file
}

#[test]
fn messages_have_the_place_the_reason_and_the_remedy() {
    for (i, (old, new, line, reason, remedy)) in MISTAKES.iter().enumerate() {
        let file = saved(&format!("{i}.yaml"), old, new);
        let (code, _, err) = kinegraph(&["check", file.to_str().expect("a name")]);
        assert_eq!(code, 2, "{new} is accepted");
        let place = format!("{}:{line}:", file.display());
        let [at, why, what] = [&place, *reason, *remedy].map(|part| err.contains(part));
        assert!(at && why && what, "{new}: {at}, {why}, {what}\n{err}");
    }
}

/// Every repeated key of a file is reported, not the first alone.
#[test]
fn all_repeated_keys_are_reported_together() {
    let file = saved("repeated.yaml", "value: 1}\n", "value: 1, value: 2}\n  e: {type: gain}\n");
    let (_, _, err) = kinegraph(&["check", file.to_str().expect("a name")]);
    assert!(err.contains("`value` is here a second time (the first is in line 3)"), "{err}");
    assert!(err.contains("`e` is here a second time (the first is in line 3)") && err.contains("2 faults"), "{err}");
}

#[test]
fn command_lines_have_the_reason_and_the_remedy() {
    let file = saved("right.yaml", "", "");
    let file = file.to_str().expect("a name");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("newcomers");
    let table = folder.join("right.csv");
    let folder = folder.to_str().expect("a name");
    let table = table.to_str().expect("a name");
    assert_eq!(kinegraph(&["run", file, "--record", table, "--quiet"]).0, 0);
    for (args, reason, remedy) in [
        (&["sweep", file, "--vary", "systems.e.value=1:2"][..], "a range has a count", "1:2:5 are five values"),
        (&["sweep", file, "--vary", "e.value=1,2"], "with e.value=1:", "did you mean `systems.e.value`?"),
        (&["run", file, "--set", "value=2"], "`value` leads to nothing", "did you mean `systems.e.value`?"),
        (
            &["sweep", file, "--vary", "systems.e.value=1", "--measure", "max(i.outptu)"],
            "no output",
            "did you mean `output`?",
        ),
        (&["linearize", file, "--output", "i.outptu"], "has no output `outptu`", "did you mean `output`?"),
        (&["plot", table, "--channels", "nope"], "nothing recorded is called so", "recorded: e.output, i.output"),
        (&["run", file, "--step", "1e-3"], "--step 1e-3 does nothing", "`--max-step` bounds them"),
        (
            &["sweep", file, "--sample", "systems.e.value=normal(1,0.1)"],
            "without --runs draws once",
            "--runs 100 draws",
        ),
        (&["check", folder], "it is a folder", "name a file in it: "),
        (
            &["run", file, "--integrator", "icf", "--step", "0.1", "--accuracy", "1e-5"],
            "--accuracy 1e-5 does nothing",
            "icf",
        ),
    ] {
        let (_, _, err) = kinegraph(args);
        assert!(err.contains(reason) && err.contains(remedy), "{args:?}: {err}");
    }
}

/// A slice of an actuation and an actuator by its name are driven by two blocks, where they do not overlap.
#[test]
fn a_slice_and_an_actuator_by_name_are_driven_by_two_blocks() {
    let file = "tests/data/parts/mixed.yaml";
    let (code, out, err) = kinegraph(&["run", file, "--json"]);
    assert_eq!(code, 0, "{err}");
    let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    // Each of the three acts on a mass of its own for 1 s: v = F t / m.
    for (joint, speed) in [("a", 1.0), ("b", 2.0), ("c", 3.0)] {
        let v = report["final_state"][format!("plant.m.{joint}.v")].as_f64().expect("a number");
        assert!((v - speed).abs() < 1e-6, "{joint}: {v}");
    }
    let (code, _, err) = kinegraph(&["check", file, "--set", "connections.0=force_c.output -> plant.m.a"]);
    assert_eq!(code, 2);
    assert!(err.contains("is driven twice"), "{err}");
}

/// A program whose `main` returns an error prints its `Debug`: that is its message.
#[test]
fn the_debug_of_an_error_is_its_message() {
    let mut b = DiagramBuilder::new("d");
    b.add("pid", Pid::new(1, 1.0, 0.0, 0.0).expect("gains in range"));
    let file = load_str(Path::new("x.yaml"), "kinegraph: 2\nsystems: {}\n", &[]);
    let errors: [Option<Box<dyn std::error::Error>>; 4] = [
        b.build().err().map(Into::into),
        Pid::new(1, f64::NAN, 0.0, 0.0).err().map(Into::into),
        file.err().map(Into::into),
        Axis::parse("a.b").err().map(Into::into),
    ];
    for error in errors {
        let error = error.expect("an error");
        assert_eq!(format!("{error:?}"), error.to_string());
    }
}

/// The message of a step that fails names the first output that is not a number.
#[test]
fn a_root_of_a_negative_number_is_named() {
    let new = "e: {type: ramp, initial: 1, slope: -2}\n  root: {type: function, function: sqrt}";
    let file = saved("root.yaml", "e: {type: constant, value: 1}", new);
    let text = fs::read_to_string(&file).expect("a file");
    fs::write(&file, text.replace("[e.output -> i.input]", "[e.output -> root.input, root.output -> i.input]"))
        .unwrap();
    for method in ["cenic", "dopri5", "sdirk2"] {
        let (code, _, err) = kinegraph(&["run", file.to_str().expect("a name"), "--integrator", method, "--quiet"]);
        assert_eq!(code, 1);
        assert!(err.contains("`root.output` is NaN"), "{method}: {err}");
    }
}
