//! `kinegraph gradient` and `kinegraph fit`: derivatives of files, parameters from recordings, and what is said where
//! there are none.

use super::command::kinegraph;
use std::path::{Path, PathBuf};

pub(super) fn file(name: &str, text: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("derivatives");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path: PathBuf = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path.to_string_lossy().into_owned()
}

pub(super) fn json(args: &[&str]) -> serde_json::Value {
    let (code, out, err) = kinegraph(&[args, &["--json"]].concat());
    assert_eq!(code, 0, "{args:?}: {err}");
    serde_json::from_str(&out).expect("JSON")
}

/// A mass m on a spring k with a damper c, from x = 1 at rest, and a gain after it.
pub(super) fn oscillator(name: &str) -> String {
    let text = "kinegraph: 1
parameters: {m: 2, k: 8, c: 0.4, a: 1.5, b: 1}
systems:
  law: {type: expression, inputs: [x, v], expression: \"(0-$k*x-$c*v)/$m\"}
  v: {type: integrator}
  x: {type: integrator, initial: 1}
  first: {type: gain, gain: $a}
  second: {type: gain, gain: $b}
connections: [law.output -> v.input, v.output -> x.input, x.output -> law.x, v.output -> law.v, x.output -> first.input,
  first.output -> second.input]
simulation: {integrator: dopri5, accuracy: 1.0e-8, duration: 5}
record: {every: 0.05, channels: [x.output, second.output]}
";
    file(name, text)
}

/// x(t) of the oscillator.
pub(super) fn closed_form(m: f64, k: f64, c: f64, t: f64) -> f64 {
    let (d, w) = (c / (2.0 * m), (k / m - (c / (2.0 * m)).powi(2)).sqrt());
    (-d * t).exp() * ((w * t).cos() + d / w * (w * t).sin())
}

/// A number that `--set` has replaced is differentiated at its new value.
#[test]
fn a_value_that_is_set_is_the_value_that_is_differentiated() {
    let path = oscillator("set.yaml");
    for (path_of, set) in [("parameters.m", "parameters.m=4"), ("systems.x.initial", "systems.x.initial=3")] {
        let ask = ["gradient", &path, "--of", "end(x.output)", "--by", path_of, "--set", set, "--check"];
        let row = &json(&ask)["gradient"][0];
        let m = if path_of == "parameters.m" { 4.0 } else { 2.0 };
        let of = |m: f64| closed_form(m, 8.0, 0.4, 5.0);
        let expected = if m == 4.0 { (of(4.0 + 1e-5) - of(4.0 - 1e-5)) / 2e-5 } else { of(2.0) };
        for key in ["value", "differences"] {
            let value = row[key].as_f64().unwrap_or_else(|| panic!("{row}"));
            assert!((value - expected).abs() < 1e-5, "{key}: {value} instead of {expected}");
        }
    }
}

/// A loop of rigid bodies. References: CVODES/IDAS sensitivities as published, and a projected method at 1e-13.
#[test]
fn the_slider_crank_has_the_published_derivatives() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/gradients/crank.yaml");
    let path = path.to_string_lossy();
    let ask = ["gradient", &path, "--of", "end(sum.output)", "--by", "parameters.k", "--by", "parameters.c"];
    for (accuracy, most) in [("1e-3", 1e-4), ("1e-7", 1e-6)] {
        let found = json(&[&ask, &["--accuracy", accuracy][..]].concat());
        let values = [&found["values"][0]["value"], &found["gradient"][0]["value"], &found["gradient"][1]["value"]];
        for (value, expected) in values.into_iter().zip([3.336_606_799_483, 0.333_448_106_1, -0.363_754_034_0]) {
            let value = value.as_f64().expect("a number");
            assert!((value - expected).abs() < most, "{accuracy}: {value} for {expected}");
        }
    }
}

