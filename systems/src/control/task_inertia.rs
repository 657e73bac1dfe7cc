//! The inertia of a task, bounded where the arm is near a singular posture.
//!
//! `Λ = (J M⁻¹ Jᵀ)⁻¹` grows without bound in directions in which the arm cannot move. With the largest inertias D (of
//! rotation and of translation) and the eigenvectors U and eigenvalues σ of `D½ J M⁻¹ Jᵀ D½`, here
//!
//! ```text
//! Λ = D½ U f(σ) Uᵀ D½,   f(σ) = 1/σ where σ >= 1,   f(σ) = σ/(σ² + (1 - σ)²) below
//! ```
//!
//! so that Λ is exact as long as no direction exceeds its largest inertia. Beyond, it is damped, more so closer to the
//! singularity (Nakamura, Hanafusa 1986), in the singular directions only (Maciejewski, Klein 1988): it is never more
//! than 1.21 times the largest inertia, and zero in a direction without any motion. f and f' are continuous.
//!
//! The derivative along dA of `U f(σ) Uᵀ` is `U (F ∘ Uᵀ dA U) Uᵀ` with the divided differences
//! `F_ij = (f(σ_i) - f(σ_j))/(σ_i - σ_j)` (Daleckii, Krein 1965), which are computed below without cancellation.
//!
//! If all σ are above 1, which a Cholesky factor of `D½ J M⁻¹ Jᵀ D½ - 1` proves, f is the inverse and its derivative
//! `-Λ dA Λ`: no eigenvalues are needed.

use kinegraph_core::{JET_WIDTH, Scalar};
use nalgebra::{Cholesky, SMatrix, SVector, SymmetricEigen};

/// Inertias and their inverses: of rotation, then of translation.
pub type Matrix6<S> = SMatrix<S, 6, 6>;

/// Maximum number of rotations of the eigenvalue iteration: far more than it needs, but it never ends for a matrix that
/// is not finite.
const MAX_ROTATIONS: usize = 1000;

/// Square roots of the largest inertias.
#[derive(Clone, Debug)]
pub struct TaskInertia {
    /// Roots of the largest inertias: of rotation \[√(kg m²)\], then of translation \[√kg\].
    pub root: SVector<f64, 6>,
}

impl TaskInertia {
    /// Bounds by the largest inertias of translation \[kg\] and of rotation \[kg m²\].
    pub fn new(mass: f64, inertia: f64) -> Self {
        let (mass, inertia) = (mass.sqrt(), inertia.sqrt());
        TaskInertia { root: [inertia, inertia, inertia, mass, mass, mass].into() }
    }

    /// Λ from its inverse, in the directions of the task; zero in the others.
    pub fn of<S: Scalar>(&self, inverse: &Matrix6<S>, task: &[bool; 6]) -> Matrix6<S> {
        let scale = |i: usize| if task[i] { self.root[i] } else { 0.0 };
        let scaled = Matrix6::from_fn(|i, j| inverse[(i, j)] * S::constant(scale(i) * scale(j)));
        let values = scaled.map(S::value);
        if let Some(inertia) = inverse_above_one(&values) {
            return with_slopes(&inertia, &scaled, scale, |along| -(inertia * along * inertia));
        }
        let Some(eigen) = SymmetricEigen::try_new(values, f64::EPSILON, MAX_ROTATIONS) else {
            return Matrix6::repeat(S::constant(f64::NAN));
        };
        let (U, sigma) = (eigen.eigenvectors, eigen.eigenvalues);
        let inertia = U * Matrix6::from_diagonal(&sigma.map(bounded_inverse)) * U.transpose();
        let divided = Matrix6::from_fn(|i, j| divided_difference(sigma[i], sigma[j]));
        with_slopes(&inertia, &scaled, scale, |along| U * (U.tr_mul(along) * U).component_mul(&divided) * U.transpose())
    }
}

/// Λ from its scaled values, with slopes that `derivative` computes from those of the scaled inverse.
fn with_slopes<S: Scalar>(
    inertia: &Matrix6<f64>,
    scaled: &Matrix6<S>,
    scale: impl Fn(usize) -> f64,
    derivative: impl Fn(&Matrix6<f64>) -> Matrix6<f64>,
) -> Matrix6<S> {
    let partials = scaled.map(S::partials);
    let mut slopes = [Matrix6::zeros(); JET_WIDTH];
    for (p, slope) in slopes.iter_mut().enumerate() {
        let along = partials.map(|partials| partials[p]);
        if along != Matrix6::zeros() {
            *slope = derivative(&along);
        }
    }
    Matrix6::from_fn(|i, j| {
        let factor = scale(i) * scale(j);
        S::with_partials(inertia[(i, j)] * factor, &slopes.map(|slope| slope[(i, j)] * factor))
    })
}

/// The inverse of a symmetric matrix whose eigenvalues are all above 1; otherwise `None`.
fn inverse_above_one(matrix: &Matrix6<f64>) -> Option<Matrix6<f64>> {
    Cholesky::new(matrix - Matrix6::identity())?;
    Cholesky::new(*matrix).map(|factor| factor.inverse())
}

/// Denominator of f below 1.
fn denominator(sigma: f64) -> f64 {
    sigma * sigma + (1.0 - sigma) * (1.0 - sigma)
}

/// The function f.
pub fn bounded_inverse(sigma: f64) -> f64 {
    if sigma >= 1.0 { 1.0 / sigma } else { sigma / denominator(sigma) }
}

/// `(f(a) - f(b))/(a - b)`, or f' if the two are equal.
fn divided_difference(a: f64, b: f64) -> f64 {
    let (a, b) = (a.max(b), a.min(b));
    if b >= 1.0 {
        -1.0 / (a * b)
    } else if a < 1.0 {
        (1.0 - 2.0 * a * b) / (denominator(a) * denominator(b))
    } else {
        let gap = 1.0 - b;
        (gap * (gap / (a - b)) - b) / (a * denominator(b))
    }
}
