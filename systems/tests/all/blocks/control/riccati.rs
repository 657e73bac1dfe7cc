//! Published examples with exact solutions, identities that any solution satisfies, and problems without a solution.

use kinegraph_systems::control::{RiccatiError, continuous_riccati, kalman_gain, lqr_gain};
use nalgebra::DMatrix;
use proptest::prelude::*;

fn matrix(rows: usize, columns: usize, values: &[f64]) -> DMatrix<f64> {
    DMatrix::from_row_slice(rows, columns, values)
}

fn diagonal(values: &[f64]) -> DMatrix<f64> {
    DMatrix::from_diagonal(&values.to_vec().into())
}

#[track_caller]
fn assert_close(found: &DMatrix<f64>, expected: &[f64], tolerance: f64) {
    let expected = matrix(found.nrows(), found.ncols(), expected);
    assert!((found - &expected).amax() <= tolerance * expected.amax(), "{found} instead of {expected}");
}

/// A chain of n integrators driven at its end.
fn chain(n: usize) -> (DMatrix<f64>, DMatrix<f64>) {
    let mut A = DMatrix::zeros(n, n);
    (1..n).for_each(|i| A[(i - 1, i)] = 1.0);
    let mut B = DMatrix::zeros(n, 1);
    B[n - 1] = 1.0;
    (A, B)
}

/// K = (a + √(a² + b² q/r))/b.
#[test]
fn scalar_systems_in_closed_form() {
    let one = |x| matrix(1, 1, &[x]);
    for (a, b, q, r) in [
        (1.0, 1.0, 1.0, 1.0),
        (-3.0, 0.5, 2.0, 0.1),
        (0.0, 2.0, 9.0, 4.0),
        (5.0, 1.0, 0.0, 1.0),
        (1e3, 1e-2, 1e4, 1e-3),
    ] {
        let K = lqr_gain(&one(a), &one(b), &one(q), &one(r)).unwrap();
        let expected: f64 = (a + f64::sqrt(a * a + b * b * q / r)) / b;
        assert_close(&K, &[expected], 1e-12);
    }
}

#[test]
fn chains_of_integrators_in_closed_form() {
    let root = 2.0_f64.sqrt();
    for (n, expected) in [(1, vec![1.0]), (2, vec![1.0, 3.0_f64.sqrt()]), (3, vec![1.0, 1.0 + root, 1.0 + root])] {
        let (A, B) = chain(n);
        let K = lqr_gain(&A, &B, &DMatrix::identity(n, n), &matrix(1, 1, &[1.0])).unwrap();
        assert_close(&K, &expected, 1e-12);
    }
}

/// CAREX example 1: X = [2 1; 1 2].
#[test]
fn carex_1() {
    let (A, B) = chain(2);
    let X = continuous_riccati(&A, &B, &diagonal(&[1.0, 2.0]), &matrix(1, 1, &[1.0])).unwrap();
    assert_close(&X, &[2.0, 1.0, 1.0, 2.0], 1e-13);
}

/// CAREX example 2: X = (1 + √2) [9 6; 6 4].
#[test]
fn carex_2() {
    let (A, B) = (matrix(2, 2, &[4.0, 3.0, -4.5, -3.5]), matrix(2, 1, &[1.0, -1.0]));
    let (Q, R) = (matrix(2, 2, &[9.0, 6.0, 6.0, 4.0]), matrix(1, 1, &[1.0]));
    let c = 1.0 + 2.0_f64.sqrt();
    assert_close(&continuous_riccati(&A, &B, &Q, &R).unwrap(), &[9.0 * c, 6.0 * c, 6.0 * c, 4.0 * c], 1e-12);
    assert_close(&lqr_gain(&A, &B, &Q, &R).unwrap(), &[3.0 * c, 2.0 * c], 1e-12);
}

/// CAREX example 7 with its parameter ε: A = diag(1, -2), B = [ε; 0], Q all ones. From its three scalar equations, with
/// s = √(1 + ε²): x₁₁ = (1 + s)/ε², x₁₂ = 1/(2 + s), x₂₂ = (1 - ε²/(2 + s)²)/4.
#[test]
fn carex_7_with_a_mode_that_is_hardly_reached() {
    for epsilon in [1.0_f64, 1e-2, 1e-4] {
        let (A, B) = (diagonal(&[1.0, -2.0]), matrix(2, 1, &[epsilon, 0.0]));
        let X = continuous_riccati(&A, &B, &DMatrix::from_element(2, 2, 1.0), &matrix(1, 1, &[1.0])).unwrap();
        let s = (1.0 + epsilon * epsilon).sqrt();
        let expected = [(1.0 + s) / epsilon.powi(2), 1.0 / (2.0 + s), 0.25 * (1.0 - (epsilon / (2.0 + s)).powi(2))];
        for (found, expected) in [X[(0, 0)], X[(0, 1)], X[(1, 1)]].iter().zip(expected) {
            assert!((found / expected - 1.0).abs() < 1e-8, "{epsilon}: {found} instead of {expected}");
        }
    }
}