#[test]
fn derivatives_of_a_file_equal_those_of_its_closed_form() {
    let path = oscillator("oscillator.yaml");
    let by = ["--by", "parameters.m", "--by", "parameters.k", "--by", "parameters.c", "--by", "systems.x.initial"];
    let args =
        [&["gradient", &path, "--of", "end(x.output)", "--of", "at(x.output,2)"][..], &by, &["--check"]].concat();
    let found = json(&args);
    let slope = |of: &dyn Fn(f64) -> f64, at: f64| (of(at * (1.0 + 1e-6)) - of(at * (1.0 - 1e-6))) / (2e-6 * at);
    for (row, t) in [5.0, 2.0].into_iter().enumerate() {
        let expected = [
            slope(&|m| closed_form(m, 8.0, 0.4, t), 2.0),
            slope(&|k| closed_form(2.0, k, 0.4, t), 8.0),
            slope(&|c| closed_form(2.0, 8.0, c, t), 0.4),
            closed_form(2.0, 8.0, 0.4, t),
        ];
        for (column, expected) in expected.into_iter().enumerate() {
            let one = &found["gradient"][4 * row + column];
            let (value, differences) = (one["value"].as_f64().unwrap(), one["differences"].as_f64().unwrap());
            assert!((value - expected).abs() < 1e-6 * expected.abs().max(1.0), "{one}: {expected}");
            assert!((differences - expected).abs() < 1e-4 * expected.abs().max(1.0), "{one}: {expected}");
            assert!(one["error"].as_f64().unwrap() < 1e-6, "{one}");
        }
    }
    assert_eq!(found["notes"].as_array().map(Vec::len), Some(0), "{found}");
}

