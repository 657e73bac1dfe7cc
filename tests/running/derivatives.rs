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

#[test]
fn the_section_of_a_file_says_what_is_differentiated() {
    let section = "gradient: {of: [end(x.output)], by: [parameters.m], over_time: [x.output], until: 2}\n";
    let text = std::fs::read_to_string(oscillator("plain.yaml")).expect("the file") + section;
    let path = file("section.yaml", &text);
    let found = json(&["gradient", &path]);
    let slope = |m: f64, t: f64| (closed_form(m + 1e-5, 8.0, 0.4, t) - closed_form(m - 1e-5, 8.0, 0.4, t)) / 2e-5;
    assert!((found["gradient"][0]["value"].as_f64().unwrap() - slope(2.0, 2.0)).abs() < 1e-6, "{found}");
    // Options stand in place of the section; the end of the run is its own.
    let found = json(&["gradient", &path, "--by", "parameters.k", "--until", "1"]);
    assert_eq!(found["gradient"][0]["by"], "parameters.k");
    assert_eq!(found["over_time"]["times"].as_array().map(Vec::len), Some(21), "{found}");
    let (code, _, err) = kinegraph(&["gradient", &oscillator("plain.yaml")]);
    assert!(code == 2 && err.contains("--of") && err.contains("gradient: {of:"), "{err}");
}

#[test]
fn derivatives_over_time_equal_those_of_the_closed_form() {
    let path = oscillator("over_time.yaml");
    let out = Path::new(&path).with_file_name("derivative.csv").to_string_lossy().into_owned();
    let args = ["gradient", &path, "--over-time", "x.output", "--by", "parameters.k", "--out", &out];
    let found = json(&args);
    let [times, one] = [&found["over_time"]["times"], &found["over_time"]["channels"][0]["derivatives"][0]];
    let numbers = |list: &serde_json::Value| -> Vec<f64> {
        list.as_array().expect("a list").iter().map(|x| x.as_f64().expect("a number")).collect()
    };
    let (times, values, errors) = (numbers(times), numbers(&one["values"]), numbers(&one["errors"]));
    assert!(times.len() == 101 && values.len() == 101 && errors.len() == 101, "{found}");
    for ((t, value), error) in times.iter().zip(&values).zip(&errors) {
        let slope = (closed_form(2.0, 8.0 + 1e-5, 0.4, *t) - closed_form(2.0, 8.0 - 1e-5, 0.4, *t)) / 2e-5;
        assert!((value - slope).abs() < 1e-6 && *error < 1e-5, "{t}: {value} {slope} {error}");
    }
    let table = std::fs::read_to_string(&out).expect("the table");
    let head = "time,x.output,d x.output / d parameters.k [1 / parameters.k],error(d x.output / d parameters.k)";
    assert!(table.starts_with(head) && table.lines().count() == 102, "{table}");
    let picture = Path::new(&path).with_file_name("derivative.svg").to_string_lossy().into_owned();
    assert_eq!(kinegraph(&["plot", &out, "-o", &picture]).0, 0);
    let drawn = [&args[..6], &["--out", &picture]].concat();
    assert_eq!(kinegraph(&drawn).0, 0);
    assert!(std::fs::read_to_string(&picture).is_ok_and(|svg| svg.contains("d x.output / d parameters.k")));
}

#[test]
fn a_derivative_over_time_jumps_where_the_motion_does() {
    // Falls from h and rebounds with 0.8 of its speed at t1 = sqrt(2 h/g): z = 0.8 g t1 (t - t1) - g (t - t1)^2/2 then.
    let path = "examples/bouncing_ball/bouncing_ball.yaml";
    let args = ["gradient", path, "--over-time", "height.output", "--by", "systems.height.initial", "--until", "0.6"];
    let found = json(&args);
    let (g, times) = (9.81_f64, found["over_time"]["times"].as_array().expect("times"));
    let values = found["over_time"]["channels"][0]["derivatives"][0]["values"].as_array().expect("values");
    let (t1, rate) = ((2.0 / g).sqrt(), 0.5 * (2.0 / g).sqrt());
    for (t, value) in times.iter().zip(values) {
        let t = t.as_f64().expect("a time");
        let after = rate * (0.8 * g * (t - 2.0 * t1) + g * (t - t1));
        let expected = if t < t1 { 1.0 } else { after };
        assert!((value.as_f64().expect("a number") - expected).abs() < 1e-5, "{t}: {value} {expected}");
    }
}

