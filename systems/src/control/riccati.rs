//! The continuous-time algebraic Riccati equation `Aᵀ X + X A - X G X + Q = 0`, G = B R⁻¹ Bᵀ, and the resulting gains.
//!
//! **Start.** The stable invariant subspace of the Hamiltonian `H = [A, -G; -Q, -Aᵀ]` is spanned by [I; X]. With the
//! matrix sign W of H (Newton's iteration with determinant scaling; Roberts 1980), the projector onto it is (I - W)/2,
//! so (W + I) [I; X] = 0:
//!
//! ```text
//! [W12; W22 + I] X = -[W11 + I; W21]
//! ```
//!
//! solved by least squares. **Refinement.** The sign function may lose digits if eigenvalues lie near the imaginary
//! axis; Newton's method (Kleinman, "On an iterative technique for Riccati equation computations", IEEE TAC 13, 1968,
//! 114-115) restores them, in the form that solves for the correction from the residual. Each correction also proves
//! that A - G X is stable, since only then its Lyapunov equation has a solution.

use super::lyapunov::lyapunov;
use super::matrix_sign::matrix_sign;
use kinegraph_core::parameter::{self, ParameterError};
use nalgebra::{DMatrix, SymmetricEigen};
use thiserror::Error;

/// Reasons why there is no gain.
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum RiccatiError {
    /// A matrix has the wrong size, or a number is not finite.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// A weight is not symmetric.
    #[error("{parameter}[{row}][{column}] and {parameter}[{column}][{row}] differ: the matrix must be symmetric")]
    NotSymmetric {
        /// Name of the matrix.
        parameter: &'static str,
        /// Row of an entry that differs from its mirror image.
        row: usize,
        /// Its column.
        column: usize,
    },
    /// A weight is not positive.
    #[error("{parameter} has the eigenvalue {eigenvalue:.3e}, but must be positive {}", if *.definite { "definite" } else { "semidefinite" })]
    NotPositive {
        /// Name of the matrix.
        parameter: &'static str,
        /// Its smallest eigenvalue.
        eigenvalue: f64,
        /// True if zero is too small as well.
        definite: bool,
    },
    /// There is no solution that makes the closed loop stable.
    #[error("no gain makes the loop stable: {modes}")]
    NotStabilizable {
        /// The fault, and the modes that have it.
        modes: &'static str,
    },
}

kinegraph_core::debug_is_message!(RiccatiError);

impl RiccatiError {
    /// Name of the wrong parameter, if one alone is.
    pub fn parameter(&self) -> Option<&str> {
        match self {
            RiccatiError::Parameter(error) => error.parameter(),
            RiccatiError::NotSymmetric { parameter, .. } | RiccatiError::NotPositive { parameter, .. } => {
                Some(parameter)
            }
            RiccatiError::NotStabilizable { .. } => None,
        }
    }
}

