//! Tests of `src/engine/integrators/error_norm.rs`.

use kinegraph_convex::linear_algebra::quaternion::angle_between;
use kinegraph_engine::integrators::ErrorNorm;
use nalgebra::{UnitQuaternion, Vector3};

#[test]
fn a_state_that_deviates_as_far_as_it_may_errs_by_the_accuracy() {
    let rotations = vec![(1, 0.7), (7, 0.2)];
    let norm = ErrorNorm { entries: vec![(0, 2.0), (5, 0.25)], rotations, names: Vec::new() };
    let start = [0.3, 1.0, 0.0, 0.0, 0.0, -2.0, 9.0, 1.0, 0.0, 0.0, 0.0, 5.0];
    for (i, accuracy) in [(0, 1e-3), (5, 1e-6), (2, 1e-4), (4, 1e-5), (8, 1e-4), (10, 1e-5)] {
        let mut moved = start;
        moved[i] += norm.deviation(i, accuracy);
        let size = norm.distance(&start, &moved).0;
        assert!((size - accuracy).abs() < 1e-6 * accuracy, "{i}: {size}");
    }
    assert_eq!([6, 11].map(|i| norm.deviation(i, 1e-3)), [0.0; 2]);
}

#[test]
fn rotations_deviate_by_their_angle_whatever_the_sign_of_the_quaternion() {
    let start = UnitQuaternion::from_scaled_axis(Vector3::new(0.3, -2.0, 0.7));
    let turned = start * UnitQuaternion::from_scaled_axis(Vector3::new(1e-4, 2e-4, -2e-4));
    let numbers = |q: &UnitQuaternion<f64>, sign: f64| [q.w * sign, q.i * sign, q.j * sign, q.k * sign];
    for sign in [1.0, -1.0] {
        let angle = angle_between(&numbers(&start, 1.0), &numbers(&turned, sign));
        assert!((angle - 3e-4).abs() < 1e-11, "{angle}");
    }
}