#[test]
fn values_that_are_set_are_those_that_are_differentiated_at() {
    let path = oscillator("set_values.yaml");
    let slope = |m: f64| (closed_form(m + 1e-5, 8.0, 0.4, 5.0) - closed_form(m - 1e-5, 8.0, 0.4, 5.0)) / 2e-5;
    let value = |args: &[&str]| {
        let all = [&["gradient", &path, "--of", "end(x.output)"][..], args].concat();
        json(&all)["gradient"][0]["value"].as_f64().expect("a number")
    };
    assert!((value(&["--by", "parameters.m", "--set", "parameters.m=3"]) - slope(3.0)).abs() < 1e-6);
    assert!((value(&["--by", "parameters.m=2.5"]) - slope(2.5)).abs() < 1e-6);
    // A parameter counts in the unit in which it is written.
    let text = std::fs::read_to_string(&path).expect("the file").replace("m: 2,", "m: 2000 g,");
    std::fs::write(&path, text).expect("a file");
    assert!((value(&["--by", "parameters.m"]) - 1e-3 * slope(2.0)).abs() < 1e-8);
}

#[test]
fn each_run_of_a_sweep_has_its_derivatives() {
    let path = oscillator("swept.yaml");
    let args =
        ["sweep", &path, "--vary", "parameters.m=1,2,4", "--derivative", "end(x.output)", "--by", "parameters.k"];
    let (code, out, err) = kinegraph(&[&args[..], &["--by", "parameters.m", "--jobs", "2"]].concat());
    assert_eq!(code, 0, "{err}");
    let mut table = csv::Reader::from_reader(out.as_bytes());
    let heads = table.headers().expect("a head").clone();
    let column = |name: &str| heads.iter().position(|head| head == name).unwrap_or_else(|| panic!("{name}: {out}"));
    let by_k = column("d end(x.output) / d parameters.k");
    assert_eq!(column("error(d end(x.output) / d parameters.k)"), by_k + 1);
    let (by_m, notes) = (column("d end(x.output) / d parameters.m"), column("notes"));
    let mut count = 0;
    for row in table.records() {
        let row = row.expect("a row");
        let number = |i: usize| row[i].parse::<f64>().expect("a number");
        let m = number(column("parameters.m"));
        let x = |m: f64, k: f64| closed_form(m, k, 0.4, 5.0);
        let [slope_k, slope_m] = [x(m, 8.0 + 1e-5) - x(m, 8.0 - 1e-5), x(m + 1e-5, 8.0) - x(m - 1e-5, 8.0)];
        assert!((number(by_k) - slope_k / 2e-5).abs() < 1e-6 && number(by_k + 1) < 1e-6, "{row:?}");
        assert!((number(by_m) - slope_m / 2e-5).abs() < 1e-6 && row[notes].is_empty(), "{row:?}");
        count += 1;
    }
    assert_eq!(count, 3);
    // A run without derivatives says why.
    let (code, out, err) = kinegraph(&[&args[..], &["--integrator", "dopri5,sdirk2"]].concat());
    assert!(code == 0 && out.contains("`sdirk2` has no derivatives"), "{out}{err}");
    let (code, _, err) = kinegraph(&[&args[..6], &["--by", "parameters.kk"]].concat());
    assert!(code == 2 && err.contains("did you mean `parameters.k`"), "{err}");
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
const MISTAKES: [(&[&str], &[&str]); 24] = [
    (&["--by", "parameters.k"], &["what is differentiated", "--over-time", "gradient: {of:"]),
    (&["--of", "end(x.output)", "--by", "k"], &["no `k` at the top", "did you mean `parameters.k`"]),
    (&["--of", "end(x.output)", "--by", "law.expression"], &["no `law` at the top"]),
    (
        &["--of", "end(x.output)", "--by", "systems.x.initail"],
        &["no `initail` in systems.x", "did you mean `systems.x.initial`"],
    ),
    (&["--of", "end(x.output)", "--by", "systems.v.initial"], &["no `initial` in systems.v", "systems.v.initial=1"]),
    (&["--of", "end(x.output)", "--by", "end(x.output)"], &["is a measure", "`by` is a number of the file"]),
    (&["--of", "end(x.output)", "--by", "initial(x.output"], &["is not initial(STATE)"]),
    (
        &["--of", "end(x.output)", "--of", "end(x.output)", "--by", "parameters.k"],
        &["`end(x.output)` is asked for twice"],
    ),
    (
        &["--of", "end(x.output)", "--by", "parameters.k", "--by", "parameters.k"],
        &["`parameters.k` is asked for twice"],
    ),
    (&["--over-time", "x.outptu", "--by", "parameters.k"], &["x.outptu", "did you mean `output`"]),
    (&["--of", "end(x.output)", "--by", "parameters.k", "--out", "a.csv"], &["--out a.csv", "--over-time"]),
    (&["--over-time", "x.output", "--by", "parameters.k", "--out", "a.pdf"], &["--out a.pdf", ".csv, .svg and .png"]),
    (&["--of", "end(x.ouput)", "--by", "parameters.k"], &["x.ouput", "did you mean `output`"]),
    (
        &["--of", "end(x)", "--of", "end(law.output", "--by", "parameters.k"],
        &["end(law.output", "expected end(CHANNEL)"],
    ),
    (&["--of", "last(x.output)", "--by", "parameters.k"], &["last(x.output)", "expected end(CHANNEL)"]),
    (&["--of", "time(touch box ground)", "--by", "parameters.k"], &["no event `touch box ground`", "it has none"]),
    (
        &["--of", "end(x.output)", "--by", "parameters.kk"],
        &["`parameters.kk` is no number", "did you mean `parameters.k`"],
    ),
    (&["--of", "end(x.output)", "--by", "parameters.kk=3"], &["kk", "parameters"]),
    (&["--of", "end(x.output)", "--by", "parameters..k"], &["not a dotted path"]),
    (&["--of", "end(x.output)", "--by", "parameters.k=a"], &["`a` is not a number"]),
    (&["--of", "end(x.output)", "--by", "initial(x.outpu)"], &["no state `x.outpu`"]),
    (
        &["--of", "end(x.output)", "--by", "systems.law.type"],
        &["`systems.law.type` is no number", "the text `expression`"],
    ),
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

/// A jump at t0 and a bend at s: the integrals are 1 - t0 and (1 - s)^2.
#[test]
fn the_times_of_sources_move() {
    let path = file(
        "times.yaml",
        "kinegraph: 1
systems:
  step: {type: step, time: 0.31, initial: 0, final: 1}
  x: {type: integrator}
  lag: {type: first_order_lag, time_constant: 0.2}
  rise: {type: ramp, slope: 2, start: 0.3}
  r: {type: integrator}
connections: [step.output -> x.input, step.output -> lag.input, rise.output -> r.input]
simulation: {duration: 1}
",
    );
    for integrator in ["dopri5", "rk3", "cenic", "cenic-trapezoid"] {
        let lag = -(-0.69_f64 / 0.2).exp() / 0.2;
        for (of, by, expected) in [("x", "step.time", -1.0), ("lag", "step.time", lag), ("r", "rise.start", -1.4)] {
            let (of, by) = (format!("end({of}.output)"), format!("systems.{by}"));
            let row = &json(&["gradient", &path, "--of", &of, "--by", &by, "--integrator", integrator])["gradient"][0];
            let value = row["value"].as_f64().unwrap_or_else(|| panic!("{row}"));
            assert!((value - expected).abs() < 2e-3, "{integrator}: {value} instead of {expected}");
        }
    }
}
