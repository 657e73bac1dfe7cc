//! `kinegraph fit --torques`: inertial parameters of an arm of seven joints from torques.

use super::command::kinegraph;
use super::derivatives::{file, json, normal};
use kinegraph::scenario::Scenario;
use kinegraph_systems::convex::PlantPoint;
use nalgebra::DMatrix;
use std::path::Path;

const JOINTS: usize = 7;
/// Seven for each joint, less four, less two since the first axis is parallel to gravity
/// [Mayeda, Yoshida & Osuka 1990].
const BASE: usize = 7 * JOINTS - 6;

/// A scene with the arm of the example alone, and more keys of the plant.
fn scene(name: &str, keys: &str) -> String {
    let arm = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/franka/arm.urdf");
    let model = format!("arm_of_{}.urdf", name.trim_end_matches(".yaml"));
    file(&model, &std::fs::read_to_string(arm).unwrap());
    let text = format!(
        "kinegraph: 1
systems:
  plant:
    type: multibody_plant
    models:
      - name: arm
        file: {model}
        base: fixed
{keys}
connections: []
simulation: {{integrator: cenic, accuracy: 1.0e-3, duration: 1}}
"
    );
    file(name, &text)
}

/// Numbers between -1 and 1.
fn draw(state: &mut u64) -> f64 {
    normal(state).clamp(-2.0, 2.0) / 2.0
}

/// Position, velocity and acceleration of the joints at `t`: harmonics of 0.1 Hz.
fn motion(coefficients: &[[f64; 10]], t: f64) -> [Vec<f64>; 3] {
    let mut all = [vec![0.0; JOINTS], vec![0.0; JOINTS], vec![0.0; JOINTS]];
    for (joint, own) in coefficients.iter().enumerate() {
        for k in 0..5 {
            let w = std::f64::consts::TAU * 0.1 * (k + 1) as f64;
            let (a, b, s, c) = (own[2 * k], own[2 * k + 1], (w * t).sin(), (w * t).cos());
            all[0][joint] += (a * s - b * c) / w;
            all[1][joint] += a * c + b * s;
            all[2][joint] += w * (b * c - a * s);
        }
    }
    all
}

/// Torques by mass matrix and bias.
fn torques(scenario: &Scenario, [q, v, a]: &[Vec<f64>; 3]) -> Vec<f64> {
    let (_, plant) = scenario.diagram.plants().next().unwrap();
    let mut point = PlantPoint::default();
    plant.evaluate(q, v, &mut point);
    let M = DMatrix::from_column_slice(JOINTS, JOINTS, &point.mass_matrix);
    (0..JOINTS).map(|i| point.bias[i] + (0..JOINTS).map(|j| M[(i, j)] * a[j]).sum::<f64>()).collect()
}

/// A recording of the arm of `path` with noise in its torques, and more torques by velocity. `derivatives`: how many.
fn recording(
    path: &str,
    name: &str,
    seed: u64,
    deviation: f64,
    derivatives: usize,
    more: impl Fn(f64) -> f64,
) -> String {
    let scenario = Scenario::open(path).unwrap();
    let mut state = seed.wrapping_mul(7919).wrapping_add(11);
    let coefficients: Vec<[f64; 10]> = (0..JOINTS).map(|_| std::array::from_fn(|_| draw(&mut state))).collect();
    let mut text = "time".to_owned();
    for (letter, count) in [("q", 0), ("v", 1), ("a", 2), ("tau", 0)] {
        for joint in 1..=JOINTS {
            if count <= derivatives {
                text.push_str(&format!(",joint{joint}.{letter}"));
            }
        }
    }
    for i in 0..400 {
        let t = f64::from(i) * 0.025;
        let motion = motion(&coefficients, t);
        let tau = torques(&scenario, &motion);
        text.push_str(&format!("\n{t}"));
        motion.iter().take(1 + derivatives).flatten().for_each(|x| text.push_str(&format!(",{x}")));
        for (tau, v) in tau.iter().zip(&motion[1]) {
            text.push_str(&format!(",{}", tau + more(*v) + deviation * normal(&mut state)));
        }
    }
    file(name, &text)
}

