//! `kinegraph fit`: delays, biases, initial states of each recording, scales, noise, searches that are stopped and go
//! on, and mistakes in recordings.

use super::command::kinegraph;
use super::derivatives::{closed_form, file, json, normal, oscillator};
use kinegraph::fit::{Fit, FitAsked, Progress, SavedFit, Stop, Watch};
use kinegraph::sweep::Template;
use std::cell::{Cell, RefCell};

/// A recording of the oscillator with m = 2, that begins at `start` times its course, with a delay, a bias and noise.
fn recording(name: &str, start: f64, delay: f64, bias: f64, deviation: f64) -> String {
    let (mut state, mut text) = (77, "time,x\n".to_owned());
    for i in 0..=100 {
        let t = f64::from(i) * 0.05;
        let x = start * closed_form(2.0, 8.0, 0.4, (t - delay).max(0.0)) + bias;
        text.push_str(&format!("{t},{}\n", x + deviation * normal(&mut state)));
    }
    file(name, &text)
}

fn parameter<'j>(found: &'j serde_json::Value, name: &str) -> &'j serde_json::Value {
    let all = found["parameters"].as_array().expect("parameters");
    all.iter().find(|one| one["name"] == name).unwrap_or_else(|| panic!("{name}: {found}"))
}

fn is_within(found: &serde_json::Value, name: &str, truth: f64) {
    let one = parameter(found, name);
    let (value, half) = (one["value"].as_f64().unwrap(), one["interval"].as_f64().unwrap());
    assert!((value - truth).abs() <= 1.5 * half && half < 0.1 * truth.abs().max(0.1), "{one}: {truth}");
}

#[test]
fn a_delay_and_a_bias_are_found_with_the_parameters() {
    let (path, data) = (oscillator("delays.yaml"), recording("delays.csv", 1.0, 0.013, 0.2, 0.002));
    let found = json(&[
        "fit",
        &path,
        "--data",
        &data,
        "--match",
        "x.output=x",
        "--by",
        "parameters.k=1:30",
        "--by",
        "parameters.c=0.01:10",
        "--by",
        "delay(x.output)=0:0.1",
        "--by",
        "bias(x.output)",
    ]);
    is_within(&found, "parameters.k", 8.0);
    is_within(&found, "parameters.c", 0.4);
    is_within(&found, "delay(x.output)", 0.013);
    is_within(&found, "bias(x.output)", 0.2);
    // The bounds of c are wide, and its logarithm was sought: its interval is a ratio.
    let range = &parameter(&found, "parameters.c")["range"];
    let (low, high) = (range[0].as_f64().unwrap(), range[1].as_f64().unwrap());
    let c = parameter(&found, "parameters.c")["value"].as_f64().unwrap();
    assert!((high * low / (c * c) - 1.0).abs() < 1e-9, "{found}");
}

#[test]
fn each_recording_has_its_own_start() {
    let path = oscillator("starts.yaml");
    let (one, two) = (recording("starts1.csv", 0.7, 0.0, 0.0, 0.001), recording("starts2.csv", -1.3, 0.0, 0.0, 0.001));
    let args = ["fit", &path, "--data", &one, "--data", &two, "--match", "x.output=x", "--by", "parameters.k"];
    let found = json(&[&args[..], &["--each", "systems.x.initial"]].concat());
    is_within(&found, "parameters.k", 8.0);
    is_within(&found, "systems.x.initial [starts1]", 0.7);
    is_within(&found, "systems.x.initial [starts2]", -1.3);
    // The same numbers as states, and noise that is stated.
    let scenario = kinegraph::scenario::Scenario::open(&path).unwrap();
    let state = scenario.diagram.state_names().into_iter().find(|name| name.starts_with("x.")).unwrap();
    let initial = format!("initial({state})");
    let found = json(&[&args[..], &["--each", &initial, "--noise", "x.output=0.001"]].concat());
    is_within(&found, &format!("{initial} [starts2]"), -1.3);
    assert_eq!(found["notes"].as_array().map(Vec::len), Some(0), "{found}");
}

