//! Algebraic loops, derivative policies and linearization in files and on the command line.

use super::command::kinegraph;
use kinegraph::linearize::state_space::{BlockFault, LinearizePorts, linearize};
use kinegraph::simulate::Scenario;
use kinegraph::systems::testing::Bench;
use std::path::{Path, PathBuf};

fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("a file");
    path
}

/// x' = s with s = -x - 3 s: x' = -x / 4; `treatment` is the treatment of the loop through s.
fn looped(name: &str, treatment: &str, policy: &str) -> PathBuf {
    let text = format!(
        "kinegraph: 1\n{treatment}\nsystems:\n  x: {{type: integrator, initial: 1}}\n  sum: {{type: adder, signs: \"--\"}}\n  \
         three: {{type: gain, gain: 3{policy}}}\nconnections: [x.output -> sum.input0, sum.output -> three.input, \
         three.output -> sum.input1, sum.output -> x.input]\n\
         simulation: {{integrator: cenic, accuracy: 1e-6, duration: 1}}\n"
    );
    file(name, &text)
}

#[test]
fn a_loop_in_a_file_is_a_fault_unless_it_is_to_be_solved() {
    let open = looped("open.yaml", "name: open", "");
    let (code, _, err) = kinegraph(&["check", &open.to_string_lossy()]);
    assert_eq!(code, 2);
    assert!(err.contains("algebraic loop: sum.output -> three.input"), "{err}");
    let solved = looped("solved.yaml", "algebraic_loops: solve", "");
    let (code, out, err) = kinegraph(&["run", &solved.to_string_lossy(), "--json"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let x = report["final_state"].as_object().and_then(|o| o.values().next()).and_then(|x| x.as_f64()).expect("x");
    assert!((x - (-0.25_f64).exp()).abs() < 1e-4, "{x}");
    let wrong = looped("wrong.yaml", "algebraic_loops: ignore", "");
    assert!(
        kinegraph(&["check", &wrong.to_string_lossy()]).2.contains("unknown treatment of algebraic loops `ignore`")
    );
}

#[test]
fn a_loop_without_solution_stops_the_run_and_says_where() {
    // y = y + 1
    let path = file(
        "unsolvable.yaml",
        "kinegraph: 1\nalgebraic_loops: solve\nsystems:\n  one: {type: constant, value: 1}\n  y: {type: adder, signs: \"++\"}\n  \
         x: {type: integrator, initial: 0}\nconnections: [one.output -> y.input0, y.output -> y.input1, y.output -> x.input]\n\
         simulation: {integrator: cenic, duration: 1}\n",
    );
    for integrator in [&["--integrator", "cenic"][..], &["--integrator", "icf", "--step", "0.1"]] {
        let file = path.to_string_lossy();
        let (code, _, err) = kinegraph(&[&["run", &file, "--quiet"], integrator].concat());
        assert_eq!(code, 1, "{err}");
        assert!(
            err.contains("algebraic loop of y.output cannot be solved") && err.contains("misses its own value by 1"),
            "{err}"
        );
    }
}

#[test]
fn linearize_gives_poles_by_every_policy() {
    for (policy, pole, tolerance) in [
        ("", -0.25, 1e-14),
        (", derivatives: exact", -0.25, 1e-14),
        (", derivatives: differences", -0.25, 1e-9),
        // Outputs that a method holds constant over a step have derivatives in a model.
        (", derivatives: explicit", -1.0 / 1.5, 1e-9),
    ] {
        // With an explicit gain the loop's own Newton step is substitution, which needs a gain below one.
        let gain = if policy.contains("explicit") { "systems.three.gain=0.5" } else { "systems.three.gain=3" };
        let path = looped("policy.yaml", "algebraic_loops: solve", policy);
        let args = ["linearize", &path.to_string_lossy(), "--json", "--set", gain];
        let (code, out, err) = kinegraph(&args);
        assert_eq!((code, err.as_str()), (0, ""), "{policy}");
        let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        let found = report["poles"][0]["re"].as_f64().expect("a pole");
        assert!((found - pole).abs() < tolerance, "{policy}: {found}");
    }
}

#[test]
fn a_pendulum_is_trimmed_and_shown_with_names() {
    let path = "examples/double_pendulum/double_pendulum.yaml";
    let all = "--set=systems.plant.models.pendulum.actuated=all";
    let (code, out, err) = kinegraph(&[
        "linearize",
        path,
        all,
        "--set",
        "systems.plant.initial.pendulum.j1.q=0.1",
        "--trim",
        "--input",
        "plant.pendulum.actuation",
        "--output",
        "plant.pendulum.j2.q",
    ]);
    assert_eq!((code, err.as_str()), (0, ""));
    for part in ["equilibrium at t = 0 s", "plant.pendulum.actuation[1]", "poles", "plant.pendulum.j2.q"] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let (code, out, _) = kinegraph(&["linearize", path, "--at", "0.5", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((code, report["time"].as_f64(), report["trimmed"].as_bool()), (0, Some(0.5), Some(false)));
    assert_eq!(report["A"].as_array().map(Vec::len), Some(4));
}

/// The inverse of the mass matrix says what B has to be: for one joint, `I B = 1`. The arm holds a box, and with
/// contacts left out the box does not matter to it.
#[test]
fn the_actuation_of_an_arm_that_holds_a_box_gives_its_b() {
    let path = "examples/franka/franka.yaml";
    let input = ["--input", "plant.arm.actuation"];
    let b = |change: &[&str]| {
        let asked = ["linearize", path, "--contact", "none", "--json"];
        let (code, out, err) = kinegraph(&[&asked, &input[..], change].concat());
        assert_eq!(code, 0, "{err}");
        assert!(err.contains("left out, as if they did not touch: hand/finger_"), "{err}");
        let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        let names = report["states"].as_array().expect("states").clone();
        let rows = report["B"].as_array().expect("B").clone();
        let of_arm = |(name, row): (serde_json::Value, serde_json::Value)| {
            let is_speed = name.as_str().is_some_and(|name| name.starts_with("plant.arm.") && name.ends_with(".v"));
            is_speed.then(|| row.as_array().expect("a row").iter().map(|x| x.as_f64().expect("a number")).collect())
        };
        names.into_iter().zip(rows).filter_map(of_arm).collect::<Vec<Vec<f64>>>()
    };
    let now = b(&[]);
    assert_eq!(now.iter().map(Vec::len).collect::<Vec<_>>(), [7; 7]);
    // The inverse of a mass matrix is symmetric, and has what is positive on its diagonal.
    for (i, row) in now.iter().enumerate() {
        assert!(row[i] > 0.1, "{row:?}");
        row.iter().enumerate().for_each(|(j, x)| assert!((x - now[j][i]).abs() < 1e-10 * row[i], "{i}, {j}"));
    }
    // Neither do gains nor loads change it; how the arm stands does.
    assert_eq!(now, b(&["--set", "systems.controller.kp=1"]));
    assert_ne!(now, b(&["--set", "systems.plant.initial.arm.joint4.q=-1.9"]));
}

/// With the grip held, hand and crate have one coordinate besides the arm: the way of the fingers.
#[test]
fn an_arm_holds_a_box_between_its_fingers() {
    let path = "examples/franka/franka.yaml";
    let asked = ["linearize", path, "--input", "plant.arm.actuation", "--json", "--contact"];
    let report = |contact: &str| -> serde_json::Value {
        let (code, out, err) = kinegraph(&[&asked[..], &[contact]].concat());
        assert_eq!(code, 0, "{err}");
        serde_json::from_str(&out).expect("JSON")
    };
    let held = report("hold");
    let states = held["states"].as_array().expect("states");
    assert_eq!(states.len(), 16, "{states:?}");
    assert!(states.iter().all(|name| !name.as_str().expect("a name").contains("crate")), "{states:?}");
    let parts = held["held"].as_array().expect("what is held");
    assert_eq!(parts.len(), 2, "{parts:?}");
    for part in parts {
        assert_eq!((part["kind"].as_str(), part["points"].as_u64()), (Some("sticks"), Some(4)), "{part}");
        assert!((part["force"].as_f64().expect("a force") - 40.0).abs() < 0.1, "{part}");
    }
    // By their laws the contacts have states of their own: the crate moves in the fingers.
    let law = report("law");
    assert_eq!((law["states"].as_array().map(Vec::len), law["contact"].as_str()), (Some(30), Some("law")));
    let (code, _, err) = kinegraph(&[&asked[..], &["held"]].concat());
    assert!(code == 2 && err.contains("did you mean `hold`?"), "{err}");
}

#[test]
fn an_actuation_without_joints_is_refused() {
    let path = "examples/franka/franka.yaml";
    let (code, _, err) = kinegraph(&["linearize", path, "--without-contact", "--input", "plant.hand.actuation"]);
    assert_eq!(code, 2);
    assert!(err.contains("plant.hand.actuation has no entries") && err.contains("actuated: all"), "{err}");
}

/// A damped pendulum held at 0.6 rad by a torque: about there sin has curvature, so a linear model errs by the square
/// of the deviation.
fn pendulum(name: &str, torque: &str) -> PathBuf {
    let text = format!(
        "kinegraph: 1\nsystems:\n  torque: {torque}\n  law: {{type: expression, inputs: [q, v, u], expression: \"u - 9.81*sin(q) - 0.5*v\"}}\n  \
         v: {{type: integrator}}\n  q: {{type: integrator, initial: 0.6}}\nconnections: [torque.output -> law.u, q.output -> law.q, v.output -> law.v, \
         law.output -> v.input, v.output -> q.input]\nsimulation: {{integrator: dopri5, accuracy: 1e-10, duration: 3}}\n"
    );
    file(name, &text)
}

/// Largest distance of the linear from the nonlinear angle when the torque swings by `amplitude`.
fn distance_of_linear(amplitude: f64) -> f64 {
    let hold = 9.81 * 0.6_f64.sin();
    let swing = |offset: f64| format!("{{type: sine, amplitude: {amplitude:?}, frequency: 2, offset: {offset:?}}}");
    let nonlinear = pendulum("swinging.yaml", &swing(hold));
    // The exported model as a block of another diagram.
    let text = format!(
        "kinegraph: 1\nsystems:\n  torque: {}\n  model: {{type: diagram, file: model.yaml}}\nconnections: [torque.output -> model.input]\n\
         simulation: {{integrator: dopri5, accuracy: 1e-10, duration: 3}}\n",
        swing(0.0)
    );
    let linear = file("linear.yaml", &text);
    let [mut nonlinear, mut linear] = [nonlinear, linear].map(|path| {
        let scenario = Scenario::open(&path).unwrap_or_else(|fault| panic!("{fault}"));
        scenario.simulation().expect("an integrator")
    });
    let mut worst = 0.0_f64;
    for k in 1..=30 {
        for simulation in [&mut nonlinear, &mut linear] {
            simulation.advance_to(0.1 * f64::from(k)).expect("a step");
        }
        let found = linear.channel("model.output").expect("a channel");
        worst = worst.max((nonlinear.channel("q.output").expect("a channel") - 0.6 - found).abs());
    }
    worst
}

#[test]
fn a_linear_model_is_exported_and_follows_the_diagram_with_quadratic_error() {
    let held = pendulum("held.yaml", &format!("{{type: constant, value: {:?}}}", 9.81 * 0.6_f64.sin()));
    let model = Path::new(env!("CARGO_TARGET_TMPDIR")).join("model.yaml");
    let (held, written) = (held.to_string_lossy(), model.to_string_lossy());
    let ask = ["linearize", &held, "--input", "law.u", "--output", "q.output", "-o", &written];
    let (code, out, err) = kinegraph(&ask);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("poles"), "{out}");
    let text = std::fs::read_to_string(&model).expect("the model");
    for part in
        ["#   input 0: law.u = 0\n", "#   state 1: q.x = 0.6\n", "#   output 0: q.output = 0.6\n", "type: state_space"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let errors = [0.1, 0.05, 0.025].map(distance_of_linear);
    assert!(errors[0] < 0.1 * 0.1, "{errors:?}");
    for pair in errors.windows(2) {
        assert!((3.7..4.3).contains(&(pair[0] / pair[1])), "{errors:?}");
    }
    // The block from Rust.
    let scenario = Scenario::open(&*held).expect("a diagram");
    let ports = LinearizePorts { inputs: vec!["law.u".into()], outputs: vec!["q.output".into()], cuts: vec![] };
    let model = linearize(&scenario.diagram, &scenario.diagram.initial_state(), &ports).expect("a model");
    let block = model.to_block().expect("a block");
    let bench = Bench::new(&block).input(block.input, [2.0]).state([0.5, 0.25]);
    let stiffness = 9.81 * 0.6_f64.cos();
    let [acceleration, rate] = bench.derivatives()[..] else { panic!("two states") };
    assert!((acceleration - (2.0 - 0.5 * 0.5 - stiffness * 0.25)).abs() < 1e-14, "{acceleration}");
    assert_eq!((rate, bench.eval(block.output)), (0.5, vec![0.25]));
}

#[test]
fn a_model_that_is_no_block_is_not_exported() {
    let falling = pendulum("falling.yaml", "{type: constant, value: 0}");
    let falling = falling.to_string_lossy();
    let written = Path::new(env!("CARGO_TARGET_TMPDIR")).join("none.yaml");
    let written = written.to_string_lossy();
    for (args, message) in [
        (&["--input", "law.u", "--output", "q.output"][..], "the largest rate at the operating point is 5.539"),
        (&["--input", "law.u", "--trim"], "the linear model has no output: name one with --output"),
        (&["--output", "q.output", "--trim"], "the linear model has no input: name one with --input or --cut"),
    ] {
        let (code, out, err) = kinegraph(&[&["linearize", &*falling, "-o", &*written], args].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
        assert!(err.contains(message), "{args:?}: {err}");
    }
    let scenario = Scenario::open(&*falling).expect("a diagram");
    let model =
        linearize(&scenario.diagram, &scenario.diagram.initial_state(), &LinearizePorts::default()).expect("a model");
    assert!(matches!(model.to_block(), Err(BlockFault::Drift { state, .. }) if state == "v.x"));
}

#[test]
fn wrong_requests_exit_with_2_and_failed_ones_with_1() {
    let path = "examples/double_pendulum/double_pendulum.yaml";
    for (args, code, message) in [
        (&["--input", "plant.pendulum.actuatoin"][..], 2, "did you mean"),
        (&["--output", "plant.pendulum.j9.q"], 2, "plant.pendulum.j9.q"),
        (&["--at", "-1"], 2, "not negative"),
        (&["--hold", "plant.pendulum.j1.q"], 2, "--trim"),
        (&["--trim", "--hold", "plant.pendulum.j7.q"], 2, "did you mean `plant.pendulum.j"),
        (&["--trim", "--hold", "plant.pendulum.j1.q"], 1, "the rate of plant.pendulum.j1.v stays at"),
    ] {
        let (found, out, err) = kinegraph(&[&["linearize", path], args].concat());
        assert_eq!((found, out.as_str()), (code, ""), "{args:?}: {err}");
        assert!(err.contains(message), "{args:?}: {err}");
    }
}

/// Two rods geared together swing as one.
#[test]
fn constraints_close_the_model_and_are_reported_of() {
    let rod = "<robot name=\"rod\"><link name=\"base\"/><link name=\"rod\"><inertial><mass value=\"1\"/>\
               <inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\
               <joint name=\"j\" type=\"continuous\"><parent link=\"base\"/><child link=\"rod\"/><axis xyz=\"0 1 0\"/></joint></robot>";
    file("rod.urdf", rod);
    for (constraints, reported) in
        [("", false), (", constraints: [{name: gear, type: coupler, joints: [a/j, b/j]}]", true)]
    {
        let text = format!(
            "kinegraph: 1\nsystems:\n  plant: {{type: multibody_plant, models: [{{name: a, file: rod.urdf, base: fixed}}, \
             {{name: b, file: rod.urdf, base: fixed}}]{constraints}}}\nsimulation: {{integrator: cenic, duration: 1}}\n"
        );
        let path = file("geared.yaml", &text);
        let (code, out, err) = kinegraph(&["linearize", &path.to_string_lossy()]);
        assert_eq!(code, 0, "{err}");
        assert_eq!(out.contains("plant.b.j.v"), !reported, "{out}");
        assert_eq!(out.contains("plant: constraint gear: "), reported, "{out}");
        assert_eq!(err, "");
    }
}

/// An input of `tests/data/linearize`, linearized.
fn linearized(name: &str, ports: &[&str]) -> (u8, String, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/linearize").join(name);
    kinegraph(&[&["linearize", &path.to_string_lossy(), "--json"], ports].concat())
}

#[test]
fn an_input_behind_a_delay_alone_has_no_column() {
    let ports = ["--input", "pipe.input", "--output", "lag.output"];
    for ports in [&ports[..], &["--cut", "pipe.input", "--output", "lag.output"], &["--input", "pipe.input"]] {
        let (code, out, err) = linearized("delay.yaml", ports);
        assert_eq!((code, out.as_str()), (1, ""), "{err}");
        assert!(err.contains("pipe.input reaches") && err.contains("by way of `pipe` only"), "{err}");
    }
    // Behind the delay there is a model, of which no path is cut.
    let (code, out, err) = linearized("delay.yaml", &["--cut", "lag.input", "--output", "lag.output"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((report["B"][0][0].as_f64(), report["cut_by"].as_array()), (Some(2.0), None));
}

#[test]
fn loops_that_samples_and_delays_close_are_named() {
    for (file, ports, blocks) in [
        ("dl.yaml", &[][..], vec!["d"]),
        ("d_zoh.yaml", &[], vec!["sampler", "late"]),
        ("d_zoh.yaml", &["--input", "plant.cp.slide", "--output", "plant.cp.state"], vec!["sampler", "late"]),
        // An input that is cut off opens the loop by itself.
        ("d_zoh.yaml", &["--cut", "plant.cp.slide", "--output", "plant.cp.state"], vec![]),
    ] {
        let (code, out, err) = linearized(file, ports);
        assert_eq!(code, 0, "{err}");
        let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        let named = report["cut_by"].as_array().cloned().unwrap_or_default();
        assert_eq!(named, blocks, "{file} {ports:?}");
        let is_noted = err.contains(&format!("that they close are open: {}", blocks.join(", ")));
        assert_eq!(is_noted, !blocks.is_empty(), "{err}");
    }
}

#[test]
fn blocks_that_pass_nothing_on_are_named() {
    // A block that follows may be a counter, which has no differentiable path.
    let (gain, counter) = ("type: gain, gain: -1", "type: counter");
    for (block, back, input, named) in [
        ("type: quantizer, interval: 0.01", gain, 0.3, true),
        ("type: saturation, lower: -1, upper: 1", gain, 3.0, true),
        ("type: saturation, lower: -1, upper: 1", gain, 0.3, false),
        ("type: function, function: sign", gain, 0.3, true),
        ("type: counter, threshold: 1", gain, 0.3, true),
        ("type: counter, threshold: 1", counter, 0.3, true),
        ("type: gain, gain: 0", gain, 0.3, false),
    ] {
        let text = format!(
            "kinegraph: 1\nsystems:\n  lag: {{type: integrator, initial: [{input}]}}\n  seen: {{{block}}}\n  \
             back: {{{back}}}\nconnections:\n  - lag.output -> seen.input\n  - seen.output -> back.input\n  \
             - back.output -> lag.input\nsimulation: {{integrator: cenic, duration: 1}}\n"
        );
        let path = file("flat.yaml", &text);
        let (code, out, err) = kinegraph(&["linearize", &path.to_string_lossy(), "--json"]);
        assert_eq!(code, 0, "{err}");
        let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!(report["flat"].as_array().is_some(), named, "{block}: {out}");
        assert_eq!(err.contains("pass nothing on") && err.contains("seen"), named, "{err}");
    }
}

/// `2 e^(-0.1 s)/(s (s + 1))`, cut open behind its delay: the frequencies and margins of a search by hand.
#[test]
fn margins_of_a_delayed_loop_are_printed_and_in_the_json() {
    let loop_file = file(
        "margins.yaml",
        "kinegraph: 1\nsystems:\n  error: {type: adder, signs: \"+-\"}\n  \
         plant: {type: transfer_function, numerator: [2], denominator: [1, 1, 0]}\n  \
         delay: {type: transport_delay, delay: 0.1, period: 0.01}\n  goal: {type: constant, value: 0}\n\
         connections: [goal.output -> error.input0, delay.output -> error.input1, error.output -> plant.input, \
         plant.output -> delay.input]\nsimulation: {duration: 1}\n",
    );
    let path = loop_file.to_string_lossy();
    let cut = ["linearize", &path, "--cut", "error.input1", "--output", "delay.output", "--margins"];
    let (code, out, err) = kinegraph(&cut);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("margins of the loop as it is") && out.contains("31.5085 deg  at 1.24962 rad/s"), "{out}");
    assert!(err.contains("each delay is a rational function of degree 4"), "{err}");
    let (code, out, _) = kinegraph(&[&cut[..], &["--json"]].concat());
    let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let near = |path: &str, expected: f64| {
        let found = report.pointer(path).and_then(serde_json::Value::as_f64).expect(path);
        assert!((found - expected).abs() < 1e-9 * expected, "{path}: {found}");
    };
    assert_eq!(code, 0);
    near("/margins/gain", 5.081547734209913);
    near("/margins/gain_frequency", 3.1105284820029766);
    near("/margins/phase_deg", 31.508481175621057);
    near("/margins/delay_s", 0.4400747979024125);
    assert!(report["response"][0]["w"].is_number() && report.get("responses").is_none(), "{out}");
}