#[test]
fn true_base_parameters_lie_in_the_intervals_of_95_percent() {
    let path = scene("arm.yaml", "");
    let draws = if std::env::var_os("KINEGRAPH_WHOLE").is_some() { 100 } else { 8 };
    let (mut within, mut all) = (0, 0);
    for seed in 0..draws {
        let data = recording(&path, "arm.csv", seed, 0.05, 2, |_| 0.0);
        let found = json(&["fit", &path, "--data", &data, "--torques", "plant.arm"]);
        let parameters = found["parameters"].as_array().unwrap();
        assert_eq!(parameters.len(), BASE);
        for one in parameters {
            let off = (one["value"].as_f64().unwrap() - one["file"].as_f64().unwrap()).abs();
            within += usize::from(off <= one["interval"].as_f64().unwrap());
            all += 1;
        }
        assert_eq!(found["is_possible"], true, "{}", found["joints"]);
    }
    println!("{within} of {all} true base parameters in their intervals");
    assert!((90 * all..=99 * all).contains(&(100 * within)), "{within} of {all}");
}

/// The rank by changes of masses, centres and inertias in the file, each of which changes the torques.
#[test]
fn the_number_of_base_parameters_is_the_rank_of_all_changes_of_the_links() {
    for (name, gravity, count) in [("down.yaml", "[0, 0, -9.81]", BASE), ("tilted.yaml", "[3, 0, -9]", BASE + 2)] {
        let key = format!("    gravity: {gravity}");
        let path = scene(name, &key);
        let original = Scenario::open(&path).unwrap();
        let mut state = 5;
        let samples: Vec<[Vec<f64>; 3]> =
            (0..60).map(|_| std::array::from_fn(|_| (0..JOINTS).map(|_| 2.0 * draw(&mut state)).collect())).collect();
        let all = |scenario: &Scenario| samples.iter().flat_map(|at| torques(scenario, at)).collect::<Vec<f64>>();
        let before = all(&original);
        let mut columns = Vec::new();
        for link in 1..=JOINTS {
            for _ in 0..10 {
                let mut unit = || 0.1 * draw(&mut state);
                let (mass, com) = (3.0 + unit(), [unit(), unit(), unit()]);
                let inertia = [1.0 + unit(), 1.0 + unit(), 1.0 + unit(), unit(), unit(), unit()];
                // The keys of the model come before those of the plant.
                let links = format!("links: {{link{link}: {{mass: {mass}, com: {com:?}, inertia: {inertia:?}}}}}");
                let path = scene("changed.yaml", &format!("        {links}\n{key}"));
                let after = all(&Scenario::open(&path).unwrap());
                columns.extend(after.iter().zip(&before).map(|(a, b)| a - b));
            }
        }
        let values = DMatrix::from_vec(before.len(), 10 * JOINTS, columns).singular_values();
        let rank = values.iter().filter(|value| **value > 1e-9 * values.max()).count();
        let data = recording(&path, "rank.csv", 3, 0.05, 2, |_| 0.0);
        let found = json(&["fit", &path, "--data", &data, "--torques", "arm"]);
        assert_eq!((rank, found["parameters"].as_array().unwrap().len()), (count, count), "{name}");
    }
}

