//! Answers of `kinegraph linearize` beside A, B, C, D: models in discrete time, fewer states, loci, measured responses,
//! equilibria; and the mistakes of who asks for them.

use super::command::kinegraph;
use super::derivatives::json;
use std::path::{Path, PathBuf};

fn file(name: &str, text: &str) -> String {
    let path: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("a file");
    path.to_string_lossy().into_owned()
}

fn number(report: &serde_json::Value, path: &str) -> f64 {
    report.pointer(path).and_then(serde_json::Value::as_f64).unwrap_or_else(|| panic!("{path}: {report}"))
}

/// A gain k, sampled, around an integrator: `z = 1 - k T`, with the input held.
fn sampled_loop(name: &str, periods: [f64; 2]) -> String {
    let [hold, delay] = periods;
    let text = format!(
        "kinegraph: 1\nsystems:\n  goal: {{type: constant, value: 0}}\n  error: {{type: adder, signs: \"+-\"}}\n  \
         hold: {{type: zero_order_hold, period: {hold}}}\n  late: {{type: unit_delay, period: {delay}}}\n  \
         law: {{type: gain, gain: 2}}\n  plant: {{type: integrator}}\nconnections: [goal.output -> error.input0, \
         plant.output -> error.input1, error.output -> hold.input, hold.output -> law.input, law.output -> plant.input, \
         plant.output -> late.input]\nsimulation: {{duration: 1}}\n"
    );
    file(name, &text)
}

/// `k/((s + 1)(s + 2)(s + 3))` in a loop.
fn third_order(name: &str) -> String {
    file(
        name,
        "kinegraph: 1\nsystems:\n  goal: {type: constant, value: 0}\n  error: {type: adder, signs: \"+-\"}\n  \
         law: {type: gain, gain: 10}\n  plant: {type: transfer_function, numerator: [1], denominator: [1, 6, 11, 6]}\n\
         connections: [goal.output -> error.input0, plant.output -> error.input1, error.output -> law.input, law.output -> \
         plant.input]\nsimulation: {integrator: dopri5, accuracy: 1e-9, duration: 1}\n",
    )
}

#[test]
fn a_sampled_loop_has_its_poles_in_z() {
    let path = sampled_loop("sampled.yaml", [0.1, 0.1]);
    let report = json(&["linearize", &path, "--sampled"]);
    assert_eq!(number(&report, "/period"), 0.1);
    let poles: Vec<f64> = (0..4).map(|i| number(&report, &format!("/poles/{i}/re"))).collect();
    assert!((poles[3] - 0.8).abs() < 1e-12 && poles[..3].iter().all(|pole| pole.abs() < 1e-7), "{poles:?}");
    // Its margins: L = 2 T/(z - 1), which is -1 at z = -1 with 10 times the gain.
    let open = ["linearize", &path, "--sampled", "--cut", "error.input1", "--output", "plant.output", "--margins"];
    let report = json(&open);
    assert!((number(&report, "/margins/gain") - 10.0).abs() < 1e-9, "{report}");
    assert!((number(&report, "/margins/gain_frequency") - 10.0 * std::f64::consts::PI).abs() < 1e-9);
    assert_eq!(report["margins"]["closed_loop_stable"].as_bool(), Some(true));
    // 1/(1 + L) = (z - 1)/(z - 0.8) is largest at z = -1.
    assert!((number(&report, "/margins/peak_sensitivity") - 2.0 / 1.8).abs() < 1e-9, "{report}");
    let last = report["response"].as_array().and_then(|points| points.last().cloned()).expect("points");
    assert!((number(&last, "/w") - 10.0 * std::f64::consts::PI).abs() < 1e-6);
    let (_, out, _) = kinegraph(&open);
    assert!(out.contains("discrete time, period 0.1 s") && out.contains("the closed loop is stable"), "{out}");
    // Two rates: over 0.2 s the pole is 0.8 twice.
    let path = sampled_loop("two_rates.yaml", [0.1, 0.2]);
    let report = json(&["linearize", &path, "--sampled"]);
    assert_eq!(number(&report, "/period"), 0.2);
    assert!((number(&report, "/poles/3/re") - 0.64).abs() < 1e-12);
}

