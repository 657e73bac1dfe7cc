//! Algebraic loops, derivative policies and linearization as files and the command line name them.

use kinegraph::cli::{self, Console};
use kinegraph::simulate::FileSimulator;
use std::path::{Path, PathBuf};

fn kinegraph(args: &[&str]) -> (u8, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut console = Console { out: &mut out, err: &mut err, interactive: false };
    let code = cli::run(std::iter::once("kinegraph").chain(args.iter().copied()), &FileSimulator, &mut console);
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (code, text(out), text(err))
}

fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("a file");
    path
}

/// x' = s with s = -x - 3 s: x' = -x / 4; `treatment` says what becomes of the loop through s.
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
        // Without derivatives the gain counts as constant, around and inside the loop.
        (", derivatives: explicit", -1.0, 1e-14),
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
    assert_eq!(report["a"].as_array().map(Vec::len), Some(4));
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