#[test]
fn friction_is_found_and_the_file_is_written_with_possible_links() {
    let path = scene("rubbing.yaml", "");
    let data = recording(&path, "rubbing.csv", 4, 0.02, 2, |v| 0.3 * v + 0.5 * v.signum());
    let out = Path::new(&path).with_file_name("fitted_arm.yaml").to_string_lossy().into_owned();
    let args = ["fit", &path, "--data", &data, "--torques", "plant.arm", "--friction", "--set"];
    let found = json(&[&args[..], &["systems.plant.models.arm.links.link7.mass=2", "--out", &out]].concat());
    for (key, truth) in [("damping", 0.3), ("friction", 0.5)] {
        for joint in found["joint_values"].as_array().unwrap() {
            assert!((joint[key].as_f64().unwrap() - truth).abs() < 0.02, "{joint}");
        }
    }
    // The torques of the file that was written are those of the true arm.
    let (fitted, truth) = (Scenario::open(&out).unwrap(), Scenario::open(&path).unwrap());
    let at = [vec![0.4; JOINTS], vec![0.0; JOINTS], vec![0.5; JOINTS]];
    for (a, b) in torques(&fitted, &at).iter().zip(torques(&truth, &at)) {
        assert!((a - b).abs() < 0.05, "{a} {b}");
    }
    let (_, printed, _) = kinegraph(&args[..7]);
    assert!(printed.contains("known is only") && printed.contains("no torque depends on link1 m"), "{printed}");
    // The section of a file asks the same.
    let section = "fit: {data: [rubbing.csv], torques: plant.arm, friction: true}\n";
    let path = file("rubbing_section.yaml", &(std::fs::read_to_string(&path).unwrap() + section));
    let (code, out, err) = kinegraph(&["check", &path]);
    assert!(code == 0, "{out}{err}");
    assert_eq!(kinegraph(&["fit", &path]).1, printed);
}

#[test]
fn accelerations_are_found_from_positions() {
    let path = scene("positions.yaml", "");
    let data = recording(&path, "positions.csv", 6, 0.02, 0, |_| 0.0);
    let found = json(&["fit", &path, "--data", &data, "--torques", "arm"]);
    assert!(found["window"].as_u64().is_some_and(|window| window >= 5), "{}", found["window"]);
    for joint in found["joints"].as_array().unwrap() {
        assert!(joint["fitted"].as_f64().unwrap() < 0.03, "{joint}");
    }
}

#[test]
fn what_a_poor_motion_leaves_open_is_named() {
    let path = scene("poor.yaml", "");
    let scenario = Scenario::open(&path).unwrap();
    let (mut text, mut state) = ("time,joint7.q,joint7.v,joint7.a,joint7.tau".to_owned(), 9);
    for i in 0..200 {
        let t = f64::from(i) * 0.02;
        let mut at = [vec![0.0; JOINTS], vec![0.0; JOINTS], vec![0.0; JOINTS]];
        (at[0][6], at[1][6], at[2][6]) = (t.sin(), t.cos(), -t.sin());
        let tau = torques(&scenario, &at)[6] + 1e-3 * normal(&mut state);
        text.push_str(&format!("\n{t},{},{},{},{tau}", at[0][6], at[1][6], at[2][6]));
    }
    let data = file("poor.csv", &text);
    // One joint that turns about a fixed axis: its inertia about the axis, and moments across it.
    let found = json(&["fit", &path, "--data", &data, "--torques", "arm"]);
    let names: Vec<&str> =
        found["parameters"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert!(names.len() <= 3 && names.contains(&"link7 Izz"), "{names:?}");
    let (code, _, err) = kinegraph(&["fit", &path, "--data", &data, "--torques", "amr"]);
    assert!(code == 2 && (err.contains("there is no such model; did you mean") || err.contains("plant.arm")), "{err}");
    let mistakes: [(&[&str], &str); 5] = [
        (&["--torques", "arm", "--match", "joint8.tau=joint7.tau"], "expected JOINT.q, JOINT.v, JOINT.a or JOINT.tau"),
        (&["--torques", "arm", "--match", "joint6.tau=tau6"], "there is no column `tau6`"),
        (&["--torques", "arm", "--window", "4"], "expected an odd number of samples from 5"),
        (&["--torques", "arm", "--by", "parameters.m"], "--by"),
        (&["--by", "parameters.m", "--friction"], "--friction is for the fit of an arm"),
    ];
    for (args, part) in mistakes {
        let (code, out, err) = kinegraph(&[&["fit", &path, "--data", &data][..], args].concat());
        assert!(code == 2 && err.contains(part), "{args:?}: {out}{err}");
    }
    let other = file("other_columns.csv", "time,a,b\n0,1,2\n");
    let (code, _, err) = kinegraph(&["fit", &path, "--data", &other, "--torques", "arm"]);
    assert!(code == 2 && err.contains("expected `joint1.q` and `joint1.tau`"), "{err}");
}