/// Ends the search after a number of evaluations, and keeps what would be saved.
struct Impatient {
    left: Cell<usize>,
    saved: RefCell<Option<SavedFit>>,
}

impl Watch for Impatient {
    fn ends(&self) -> bool {
        self.left.get() == 0
    }

    fn see(&self, progress: &Progress<'_>) {
        self.left.set(self.left.get().saturating_sub(1));
        *self.saved.borrow_mut() = Some(progress.best.clone());
    }
}

#[test]
fn a_search_that_is_stopped_keeps_the_best_and_goes_on() {
    let (path, data) = (oscillator("stopped.yaml"), recording("stopped.csv", 1.0, 0.0, 0.0, 0.001));
    let fit = |by: &str| {
        let matches = vec!["x.output=x".parse().unwrap()];
        let numbers = vec![by.parse().unwrap(), "parameters.c=0:5".parse().unwrap()];
        let asked = FitAsked { data: vec![data.clone().into()], matches, numbers, ..FitAsked::default() };
        Fit::new(Template::open(&path, &[]).unwrap(), &asked).unwrap()
    };
    let watch = Impatient { left: Cell::new(3), saved: RefCell::default() };
    let first = fit("parameters.k=1:12:30").solve_from(None, &watch).unwrap();
    assert!(first.stop == Stop::Interrupted && !first.converged);
    assert!(first.channels[0].rms[1] < first.channels[0].rms[0]);
    let saved = watch.saved.into_inner().unwrap();
    let patient = || Impatient { left: Cell::new(1000), saved: RefCell::default() };
    let rest = fit("parameters.k=1:12:30").solve_from(Some(&saved), &patient()).unwrap();
    let whole = fit("parameters.k=1:12:30").solve().unwrap();
    assert!(rest.converged && (rest.parameters[0].value - whole.parameters[0].value).abs() < 1e-4);
    assert!(rest.runs > saved.runs);
    let error = fit("parameters.k=1:13:30").solve_from(Some(&saved), &patient()).unwrap_err().to_string();
    assert!(error.contains("have changed since"), "{error}");
}

/// The written file runs with the values that were found, whatever way its parameters are written in.
#[test]
fn the_written_file_has_parameters_with_a_default_as_they_were_fitted() {
    let plain = std::fs::read_to_string(oscillator("defaults.yaml")).unwrap();
    let old = "parameters: {m: 2, k: 8, c: 0.4, a: 1.5, b: 1}\n";
    let new = "parameters:\n  m: 2\n  a: 1.5\n  b: 1\n  \
               k: {default: 0.012 kN/m, range: [0.001 kN/m, 0.03 kN/m], about: of the spring}  # guessed, 12\n  \
               c: {about: friction, default: 0.5, range: [0, 5]}\n";
    assert!(plain.contains(old), "{plain}");
    let text = plain.replace(old, new);
    let (path, data) = (file("defaults.yaml", &text), recording("defaults.csv", 1.0, 0.0, 0.0, 0.0));
    let out = std::path::Path::new(&path).with_file_name("defaults_fitted.yaml").to_string_lossy().into_owned();
    let args = ["fit", &path, "--data", &data, "--match", "x.output=x", "--by", "parameters.k=0.001:0.03"];
    let found = json(&[&args[..], &["--by", "parameters.c=0:5", "--out", &out]].concat());
    let written = std::fs::read_to_string(&out).unwrap();
    assert_eq!(written.lines().count(), text.lines().count());
    assert!(
        written.contains(" kN/m, range: [0.001 kN/m, 0.03 kN/m], about: of the spring}  # guessed, 12"),
        "{written}"
    );
    let run = kinegraph::files::load(std::path::Path::new(&out), &[]).expect("no faults").diagram;
    for (name, unit) in [("k", 1e3), ("c", 1.0)] {
        let fitted = parameter(&found, &format!("parameters.{name}"))["value"].as_f64().unwrap();
        let own = run.parameters.iter().find(|one| one.name == name).expect("a parameter").value;
        assert!((own - unit * fitted).abs() <= 1e-15 * own.abs(), "{name}: {own} for {fitted}\n{written}");
    }
    // From there the fit ends where it begins.
    let again = json(&["fit", &out, "--data", &data, "--match", "x.output=x", "--by", "parameters.k=0.001:0.03"]);
    let one = parameter(&again, "parameters.k");
    let (start, value) = (one["start"].as_f64().unwrap(), one["value"].as_f64().unwrap());
    assert!((start - value).abs() < 1e-6 * value && (value - 0.008).abs() < 1e-5 * value, "{again}");
}

