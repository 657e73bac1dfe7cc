//! Parameters of diagram files: the values that formulas, `set` and copies give, against those written by hand.

use crate::command::kinegraph;
use kinegraph::files::{Catalog, FileParameter, Override};
use kinegraph::simulate::Scenario;
use kinegraph::sweep::{Axis, Sweep, Template, run_variation};
use std::fs;
use std::path::{Path, PathBuf};

const PENDULUM: &str = "\
kinegraph: 1
parameters: {length: {default: 1 m, range: [0.1, 10], about: from the pivot to the mass}, g: 9.81}
systems:
  l: {type: constant, value: $length}
  law: {type: expression, inputs: [q, l], expression: \"-9.81/l*sin(q)\"}
  rate: {type: integrator}
  angle: {type: integrator, initial: \"=1/$g*9.81\"}
connections: [angle.output -> law.q, l.output -> law.l, law.output -> rate.input, rate.output -> angle.input]
exports: {outputs: {angle: angle.output}}
";

/// Writes files into a folder of their own, and returns the first.
fn saved(folder: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("parameters").join(folder);
    fs::create_dir_all(&folder).expect("a folder");
    for (name, text) in files {
        fs::write(folder.join(name), text).expect("a file");
    }
    folder.join(files[0].0)
}

/// State at the end of a run of this many seconds.
fn state_after(file: &Path, seconds: f64, set: &[&str]) -> Vec<u64> {
    let set: Vec<Override> = set.iter().map(|one| Override::set(one).expect("path=value")).collect();
    let loaded = Catalog::standard().load(file, &set).unwrap_or_else(|error| panic!("{error}"));
    let scenario = Scenario::build(&loaded.diagram, &loaded.loader).unwrap_or_else(|| panic!("{}", loaded.failed()));
    let mut simulation = scenario.simulation().expect("a simulation");
    simulation.advance_to(seconds).expect("an end");
    simulation.state().continuous.iter().map(|x| x.to_bits()).collect()
}

fn parameters(file: &Path, set: &[&str]) -> Vec<FileParameter> {
    let set: Vec<Override> = set.iter().map(|one| Override::set(one).expect("path=value")).collect();
    Catalog::standard().load(file, &set).unwrap_or_else(|error| panic!("{error}")).diagram.parameters
}

#[test]
fn a_row_of_ten_in_five_lines_equals_ten_written_out() {
    let row = "\
kinegraph: 1
systems: {row: {type: diagram, file: pendulum.yaml, repeat: 10, set: {length: \"=0.3+0.05*$index\"}}}
simulation: {duration: 2}
record: {every: 0.5, channels: [\"row[3].angle\"]}
";
    let blocks: Vec<String> = (0..10)
        .map(|i| {
            format!("  p{i}: {{type: diagram, file: pendulum.yaml, set: {{length: {:?}}}}}", 0.3 + 0.05 * f64::from(i))
        })
        .collect();
    let by_hand = format!("kinegraph: 1\nsystems:\n{}\nsimulation: {{duration: 2}}\n", blocks.join("\n"));
    let row = saved("row", &[("row.yaml", row), ("by_hand.yaml", &by_hand), ("pendulum.yaml", PENDULUM)]);
    let states = state_after(&row, 2.0, &[]);
    assert_eq!(states.len(), 20);
    assert_eq!(states, state_after(&row.with_file_name("by_hand.yaml"), 2.0, &[]));
    let scenario = Scenario::open(&row).expect("a scenario");
    let recorded: Vec<&str> = scenario.channels.iter().map(|channel| channel.name.as_str()).collect();
    assert_eq!(recorded, ["row[3]/angle.output"]);
    // One copy may be set alone, and all of them together.
    let set = |set: &[&str]| state_after(&row, 2.0, set);
    assert_eq!(set(&["systems.row[3].set.length=0.9"]), set(&["systems.row[3]/l.value=0.9"]));
    assert_ne!(set(&["systems.row[3].set.length=0.9"]), states);
    assert_eq!(set(&["systems.row.set.length=0.9"]), set(&["systems.row/l.value=0.9"]));
}

/// Ports of copies in wires, in exports, by part and by name.
#[test]
fn ports_of_copies_are_wired() {
    let text = "\
kinegraph: 1
systems:
  row: {type: diagram, file: pendulum.yaml, repeat: 3, set: {length: \"=1+$index\"}}
  sum: {type: adder, signs: [1, 1]}
  part: {type: gain, gain: 2, width: 2}
connections:
  - row[2].angle -> sum.input0
  - row[0].angle -> sum.input1
  - row[1].angle[0] -> part.input[0]
  - row[2].angle -> part.input[1]
simulation: {duration: 1}
record: {every: 0.5, channels: [sum.output, \"row[1].angle\"]}
";
    let file = saved("wired", &[("wired.yaml", text), ("pendulum.yaml", PENDULUM)]);
    let scenario = Scenario::open(&file).unwrap_or_else(|error| panic!("{error}"));
    let mut simulation = scenario.simulation().expect("a simulation");
    simulation.advance_to(1.0).expect("an end");
    let mut channel = |name: &str| simulation.channel(name).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(channel("sum.output"), channel("row[2].angle") + channel("row[0]/angle.output"));
    assert_eq!(channel("part.output[0]"), 2.0 * channel("row[1].angle"));
    let (code, out, _) = kinegraph(&["run", file.to_str().expect("a name"), "--json"]);
    assert_eq!(code, 0);
    assert!(out.contains("row[2]/rate.state") || out.contains("row[2]/rate"), "{out}");
}

/// Each formula against the same in Rust, to the last bit.
#[test]
fn formulas_have_the_values_of_rust() {
    use std::f64::consts::PI;
    let (m, kp) = (2.0_f64, 80.0_f64);
    let formulas: [(&str, f64); 18] = [
        ("2*sqrt($m/$kp)", 2.0 * (m / kp).sqrt()),
        ("$m+$kp/3", m + kp / 3.0),
        ("$m-$kp-1", m - kp - 1.0),
        ("-$m^2", -(m * m)),
        ("2^3^2", 512.0),
        ("$kp^0.5", kp.powf(0.5)),
        ("1e-3*$m", 1e-3 * m),
        ("2*pi/$kp", 2.0 * PI / kp),
        ("sin($m)*cos($m)", m.sin() * m.cos()),
        ("exp(-$m)", (-m).exp()),
        ("log($kp)", kp.ln()),
        ("atan2($m, $kp)", m.atan2(kp)),
        ("max($m, $kp)-min($m, $kp)", kp - m),
        ("abs(-$m)", m),
        ("tanh($m/10)", (m / 10.0).tanh()),
        ("floor($kp/7)", (kp / 7.0).floor()),
        ("($m+1)*($m-1)", (m + 1.0) * (m - 1.0)),
        ("hypot($m, $kp)", m.hypot(kp)),
    ];
    let lines: Vec<String> = formulas.iter().enumerate().map(|(i, (f, _))| format!("  f{i}: \"={f}\"")).collect();
    let text = format!(
        "kinegraph: 1\nparameters:\n  m: 2 kg\n  kp: 80\n{}\nsystems: {{c: {{type: constant, value: $f0}}}}\n\
         simulation: {{duration: 1}}\n",
        lines.join("\n")
    );
    let found = parameters(&saved("formulas", &[("f.yaml", &text)]), &[]);
    for (i, (formula, value)) in formulas.iter().enumerate() {
        let one = found.iter().find(|one| one.name == format!("f{i}")).expect("a parameter");
        assert_eq!(one.value.to_bits(), value.to_bits(), "{formula}: {} and {value}", one.value);
    }
}

#[test]
fn units_are_those_of_si_and_formulas_compute_in_them() {
    let text = "\
kinegraph: 1
parameters:
  gap: {default: 9 mm, range: [1, 20]}
  wide: \"=2*$gap\"
  bare: {default: 5, unit: mm}
  stiff: 3 kN/m
  turn: 90 deg
  speed: 60 rpm
  inertia: 1.2 g cm^2
  part: 5 %
systems: {c: {type: constant, value: [$gap, $wide, $bare, $stiff, $turn, $speed, $inertia, $part]}}
simulation: {duration: 1}
";
    let file = saved("units", &[("units.yaml", text)]);
    let found = parameters(&file, &[]);
    let value = |name: &str| {
        let one = found.iter().find(|one| one.name == name).expect("a parameter");
        (one.value, one.unit.as_str())
    };
    assert_eq!(value("gap"), (0.009, "m"));
    assert_eq!(value("wide"), (0.018, ""));
    assert_eq!(value("bare"), (0.005, "m"));
    assert_eq!(value("stiff"), (3000.0, "N/m"));
    assert_eq!(value("turn"), (90_f64.to_radians(), "rad"));
    assert_eq!(value("speed").1, "rad/s");
    assert!((value("speed").0 - std::f64::consts::TAU).abs() < 1e-15);
    assert!((value("inertia").0 - 1.2e-7).abs() < 1e-20);
    assert_eq!(value("part"), (0.05, ""));
    assert_eq!(found[0].range, Some([0.001, 0.02]));
    // A bare number is in the unit in which the parameter is declared.
    assert_eq!(parameters(&file, &["parameters.gap=4"])[0].value, 0.004);
    assert_eq!(parameters(&file, &["parameters.gap=0.4 cm"])[0].value, 0.004);
    assert_eq!(parameters(&file, &["parameters.stiff=4"])[3].value, 4000.0);
}

/// Values pass through two levels of files, each with a formula of its own.
#[test]
fn values_are_set_through_two_levels() {
    let top = "\
kinegraph: 1
parameters: {l: 0.5}
systems: {pair: {type: diagram, file: pair.yaml, set: {short: $l, ratio: \"=$l*4\"}}}
simulation: {duration: 1}
";
    let pair = "\
kinegraph: 1
parameters: {short: 1, ratio: 1}
systems:
  a: {type: diagram, file: pendulum.yaml, set: {length: $short}}
  b: {type: diagram, file: pendulum.yaml, set: {length: \"=$short*$ratio\"}}
";
    let flat = "\
kinegraph: 1
systems:
  a: {type: diagram, file: pendulum.yaml, set: {length: 0.5}}
  b: {type: diagram, file: pendulum.yaml, set: {length: 1.0}}
simulation: {duration: 1}
";
    let files = [("top.yaml", top), ("pair.yaml", pair), ("flat.yaml", flat), ("pendulum.yaml", PENDULUM)];
    let file = saved("levels", &files);
    assert_eq!(state_after(&file, 1.0, &[]), state_after(&file.with_file_name("flat.yaml"), 1.0, &[]));
    // The command line goes before what files set, at every level.
    let longer = state_after(&file, 1.0, &["parameters.l=0.25"]);
    assert_eq!(longer, state_after(&file, 1.0, &["systems.pair.set.short=0.25", "systems.pair.set.ratio=1"]));
    let inner = state_after(&file, 1.0, &["systems.pair.parameters.short=0.25", "systems.pair.parameters.ratio=1"]);
    assert_eq!(longer, inner);
    let deep = ["systems.pair/a.set.length=0.25", "systems.pair/b.parameters.length=0.25"];
    assert_eq!(longer, state_after(&file, 1.0, &deep));
}

#[test]
fn a_sweep_over_a_parameter_equals_runs_set_by_hand() {
    let file = saved("sweep", &[("one.yaml", &format!("{PENDULUM}simulation: {{duration: 1}}\n"))]);
    let template = Template::open(&file, &[]).expect("a template");
    let sweep = Sweep {
        vary: vec![Axis::parse("parameters.length=1:3:5").expect("an axis")],
        measures: vec!["end(angle.output)".parse().expect("a measure")],
        ..Sweep::default()
    };
    let sweep = sweep.checked(&template).expect("a sweep");
    let lengths = ["1", "1.5", "2", "2.5", "3"];
    assert_eq!(sweep.variations().count(), lengths.len());
    for (variation, length) in sweep.variations().zip(lengths) {
        let row = run_variation(&template, &variation, &sweep.measures);
        let by_hand = state_after(&file, 1.0, &[&format!("systems.l.value={length}")]);
        assert_eq!(row.measures[0].map(f64::to_bits), Some(by_hand[1]), "{length}");
    }
    let file = file.to_str().expect("a name");
    let args =
        ["sweep", file, "--sample", "parameters.length=uniform(1,2)", "--runs", "3", "--measure", "end(angle.output)"];
    let (code, out, err) = kinegraph(&args);
    assert_eq!(code, 0, "{err}");
    assert!(out.starts_with("index,parameters.length,seed") && out.lines().count() == 4, "{out}");
}

#[test]
fn parameters_are_listed_with_their_uses() {
    let text = "\
kinegraph: 1
parameters:
  m: {default: 2 kg, range: [0.1, 50], about: mass of the cart}
  tau: \"=2*sqrt($m/80)\"
  spare: 1
systems:
  lag: {type: first_order_lag, time_constant: $tau}
  c: {type: constant, value: [\"=$m*3\", 1]}
connections: [\"c.output[0] -> lag.input\"]
simulation: {duration: 1}
";
    let file = saved("listed", &[("listed.yaml", text)]);
    let name = file.to_str().expect("a name");
    let (code, out, err) = kinegraph(&["parameters", name, "--json", "--set", "parameters.m=3"]);
    assert_eq!(code, 0, "{err}");
    let listed: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let m = &listed["parameters"][0];
    assert_eq!(m["name"], "m");
    assert_eq!(m["value"], 3.0);
    assert_eq!(m["unit"], "kg");
    assert_eq!(m["range"], serde_json::json!([0.1, 50.0]));
    assert_eq!(m["about"], "mass of the cart");
    assert_eq!(m["used"], serde_json::json!(["parameters.tau", "systems.c.value[0]"]));
    assert_eq!(listed["parameters"][1]["formula"], "=2*sqrt($m/80)");
    let (code, out, _) = kinegraph(&["parameters", name]);
    assert_eq!(code, 0);
    assert!(out.contains("m      2 kg") && out.contains("0.1 to 50") && out.contains("mass of the cart"), "{out}");
    let (code, out, _) = kinegraph(&["check", name]);
    assert_eq!(code, 0);
    let note = format!("{name}:5:3: nothing uses the parameter `spare`");
    assert!(out.contains(&note), "{out}");
}

/// Every fault of a value that a formula made says by which files it came.
#[test]
fn faults_name_the_chain_of_files_that_led_there() {
    let top = "\
kinegraph: 1
parameters: {l: -0.5}
systems: {pair: {type: diagram, file: pair.yaml, set: {short: $l}}}
simulation: {duration: 1}
";
    let pair = "\
kinegraph: 1
parameters: {short: 1}
systems: {a: {type: diagram, file: lag.yaml, set: {tau: \"=$short*2\"}}}
";
    let lag = "\
kinegraph: 1
parameters: {tau: 1}
systems: {lag: {type: first_order_lag, time_constant: $tau}}
";
    let file = saved("chain", &[("top.yaml", top), ("pair.yaml", pair), ("lag.yaml", lag)]);
    let name = |other: &str| file.with_file_name(other).display().to_string();
    let error = Catalog::standard().load(&file, &[]).expect_err("a fault");
    assert_eq!(
        error.faults.to_string(),
        format!(
            "{}:3:55: systems.lag.time_constant: expected a number above 0, found -1; it is the value of `$tau` (set by \
             systems.a.set.tau, {}:3:57: `=$short*2` with short = -0.5 (set by systems.pair.set.short, {}:3:63: `$l`))",
            name("lag.yaml"),
            name("pair.yaml"),
            name("top.yaml")
        )
    );
}