/// Normal numbers by Box and Muller.
pub(super) fn normal(state: &mut u64) -> f64 {
    let mut unit = || {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((*state >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    };
    let (a, b) = (unit(), unit());
    (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
}

/// A recording of x with noise.
fn recording(name: &str, seed: u64, deviation: f64, column: &str) -> String {
    let mut state = seed.wrapping_mul(977).wrapping_add(13);
    let mut text = format!("time,{column}\n");
    for i in 0..=100 {
        let t = f64::from(i) * 0.05;
        text.push_str(&format!("{t},{}\n", closed_form(2.2, 7.0, 0.5, t) + deviation * normal(&mut state)));
    }
    file(name, &text)
}

#[test]
fn true_values_lie_in_the_intervals_of_95_percent() {
    let path = oscillator("fitted.yaml");
    let (mut within, mut all) = (0, 0);
    for seed in 0..60 {
        let data = recording("noisy.csv", seed, 0.01, "x");
        let args = [
            "fit",
            &path,
            "--data",
            &data,
            "--match",
            "x.output=x",
            "--by",
            "parameters.k=1:30",
            "--by",
            "parameters.c=0:5",
            "--set",
            "parameters.m=2.2",
        ];
        let found = json(&args);
        assert!(found["runs"].as_u64().unwrap() < 20, "{found}");
        for (one, truth) in found["parameters"].as_array().unwrap().iter().zip([7.0, 0.5]) {
            let off = (one["value"].as_f64().unwrap() - truth).abs();
            within += usize::from(off <= one["interval"].as_f64().unwrap());
            all += 1;
        }
    }
    assert!((90..=99).contains(&(100 * within / all)), "{within} of {all}");
}

#[test]
fn what_the_recording_leaves_open_is_named() {
    let path = oscillator("undetermined.yaml");
    let data = recording("other.csv", 1, 0.001, "second.output");
    let by = ["--by", "parameters.k", "--by", "parameters.a", "--by", "parameters.b"];
    let fixed = ["--set", "parameters.m=2.2", "--set", "parameters.c=0.5"];
    let args = [&["fit", &path, "--data", &data][..], &by, &fixed].concat();
    let (code, out, err) = kinegraph(&args);
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("only parameters.a x parameters.b is known"), "{out}");
    let found = json(&args);
    assert!(found["parameters"][0]["interval"].as_f64().is_some_and(|half| half < 0.01), "{found}");
    assert!(found["parameters"][1]["interval"].is_null() && found["parameters"][2]["interval"].is_null(), "{found}");
    // Mass, stiffness and damping act by their ratios alone.
    let data = recording("ratios.csv", 2, 0.001, "x.output");
    let found =
        json(&["fit", &path, "--data", &data, "--by", "parameters.m", "--by", "parameters.k", "--by", "parameters.c"]);
    assert_eq!(found["undetermined"].as_array().map(Vec::len), Some(1), "{found}");
    assert_eq!(found["undetermined"][0]["parts"].as_array().map(Vec::len), Some(3), "{found}");
}

#[test]
fn the_file_is_written_with_the_fitted_values() {
    let path = oscillator("written.yaml");
    let data = recording("exact.csv", 3, 0.0, "x.output");
    let out = Path::new(&path).with_file_name("out.yaml").to_string_lossy().into_owned();
    let (code, printed, err) = kinegraph(&[
        "fit",
        &path,
        "--data",
        &data,
        "--by",
        "parameters.k",
        "--by",
        "parameters.c",
        "--set",
        "parameters.m=2.2",
        "--out",
        &out,
    ]);
    assert_eq!(code, 0, "{printed}{err}");
    let written = std::fs::read_to_string(&out).expect("the file");
    assert!(written.contains("k: 7.000000") || written.contains("k: 6.999999"), "{written}");
    assert!(kinegraph(&["check", &out]).0 == 0);
}

/// Words typed in place of `gradient FILE --of end(x.output) --by parameters.k`, and what the message says.
const MISTAKES: [(&[&str], &[&str]); 12] = [
    (&["--of", "end(x.ouput)", "--by", "parameters.k"], &["x.ouput", "did you mean `output`"]),
    (
        &["--of", "end(x)", "--of", "end(law.output", "--by", "parameters.k"],
        &["end(law.output", "expected end(CHANNEL)"],
    ),
    (&["--of", "last(x.output)", "--by", "parameters.k"], &["last(x.output)", "expected end(CHANNEL)"]),
    (&["--of", "time(touch box ground)", "--by", "parameters.k"], &["no event `touch box ground`", "it has none"]),
    (&["--of", "end(x.output)", "--by", "parameters.kk"], &["no number at `parameters.kk`", "parameters.kk=1"]),
    (&["--of", "end(x.output)", "--by", "parameters.kk=3"], &["kk", "parameters"]),
    (&["--of", "end(x.output)", "--by", "parameters..k"], &["not a dotted path"]),
    (&["--of", "end(x.output)", "--by", "parameters.k=a"], &["`a` is not a number"]),
    (&["--of", "end(x.output)", "--by", "initial(x.outpu)"], &["no state `x.outpu`"]),
    (&["--of", "end(x.output)", "--by", "systems.law.type"], &["no number at `systems.law.type`"]),
    (&["--of", "end(x.output)"], &["--by"]),
    (&["--of", "end(x.output)", "--by", "parameters.k", "--until", "0"], &["expected a time above 0"]),
];

#[test]
fn mistakes_are_named_with_their_remedy() {
    let path = oscillator("mistakes.yaml");
    for (args, parts) in MISTAKES {
        let (code, out, err) = kinegraph(&[&["gradient", &path][..], args].concat());
        assert_eq!(code, 2, "{args:?}: {out}{err}");
        for part in parts {
            assert!(err.contains(part), "{args:?}: {part}\n{err}");
        }
    }
    let data = recording("mistakes.csv", 4, 0.0, "angle");
    let fits: [(&[&str], &[&str]); 6] = [
        (&["--by", "parameters.k"], &["no column", "--match", "time, angle"]),
        (&["--by", "parameters.k", "--match", "x.output=angel"], &["no column `angel`", "did you mean `angle`"]),
        (&["--by", "parameters.k=5:1", "--match", "x.output=angle"], &["PATH=LOW:HIGH"]),
        (&["--by", "parameters.k", "--match", "x.out=angle"], &["x.out", "did you mean"]),
        (&["--by", "parameters.k", "--match", "x.output=angle", "--noise", "0"], &["standard deviation above 0"]),
        (&["--by", "parameters.k", "--match", "=angle"], &["CHANNEL=COLUMN"]),
    ];
    for (args, parts) in fits {
        let (code, out, err) = kinegraph(&[&["fit", &path, "--data", &data][..], args].concat());
        assert_eq!(code, 2, "{args:?}: {out}{err}");
        for part in parts {
            assert!(err.contains(part), "{args:?}: {part}\n{err}");
        }
    }
}