/// A file asks for its fit: the recording beside it, numbers, a delay, a bias, noise. Options stand in its place.
#[test]
fn the_section_of_a_file_says_what_is_fitted() {
    let data = recording("section.csv", 1.0, 0.013, 0.2, 0.002);
    let name = std::path::Path::new(&data).file_name().unwrap().to_string_lossy().into_owned();
    let section = format!(
        "fit:\n  data: [{name}]\n  match: [x.output=x]\n  by: [parameters.k=1:30, parameters.c=0.01:10, \
         delay(x.output)=0:0.1, bias(x.output)]\n  noise: 0.002\n  robust: true\n  until: 4 s\n"
    );
    let text = std::fs::read_to_string(oscillator("plain_fit.yaml")).unwrap() + &section;
    let path = file("section_fit.yaml", &text);
    let (code, out, err) = kinegraph(&["check", &path]);
    assert!(code == 0, "{out}{err}");
    let found = json(&["fit", &path]);
    is_within(&found, "parameters.k", 8.0);
    is_within(&found, "delay(x.output)", 0.013);
    is_within(&found, "bias(x.output)", 0.2);
    assert_eq!(found["channels"][0]["samples"], 81, "{found}");
    let by = ["--by", "parameters.k=1:30", "--by", "parameters.c=0.01:10", "--by", "delay(x.output)=0:0.1"];
    let typed = [&by[..], &["--by", "bias(x.output)", "--noise", "0.002", "--robust", "--until", "4"]].concat();
    let plain = oscillator("plain_fit.yaml");
    assert_eq!(json(&[&["fit", &plain, "--data", &data, "--match", "x.output=x"], &typed[..]].concat()), found);
    // Options count in place of the section.
    let found = json(&["fit", &path, "--by", "parameters.k", "--until", "2", "--robust=false", "--noise", "0.5"]);
    assert_eq!(found["parameters"].as_array().map(Vec::len), Some(1), "{found}");
    assert_eq!(found["channels"][0]["samples"], 41, "{found}");
    assert!(parameter(&found, "parameters.k")["interval"].as_f64().unwrap() > 0.1, "{found}");
    // A plan takes the numbers and the noise; its samples are those of the file.
    let (code, out, err) = kinegraph(&["fit", &path, "--plan"]);
    assert!(code == 0 && out.contains("81 samples") && out.contains("bias(x.output)"), "{out}{err}");
    let (code, _, err) = kinegraph(&["fit", &plain, "--data", &data, "--match", "x.output=x"]);
    assert!(code == 2 && err.contains("--by PATH=LOW:HIGH") && err.contains("fit: {data:"), "{err}");
    let (code, _, err) = kinegraph(&["fit", &plain, "--by", "parameters.k"]);
    assert!(code == 2 && err.contains("--data run.csv"), "{err}");
}