/// The inverted pendulum on a cart of the "Control Tutorials for Matlab and Simulink" (Universities of Michigan,
/// Carnegie Mellon, Detroit Mercy), page "Inverted Pendulum: State-Space Methods for Controller Design": M = 0.5 kg, m
/// = 0.2 kg, b = 0.1 N s/m, I = 0.006 kg m², l = 0.3 m, Q = diag(1, 0, 1, 0), R = 1. The page gives K to five digits.
#[test]
fn inverted_pendulum_on_a_cart() {
    let (M, m, b, I, g, l) = (0.5, 0.2, 0.1, 0.006, 9.8, 0.3);
    let p = I * (M + m) + M * m * l * l;
    let A = matrix(
        4,
        4,
        &[
            0.0,
            1.0,
            0.0,
            0.0,
            0.0,
            -(I + m * l * l) * b / p,
            m * m * g * l * l / p,
            0.0,
            0.0,
            0.0,
            0.0,
            1.0,
            0.0,
            -m * l * b / p,
            m * g * l * (M + m) / p,
            0.0,
        ],
    );
    let B = matrix(4, 1, &[0.0, (I + m * l * l) / p, 0.0, m * l / p]);
    let K = lqr_gain(&A, &B, &diagonal(&[1.0, 0.0, 1.0, 0.0]), &matrix(1, 1, &[1.0])).unwrap();
    for (found, published) in K.iter().zip([-1.0, -1.6567, 18.6854, 3.4594]) {
        assert!((found - published).abs() < 5.1e-5, "{K}");
    }
    // The first entry is exact: the position of the cart enters nothing, so x₁₁ gives K₁² = Q₁₁.
    assert!((K[0] + 1.0).abs() < 1e-9, "{}", K[0]);
}

/// The example of Altair's reference page of `lqry`: A = [0.9 0.25; 0 0.8], B = [0; 1], weight 2 on the first state, R
/// = 1. The page gives K = [12.73999 3.44764]; its closed form is by the spectral factor s² + p₁ s + p₀ of the closed
/// loop, p₀² = a₀² + 2 (1/4)², p₁² = 2 p₀ + a₁² - 2 a₀ with a₁ = -1.7, a₀ = 0.72. The gain of the Kalman filter of the
/// dual system is the same.
#[test]
fn published_gains_of_an_unstable_pair_of_lags() {
    let (A, B, one) = (matrix(2, 2, &[0.9, 0.25, 0.0, 0.8]), matrix(2, 1, &[0.0, 1.0]), matrix(1, 1, &[1.0]));
    let p0 = (0.72_f64 * 0.72 + 0.125).sqrt();
    let p1 = (2.0 * p0 + 1.7 * 1.7 - 1.44).sqrt();
    let second = p1 + 1.7;
    let expected = [(p0 - 0.72 + 0.9 * second) / 0.25, second];
    for (exact, published) in expected.iter().zip([12.73999, 3.44764]) {
        assert!((exact - published).abs() < 5.1e-6, "{exact} is not the published {published}");
    }
    let Q = diagonal(&[2.0, 0.0]);
    assert_close(&lqr_gain(&A, &B, &Q, &one).unwrap(), &expected, 1e-11);
    assert_close(&kalman_gain(&A.transpose(), &B.transpose(), &Q, &one).unwrap(), &expected, 1e-11);
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: proptest::test_runner::RngSeed::Fixed(3), ..ProptestConfig::default() })]
    /// The stabilizing solution is the only one with these three properties.
    #[test]
    fn solutions_solve_are_symmetric_and_stabilize(
        entries in prop::collection::vec(-1.0..1.0_f64, 16 + 8 + 16 + 4),
        size in 0.1..10.0_f64,
        price in 0.01..10.0_f64,
    ) {
        let (A, B) = (matrix(4, 4, &entries[..16]) * size, matrix(4, 2, &entries[16..24]));
        let (q, r) = (matrix(4, 4, &entries[24..40]), matrix(2, 2, &entries[40..]));
        let Q = &q * q.transpose();
        let R = &r * r.transpose() + DMatrix::identity(2, 2) * price;
        let X = continuous_riccati(&A, &B, &Q, &R).unwrap();
        let G = &B * R.clone().try_inverse().unwrap() * B.transpose();
        let (forward, quadratic) = (A.transpose() * &X, &X * &G * &X);
        let scale = Q.norm() + 2.0 * forward.norm() + quadratic.norm();
        let residual = (&forward + forward.transpose() - quadratic + Q).norm();
        prop_assert!(residual < 1e-12 * scale, "residual {residual} at scale {scale}");
        prop_assert!((&X - X.transpose()).norm() <= 1e-14 * X.norm());
        let eigenvalues = (&A - G * &X).complex_eigenvalues();
        prop_assert!(eigenvalues.iter().all(|e| e.re < 0.0), "{eigenvalues}");
    }

    /// Kalman's identity for one input: |p(jω)|² = |a(jω)|² + Σ over states of q |its numerator|², with the closed-loop
    /// polynomial p. For a chain of three it compares coefficients: k₁² = q₁, k₂² - 2 k₁ k₃ = q₂, k₃² - 2 k₂ = q₃ (R =
    /// 1).
    #[test]
    fn gains_of_a_chain_keep_the_spectral_factor(q in prop::array::uniform3(0.01..100.0_f64)) {
        let (A, B) = chain(3);
        let K = lqr_gain(&A, &B, &diagonal(&q), &matrix(1, 1, &[1.0])).unwrap();
        let found = [K[0] * K[0], K[1] * K[1] - 2.0 * K[0] * K[2], K[2] * K[2] - 2.0 * K[1]];
        let scale = 1.0 + K[1] * K[1] + K[2] * K[2];
        for (found, q) in found.iter().zip(q) {
            prop_assert!((found - q).abs() < 1e-10 * scale, "{found} instead of {q}");
        }
    }
}