#[test]
fn a_model_in_discrete_time_is_a_block() {
    let path = third_order("plant_of_block.yaml");
    let model = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sampled_model.yaml");
    let model = model.to_string_lossy();
    let ask =
        ["linearize", &path, "--sampled", "0.05", "--input", "law.input", "--output", "plant.output", "-o", &model];
    let (code, _, err) = kinegraph(&ask);
    assert_eq!((code, err.as_str()), (0, ""));
    let text = std::fs::read_to_string(&*model).expect("a model");
    assert!(text.contains("type: discrete_state_space\n    period: 0.05\n"), "{text}");
    assert_eq!(kinegraph(&["check", &model]).0, 0);
}

#[test]
fn loci_cross_where_routh_says() {
    let path = third_order("locus.yaml");
    let picture = Path::new(env!("CARGO_TARGET_TMPDIR")).join("locus.svg");
    let picture = picture.to_string_lossy();
    let report = json(&["linearize", &path, "--root-locus", "systems.law.gain=0:100", &picture]);
    assert!((number(&report, "/crossings/0/value") - 60.0).abs() < 1e-8, "{report}");
    assert!((number(&report, "/crossings/0/pole/1") - 11.0_f64.sqrt()).abs() < 1e-6);
    assert_eq!(report["poles"].as_array().map(Vec::len), Some(41));
    assert!(std::fs::read_to_string(&*picture).expect("a picture").contains("<svg"));
    let (_, out, _) = kinegraph(&["linearize", &path, "--root-locus", "systems.law.gain=0:100:5"]);
    assert!(
        out.contains("poles cross the imaginary axis at") && out.contains("systems.law.gain = 60.0000000"),
        "{out}"
    );
}

#[test]
fn measured_responses_are_those_of_the_model() {
    let path = third_order("measured.yaml");
    let picture = Path::new(env!("CARGO_TARGET_TMPDIR")).join("measured.svg");
    let picture = picture.to_string_lossy();
    let ask = ["linearize", &path, "--input", "law.input", "--output", "plant.output", "--measure", "0.5:10:4"];
    let report = json(&[&ask[..], &["--bode", &picture]].concat());
    for k in 0..4 {
        assert!(number(&report, &format!("/measured/0/points/{k}/deviation")) < 1e-3, "{report}");
    }
    assert!(std::fs::read_to_string(&*picture).expect("a picture").contains("<circle"));
    // What bends shows itself with a large amplitude.
    let bent = file(
        "bent.yaml",
        "kinegraph: 1\nsystems:\n  law: {type: expression, inputs: [x, u], expression: \"u - x - x^3\"}\n  x: {type: \
         integrator}\n  u: {type: constant, value: 0}\nconnections: [u.output -> law.u, x.output -> law.x, law.output -> \
         x.input]\nsimulation: {integrator: dopri5, accuracy: 1e-9, duration: 1}\n",
    );
    let of = |amplitude: &str| {
        let ask =
            ["linearize", &bent, "--input", "law.u", "--output", "x.output", "--measure", "1:1.1:1", "--amplitude"];
        number(&json(&[&ask[..], &[amplitude]].concat()), "/measured/0/points/0/deviation")
    };
    assert!(of("0.01") < 1e-3 && of("2") > 0.1, "{} {}", of("0.01"), of("2"));
}

