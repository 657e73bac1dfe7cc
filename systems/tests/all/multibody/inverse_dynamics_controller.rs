//! Computed-torque control of a seven-joint arm: the closed loop of an exact model is `ë + kd ė + kp e = 0` in every
//! joint.

use kinegraph_systems::control::InverseDynamicsController;
use kinegraph_systems::models::read_urdf;
use kinegraph_systems::multibody::{Armature, Kinematics, Model, Tree};
use kinegraph_systems::testing::{Bench, Sample, conformance};
use nalgebra::Vector3;
use std::path::Path;

const N: usize = 7;
const GRAVITY: [f64; 3] = [0.0, 0.0, -9.81];
const Q: [f64; N] = [0.3, 0.5, -0.2, -1.2, 0.4, 1.0, 0.2];
const V: [f64; N] = [0.5, -1.0, 0.7, 2.0, -0.3, 1.5, -2.0];

/// The arm, with damping and reflected inertia in its joints.
fn arm() -> Model {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/urdf/arm.urdf");
    let mut model = read_urdf(&file).unwrap().model;
    for (i, joint) in model.joints.iter_mut().enumerate() {
        joint.damping = 0.1 * i as f64;
        joint.armature = 0.05 * (7 - i) as f64;
    }
    model
}

fn controller(kp: f64, ki: f64, kd: f64) -> InverseDynamicsController {
    InverseDynamicsController::new(&arm(), GRAVITY, kp, ki, kd).unwrap()
}

/// Acceleration of the arm at (Q, v) under generalized forces `tau`.
fn acceleration(v: &[f64], tau: &[f64]) -> Vec<f64> {
    let tree = Tree::of_model("arm", &arm()).unwrap();
    let mut k = Kinematics::default();
    tree.position_kinematics(&Q, &mut k);
    tree.velocity_kinematics(v, &mut k);
    let mut mass = vec![0.0; tree.mass_matrix_len()];
    tree.mass_matrix(&mut k, Armature::Included, &mut mass);
    let mut bias = vec![0.0; N];
    tree.bias(&mut k, &Vector3::from(GRAVITY), &mut bias);
    let net = (0..N).map(|i| tau[i] - bias[i] - tree.damping()[i] * v[i]);
    let net = nalgebra::DVector::from_iterator(N, net);
    let mass = nalgebra::DMatrix::from_column_slice(N, N, &mass);
    mass.cholesky().unwrap().solve(&net).as_slice().to_vec()
}

fn state(q: [f64; N], v: [f64; N]) -> Vec<f64> {
    [q, v].concat()
}

fn assert_close(a: &[f64], b: &[f64]) {
    let apart = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(apart < 1e-9, "{a:?} is not {b:?}");
}

#[test]
fn conforms() {
    conformance::check(&controller(100.0, 0.0, 20.0));
    let integrating = controller(100.0, 5.0, 20.0);
    let samples: Vec<Sample> = (0..4).map(|number| Sample::random(&integrating, number)).collect();
    conformance::check_at(&integrating, &samples);
}

#[test]
fn the_closed_loop_accelerates_as_the_error_asks() {
    let (kp, ki, kd) = (100.0, 5.0, 20.0);
    let c = controller(kp, ki, kd);
    let (qd, vd) = ([0.1; N], [-0.4; N]);
    let (feed_forward, z) = ([1.0, -2.0, 3.0, 0.5, 0.0, -1.0, 4.0], [0.01, -0.02, 0.03, 0.0, 0.1, 0.2, -0.3]);
    let bench = Bench::new(&c).input(c.estimated_state, state(Q, V)).input(c.desired_state, state(qd, vd)).state(z);
    let law: Vec<f64> = (0..N).map(|i| kp * (qd[i] - Q[i]) + kd * (vd[i] - V[i]) + ki * z[i]).collect();
    assert_close(&acceleration(&V, &bench.eval(c.generalized_force)), &law);
    // A desired acceleration adds to it, and the integral collects the error.
    let with: Vec<f64> = law.iter().zip(feed_forward).map(|(a, f)| a + f).collect();
    let fed = bench.clone().input(c.desired_acceleration, feed_forward);
    assert_close(&acceleration(&V, &fed.eval(c.generalized_force)), &with);
    assert_close(&bench.derivatives(), &Q.map(|q| 0.1 - q));
}

#[test]
fn at_the_goal_the_effort_compensates_gravity() {
    let c = controller(100.0, 0.0, 20.0);
    let bench = Bench::new(&c).input(c.estimated_state, state(Q, [0.0; N])).input(c.desired_state, state(Q, [0.0; N]));
    let tau = bench.eval(c.generalized_force);
    assert_close(&acceleration(&[0.0; N], &tau), &[0.0; N]);
    assert!(tau[1].abs() > 1.0, "the arm has weight");
}

#[test]
fn without_integral_gain_there_is_no_state() {
    let c = controller(100.0, 0.0, 20.0);
    let bench = Bench::new(&c).input(c.estimated_state, state(Q, V)).input(c.desired_state, state(Q, V));
    assert!(bench.derivatives().is_empty());
}

#[test]
fn names_a_wrong_gain() {
    let fault = InverseDynamicsController::new(&arm(), GRAVITY, [1.0; 3], 0.0, 1.0).err().unwrap();
    assert_eq!(fault.to_string(), "kp has 3 elements, expected 7");
    let fault = InverseDynamicsController::new(&arm(), GRAVITY, 1.0, 0.0, f64::NAN).err().unwrap();
    assert_eq!(fault.to_string(), "kd[0] is NaN, expected a finite number");
}
