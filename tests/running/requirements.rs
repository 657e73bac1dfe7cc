//! Requirements against closed forms, and the commands that judge by them.

use crate::command::kinegraph;
use kinegraph::files::Catalog;
use kinegraph::simulate::{FileSimulator, RequirementReport, RunReport, Simulator, Unobserved, Verdict};
use rand_free::Random;
use std::f64::consts::PI;
use std::fs;
use std::path::{Path, PathBuf};

/// Numbers that look random and are the same in every run.
mod rand_free {
    pub struct Random(pub u64);

    impl Random {
        /// A number between two bounds.
        pub fn between(&mut self, low: f64, high: f64) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            low + (high - low) * ((self.0 >> 11) as f64 / (1_u64 << 53) as f64)
        }
    }
}

fn run(text: &str) -> RunReport {
    let loaded =
        Catalog::standard().load_str(Path::new("asked.yaml"), text, &[]).unwrap_or_else(|error| panic!("{error}"));
    let built = FileSimulator.build(&loaded.diagram, &loaded.loader).unwrap_or_else(|error| panic!("{error}\n{text}"));
    built.run(&mut Unobserved)
}

fn judged<'a>(report: &'a RunReport, name: &str) -> &'a RequirementReport {
    report.requirements.iter().find(|one| one.name == name).unwrap_or_else(|| panic!("no {name}"))
}

/// The step response of a second-order system: `1 - e^(-z w t) (cos(d t) + z/√(1-z²) sin(d t))`.
#[derive(Clone, Copy, Debug)]
struct Response {
    w: f64,
    z: f64,
}

impl Response {
    fn d(&self) -> f64 {
        self.w * (1.0 - self.z * self.z).sqrt()
    }

    fn at(&self, t: f64) -> f64 {
        let d = self.d();
        1.0 - (-self.z * self.w * t).exp() * ((d * t).cos() + self.z * self.w / d * (d * t).sin())
    }

    fn overshoot(&self) -> f64 {
        (-PI * self.z / (1.0 - self.z * self.z).sqrt()).exp()
    }

    /// First time at which a level is reached, before the first peak.
    fn reaches(&self, level: f64) -> f64 {
        root(0.0, PI / self.d(), |t| self.at(t) - level)
    }

    /// Largest distance from 1 from the time `t` on.
    fn largest_from(&self, t: f64) -> f64 {
        // The next peak.
        let peak = (t * self.d() / PI).ceil();
        (self.at(t) - 1.0).abs().max(self.overshoot().powf(peak))
    }

    /// Time from which it stays within `band` of 1.
    fn settling(&self, band: f64) -> f64 {
        // The last peak outside, and the return from it.
        let last = (1..).take_while(|&k| self.overshoot().powi(k) > band).last().unwrap_or(0);
        let (peak, next) = (f64::from(last) * PI / self.d(), f64::from(last + 1) * PI / self.d());
        root(peak, next, |t| band - (self.at(t) - 1.0).abs())
    }
}

