//! The discrete-time algebraic Riccati equation `X = Aᵀ X A - Aᵀ X B (R + Bᵀ X B)⁻¹ Bᵀ X A + Q`, and gains for samples.
//!
//! Its stabilizing solution is that of a continuous-time equation: with G = B R⁻¹ Bᵀ, the map z → (z - 1)/(z + 1) takes
//! the pencil `[A, 0; -Q, I] - z [I, G; 0, Aᵀ]` to the Hamiltonian
//!
//! ```text
//! H = [A + I, G; -Q, Aᵀ + I]⁻¹ [A - I, -G; -Q, I - Aᵀ]
//! ```
//!
//! with the same subspace spanned by [I; X], and the inside of the unit circle to the left half-plane (Mehrmann, "A
//! step toward a unified treatment of continuous and discrete time control problems", Linear Algebra Appl. 241, 1996,
//! 749-779).

use super::riccati::{REGULATOR, RiccatiError, checked, stabilizing};
use kinegraph_core::parameter::{self, ParameterError};
use nalgebra::DMatrix;

/// The stabilizing solution X of `X = Aᵀ X A - Aᵀ X B (R + Bᵀ X B)⁻¹ Bᵀ X A + Q`. A and Q are n x n, B is n x m, R is
/// m x m; Q is symmetric positive semidefinite, R symmetric positive definite.
///
/// # Errors
/// As [`continuous_riccati`](super::continuous_riccati).
pub fn discrete_riccati(
    A: &DMatrix<f64>,
    B: &DMatrix<f64>,
    Q: &DMatrix<f64>,
    R: &DMatrix<f64>,
) -> Result<DMatrix<f64>, RiccatiError> {
    let G = B * checked(A, B, Q, R, REGULATOR)?;
    let n = A.nrows();
    let I = DMatrix::<f64>::identity(n, n);
    let blocks = |parts: [&DMatrix<f64>; 4]| {
        let mut whole = DMatrix::zeros(2 * n, 2 * n);
        for (place, part) in [(0, 0), (0, n), (n, 0), (n, n)].into_iter().zip(parts) {
            whole.view_mut(place, (n, n)).copy_from(part);
        }
        whole
    };
    let sum = blocks([&(A + &I), &G, &-Q, &(A.transpose() + &I)]);
    let difference = blocks([&(A - &I), &-&G, &-Q, &(&I - A.transpose())]);
    let solution = sum.lu().solve(&difference).and_then(|H| {
        let part = |row: usize, column: usize| H.view((row, column), (n, n)).into_owned();
        let symmetric = |matrix: DMatrix<f64>| (&matrix + matrix.transpose()) * -0.5;
        stabilizing(&part(0, 0), &symmetric(part(0, n)), &symmetric(part(n, 0)))
    });
    solution.ok_or(RiccatiError::NotStabilizable { modes: REGULATOR.1 })
}

/// The gain K = (R + Bᵀ X B)⁻¹ Bᵀ X A (m x n) of the linear-quadratic regulator in discrete time: `u = -K x` minimizes
/// Σ (xᵀ Q x + uᵀ R u) for `x[k+1] = A x[k] + B u[k]`.
///
/// # Errors
/// As [`discrete_riccati`].
pub fn discrete_lqr_gain(
    A: &DMatrix<f64>,
    B: &DMatrix<f64>,
    Q: &DMatrix<f64>,
    R: &DMatrix<f64>,
) -> Result<DMatrix<f64>, RiccatiError> {
    let X = discrete_riccati(A, B, Q, R)?;
    let weight = R + B.transpose() * &X * B;
    let gain = weight.cholesky().map(|weight| weight.solve(&(B.transpose() * X * A)));
    gain.ok_or(RiccatiError::NotStabilizable { modes: REGULATOR.1 })
}

/// A and B of `x[k+1] = A x[k] + B u[k]` for `ẋ = A x + B u` with u held over `period` \[s\].
///
/// # Errors
/// Sizes that do not fit, numbers that are not finite, a period that is not positive.
pub fn discretized(
    A: &DMatrix<f64>,
    B: &DMatrix<f64>,
    period: f64,
) -> Result<(DMatrix<f64>, DMatrix<f64>), ParameterError> {
    let (n, m) = (A.nrows(), B.ncols());
    parameter::matrix("A", A, (n, n))?;
    parameter::matrix("B", B, (n, m))?;
    parameter::positive("period", &[period])?;
    let mut rates = DMatrix::zeros(n + m, n + m);
    rates.view_mut((0, 0), (n, n)).copy_from(A);
    rates.view_mut((0, n), (n, m)).copy_from(B);
    let flow = (rates * period).exp();
    Ok((flow.view((0, 0), (n, n)).into_owned(), flow.view((0, n), (n, m)).into_owned()))
}
