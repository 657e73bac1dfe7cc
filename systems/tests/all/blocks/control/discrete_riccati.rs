//! Closed forms of regulators at samples, and what any solution satisfies.

use kinegraph_systems::control::{RiccatiError, discrete_lqr_gain, discrete_riccati, discretized, lqr_gain};
use nalgebra::DMatrix;
use proptest::prelude::*;

fn matrix(rows: usize, columns: usize, values: &[f64]) -> DMatrix<f64> {
    DMatrix::from_row_slice(rows, columns, values)
}

/// b² x² + (r (1 - a²) - b² q) x - q r = 0.
#[test]
fn scalar_systems_in_closed_form() {
    let one = |x| matrix(1, 1, &[x]);
    for (a, b, q, r) in [(1.0, 1.0, 1.0, 1.0), (0.0, 2.0, 9.0, 4.0), (1.5, 0.5, 0.0, 1.0), (-3.0, 1e-2, 1e4, 1e-3)] {
        let X = discrete_riccati(&one(a), &one(b), &one(q), &one(r)).unwrap()[0];
        let half: f64 = (r * (1.0 - a * a) - b * b * q) / (2.0 * b * b);
        let expected = -half + (half * half + q * r / (b * b)).sqrt();
        assert!((X - expected).abs() <= 1e-12 * expected, "{X} instead of {expected}");
    }
}

/// The golden ratio: x = 1 + x/(1 + x).
#[test]
fn an_accumulator_costs_the_golden_ratio() {
    let one = matrix(1, 1, &[1.0]);
    let X = discrete_riccati(&one, &one, &one, &one).unwrap()[0];
    assert!((X - (1.0 + 5.0_f64.sqrt()) / 2.0).abs() < 1e-14);
}

/// x[k+1] = x + T v + T²/2 u, v[k+1] = v + T u.
#[test]
fn held_efforts_move_a_double_integrator_exactly() {
    let (A, B) = (matrix(2, 2, &[0.0, 1.0, 0.0, 0.0]), matrix(2, 1, &[0.0, 1.0]));
    let (A, B) = discretized(&A, &B, 0.3).unwrap();
    assert!((A - matrix(2, 2, &[1.0, 0.3, 0.0, 1.0])).amax() < 1e-15);
    assert!((B - matrix(2, 1, &[0.045, 0.3])).amax() < 1e-15);
}

/// The gain over short periods is that in continuous time, with an error of the order of the period.
#[test]
fn gains_meet_those_in_continuous_time() {
    let (A, B) = (matrix(2, 2, &[0.0, 1.0, 4.0, -0.3]), matrix(2, 1, &[0.0, 2.0]));
    let (Q, R) = (matrix(2, 2, &[3.0, 0.0, 0.0, 1.0]), matrix(1, 1, &[0.5]));
    let continuous = lqr_gain(&A, &B, &Q, &R).unwrap();
    let away = |period: f64| {
        let (A, B) = discretized(&A, &B, period).unwrap();
        (discrete_lqr_gain(&A, &B, &Q, &R).unwrap() - &continuous).amax()
    };
    let (coarse, fine) = (away(1e-3), away(1e-5));
    assert!(coarse < 0.02 && (fine / coarse - 0.01).abs() < 1e-3, "{coarse:e}, {fine:e}");
}

#[test]
fn a_mode_that_grows_and_is_not_reached_has_no_gain() {
    let (A, B) = (matrix(2, 2, &[1.1, 0.0, 0.0, 0.5]), matrix(2, 1, &[0.0, 1.0]));
    let fault = discrete_lqr_gain(&A, &B, &DMatrix::identity(2, 2), &matrix(1, 1, &[1.0])).unwrap_err();
    assert!(matches!(fault, RiccatiError::NotStabilizable { .. }), "{fault}");
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: proptest::test_runner::RngSeed::Fixed(5), ..ProptestConfig::default() })]
    /// The stabilizing solution is the only one with these properties.
    #[test]
    fn solutions_solve_and_stabilize(
        entries in prop::collection::vec(-1.0..1.0_f64, 16 + 8 + 16 + 4),
        size in 0.1..3.0_f64,
        price in 0.01..10.0_f64,
    ) {
        let (A, B) = (matrix(4, 4, &entries[..16]) * size, matrix(4, 2, &entries[16..24]));
        let (q, r) = (matrix(4, 4, &entries[24..40]), matrix(2, 2, &entries[40..]));
        let Q = &q * q.transpose();
        let R = &r * r.transpose() + DMatrix::identity(2, 2) * price;
        let X = discrete_riccati(&A, &B, &Q, &R).unwrap();
        let K = discrete_lqr_gain(&A, &B, &Q, &R).unwrap();
        let closed = &A - &B * &K;
        let right = A.transpose() * &X * &closed + &Q;
        let scale = X.norm() + A.norm().powi(2) * X.norm();
        prop_assert!((&X - right).norm() < 1e-10 * scale, "residual at scale {scale}");
        prop_assert!(closed.complex_eigenvalues().iter().all(|e| e.norm() < 1.0));
    }
}