/// ẋ = w, y = x + v, the case of python-control's test of `lqe` (`stochsys_test.py`, `check_LQE`): P = √(W V), L = P/V.
#[test]
fn kalman_gain_of_a_random_walk() {
    let one = |x| matrix(1, 1, &[x]);
    for (W, V) in [(10.0, 2.0), (1e-3, 7.0)] {
        assert_close(&kalman_gain(&one(0.0), &one(1.0), &one(W), &one(V)).unwrap(), &[f64::sqrt(W * V) / V], 1e-12);
    }
}

/// ẋ = a x + w, y = x + v: L = a + √(a² + W/V). A double integrator with acceleration noise W: L = [√2 W^¼, √W] for V =
/// 1.
#[test]
fn kalman_gains_in_closed_form() {
    let one = |x| matrix(1, 1, &[x]);
    assert_close(&kalman_gain(&one(-2.0), &one(1.0), &one(5.0), &one(1.0)).unwrap(), &[1.0], 1e-12);
    for W in [1.0_f64, 16.0, 1e-4] {
        let (A, _) = chain(2);
        let L = kalman_gain(&A, &matrix(1, 2, &[1.0, 0.0]), &diagonal(&[0.0, W]), &one(1.0)).unwrap();
        assert_close(&L, &[2.0_f64.sqrt() * W.powf(0.25), W.sqrt()], 1e-10);
    }
}

#[test]
fn a_mode_that_cannot_be_controlled_or_costs_nothing_has_no_gain() {
    let (one, zero) = (matrix(1, 1, &[1.0]), matrix(1, 1, &[0.0]));
    // Unstable and not reached.
    let fault =
        lqr_gain(&diagonal(&[1.0, -1.0]), &matrix(2, 1, &[0.0, 1.0]), &DMatrix::identity(2, 2), &one).unwrap_err();
    assert!(fault.to_string().contains("is not reached by B"), "{fault}");
    // On the imaginary axis at no cost: any gain costs, and none is the best.
    assert!(matches!(lqr_gain(&zero, &one, &zero, &one), Err(RiccatiError::NotStabilizable { .. })));
    // Nothing there to control with.
    assert!(matches!(lqr_gain(&one, &zero, &one, &one), Err(RiccatiError::NotStabilizable { .. })));
    let fault = kalman_gain(&one, &zero, &one, &one).unwrap_err();
    assert!(fault.to_string().contains("is not seen by C"), "{fault}");
    // Stable anyway: doing nothing is the best.
    assert_close(&lqr_gain(&-&one, &one, &zero, &one).unwrap(), &[0.0], 1e-15);
}

#[test]
fn refuses_weights_that_are_none() {
    let (A, B) = chain(2);
    let one = || matrix(1, 1, &[1.0]);
    let fault = |Q: &[f64], R: f64| lqr_gain(&A, &B, &matrix(2, 2, Q), &matrix(1, 1, &[R])).unwrap_err().to_string();
    assert_eq!(fault(&[1.0, 2.0, 0.0, 1.0], 1.0), "Q[1][0] and Q[0][1] differ: the matrix must be symmetric");
    assert_eq!(fault(&[1.0, 0.0, 0.0, -1.0], 1.0), "Q has the eigenvalue -1.000e0, but must be positive semidefinite");
    assert_eq!(fault(&[1.0, 0.0, 0.0, 1.0], 0.0), "R has the eigenvalue 0.000e0, but must be positive definite");
    assert_eq!(lqr_gain(&A, &B, &one(), &one()).unwrap_err().to_string(), "Q is 1 x 1, expected 2 x 2");
    let fault = kalman_gain(&A, &one(), &DMatrix::identity(2, 2), &one()).unwrap_err();
    assert_eq!(fault.to_string(), "C is 1 x 1, expected 1 x 2");
}
