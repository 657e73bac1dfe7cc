//! Linear-quadratic regulation.

use kinegraph_core::port::{Sampling, Tick};
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::control::{Lqr, OperatingPoint};
use nalgebra::DMatrix;

fn double_integrator() -> Lqr {
    let (A, B) = (DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 0.0, 0.0]), DMatrix::from_row_slice(2, 1, &[0.0, 1.0]));
    Lqr::design(&A, &B, &DMatrix::identity(2, 2), &DMatrix::identity(1, 1)).unwrap()
}

#[test]
fn conforms() {
    conformance::check(&double_integrator());
    conformance::check(&Lqr::new(DMatrix::from_fn(2, 3, |i, j| (i + 2 * j) as f64 - 1.5)).unwrap());
}

/// K = [1, √3].
#[test]
fn pushes_the_state_to_the_desired_one() {
    let lqr = double_integrator();
    let bench = Bench::new(&lqr).input(lqr.state, [2.0, 1.0]);
    assert!((bench.eval(lqr.effort)[0] + 2.0 + 3.0_f64.sqrt()).abs() < 1e-12);
    let effort = bench.input(lqr.desired_state, [2.5, 1.0]).eval(lqr.effort)[0];
    assert!((effort - 0.5).abs() < 1e-12, "{effort}");
}

/// u = u_0 - K (x - x_0); the quaternion -q is the same orientation as q.
#[test]
fn acts_about_an_operating_point_at_samples() {
    let gain = DMatrix::from_row_slice(1, 5, &[0.0, 2.0, 0.0, 0.0, 3.0]);
    let (state, quaternions) = (vec![1.0, 0.0, 0.0, 0.0, 7.0], vec![0]);
    let point = OperatingPoint { state, effort: vec![10.0], quaternions };
    let lqr = Lqr::about(gain.clone(), point.clone(), None).unwrap();
    conformance::check(&lqr);
    for sign in [1.0, -1.0] {
        let bench = Bench::new(&lqr).input(lqr.state, [sign * 0.8, sign * 0.6, 0.0, 0.0, 7.5]);
        assert!((bench.eval(lqr.effort)[0] - (10.0 - 1.2 - 1.5)).abs() < 1e-12);
    }
    let sampled = Lqr::about(gain, point, Some(Sampling::every(0.01))).unwrap();
    conformance::check(&sampled);
    let bench = Bench::new(&sampled).input(sampled.state, [0.8, 0.6, 0.0, 0.0, 7.5]);
    assert_eq!(bench.eval(sampled.effort), [10.0]);
    let held = bench.update(Tick { index: 0 });
    assert!((held[0] - (10.0 - 1.2 - 1.5)).abs() < 1e-12);
}