/// Names of A, B, Q and R, and the cause if there is no solution.
pub(super) type Names = ([&'static str; 4], &'static str);

pub(super) const REGULATOR: Names = (
    ["A", "B", "Q", "R"],
    "a mode of A that does not decay is not reached by B, or a mode on the imaginary axis costs nothing in Q",
);
const ESTIMATOR: Names = (
    ["A", "C", "process_noise", "measurement_noise"],
    "a mode of A that does not decay is not seen by C, or a mode on the imaginary axis has no process noise",
);

/// The stabilizing solution X of `Aᵀ X + X A - X B R⁻¹ Bᵀ X + Q = 0`. A and Q are n x n, B is n x m, R is m x m; Q is
/// symmetric positive semidefinite, R symmetric positive definite.
///
/// # Errors
/// Sizes that do not fit, numbers that are not finite, weights that are not symmetric or not positive, no stabilizing
/// solution.
pub fn continuous_riccati(
    A: &DMatrix<f64>,
    B: &DMatrix<f64>,
    Q: &DMatrix<f64>,
    R: &DMatrix<f64>,
) -> Result<DMatrix<f64>, RiccatiError> {
    solve(A, B, Q, R, REGULATOR).map(|(X, _)| X)
}

/// The gain K = R⁻¹ Bᵀ X (m x n) of the linear-quadratic regulator: `u = -K x` minimizes ∫ (xᵀ Q x + uᵀ R u) dt for
/// `ẋ = A x + B u`.
///
/// # Errors
/// As [`continuous_riccati`].
pub fn lqr_gain(
    A: &DMatrix<f64>,
    B: &DMatrix<f64>,
    Q: &DMatrix<f64>,
    R: &DMatrix<f64>,
) -> Result<DMatrix<f64>, RiccatiError> {
    solve(A, B, Q, R, REGULATOR).map(|(_, K)| K)
}

/// The gain L = P Cᵀ V⁻¹ (n x p) of the steady Kalman filter `dx̂/dt = A x̂ + B u + L (y - C x̂)` for
/// `ẋ = A x + B u + w`, `y = C x + v`, where w and v are white with intensities `process_noise` (n x n, positive
/// semidefinite) and `measurement_noise` V (p x p, positive definite). P solves the dual equation
/// `A P + P Aᵀ - P Cᵀ V⁻¹ C P + W = 0`.
///
/// # Errors
/// As [`continuous_riccati`].
pub fn kalman_gain(
    A: &DMatrix<f64>,
    C: &DMatrix<f64>,
    process_noise: &DMatrix<f64>,
    measurement_noise: &DMatrix<f64>,
) -> Result<DMatrix<f64>, RiccatiError> {
    let (n, p) = (A.nrows(), C.nrows());
    // Checked before it is transposed, so that messages show the matrix as given.
    parameter::matrix("C", C, (p, n))?;
    solve(&A.transpose(), &C.transpose(), process_noise, measurement_noise, ESTIMATOR).map(|(_, K)| K.transpose())
}

/// The solution and the gain.
fn solve(
    A: &DMatrix<f64>,
    B: &DMatrix<f64>,
    Q: &DMatrix<f64>,
    R: &DMatrix<f64>,
    names: Names,
) -> Result<(DMatrix<f64>, DMatrix<f64>), RiccatiError> {
    let control = checked(A, B, Q, R, names)?;
    let X = stabilizing(A, &(B * &control), Q).ok_or(RiccatiError::NotStabilizable { modes: names.1 })?;
    let K = control * &X;
    Ok((X, K))
}

/// R⁻¹ Bᵀ, after checks of sizes and weights.
pub(super) fn checked(
    A: &DMatrix<f64>,
    B: &DMatrix<f64>,
    Q: &DMatrix<f64>,
    R: &DMatrix<f64>,
    (names, _): Names,
) -> Result<DMatrix<f64>, RiccatiError> {
    let (n, m) = (A.nrows(), B.ncols());
    parameter::matrix(names[0], A, (n, n))?;
    parameter::matrix(names[1], B, (n, m))?;
    parameter::matrix(names[2], Q, (n, n))?;
    parameter::matrix(names[3], R, (m, m))?;
    positive(names[2], Q, false)?;
    positive(names[3], R, true)?;
    let R = R.clone().cholesky().ok_or(RiccatiError::NotPositive {
        parameter: names[3],
        eigenvalue: 0.0,
        definite: true,
    })?;
    Ok(R.solve(&B.transpose()))
}

/// The stabilizing solution of `Aᵀ X + X A - X G X + Q = 0`; `None` if there is none.
pub(super) fn stabilizing(A: &DMatrix<f64>, G: &DMatrix<f64>, Q: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    by_sign(A, G, Q).and_then(|X| refine(A, G, Q, X))
}

/// Checks that a matrix is symmetric, and positive (semi)definite to rounding.
fn positive(parameter: &'static str, matrix: &DMatrix<f64>, definite: bool) -> Result<(), RiccatiError> {
    let n = matrix.nrows();
    let rounding = 1e-12 * matrix.amax();
    for row in 0..n {
        if let Some(column) = (0..row).find(|&j| (matrix[(row, j)] - matrix[(j, row)]).abs() > rounding) {
            return Err(RiccatiError::NotSymmetric { parameter, row, column });
        }
    }
    let eigen = SymmetricEigen::try_new(matrix.clone(), f64::EPSILON, 1000 * n);
    let smallest = eigen.map_or(f64::NAN, |eigen| eigen.eigenvalues.iter().copied().fold(f64::INFINITY, f64::min));
    let is_positive = if definite { smallest > 0.0 } else { smallest >= -rounding };
    // An empty matrix has no eigenvalues and counts as positive.
    if is_positive { Ok(()) } else { Err(RiccatiError::NotPositive { parameter, eigenvalue: smallest, definite }) }
}

/// X from the matrix sign of the Hamiltonian, which is scaled so that Q and G are of the same size (X → ρ X).
fn by_sign(A: &DMatrix<f64>, G: &DMatrix<f64>, Q: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let n = A.nrows();
    let ratio = (Q.norm() / G.norm()).sqrt();
    let rho = if ratio.is_normal() { ratio } else { 1.0 };
    let mut H = DMatrix::zeros(2 * n, 2 * n);
    H.view_mut((0, 0), (n, n)).copy_from(A);
    H.view_mut((0, n), (n, n)).copy_from(&(G * -rho));
    H.view_mut((n, 0), (n, n)).copy_from(&(Q / -rho));
    H.view_mut((n, n), (n, n)).copy_from(&-A.transpose());
    let W = matrix_sign(H)? + DMatrix::<f64>::identity(2 * n, 2 * n);
    let qr = W.columns(n, n).into_owned().qr();
    let r = qr.r();
    let (largest, smallest) = (r.diagonal().amax(), r.diagonal().amin());
    // Otherwise no X spans the whole stable subspace: it is not a graph over the states.
    if smallest <= 1e-13 * largest {
        return None;
    }
    let X = r.solve_upper_triangular(&-(qr.q().transpose() * W.columns(0, n)))?;
    Some((&X + X.transpose()) * (0.5 * rho))
}

/// Newton's method from X; `None` if A - G X is not stable, at the start or at the end.
fn refine(A: &DMatrix<f64>, G: &DMatrix<f64>, Q: &DMatrix<f64>, mut X: DMatrix<f64>) -> Option<DMatrix<f64>> {
    let mut last = f64::INFINITY;
    for _ in 0..20 {
        let half = X.tr_mul(A);
        let residual = &half + half.transpose() - &X * G * &X + Q;
        let correction = lyapunov(&(A - G * &X), &residual)?;
        let size = correction.norm() / X.norm().max(f64::MIN_POSITIVE);
        // At the level of rounding, corrections stop shrinking.
        if size >= 0.5 * last && last < 1e-6 {
            return Some(X);
        }
        X += correction;
        last = size;
        if size < f64::EPSILON {
            break;
        }
    }
    (last < 1e-6).then_some(X)
}
