//! Operations on quaternions.

use kinegraph_core::testing::{Bench, Sample, conformance};
use kinegraph_systems::operators::{Quaternion, QuaternionOperation};
use nalgebra::{Quaternion as Reference, UnitQuaternion, Vector3};
use std::f64::consts::{FRAC_PI_2, PI};

use QuaternionOperation::{FromRpy, Inverse, Product, Rotate, Slerp, ToRpy};

fn apply(operation: QuaternionOperation, inputs: &[&[f64]]) -> Vec<f64> {
    let block = Quaternion::new(operation);
    let mut bench = Bench::new(&block);
    for (&port, &numbers) in block.inputs.iter().zip(inputs) {
        bench = bench.input(port, numbers);
    }
    bench.eval(block.output)
}

#[track_caller]
fn near(found: &[f64], expected: &[f64]) {
    let apart = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(apart < 1e-14 && found.len() == expected.len(), "{found:?} instead of {expected:?}");
}

fn numbers(q: &Reference<f64>) -> [f64; 4] {
    [q.w, q.i, q.j, q.k]
}

/// Quaternions of different rotations; not of length 1.
const MANY: [[f64; 4]; 4] =
    [[1.0, 0.0, 0.0, 0.0], [0.5, -0.3, 0.7, 0.2], [-0.1, 0.9, 0.4, -1.3], [0.8, 0.1, -0.2, 0.05]];

fn reference([w, i, j, k]: [f64; 4]) -> Reference<f64> {
    Reference::new(w, i, j, k)
}

#[test]
fn conforms() {
    for operation in [Product, Inverse, Rotate, FromRpy, ToRpy] {
        conformance::check(&Quaternion::new(operation));
    }
    let sample = |a: [f64; 4], b: [f64; 4], f: f64| Sample {
        time: 0.0,
        state: vec![],
        discrete: vec![],
        inputs: vec![Some(a.to_vec()), Some(b.to_vec()), Some(vec![f])],
    };
    let near = [0.5, -0.3, 0.7, 0.2000001];
    let samples = [sample(MANY[1], MANY[2], 0.3), sample(MANY[3], MANY[1], 0.9), sample(MANY[1], near, 0.4)];
    conformance::check_at(&Quaternion::new(Slerp), &samples);
}

#[test]
fn products_inverses_and_rotated_vectors() {
    for a in MANY {
        near(&apply(Inverse, &[&a]), &numbers(&reference(a).try_inverse().unwrap()));
        for b in MANY {
            near(&apply(Product, &[&a, &b]), &numbers(&(reference(a) * reference(b))));
        }
        let v = Vector3::new(0.3, -0.7, 1.1);
        let rotated = UnitQuaternion::from_quaternion(reference(a)) * v;
        near(&apply(Rotate, &[&a, v.as_slice()]), rotated.as_slice());
    }
}

#[test]
fn roll_pitch_and_yaw_there_and_back() {
    for rpy in [[0.3, -0.4, 0.5], [-2.0, 1.2, 3.0], [0.0; 3], [3.0, -1.5, -3.0]] {
        let q = apply(FromRpy, &[&rpy]);
        let [roll, pitch, yaw] = rpy;
        near(&q, &numbers(UnitQuaternion::from_euler_angles(roll, pitch, yaw).quaternion()));
        let scaled = q.iter().map(|x| -3.0 * x).collect::<Vec<_>>();
        let back = apply(ToRpy, &[&scaled]);
        assert!(back.iter().zip(rpy).all(|(a, b)| (a - b).abs() < 1e-13), "{back:?} instead of {rpy:?}");
    }
}

/// At a vertical pitch roll and yaw are one rotation: the same quaternion returns, with roll zero.
#[test]
fn a_vertical_pitch_has_no_roll() {
    for pitch in [-FRAC_PI_2, FRAC_PI_2] {
        let q = numbers(UnitQuaternion::from_euler_angles(0.4, pitch, -0.9).quaternion());
        let rpy = apply(ToRpy, &[&q]);
        assert_eq!(rpy[0], 0.0);
        assert!((rpy[1] - pitch).abs() < 1e-12);
        let back = apply(FromRpy, &[&rpy]);
        let side = back.iter().zip(q).map(|(a, b)| a * b).sum::<f64>().signum();
        near(&back, &q.map(|x| side * x));
    }
}

/// Between rotations by angles about one axis it turns at a constant rate, the shorter way round.
#[test]
fn slerp_turns_at_a_constant_rate_the_shorter_way() {
    let about = |angle: f64| {
        let (sin, cos) = (0.5 * angle).sin_cos();
        [cos, 0.6 * sin, 0.0, 0.8 * sin]
    };
    for to in [1e-9, 1e-4, 0.5, 3.0, 3.5, -2.0] {
        let way = if to > PI { to - 2.0 * PI } else { to };
        for f in [0.0, 0.25, 0.5, 1.0] {
            let found = apply(Slerp, &[&about(0.2).map(|x| 2.0 * x), &about(0.2 + to), &[f]]);
            near(&found, &about(0.2 + f * way));
        }
    }
}
