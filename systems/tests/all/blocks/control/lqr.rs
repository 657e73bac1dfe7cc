//! Linear-quadratic regulation.

use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::control::Lqr;
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
