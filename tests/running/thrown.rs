//! `kinegraph fit` of thrown balls: friction, stiffness, dissipation and inertias from positions and rates with noise.

use super::command::kinegraph;
use super::derivatives::{file, json, normal};

/// Names, bounds, and the middle of the true values.
const NUMBERS: [(&str, &str, f64); 6] = [
    ("mu", "0.02:2", 0.3),
    ("k", "300:30000", 3e3),
    ("d", "0.02:10", 0.5),
    ("ix", "5e-5:5e-4", 1.5e-4),
    ("iy", "5e-5:5e-4", 1.2e-4),
    ("iz", "5e-5:5e-4", 1.1e-4),
];
/// Channels, and the deviation of their noise: a camera that sees 0.5 mm, and 0.01 rad/s of a gyroscope.
const CHANNELS: [(&str, f64); 6] = [("x", 5e-4), ("y", 5e-4), ("z", 5e-4), ("wx", 0.02), ("wy", 0.02), ("wz", 0.02)];

/// A ball with three unlike moments of inertia that is thrown, another throw for each seed.
fn scene(name: &str, seed: u64) -> String {
    let model = "<robot name=\"ball\"><link name=\"ball\"><inertial><mass value=\"0.2\"/>\
        <inertia ixx=\"1e-4\" iyy=\"1e-4\" izz=\"1e-4\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>\
        <collision><geometry><sphere radius=\"0.04\"/></geometry></collision></link></robot>";
    let ball = format!("ball_of_{}.urdf", name.trim_end_matches(".yaml"));
    file(&ball, model);
    let mut state = seed.wrapping_mul(6007).wrapping_add(3);
    let mut draw = |size: f64| size * normal(&mut state).clamp(-1.5, 1.5);
    let (rpy, angular) = ([draw(1.0), draw(1.0), draw(1.0)], [draw(6.0), draw(6.0), draw(6.0)]);
    let linear = [0.8 + draw(0.3), draw(0.3), -0.5 + draw(0.2)];
    let text = format!(
        "kinegraph: 1
parameters: {{mu: 0.3, k: 3.0e+3, d: 0.5, ix: 1.5e-4, iy: 1.2e-4, iz: 1.1e-4, m: 0.2}}
systems:
  plant:
    type: multibody_plant
    gravity: [0, 0, -9.81]
    ground: {{height: 0}}
    contact: {{stiffness: $k, dissipation: $d, static_friction: $mu, dynamic_friction: $mu}}
    models:
      - name: ball
        file: {ball}
        base: floating
        pose: {{xyz: [0, 0, 0.12], rpy: {rpy:?}}}
        velocity: {{linear: {linear:?}, angular: {angular:?}}}
        links: {{ball: {{mass: $m, inertia: [$ix, $iy, $iz, 0, 0, 0]}}}}
connections: []
simulation: {{integrator: cenic, accuracy: 1.0e-5, duration: 0.5}}
record: {{every: 0.005, channels: [{}]}}
",
        CHANNELS.map(|(name, _)| format!("plant.ball.ball.{name}")).join(", ")
    );
    file(name, &text)
}

/// Recording of a run of a scene, with noise.
fn recording(path: &str, name: &str, truth: &[f64], seed: u64) -> String {
    let exact = file(&format!("exact_{name}"), "");
    let set: Vec<String> =
        NUMBERS.iter().zip(truth).map(|((name, ..), value)| format!("parameters.{name}={value:?}")).collect();
    let mut args = vec!["run", path, "--record", &exact, "--accuracy", "1e-6"];
    set.iter().for_each(|set| args.extend(["--set", set]));
    let (code, out, err) = kinegraph(&args);
    assert_eq!(code, 0, "{out}{err}");
    let (mut state, mut text) = (seed.wrapping_mul(31).wrapping_add(5), String::new());
    for (row, line) in std::fs::read_to_string(&exact).unwrap().lines().enumerate() {
        let noisy = |(at, word): (usize, &str)| match (row, at) {
            (0, _) | (_, 0) => word.to_owned(),
            _ => (word.parse::<f64>().unwrap() + CHANNELS[at - 1].1 * normal(&mut state)).to_string(),
        };
        text.push_str(&line.split(',').enumerate().map(noisy).collect::<Vec<_>>().join(","));
        text.push('\n');
    }
    file(name, &text)
}

#[test]
fn true_contact_and_inertia_lie_in_the_intervals_of_95_percent() {
    let draws = if std::env::var_os("KINEGRAPH_WHOLE").is_some() { 100 } else { 1 };
    let (mut within, mut all, mut runs, mut iterations, mut failed) = (0, 0, 0, 0, Vec::new());
    for seed in 0..draws {
        let path = scene("thrown.yaml", seed);
        let mut state = seed.wrapping_mul(104_729).wrapping_add(17);
        let truth = NUMBERS.map(|(.., middle)| middle * (0.08 * normal(&mut state)).exp());
        let data = recording(&path, "thrown.csv", &truth, seed);
        let by = NUMBERS.map(|(name, bounds, _)| format!("parameters.{name}={bounds}:log"));
        let mut args = vec!["fit", &path, "--data", &data];
        by.iter().for_each(|by| args.extend(["--by", by]));
        let (code, out, err) = kinegraph(&[&args[..], &["--json"]].concat());
        let found: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{err}"));
        if code != 0 {
            failed.push(seed);
            continue;
        }
        runs += found["runs"].as_u64().unwrap();
        iterations += found["iterations"].as_u64().unwrap();
        for (one, truth) in found["parameters"].as_array().unwrap().iter().zip(truth) {
            let Some(range) = one["range"].as_array() else { continue };
            let (low, high) = (range[0].as_f64().unwrap(), range[1].as_f64().unwrap());
            within += usize::from((low..=high).contains(&truth));
            all += 1;
        }
    }
    println!(
        "{within} of {all} true values in their intervals, {runs} runs with derivatives in {iterations} iterations; \
         not converged: {failed:?}"
    );
    assert!(failed.len() * 20 <= draws as usize, "{failed:?}");
    // A central difference takes 13 runs for each of these.
    assert!(runs <= 40 * draws, "{runs} runs");
    let least = if draws < 100 { 8 } else { 9 };
    assert!(all > 0 && 10 * within >= least * all, "{within} of {all}");
}

#[test]
fn masses_inertias_and_stiffness_that_act_as_ratios_are_named() {
    let path = scene("thrown_ratio.yaml", 1);
    let truth = NUMBERS.map(|(.., middle)| middle);
    let data = recording(&path, "thrown_ratio.csv", &truth, 1);
    let by = ["--by", "parameters.m=0.02:2", "--by", "parameters.k=300:30000", "--by", "parameters.mu"];
    let inertias = ["--by", "parameters.ix", "--by", "parameters.iy", "--by", "parameters.iz"];
    let found = json(&[&["fit", &path, "--data", &data][..], &by, &inertias].concat());
    let open = &found["undetermined"];
    assert_eq!(open.as_array().map(Vec::len), Some(1), "{open}");
    // All but friction: the body with all twice as large moves the same.
    let names: Vec<&str> = open[0]["parts"].as_array().unwrap().iter().map(|part| part[0].as_str().unwrap()).collect();
    assert_eq!(names, ["m", "k", "ix", "iy", "iz"].map(|name| format!("parameters.{name}")), "{open}");
    assert!(found["parameters"][2]["interval"].as_f64().is_some(), "{found}");
}
