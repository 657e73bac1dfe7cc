//! The matrix sign function by Newton's iteration, `Z ← (c Z + (c Z)⁻¹)/2`, and its step, which the solvers of
//! Lyapunov and Riccati equations share (Roberts, "Linear model reduction and solution of the algebraic Riccati
//! equation by use of the sign function", Int. J. Control 32, 1980, 677-687).

use nalgebra::DMatrix;

/// More iterations than needed for any eigenvalues that doubles can distinguish from the imaginary axis.
pub(super) const MAX_ITERATIONS: usize = 100;
/// Relative change below which one more iteration, being quadratic, is exact to rounding.
pub(super) const LAST_ITERATION: f64 = 1e-8;
/// Relative change below which the iteration is no longer scaled.
const UNSCALED: f64 = 1e-2;
/// Relative change below which changes that grow are those of rounding.
const NEAR_END: f64 = 1e-4;

/// `matrix⁻¹`, and the factor |det matrix|^(-1/n), which is set to 1 once the iteration, whose last relative change is
/// `change`, is close to its end.
pub fn inverse_and_scale(matrix: &DMatrix<f64>, change: f64) -> Option<(DMatrix<f64>, f64)> {
    let n = matrix.nrows();
    let lu = matrix.clone().lu();
    // The determinant itself would overflow if n is large.
    let logarithm: f64 = lu.u().diagonal().iter().map(|u| u.abs().ln()).sum();
    let inverse = lu.try_inverse()?;
    let scale = if change < UNSCALED { 1.0 } else { (-logarithm / n as f64).exp() };
    (scale.is_normal() && inverse.iter().all(|x| x.is_finite())).then_some((inverse, scale))
}

/// The matrix sign function; `None` if it is not found, as with eigenvalues on the imaginary axis.
pub fn matrix_sign(mut Z: DMatrix<f64>) -> Option<DMatrix<f64>> {
    let mut change = f64::INFINITY;
    for _ in 0..MAX_ITERATIONS {
        if Z.is_empty() {
            return Some(Z);
        }
        let (inverse, scale) = inverse_and_scale(&Z, change)?;
        let next = (&Z * scale + inverse / scale) * 0.5;
        let last = change < LAST_ITERATION;
        let before = change;
        change = (&next - &Z).norm() / next.norm();
        Z = next;
        // The change stops falling where rounding dominates: refinement has to do the rest.
        if last || (change < NEAR_END && change >= before) {
            return Some(Z);
        }
    }
    None
}
