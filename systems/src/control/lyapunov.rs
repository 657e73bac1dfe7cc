//! The Lyapunov equation `Aᵀ X + X A + Q = 0` for stable A.
//!
//! By the matrix sign function (Roberts, "Linear model reduction and solution of the algebraic Riccati equation by use
//! of the sign function", Int. J. Control 32, 1980, 677-687): the iteration
//!
//! ```text
//! A ← (c A + (c A)⁻¹)/2,   Q ← (c Q + A⁻ᵀ Q A⁻¹/c)/2
//! ```
//!
//! leaves X unchanged, and takes A to -I exactly if all eigenvalues of A have negative real parts; then X = Q/2. The
//! factor c = |det A|^(-1/n) centres the eigenvalues around the unit circle while they are far from it. The cost is
//! that of some ten inversions.

use super::matrix_sign::{LAST_ITERATION, MAX_ITERATIONS, inverse_and_scale};
use nalgebra::DMatrix;

/// Solves the equation; `None` if A is not stable (to rounding).
pub fn lyapunov(A: &DMatrix<f64>, Q: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let n = A.nrows();
    let (mut A, mut Q) = (A.clone(), Q.clone());
    let mut change = f64::INFINITY;
    for _ in 0..MAX_ITERATIONS {
        let (inverse, scale) = inverse_and_scale(&A, change)?;
        let next = (&A * scale + &inverse / scale) * 0.5;
        Q = (&Q * scale + inverse.transpose() * &Q * &inverse / scale) * 0.5;
        let last = change < LAST_ITERATION;
        change = (&next - &A).norm() / next.norm();
        A = next;
        if last {
            let is_stable = (A + DMatrix::<f64>::identity(n, n)).norm() < 1e-6 * n as f64;
            let X = (&Q + Q.transpose()) * 0.25;
            return (is_stable && X.iter().all(|x| x.is_finite())).then_some(X);
        }
    }
    None
}