/// With a delay T in the loop of an integrator, `k e^(-s T)/s`, poles cross the imaginary axis at `k = π/(2 T)`.
#[test]
fn loci_have_delays_in_them() {
    let path = file(
        "late_locus.yaml",
        "kinegraph: 1\nsystems:\n  goal: {type: constant, value: 0}\n  error: {type: adder, signs: \"+-\"}\n  \
         law: {type: gain, gain: 10}\n  late: {type: transport_delay, delay: 0.1, period: 0.001}\n  \
         plant: {type: integrator}\nconnections: [goal.output -> error.input0, plant.output -> error.input1, \
         error.output -> law.input, law.output -> late.input, late.output -> plant.input]\nsimulation: {integrator: \
         dopri5, accuracy: 1e-9, duration: 1}\n",
    );
    let ask = ["linearize", &path, "--input", "error.input0", "--output", "plant.output"];
    let locus = ["--root-locus", "systems.law.gain=1:30"];
    let report = json(&[&ask[..], &locus].concat());
    let crossing = number(&report, "/crossings/0/value");
    assert!((crossing / (5.0 * std::f64::consts::PI) - 1.0).abs() < 1e-4 && report["pade_order"] == 4, "{report}");
    let (_, out, _) = kinegraph(&[&ask[..], &locus].concat());
    assert!(out.contains("each delay is a rational function of degree 4"), "{out}");
    let minimal = json(&[&ask[..], &["--minimal"]].concat());
    assert_eq!(minimal["states"].as_array().map(Vec::len), Some(5), "{minimal}");
}

/// Bounds and amplitudes are written with units, as all else; another unit than that of the state or input is a fault.
#[test]
fn bounds_and_amplitudes_have_units() {
    let slide = file(
        "units_of_options.yaml",
        "kinegraph: 1\nsystems:\n  push: {type: constant, value: 2 N}\n  law: {type: gain, gain: 0.5 kg^-1}\n  v: {type: \
         integrator}\n  sum: {type: adder, signs: \"+-\"}\n  drag: {type: gain, gain: 4 kg/s}\nconnections: [push.output -> \
         sum.input0, drag.output -> sum.input1, sum.output -> law.input, law.output -> v.input, v.output -> \
         drag.input]\nsimulation: {integrator: dopri5, accuracy: 1e-9, duration: 1}\n",
    );
    let ask = ["linearize", &slide, "--input", "sum.input0", "--output", "v.output"];
    let measured = |amplitude| json(&[&ask[..], &["--measure", "1:2:1", "--amplitude", amplitude]].concat());
    assert_eq!(measured("5 mN"), measured("0.005"));
    let trimmed = |bound| kinegraph(&[&ask[..], &["--trim", "--bound", bound, "--json"]].concat());
    let (with, without) = (trimmed("v.x=40 cm/s:600 mm/s"), trimmed("v.x=0.4:0.6"));
    assert!(with.0 == 0 && with == without, "{with:?} {without:?}");
    for words in [["--trim", "--bound", "sum.input0=1 mm:2 mm"], ["--measure=1:2:1", "--amplitude", "5 mm"]] {
        let (code, _, err) = kinegraph(&[&ask[..], &words].concat());
        assert!(code == 2 && err.contains("`sum.input0` is in N, and this number in m"), "{words:?}: {err}");
    }
    for (bound, remedy) in
        [("sum.input0=1 N:2", "write the unit with both"), ("sum.input0=3 N:2 N", "the lower one first")]
    {
        let (code, _, err) = trimmed(bound);
        assert!(code == 2 && err.contains(remedy), "{err}");
    }
}