/// Rows of a recording, options behind `fit FILE --data DATA`, and what the message says.
const MISTAKES: [(&str, &[&str], &[&str]); 26] = [
    ("time,x\n0,1\n0.1,0.9\n", &["--by", "parameters[k]=1:2"], &["behind a point: `parameters.k`"]),
    (
        "time,x\n0,1\n0.1,0.9\n",
        &["--by", "systems.second.time=1:2"],
        &["there is no `time` in systems.second", "give bounds and a start, as in systems.second.time=0.1:1:10"],
    ),
    ("time,x\n0,1\n0.1,0.9\n", &["--by", "parameters.k=1:x"], &["`x` is not a number"]),
    ("time,x\n0,1\n0.1,0.9\n", &["--by", "parameters.k=5:1"], &["lower bound 5.0 is not below the upper one 1.0"]),
    ("time,x\n0,1\n0.1,0.9\n", &["--by", "parameters.k=1:9:5"], &["start 9.0 is not between"]),
    ("time,x\n0,1\n0.1,0.9\n", &["--by", "parameters.k=0:5:log"], &["logarithmic scale has a lower bound above 0"]),
    ("time,x\n0,1\n0.1,0.9\n", &["--by", "parameters.k=10:20"], &["8.0, the value of the file", "=10.0:START:20.0"]),
    (
        "time,x\n0,1\n0.1,0.9\n",
        &["--by", "parameters.kk=1:2"],
        &["there is no `kk` in parameters", "did you mean `parameters.k`?"],
    ),
    ("time,x\n0,1\n0.1,0.9\n", &["--by", "parameters.k=3 kg:4 kg"], &["`3 kg` is not a number", "without it"]),
    ("time,x\n0,1\n0.1,0.9\n", &["--by", "parameters.k", "--by", "parameters.k"], &["named twice"]),
    ("time,x\n0,1\n0.1,0.9\n", &["--by", "delay(x.output)"], &["besides delays and biases"]),
    ("time,x\n0,1\n0.1,0.9\n", &["--by", "parameters.k", "--by", "bias(x.outpu)"], &["no such channel is compared"]),
    ("time,x\n0,1\n0.1,0.9\n", &["--by", "parameters.k", "--noise", "x=0.1"], &["--noise x: no such channel"]),
    ("time,x\n0,1\n0.1,0.9\n", &["--by", "parameters.k", "--noise", "-1"], &["standard deviation above 0"]),
    ("time,x\n0,1\n0.1,0.9\n", &["--by", "parameters.k", "--resume"], &["--out"]),
    ("time,x\n0,1\n0.1,0.9\n", &["--by", "parameters.k", "--match", "x.output=x"], &["compared twice"]),
    ("time,x\n0,1\n0.2,0.9\n0.1,0.8\n", &["--by", "parameters.k"], &["row 3: the time 0.1 s is not after 0.2 s"]),
    ("x,t0\n1,0\n0.9,0.1\n", &["--by", "parameters.k"], &["the first column, `x`, is taken as time"]),
    ("time,x\n1000,1\n1001,0.9\n", &["--by", "parameters.k"], &["none is in common", "from the start of the run"]),
    ("time,x\n0,nan\n0.1,nan\n", &["--by", "parameters.k"], &["no row with a time and a number"]),
    ("time,x\n0,one\n0.1,two\n", &["--by", "parameters.k"], &["x", "one"]),
    ("time,x\n0,1\n", &["--by", "parameters.k"], &["none is in common"]),
    ("time,x\n0,1\n0.1,0.9\n", &["--by", "parameters.k", "--window", "5"], &["--window is for the fit of an arm"]),
    ("time,x\n0,1\n0.1,0.9\n", &["--by", "parameters.k", "--vary", "parameters.k=1,2"], &["--plan"]),
    ("time,x\n0,1\n0.1,0.9\n", &["--by", "parameters.k", "--plan", "--report", "a.html"], &["--report"]),
    ("time,x\n0,1\n0.1,0.9\n", &["--by", "initial(y)"], &["no state `y`"]),
];

#[test]
fn mistakes_are_named_with_their_remedy() {
    let path = oscillator("newcomer.yaml");
    for (rows, args, parts) in MISTAKES {
        let data = file("newcomer.csv", rows);
        let (code, out, err) =
            kinegraph(&[&["fit", &path, "--data", &data, "--match", "x.output=x"][..], args].concat());
        assert_eq!(code, 2, "{args:?}: {out}{err}");
        for part in parts {
            assert!(err.contains(part), "{args:?}: {part}\n{err}");
        }
    }
}

