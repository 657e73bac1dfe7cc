//! Numbers of options with units: `--until "500 ms"`. Bare numbers mean what they meant.

use crate::command::kinegraph;
use std::fs;
use std::path::Path;

const TOP: &str = "\
kinegraph: 1
parameters: {tau: {default: 200 ms, range: [10, 1000]}, k: 2}
systems:
  goal: {type: constant, value: 1}
  lag: {type: first_order_lag, time_constant: $tau, gain: $k}
connections: [goal.output -> lag.input]
simulation: {duration: 3}
record: {channels: [lag.output]}
";

fn file(name: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("option_units");
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join(name);
    fs::write(&file, TOP).expect("a file");
    file.to_str().expect("a name").to_owned()
}

/// Output of a command, without the time that it took.
fn printed(args: &[&str]) -> String {
    let (code, out, err) = kinegraph(args);
    assert_eq!(code, 0, "{args:?}: {out}{err}");
    let is_timed = |line: &&str| line.contains("wall") || line.contains("real_time") || line.contains("real time");
    out.lines().filter(|line| !is_timed(line)).collect::<Vec<_>>().join("\n")
}

#[test]
fn numbers_with_units_are_those_in_si_units() {
    let file = file("same.yaml");
    let file = file.as_str();
    let linear = ["linearize", file, "--input", "lag.input", "--output", "lag.output"];
    let with = |more: &[&'static str]| [&linear[..], more].concat();
    for (written, plain) in [
        (vec!["run", file, "--json", "--until", "2 s"], vec!["run", file, "--json", "--until", "2"]),
        (vec!["run", file, "--json", "--until", "500ms"], vec!["run", file, "--json", "--until", "0.5"]),
        (vec!["run", file, "--json", "--max-step", "10 ms"], vec!["run", file, "--json", "--max-step", "0.01"]),
        (
            vec!["run", file, "--json", "--set", "parameters.tau=0.3 s"],
            vec!["run", file, "--json", "--set", "parameters.tau=300"],
        ),
        (vec!["run", file, "--json", "--budget", "1 h"], vec!["run", file, "--json", "--budget", "3600"]),
        (with(&["--at", "500 ms"]), with(&["--at", "0.5"])),
        (with(&["--sampled", "10 ms"]), with(&["--sampled", "0.01"])),
        (
            with(&["--margins", "--frequencies", "60 deg/s:3 rad/s"]),
            with(&["--margins", "--frequencies", "1.0471975511965976:3"]),
        ),
        (
            with(&["--json", "--root-locus", "parameters.tau=100 ms:0.3 s:3"]),
            with(&["--json", "--root-locus", "parameters.tau=100:300:3"]),
        ),
    ] {
        let (first, second) = (printed(&written), printed(&plain));
        // The values of a locus are in SI units.
        if written.contains(&"--root-locus") {
            let poles = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON")["poles"].clone();
            assert_eq!(poles(&first), poles(&second));
            continue;
        }
        assert_eq!(first, second, "{written:?}");
    }
}

#[test]
fn a_sweep_has_the_unit_in_the_head_of_its_column() {
    let file = file("sweep.yaml");
    let out = Path::new(&file).with_extension("csv");
    let table = |more: &[&str]| {
        let _ = fs::remove_file(&out);
        printed(
            &[
                &[
                    "sweep",
                    &file,
                    "--quiet",
                    "--jobs",
                    "1",
                    "--out",
                    out.to_str().unwrap(),
                    "--measure",
                    "end(lag.output)",
                ],
                more,
            ]
            .concat(),
        );
        fs::read_to_string(&out).expect("a table")
    };
    let cells = |table: &str, name: &str| -> Vec<f64> {
        let at = table.lines().next().unwrap().split(',').position(|head| head == name);
        let at = at.unwrap_or_else(|| panic!("no {name}: {table}"));
        table.lines().skip(1).map(|row| row.split(',').nth(at).unwrap().parse().unwrap()).collect()
    };
    let (ranged, listed, bare) = (
        table(&["--vary", "parameters.tau=100 ms:0.3 s:3"]),
        table(&["--vary", "parameters.tau=100 ms,0.2 s,300 ms"]),
        table(&["--vary", "parameters.tau=100:300:3"]),
    );
    assert_eq!(cells(&ranged, "parameters.tau [s]"), [0.1, 0.2, 0.3]);
    assert_eq!(cells(&ranged, "end(lag.output)"), cells(&bare, "end(lag.output)"));
    assert_eq!(cells(&listed, "parameters.tau [s]"), [0.1, 0.2, 0.3]);
    assert_eq!(cells(&listed, "end(lag.output)"), cells(&bare, "end(lag.output)"));
    let (drawn, plain) = (
        table(&["--runs", "4", "--sample", "parameters.tau=uniform(100 ms,0.3 s)"]),
        table(&[
            "--runs",
            "4",
            "--sample",
            "parameters.tau=uniform(0.1,0.3)",
            "--set",
            "parameters.tau={default: 0.2, unit: s}",
        ]),
    );
    assert_eq!(cells(&drawn, "parameters.tau [s]"), cells(&plain, "parameters.tau"));
}

/// Arguments behind the file, and what the message has.
type Wrong = (&'static [&'static str], [&'static str; 3]);

#[rustfmt::skip]
const WRONG: &[Wrong] = &[
    (&["run", "--until", "2 m"], ["--until 2 m", "in m", "in s"]),
    (&["run", "--until", "2 sec"], ["--until 2 sec", "sec", "s"]),
    (&["run", "--every", "2 kg"], ["--every 2 kg", "in kg", "in s"]),
    (&["run", "--budget", "2 m"], ["--budget", "`2 m`", "a number in s"]),
    (&["run", "--budget", "long"], ["--budget", "`long`", "a number in s"]),
    (&["run", "--set", "parameters.tau=2 m"], ["--set parameters.tau=2 m", "in m", "says s"]),
    (&["linearize", "--output", "lag.output", "--at", "2 N"], ["--at", "`2 N`, which is in N", "a number in s"]),
    (&["linearize", "--output", "lag.output", "--at", "2 sec"], ["--at", "`sec` is no unit", "a number in s"]),
    (&["linearize", "--output", "lag.output", "--sampled", "2 m"], ["--sampled", "`2 m`, which is in m", "a number in s"]),
    (&["linearize", "--output", "lag.output", "--margins", "--frequencies", "1 Hz:10 Hz"], ["--frequencies", "`1 Hz`", "rad/s"]),
    (&["linearize", "--output", "lag.output", "--root-locus", "parameters.tau=1 s:2 m"], ["--root-locus", "in s", "in m"]),
    (&["linearize", "--output", "lag.output", "--root-locus", "parameters.tau=1:2 s"], ["--root-locus", "`2 s`", "with both, or with none"]),
    (&["sweep", "--vary", "parameters.tau=1 s:3 m:5"], ["--vary", "`1 s` is in s, and `3 m` in m", "in one unit"]),
    (&["sweep", "--vary", "parameters.tau=1:3 s:5"], ["--vary", "`1` and `3 s`", "with both, or with none"]),
    (&["sweep", "--vary", "parameters.tau=1 s:3 s"], ["--vary", "a range has a count", "1 s:3 s:5"]),
    (&["sweep", "--vary", "parameters.tau=1 s:3 sec:5"], ["--vary", "the ends of a range are numbers", "1 kg:3 kg:5"]),
    (&["sweep", "--vary", "parameters.tau=1 m:3 m:2"], ["parameters.tau=1 m", "in m", "says s"]),
    (&["sweep", "--sample", "parameters.tau=uniform(1 s,3 m)"], ["--sample", "in s", "in m"]),
    (&["view", "--screenshot", "a.png", "--at", "2 m"], ["--at", "`2 m`, which is in m", "a number in s"]),
    (&["view", "--screenshot", "a.png", "--eye", "1 m,2 m,3 s"], ["--eye", "`3 s`, which is in s", "a number in m"]),
];

#[test]
fn a_wrong_unit_names_the_option_what_was_given_and_what_was_expected() {
    let file = file("wrong.yaml");
    let mut wrong = Vec::new();
    for (args, expected) in WRONG {
        let (code, out, err) = kinegraph(&[&args[..1], &[file.as_str()], &args[1..]].concat());
        if code != 2 || !expected.iter().all(|part| err.contains(part)) {
            wrong.push(format!("{args:?}: exit code {code}, expected {expected:?}\n{out}{err}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), WRONG.len(), wrong.join("\n"));
}