#[test]
fn several_equilibria_are_listed() {
    // x' = x - x³.
    let path = file(
        "three.yaml",
        "kinegraph: 1\nsystems:\n  law: {type: expression, inputs: [x], expression: \"x - x^3\"}\n  x: {type: integrator, \
         initial: 0.2}\nconnections: [x.output -> law.x, law.output -> x.input]\nsimulation: {duration: 1}\n",
    );
    let report = json(&["linearize", &path, "--trim-all", "30"]);
    let found: Vec<(f64, bool)> = (0..3)
        .map(|i| {
            let stable = report["equilibria"][i]["stable"].as_bool().expect("a fact");
            (number(&report, &format!("/equilibria/{i}/states/0")), stable)
        })
        .collect();
    for ((x, stable), expected) in found.iter().zip([(0.0, false), (1.0, true), (-1.0, true)]) {
        assert!((x - expected.0).abs() < 1e-9 && *stable == expected.1, "{found:?}");
    }
    // Within bounds there is one.
    let bounded = json(&["linearize", &path, "--trim-all", "30", "--bound", "x.x=0.5:2"]);
    assert_eq!(bounded["equilibria"].as_array().map(Vec::len), Some(1));
    assert!((number(&bounded, "/equilibria/0/states/0") - 1.0).abs() < 1e-9);
    let (code, out, err) = kinegraph(&["linearize", &path, "--trim-all", "30"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("3 equilibria, the nearest first") && out.contains("stable: 2, 3"), "{out}");
}

#[test]
fn states_without_effect_leave_and_reduced_models_say_what_they_lose() {
    let path = third_order("reduced.yaml");
    let ports = ["--input", "law.input", "--output", "plant.output"];
    let report = json(&[&["linearize", &path, "--reduce", "2"], &ports[..]].concat());
    let values: Vec<f64> = (0..3).map(|i| number(&report, &format!("/reduction/hankel/{i}"))).collect();
    assert!(values[0] > values[1] && values[1] > values[2] && values[2] > 0.0, "{values:?}");
    assert!((number(&report, "/reduction/error_bound") - 2.0 * values[2]).abs() < 1e-15);
    assert_eq!(report["A"].as_array().map(Vec::len), Some(2));
    // A state that nothing drives.
    let path = file(
        "unreached.yaml",
        "kinegraph: 1\nsystems:\n  a: {type: first_order_lag, time_constant: 0.5}\n  b: {type: first_order_lag, \
         time_constant: 0.25}\n  u: {type: constant, value: 0}\nconnections: [u.output -> a.input, u.output -> b.input]\n\
         simulation: {duration: 1}\n",
    );
    let report = json(&["linearize", &path, "--minimal", "--input", "a.input", "--output", "a.output"]);
    assert_eq!(report["states"].as_array().map(Vec::len), Some(1));
    assert!((number(&report, "/removed/unreachable/0/re") + 4.0).abs() < 1e-9, "{report}");
}

/// Each mistake: its words, its exit code, what its message says, and the remedy there.
#[rustfmt::skip]
const MISTAKES: &[(&[&str], u8, &str, &str)] = &[
    (&["--sampled", "0"], 2, "expected a period above 0 in seconds", "e.g. 0.01"),
    (&["--sampled", "-0.1"], 2, "expected a period above 0 in seconds", "e.g. 0.01"),
    (&["--sampled", "0 ms"], 2, "expected a period above 0", "e.g. 0.01"),
    (&["--sampled", "systems"], 2, "'systems'", "`--sampled` behind FILE or before another option"),
    (&["--sampled"], 2, "no block of the diagram is sampled", "e.g. --sampled 0.01"),
    (&["--sampled", "0.1", "--frequencies", "40:100", "--input", "law.input", "--output", "plant.output"], 2, "up to its Nyquist frequency of 31.41", "40 rad/s is beyond"),
    (&["--sampled", "0.1", "--measure", "1:10"], 2, "--sampled", "cannot be used with"),
    (&["--sampled", "0.1", "--trim-all", "3"], 2, "--sampled", "cannot be used with"),
    (&["--minimal", "2"], 2, "expected a relative tolerance below 1", "e.g. 1e-9"),
    (&["--minimal", "small"], 2, "expected a relative tolerance below 1", "e.g. 1e-9"),
    (&["--reduce", "3", "--input", "law.input", "--output", "plant.output"], 2, "no more than 3 states", "ask for fewer"),
    (&["--reduce", "-1"], 2, "--reduce", "invalid"),
    (&["--step", "out.pdf", "--input", "law.input", "--output", "plant.output"], 2, "--step", ".svg"),
    (&["--step", "STEP"], 2, "a step response needs an input and an output", "--input, --output"),
    (&["--step-duration", "3"], 2, "--step", "required"),
    (&["--root-locus", "systems.law.gain"], 2, "expected a value of the file and its range", "e.g. systems.pid.kp=0:100"),
    (&["--root-locus", "systems.law.gain=5"], 2, "expected FROM:TO or FROM:TO:COUNT", "e.g. systems.pid.kp=0:100"),
    (&["--root-locus", "systems.law.gain=a:b"], 2, "`a` is not a number", "e.g. systems.pid.kp=0:100"),
    (&["--root-locus", "systems.law.gain=9:1"], 2, "the lower value comes first", "systems.law.gain=1:9"),
    (&["--root-locus", "systems.law.gain=0:9:1"], 2, "a number of values from 2", "e.g. systems.pid.kp=0:100"),
    (&["--root-locus", "systems.law.gian=0:9"], 2, "gian", "did you mean `gain`?"),
    (&["--root-locus", "systems.lew.gain=0:9"], 2, "lew", "did you mean"),
    (&["--root-locus", "=0:9"], 2, "is not a dotted path", "e.g. systems.pid.kp=0:100"),
    (&["--root-locus", "systems.law.gain=0:9", "out.pdf"], 2, "--root-locus", ".svg"),
    (&["--measure", "10:1"], 2, "expected FROM:TO or FROM:TO:COUNT", "the lower one first"),
    (&["--measure", "0:10"], 2, "angular frequencies above 0", "e.g. 0.1:100:40"),
    (&["--measure", "1:10:many"], 2, "expected FROM:TO or FROM:TO:COUNT", "e.g. 0.1:100:40"),
    (&["--measure", "1:10", "--amplitude", "0"], 2, "expected an amplitude above 0", "in the unit of the input"),
    (&["--amplitude", "0.1"], 2, "--measure", "required"),
    (&["--bound", "law.input=0:1"], 2, "--bound is of the search for an equilibrium", "add --trim"),
    (&["--hold", "plant.x[0]"], 2, "--hold is of the search for an equilibrium", "add --trim"),
    (&["--trim", "--bound", "plant.x[0]=2"], 2, "expected NAME=LOW:HIGH", "the lower one first"),
    (&["--trim", "--bound", "plant.x[7]=0:1"], 2, "there is no continuous state and no input `plant.x[7]`", "did you mean `plant.x["),
    (&["--seed", "4"], 2, "--trim-all", "required"),
];

#[test]
fn mistakes_have_their_place_and_their_remedy() {
    let path = third_order("mistakes.yaml");
    let step = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mistake.svg");
    let step = step.to_string_lossy();
    for (words, expected, what, remedy) in MISTAKES {
        let words: Vec<&str> = words.iter().map(|word| if *word == "STEP" { &*step } else { word }).collect();
        let (code, _, err) = kinegraph(&[&["linearize", &path], &words[..]].concat());
        assert_eq!(code, *expected, "{words:?}: {err}");
        assert!(err.contains(what) && err.contains(remedy), "{words:?}: {err}");
    }
    // Those of periods, with the blocks.
    let path = sampled_loop("no_multiple.yaml", [0.1, 0.031_415_926_535]);
    let (code, _, err) = kinegraph(&["linearize", &path, "--sampled"]);
    assert!(code == 2 && err.contains("`late` is sampled every 0.031415926535 s and `hold` every 0.1 s"), "{err}");
    assert!(err.contains("change one of them, e.g. to a multiple of the other"), "{err}");
    let path = sampled_loop("no_part.yaml", [0.1, 0.2]);
    let (code, _, err) = kinegraph(&["linearize", &path, "--sampled", "0.3"]);
    assert!(code == 2 && err.contains("no whole number of samples of `late` (every 0.2 s)"), "{err}");
    assert!(err.contains("give a multiple of 0.2 s, or none"), "{err}");
}