#[test]
fn data_in_other_units_and_outside_of_the_run_are_noted() {
    let path = oscillator("units.yaml");
    let mut text = "time,x\n".to_owned();
    for i in -20..=200 {
        let t = f64::from(i) * 0.05;
        text.push_str(&format!("{t},{}\n", closed_form(2.0, 8.0, 0.4, t.max(0.0)).to_degrees()));
    }
    let data = file("units.csv", &text);
    let args = ["fit", &path, "--data", &data, "--match", "x.output=x", "--by", "parameters.k=7:9"];
    let (_, out, err) = kinegraph(&args);
    assert!(out.contains("in degrees, the channel in radians"), "{out}{err}");
    assert!(out.contains("120 of 221 rows are before or after the run, which ends at 5 s"), "{out}{err}");
}

#[test]
fn a_plan_names_the_most_informative_experiment() {
    let path = oscillator("planned.yaml");
    // At rest the spring and the damper are not felt, and x says nothing of the gains after it.
    let by = ["--by", "parameters.k", "--by", "parameters.c", "--by", "parameters.a"];
    let vary = ["--vary", "systems.x.initial=0,1,2", "--match", "x.output", "--noise", "0.01"];
    let found = json(&[&["fit", &path, "--plan"][..], &by, &vary].concat());
    assert_eq!(found["best"], 2, "{found}");
    let interval =
        |experiment: usize, at: usize| found["experiments"][experiment]["parameters"][at]["interval"].as_f64();
    assert!(interval(0, 0).is_none() && interval(2, 2).is_none());
    let ratio = interval(1, 0).unwrap() / interval(2, 0).unwrap();
    assert!((ratio - 2.0).abs() < 0.01, "twice the way, half the interval: {ratio}");
    // The interval that the fit has is the one that was planned.
    let (k, c) = (["--by", "parameters.k"], ["--by", "parameters.c"]);
    let data = recording("planned.csv", 1.0, 0.0, 0.0, 0.01);
    let noise = ["--noise", "0.01", "--match", "x.output=x"];
    let fitted = json(&[&["fit", &path, "--data", &data][..], &k, &c, &noise].concat());
    let planned = json(&[&["fit", &path, "--plan", "--data", &data][..], &k, &c, &noise].concat());
    for i in 0..2 {
        let half = |found: &serde_json::Value| found["parameters"][i]["interval"].as_f64().unwrap();
        let ratio = half(&fitted) / half(&planned["experiments"][0]);
        assert!((ratio - 1.0).abs() < 0.1, "{ratio}");
    }
    let (code, out, err) = kinegraph(&[&["fit", &path, "--plan"][..], &by, &vary].concat());
    assert!(
        code == 0 && out.contains("experiment 3 is the most informative") && out.contains("nothing depends on"),
        "{out}{err}"
    );
    let (code, _, err) = kinegraph(&[&["fit", &path, "--plan"][..], &by].concat());
    assert!(code == 2 && err.contains("--plan needs the noise of"), "{err}");
}

#[test]
fn the_report_is_one_file_with_plots() {
    let (path, data) = (oscillator("reported.yaml"), recording("reported.csv", 1.0, 0.0, 0.0, 0.01));
    let page = std::path::Path::new(&path).with_file_name("fit.html").to_string_lossy().into_owned();
    let args = ["fit", &path, "--data", &data, "--match", "x.output=x", "--by", "parameters.k", "--by", "parameters.c"];
    let (code, _, err) = kinegraph(&[&args[..], &["--by", "parameters.b", "--report", &page]].concat());
    assert_eq!(code, 0, "{err}");
    let text = std::fs::read_to_string(&page).unwrap();
    assert_eq!(text.matches("<svg").count(), 3);
    assert_eq!(text.matches("http").count(), text.matches("http://www.w3.org/2000/svg").count());
    for part in ["parameters.k", "not determined", "nothing depends on parameters.b", "frequency [Hz]", "Correlations"]
    {
        assert!(text.contains(part), "{part}");
    }
    let (code, _, err) = kinegraph(&[&args[..], &["--report", "fit.pdf"]].concat());
    assert!(code == 2 && err.contains("--report fit.pdf: .pdf is not written"), "{err}");
}
