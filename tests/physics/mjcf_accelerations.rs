//! Accelerations, and rates of activations, of the files in `tests/data/mjcf` against MuJoCo 4.0.0: fluids, muscles,
//! activations, actuators at sites, on ball and free joints. Each file has its figures beside it, written by
//! `benches/models/oracles.py`.

use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::Options;
use kinegraph::simulate::Simulation;
use kinegraph::systems::models::{LoadOptions, parse_mjcf};
use kinegraph::systems::multibody::{Base, JointKind, Model, PlantBuilder};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use serde::Deserialize;

#[derive(Deserialize)]
struct Oracle {
    states: Vec<State>,
}

#[derive(Deserialize)]
struct State {
    qpos: Vec<f64>,
    qvel: Vec<f64>,
    ctrl: Vec<f64>,
    act: Vec<f64>,
    qacc: Vec<f64>,
    act_dot: Vec<f64>,
}

/// A vector on the velocities from the order and the axes of the format: of a free joint the linear part comes first,
/// the angular one in the body's axes.
fn ours(model: &Model, q: &[f64], v: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let (mut q, mut v) = (q.to_vec(), v.to_vec());
    let (mut at, mut of) = (0, 0);
    for joint in &model.joints {
        let (wide, moving) = match joint.kind {
            JointKind::Fixed => (0, 0),
            JointKind::Floating => (7, 6),
            JointKind::Ball => (4, 3),
            _ => (1, 1),
        };
        if joint.kind == JointKind::Floating {
            q[at..at + 7].rotate_left(3);
            v[of..of + 6].rotate_left(3);
            let turn = UnitQuaternion::from_quaternion(Quaternion::new(q[at], q[at + 1], q[at + 2], q[at + 3]));
            let w = turn * Vector3::from_column_slice(&v[of..of + 3]);
            v[of..of + 3].copy_from_slice(w.as_slice());
        }
        (at, of) = (at + wide, of + moving);
    }
    (q, v)
}

/// Accelerations from velocities that an explicit method finds after a short time and after half of it.
fn accelerations(diagram: &Diagram, start: &[f64], positions: usize) -> Vec<f64> {
    let after = |moment: f64| -> Vec<f64> {
        let mut simulation = Simulation::new(diagram, Options::dopri5(1e-9)).unwrap();
        let mut state = simulation.state().clone();
        state.continuous.copy_from_slice(start);
        simulation.set_state(state).unwrap();
        simulation.advance_to(moment).unwrap_or_else(|e| panic!("{e}"));
        let (v, v0) = (&simulation.state().continuous[positions..], &start[positions..]);
        v.iter().zip(v0).map(|(v, v0)| (v - v0) / moment).collect()
    };
    let moment = 1e-8;
    after(moment).iter().zip(after(0.5 * moment)).map(|(whole, half)| 2.0 * half - whole).collect()
}

/// The largest difference of accelerations and of rates of activations, relative to the largest of each.
fn difference(name: &str) -> f64 {
    difference_by(name, false)
}

/// Difference with constraints, which are not part of the rates that blocks compute: `by_motion` measures them.
fn difference_by(name: &str, by_motion: bool) -> f64 {
    let folder = format!("{}/tests/data/mjcf", env!("CARGO_MANIFEST_DIR"));
    let read = |ending: &str| std::fs::read_to_string(format!("{folder}/{name}.{ending}")).unwrap();
    let oracle: Oracle = serde_json::from_str(&read("json")).unwrap();
    let path = format!("{folder}/{name}.xml");
    let model = parse_mjcf(&read("xml"), &path, &LoadOptions::default()).unwrap_or_else(|e| panic!("{e}")).model;
    let mut worst = 0.0_f64;
    for State { qpos, qvel, ctrl, act, qacc, act_dot } in &oracle.states {
        let gravity = model.scene.gravity.unwrap().into();
        let plant = PlantBuilder::new().gravity(gravity).model("m", model.clone(), Base::fixed()).build().unwrap();
        let mut b = DiagramBuilder::new("oracle");
        let plant = b.add("plant", plant);
        if !ctrl.is_empty() {
            b.fix(plant.actuation("m"), ctrl.clone());
        }
        let diagram = b.build().unwrap();
        let (q, v) = ours(&model, qpos, qvel);
        let (_, expected) = ours(&model, qpos, qacc);
        let state = [q, v, act.clone()].concat();
        let mut values = diagram.values::<f64>();
        diagram.evaluate(0.0, &state, &mut values);
        let mut rates = vec![0.0; state.len()];
        diagram.derivatives_with_plants(0.0, &state, &values, &mut rates);
        if by_motion {
            rates[qpos.len()..qpos.len() + qvel.len()].copy_from_slice(&accelerations(&diagram, &state, qpos.len()));
        }
        let mut compare = |found: &[f64], expected: &[f64]| {
            assert_eq!(found.len(), expected.len());
            let scale = expected.iter().fold(1e-3, |most: f64, x| most.max(x.abs()));
            let each = found.iter().zip(expected).map(|(a, b)| (a - b).abs() / scale);
            worst = worst.max(each.fold(0.0, f64::max));
        };
        compare(&rates[qpos.len()..qpos.len() + qvel.len()], &expected);
        compare(&rates[qpos.len() + qvel.len()..], act_dot);
    }
    worst
}

/// The added mass of an ellipsoid comes from a quadrature in MuJoCo that is exact to some 1e-7.
#[test]
fn bodies_in_a_fluid() {
    let found = difference("fluid");
    assert!(found < 1e-6, "{found}");
}

#[test]
fn muscles() {
    let found = difference("muscles");
    assert!(found < 1e-10, "{found}");
}

#[test]
fn activations_and_servos() {
    let found = difference("activations");
    assert!(found < 1e-10, "{found}");
}

#[test]
fn pushes_along_six_components() {
    let found = difference("pushes");
    assert!(found < 1e-10, "{found}");
}

/// The torque there is `K (ψ - ψ0)/L`; where all K are alike and ψ0 is zero it is that of an energy.
#[test]
fn cables() {
    // Vertices are single numbers there.
    let found = difference_by("cables", true);
    assert!(found < 1e-5, "{found}");
}

/// Springs and dampers with terms of second and third degree, of joints, tendons and actuators; armature of actuators;
/// damping ratios at sites and on balls.
#[test]
fn springs_and_dampers_of_third_degree() {
    let found = difference("polynomials");
    assert!(found < 1e-10, "{found}");
}

#[test]
fn springs_of_ball_and_free_joints() {
    let found = difference("springs");
    assert!(found < 1e-10, "{found}");
}

/// Rotors that linkages and strings turn, within one tree and between several; ranges of the sum of all efforts on a
/// joint, of motors, servos, strings and sites.
#[test]
fn inertias_along_tendons_and_ranges_of_efforts() {
    let found = difference("tendon_inertias");
    assert!(found < 1e-10, "{found}");
}

/// A mesh is represented by the ellipsoid of its largest extents along its principal axes.
#[test]
fn meshes_in_a_fluid() {
    let found = difference("fluid_meshes");
    assert!(found < 1e-6, "{found}");
}

/// Replicates with their repeated elements, primitives fitted to meshes, shells, cranks, a spring on a ball by its time
/// and damping ratio, inherited ranges, bodies of the least mass.
#[test]
fn ways_of_writing() {
    // Points of meshes are of single precision there.
    let found = difference("written");
    assert!(found < 1e-6, "{found}");
}

/// A file attached twice: its own compiler, classes, tendons and actuators.
#[test]
fn attached_files() {
    let found = difference("attach");
    assert!(found < 1e-9, "{found}");
}