/// The root of a function that is negative at `low` and positive at `high`.
fn root(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if f(middle) < 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

#[track_caller]
fn close(found: Option<f64>, expected: f64, within: f64, what: &str) {
    let found = found.unwrap_or_else(|| panic!("{what}: nothing, {expected} expected"));
    assert!((found - expected).abs() <= within, "{what}: {found}, expected {expected}");
}

#[test]
fn a_hundred_step_responses_are_judged_as_their_closed_forms() {
    let mut random = Random(7);
    for _ in 0..100 {
        let response = Response { w: random.between(0.5, 20.0), z: random.between(0.05, 0.8) };
        let (w, z, h) = (response.w, response.z, response.overshoot());
        let duration = 26.0 / (z * w);
        let most = random.between(0.2, 2.0) * h;
        let from = random.between(0.1, 0.6) * duration;
        let deadline = random.between(0.3, 2.0) * response.reaches(0.9);
        let band = random.between(0.01, 0.3);
        let report = run(&format!(
            "kinegraph: 1\n\
             systems:\n\
             \x20 plant: {{type: second_order, natural_frequency: {w:?}, damping_ratio: {z:?}}}\n\
             \x20 goal: {{type: constant, value: 1}}\n\
             connections: [goal.output -> plant.input]\n\
             simulation: {{integrator: dopri5, accuracy: 1.0e-10, max_step: 1000, duration: {duration:?}}}\n\
             record: {{every: 1000}}\n\
             requirements:\n\
             \x20 peak: {{channel: plant.position, max: {max:?}}}\n\
             \x20 part: {{channel: plant.position, overshoot: {most:?}, to: 1}}\n\
             \x20 still: {{channel: plant.position, settles: {{to: 1, band: {band:?}}}, before: {from:?}}}\n\
             \x20 quick: {{channel: plant.position, reaches: 0.9, before: {deadline:?}}}\n\
             \x20 never: {{if: \"plant.position > {max:?}\", never: true}}\n\
             \x20 once: {{if: \"plant.position > {max:?}\", eventually: true}}\n\
             \x20 beyond: {{measure: overshoot(plant.position), max: {most:?}}}\n\
             \x20 settling: {{measure: \"settling(plant.position, {band:?})\", min: 0}}\n\
             \x20 rise: {{measure: rise(plant.position), min: 0}}\n\
             \x20 largest: {{measure: max_abs(plant.position), min: 0}}\n\
             \x20 integral: {{measure: integral(plant.rate), min: 0}}\n",
            max = 1.0 + most,
        ));
        assert!(report.status.is_done(), "{response:?}: {}", report.status);
        let what = format!("{response:?}");
        for name in ["peak", "part", "never"] {
            let one = judged(&report, name);
            close(one.margin, most - h, 1e-7, &format!("{what} {name}"));
            close(one.margin_at, PI / response.d(), 1e-3 / w, &format!("{what} {name}"));
            match most < h {
                true => close(one.violated_at, response.reaches(1.0 + most), 1e-4 / w, &format!("{what} {name}")),
                false => assert_eq!((one.verdict, one.violated_at), (Verdict::Met, None), "{what} {name}"),
            }
        }
        let once = judged(&report, "once");
        assert_eq!(once.is_met(), most < h, "{what}");
        close(once.margin, h - most, 1e-7, &what);
        let still = judged(&report, "still");
        close(still.margin, band - response.largest_from(from), 1e-7, &what);
        let quick = judged(&report, "quick");
        let best = if deadline < PI / response.d() { response.at(deadline) } else { 1.0 + h };
        close(quick.margin, best - 0.9, 1e-7, &what);
        assert_eq!(quick.is_met(), deadline > response.reaches(0.9), "{what}");
        if !quick.is_met() {
            assert_eq!(quick.violated_at, Some(deadline), "{what}");
        }
        // Measures are taken of cubic polynomials through nine points of each step.
        close(judged(&report, "beyond").value, h, 1e-4, &what);
        close(judged(&report, "settling").value, response.settling(band), 1e-3 / w, &what);
        close(judged(&report, "rise").value, response.reaches(0.9) - response.reaches(0.1), 1e-4 / w, &what);
        close(judged(&report, "largest").value, 1.0 + h, 1e-4, &what);
        close(judged(&report, "integral").value, 1.0, 1e-4, &what);
    }
}

#[test]
fn a_decaying_sine_has_the_margin_of_its_envelope() {
    let mut random = Random(3);
    for _ in 0..20 {
        let (a, w, c) = (random.between(0.1, 0.8), random.between(3.0, 9.0), random.between(0.7, 1.3));
        let wave = |t: f64| (-a * t).exp() * (w * t).sin();
        let report = run(&format!(
            "kinegraph: 1\n\
             systems:\n\
             \x20 wave: {{type: expression, inputs: [], expression: \"exp(-{a:?}*t)*sin({w:?}*t)\"}}\n\
             \x20 high: {{type: expression, inputs: [], expression: \"{c:?}*exp(-{a:?}*t)\"}}\n\
             simulation: {{duration: 4}}\n\
             requirements:\n\
             \x20 channels: {{channel: wave.output, below: high.output}}\n\
             \x20 formula: {{if: \"wave.output < {c:?}*exp(-{a:?}*t)\", always: true}}\n"
        ));
        // The margin e^(-a t) (c - sin(w t)) on a fine grid, whose error is of second order.
        let margin = |t: f64| c * (-a * t).exp() - wave(t);
        let grid = (0..=400_000).map(|k| 1e-5 * f64::from(k)).map(margin).fold(f64::INFINITY, f64::min);
        for name in ["channels", "formula"] {
            let one = judged(&report, name);
            close(one.margin, grid, 1e-8, &format!("{a} {w} {c} {name}"));
            assert_eq!(one.is_met(), grid >= 0.0);
            if let Some(time) = one.violated_at {
                assert!(margin(time).abs() < 1e-9, "{time}: {}", margin(time));
                let first = (0..400_000).map(|k| 1e-5 * f64::from(k)).find(|t| margin(*t) < 0.0);
                close(Some(time), first.unwrap_or(f64::NAN), 1e-5, "the first violation");
            }
        }
    }
}

/// A staircase: 0 until 1 s, then 1, and its number as a condition.
const STAIR: &str = "\
kinegraph: 1
systems:
  stair: {type: step, time: 1, final: 1}
  ramp: {type: ramp, slope: 1}
simulation: {duration: 2}
requirements:
";

#[test]
fn jumps_count_from_the_side_of_the_window() {
    let asked = |requirement: &str| {
        let report = run(&format!("{STAIR}  it: {{{requirement}}}\n"));
        judged(&report, "it").clone()
    };
    // At the jump both sides count.
    let both = asked("channel: stair.output, within: [0.5, 1]");
    assert_eq!((both.verdict, both.violated_at, both.margin), (Verdict::Violated, Some(0.0), Some(-0.5)));
    // A window that begins at the jump begins after it.
    assert_eq!(asked("channel: stair.output, min: 0.5, from: 1").margin, Some(0.5));
    assert_eq!(asked("channel: stair.output, max: 0.5, until: 1 s").margin, Some(0.5));
    let late = asked("channel: stair.output, max: 0.5");
    assert_eq!((late.violated_at, late.margin), (Some(1.0), Some(-0.5)));
    // What jumps is compared exactly.
    let equal = asked("if: \"stair.output == 1\", never: true");
    assert_eq!((equal.verdict, equal.violated_at), (Verdict::Violated, Some(1.0)));
    assert!(asked("if: \"stair.output == 2\", never: true").is_met());
    assert!(asked("if: \"stair.output == 1\", eventually: true, before: 1.5 s").is_met());
    let missed = asked("if: \"stair.output == 1\", eventually: true, before: 500 ms");
    assert_eq!((missed.verdict, missed.violated_at), (Verdict::Violated, Some(0.5)));
    // A ramp crosses at the time of its value.
    close(asked("channel: ramp.output, max: 0.7321").violated_at, 0.7321, 1e-12, "the ramp");
    close(asked("measure: \"at(ramp.output, 0.5)\", max: 1").value, 0.5, 1e-12, "at");
    close(asked("measure: \"crossing(stair.output, 0.5)\", max: 1").value, 1.0, 1e-12, "crossing");
    close(asked("measure: integral_abs(ramp.output), max: 3").margin, 1.0, 1e-12, "the integral");
    close(asked("measure: energy(ramp.output), max: 3").margin, 3.0 - 8.0 / 3.0, 1e-12, "the energy");
    assert_eq!(asked("measure: \"crossing(ramp.output, 5)\", max: 1").verdict, Verdict::Violated);
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("requirements").join(name);
    // From an earlier run.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn saved(folder: &Path, name: &str, text: &str) -> String {
    let file = folder.join(name);
    fs::write(&file, text).expect("a file");
    file.to_str().expect("a name").to_owned()
}

#[test]
fn a_recorded_envelope_holds_between_its_rows_and_at_its_jumps() {
    let folder = folder("envelope");
    // Above the ramp by 1, below it by -0.1 from 0.5 s on, where it jumps; then a kink that touches at 1.5 s.
    saved(&folder, "high.csv", "time,high\n0,1\n0.5,1.5\n0.5,1.25\n1.5,1.5\n2,2.5\n");
    let file =
        saved(&folder, "envelope.yaml", &format!("{STAIR}  it: {{channel: ramp.output, below: {{file: high.csv}}}}\n"));
    let (code, out, err) = kinegraph(&["run", &file, "--json"]);
    let report: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"));
    let it = &report["requirements"][0];
    assert_eq!((code, it["verdict"].as_str()), (0, Some("met")), "{it}");
    assert!(it["margin"].as_f64().is_some_and(|margin| margin.abs() < 1e-12), "{it}");
    close(it["margin_at"].as_f64(), 1.5, 1e-12, "the touch");
    // A little higher it is violated, where the line is crossed: t + 0.01 = 1.25 + (t - 0.5)/4.
    let (code, out, _) = kinegraph(&["run", &file, "--set", "systems.ramp.initial=0.01"]);
    assert!(code == 3 && out.contains("violated at 1.4867 s, margin -0.01"), "{code}: {out}");
}

/// The recording of one run is the limit of another, by its channels.
#[test]
fn a_recorded_run_is_an_envelope() {
    let folder = folder("recorded");
    let first = saved(&folder, "first.yaml", &format!("{STAIR}  it: {{channel: ramp.output, min: 0}}\n"));
    let recording = folder.join("low.mcap");
    let (code, out, err) = kinegraph(&["run", &first, "--record", recording.to_str().expect("a name")]);
    assert_eq!(code, 0, "{out}{err}");
    let asked = |limit: &str, more: &[&str]| {
        let text = format!("{STAIR}  it: {{channel: ramp.output, above: {{file: low.mcap, {limit}}}}}\n");
        let file = saved(&folder, "second.yaml", &text);
        kinegraph(&[&["run", &file, "--json"], more].concat())
    };
    for (start, code, verdict) in [(0.01, 0, "met"), (-0.01, 3, "violated")] {
        let found = asked("column: ramp.output", &["--set", &format!("systems.ramp.initial={start}")]);
        let report: serde_json::Value =
            serde_json::from_str(&found.1).unwrap_or_else(|error| panic!("{error}: {found:?}"));
        let it = &report["requirements"][0];
        assert_eq!((found.0, it["verdict"].as_str()), (code, Some(verdict)), "{it}");
        close(it["margin"].as_f64(), start, 1e-12, "the margin");
    }
    let (code, _, err) = asked("column: ramp.outptu", &[]);
    assert!(code == 2 && err.contains("low.mcap has no column `ramp.outptu`; did you mean `ramp.output`?"), "{err}");
    let (code, _, err) = asked("time: time", &[]);
    assert!(code == 2 && err.contains("which `column`? Beside the times it has"), "{err}");
}

#[test]
fn requirements_change_no_bit_of_a_run() {
    for (name, channel) in [
        ("bouncing_ball", "ball.position"),
        ("double_pendulum", "plant.pendulum.j1.q"),
        ("thermostat", "room.output"),
        ("sampled_motor", "motor.output"),
    ] {
        let file = format!("examples/{name}/{name}.yaml");
        let text = fs::read_to_string(&file).expect("an example");
        let known = Catalog::standard().load(Path::new(&file), &[]).expect("an example");
        let scenario = kinegraph::simulate::Scenario::build(&known.diagram, &known.loader).expect("an example");
        let channel = match scenario.diagram.find_channels(channel) {
            Ok(found) => found[0].name.clone(),
            Err(_) => scenario.channels[0].name.clone(),
        };
        let asked = format!(
            "{text}\nrequirements:\n  low: {{channel: \"{channel}\", min: -1.0e9}}\n  rms: {{measure: \"rms({channel})\", max: 1.0e9}}\n  \
             high: {{if: \"{channel} > 1e9\", never: true}}\n"
        );
        let beside = Path::new(&file).with_file_name("asked_of_a_test.yaml");
        let loaded = Catalog::standard().load_str(&beside, &asked, &[]).unwrap_or_else(|error| panic!("{error}"));
        let with = FileSimulator.build(&loaded.diagram, &loaded.loader).expect("a diagram").run(&mut Unobserved);
        let loaded = Catalog::standard().load_str(&beside, &text, &[]).expect("an example");
        let without = FileSimulator.build(&loaded.diagram, &loaded.loader).expect("a diagram").run(&mut Unobserved);
        let bits = |report: &RunReport| -> Vec<u64> { report.final_state.0.iter().map(|(_, x)| x.to_bits()).collect() };
        assert_eq!(bits(&with), bits(&without), "{name}");
        assert_eq!(with.statistics, without.statistics, "{name}");
        assert!(with.requirements.len() == 3 && with.requirements.iter().all(RequirementReport::is_met), "{name}");
    }
}

/// Noise around zero through a filter.
const NOISY: &str = "\
kinegraph: 1
systems:
  noise: {type: noise, period: 0.01, standard_deviation: 1}
  lag: {type: first_order_lag, time_constant: 0.1}
connections: [noise.output -> lag.input]
simulation: {duration: 2}
requirements:
  small: {channel: lag.output, within: [-0.6, 0.6]}
";

#[test]
fn the_command_judges_files_and_folders() {
    let folder = folder("command");
    let met = saved(&folder, "met.yaml", &format!("{STAIR}  low: {{channel: stair.output, max: 1}}\n"));
    let violated = saved(&folder, "violated.yaml", &format!("{STAIR}  low: {{channel: stair.output, max: 0.5}}\n"));
    let nothing = saved(&folder, "nothing.yaml", STAIR.trim_end_matches("requirements:\n"));
    let place = folder.to_str().expect("a name");
    let (code, out, err) = kinegraph(&["test", &met]);
    assert!(code == 0 && out.contains("met ") && out.contains("1 file: 1 met"), "{code}: {out}{err}");
    let (code, out, _) = kinegraph(&["test", place]);
    assert_eq!(code, 3, "{out}");
    assert!(out.contains("low violated at 1 s, margin -0.5"), "{out}");
    assert!(out.contains("2 files: 1 met, 1 violated (1 file without requirements left out)"), "{out}");
    let (code, _, err) = kinegraph(&["test", &nothing]);
    assert!(code == 2 && err.contains("nothing is asked of it: add `requirements`"), "{err}");
    // A run that fails is worse than a requirement, a fault of a file worse than both; all files are run.
    let failed = "  boom: {type: expression, inputs: [], expression: \"1/(t-1)\"}\nsimulation";
    let failed =
        saved(&folder, "failed.yaml", &fs::read_to_string(&met).expect("a file").replacen("simulation", failed, 1));
    let (code, out, _) = kinegraph(&["test", &failed, &violated]);
    assert!(code == 1 && out.contains("failed ") && out.contains("violated "), "{code}: {out}");
    let wrong = saved(&folder, "wrong.yaml", &format!("{STAIR}  low: {{channel: stare.output, max: 0.5}}\n"));
    let junit = folder.join("out.xml");
    let junit = junit.to_str().expect("a name");
    let (code, out, err) = kinegraph(&["test", &wrong, &failed, &violated, &met, "--junit", junit]);
    assert!(
        code == 2 && err.contains("did you mean `stair`?") && out.contains("1 failed, 1 wrong"),
        "{code}: {out}{err}"
    );
    let text = fs::read_to_string(junit).expect("a report");
    let document = roxmltree::Document::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let suites: Vec<_> = document.root_element().children().filter(|node| node.has_tag_name("testsuite")).collect();
    assert_eq!(suites.len(), 4, "{text}");
    let count = |key: &str| document.root_element().attribute(key).map(str::to_owned);
    assert_eq!(count("failures"), Some("1".into()), "{text}");
    assert_eq!(count("errors"), Some("2".into()), "{text}");
    let failure = document.descendants().find(|node| node.has_tag_name("failure")).expect("a failure");
    assert_eq!(failure.attribute("message"), Some("violated at 1 s, margin -0.5"), "{text}");
    // `run` has the same exit codes.
    assert_eq!(kinegraph(&["run", &met]).0, 0);
    let (code, out, _) = kinegraph(&["run", &violated]);
    assert!(code == 3 && out.contains("0 of 1 met"), "{code}: {out}");
    let (code, out, err) = kinegraph(&["run", &violated, "--quiet"]);
    assert!(code == 3 && out.is_empty() && err.contains("low: violated at 1 s"), "{code}: {out}{err}");
    // A shorter run decides less, and what is not decided is not met.
    let later =
        saved(&folder, "later.yaml", &format!("{STAIR}  low: {{channel: stair.output, min: 0.5, from: 1.5 s}}\n"));
    let (code, out, err) = kinegraph(&["run", &later, "--until", "1"]);
    assert!(code == 3 && out.contains("undecided"), "{code}: {out}{err}");
    let (code, out, err) = kinegraph(&["run", &later, "--until", "1", "--quiet"]);
    assert!(code == 3 && out.is_empty() && err.contains("low: undecided: the run ended before"), "{code}: {out}{err}");
}

#[test]
fn draws_are_the_same_for_any_number_of_jobs_and_can_be_made_again() {
    let folder = folder("drawn");
    let file = saved(&folder, "noisy.yaml", NOISY);
    let run = |jobs: &str, seed: &str| kinegraph(&["test", &file, "--draws", "20", "--seed", seed, "--jobs", jobs]);
    let (code, one, err) = run("1", "1");
    assert_eq!(code, 3, "{one}{err}");
    assert_eq!(one, run("3", "1").1);
    assert_ne!(one, run("3", "2").1);
    // The command in the report repeats the run.
    let again = one.lines().find_map(|line| line.trim().strip_prefix("again: kinegraph ")).expect("a command");
    let words: Vec<&str> = again.split(' ').map(|word| word.trim_matches('\'')).collect();
    let (code, out, err) = kinegraph(&words);
    let margin = one.lines().next().and_then(|line| line.split("small ").nth(1)).expect("a margin");
    assert!(code == 3 && out.contains(margin), "{margin}\n{out}{err}");
    // A file without anything random is run once.
    let steady = saved(&folder, "steady.yaml", &format!("{STAIR}  low: {{channel: stair.output, max: 1}}\n"));
    let (_, out, _) = kinegraph(&["test", &steady, "--draws", "1000000"]);
    assert!(!out.contains("draws"), "{out}");
    let sample = ["test", &steady, "--draws", "9", "--sample", "systems.stair.final=uniform(0.5,1.5)"];
    let (code, out, _) = kinegraph(&sample);
    assert!(code == 3 && out.contains("of 9 draws") && out.contains("--set 'systems.stair.final="), "{code}: {out}");
}

#[test]
fn sweeps_and_comparisons_have_columns() {
    let folder = folder("columns");
    let file = saved(&folder, "it.yaml", &format!("{STAIR}  low: {{channel: stair.output, max: 1}}\n"));
    let (code, out, err) = kinegraph(&["sweep", &file, "--vary", "systems.stair.final=0.5,1.5,[1,2]", "--jobs", "1"]);
    let rows: Vec<&str> = out.lines().collect();
    assert!(code == 0 && rows[0].ends_with(",requirements,margin(low)"), "{out}{err}");
    assert!(rows[1].ends_with(",met,0.5") && rows[2].ends_with(",violated: low,-0.5"), "{out}");
    assert!(rows[3].contains("refused") && rows[3].ends_with(",,"), "{out}");
    let tight =
        ["compare", &file, "--integrators", "dopri5", "--accuracies", "1e-3", "--set", "systems.stair.final=1.5"];
    let (code, out, err) = kinegraph(&tight);
    assert!(code == 0 && out.contains("low: violated at 1 s, margin -0.5"), "{code}: {out}{err}");
    let (_, out, _) = kinegraph(&[&tight[..], &["--csv"]].concat());
    assert!(out.contains("requirements") && out.contains("low: violated at 1 s"), "{out}");
}
