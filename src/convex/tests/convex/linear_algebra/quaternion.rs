//! Tests of `src/convex/linear_algebra/quaternion.rs`.

use kinegraph_convex::linear_algebra::quaternion::{angle_between, angular_velocity, turn_between, turn_near, turned};
use nalgebra::{UnitQuaternion, Vector3};
use std::f64::consts::TAU;

fn numbers(q: &UnitQuaternion<f64>) -> [f64; 4] {
    [q.w, q.i, q.j, q.k]
}

fn start() -> UnitQuaternion<f64> {
    UnitQuaternion::from_scaled_axis(Vector3::new(0.3, -2.0, 0.7))
}

#[test]
fn turns_in_world_axes_are_found_again() {
    for x in [Vector3::new(0.5, -1.0, 2.0), Vector3::new(1e-9, 2e-9, 0.0), Vector3::zeros()] {
        let q = numbers(&start());
        let expected = numbers(&(UnitQuaternion::from_scaled_axis(x) * start()));
        let end = turned(&x, &q);
        assert!(end.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{end:?} {expected:?}");
        for sign in [1.0, -1.0] {
            let signed = end.map(|x| sign * x);
            assert!((turn_between(&q, &signed) - x).norm() < 1e-15 + 1e-14 * x.norm());
            assert!((angle_between(&q, &signed) - x.norm()).abs() < 1e-14 * (1.0 + x.norm()));
        }
    }
    assert_eq!(turned(&Vector3::zeros(), &numbers(&start())), numbers(&start()));
}

#[test]
fn whole_revolutions_are_those_that_are_expected() {
    let q = numbers(&start());
    for x in [Vector3::new(3.0, -4.0, 12.0), Vector3::z() * 2.0, Vector3::y() * (2.0 * TAU)] {
        let found = turn_near(&q, &turned(&x, &q), &(x * 1.02));
        assert!((found - x).norm() < 1e-12, "{found} {x}");
    }
}

#[test]
fn rates_are_those_of_angular_velocities() {
    let (w, h) = (Vector3::new(2.0, -1.0, 0.5), 1e-6);
    let q = numbers(&start());
    let (back, on) = (turned(&(w * -h), &q), turned(&(w * h), &q));
    let rate: Vec<f64> = on.iter().zip(back).map(|(a, b)| (a - b) / (2.0 * h)).collect();
    assert!((angular_velocity(&q, &rate) - w).norm() < 1e-8);
}
