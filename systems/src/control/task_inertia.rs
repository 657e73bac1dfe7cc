//! The inertia of a task, bounded where the arm is near a singular posture.
//!
//! `Λ = (J M⁻¹ Jᵀ)⁻¹` grows without bound where the arm cannot move. With the largest inertias D (of rotation and of
//! translation) and the eigenvectors U and eigenvalues σ of `D½ J M⁻¹ Jᵀ D½`, here
//!
//! ```text
//! Λ = D½ U f(σ) Uᵀ D½,   f(σ) = 1/σ where σ >= 1,   f(σ) = σ/(σ² + (1 - σ)²) below
//! ```
//!
//! so that Λ is exact as long as no direction has more than its largest inertia; beyond, it is damped the more the
//! closer to the singularity (Nakamura, Hanafusa 1986), in the singular directions alone (Maciejewski, Klein 1988): it
//! is never more than 1.21 times the largest inertia, and zero in a direction without any motion. f and f' are
//! continuous.
//!
//! The derivative along dA of `U f(σ) Uᵀ` is `U (F ∘ Uᵀ dA U) Uᵀ` with the divided differences
//! `F_ij = (f(σ_i) - f(σ_j))/(σ_i - σ_j)` (Daleckii, Krein 1965), which are written below so that nothing cancels.
//!
//! Where all σ are above 1, which a Cholesky factor of `D½ J M⁻¹ Jᵀ D½ - 1` shows, f is the inverse and its
//! derivative `-Λ dA Λ`: no eigenvalues are needed.

use crate::{JET_WIDTH, Scalar};
use nalgebra::{Cholesky, SMatrix, SVector, SymmetricEigen};

type Matrix6<S> = SMatrix<S, 6, 6>;

/// How often the eigenvalues may be refined: far more than they need, but a matrix that is not finite never has any.
const MAX_ROTATIONS: usize = 1000;

/// Largest inertias, as roots.
#[derive(Clone, Debug)]
pub(super) struct TaskInertia {
    root: SVector<f64, 6>,
}

impl TaskInertia {
    /// With the largest inertias of translation \[kg\] and of rotation \[kg m²\].
    pub fn new(mass: f64, inertia: f64) -> Self {
        let (mass, inertia) = (mass.sqrt(), inertia.sqrt());
        TaskInertia { root: [inertia, inertia, inertia, mass, mass, mass].into() }
    }

    /// Λ of its inverse, in the directions of the task; zero in the others.
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

/// Λ of its scaled values, with the slopes that `derivative` makes of those of the scaled inverse.
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

/// The inverse of a symmetric matrix whose eigenvalues are all above 1; `None` of any other.
fn inverse_above_one(matrix: &Matrix6<f64>) -> Option<Matrix6<f64>> {
    Cholesky::new(matrix - Matrix6::identity())?;
    Cholesky::new(*matrix).map(|factor| factor.inverse())
}

/// Denominator of f below 1.
fn denominator(sigma: f64) -> f64 {
    sigma * sigma + (1.0 - sigma) * (1.0 - sigma)
}

/// f.
fn bounded_inverse(sigma: f64) -> f64 {
    if sigma >= 1.0 { 1.0 / sigma } else { sigma / denominator(sigma) }
}

/// `(f(a) - f(b))/(a - b)`, and f' where the two are equal.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::{Jet, partial, seed};

    /// Unit largest inertias: what stands here are the scaled numbers.
    const ALL: [bool; 6] = [true; 6];

    /// A symmetric matrix of these eigenvalues, and another one that does not commute with it.
    fn matrices(sigma: [f64; 6]) -> (Matrix6<f64>, Matrix6<f64>) {
        let turn = Matrix6::from_fn(|i, j| ((i * 5 + j * 3) as f64).sin()).qr().q();
        let other = Matrix6::from_fn(|i, j| ((i + j) as f64 * 1.3).cos());
        (turn * Matrix6::from_diagonal(&sigma.into()) * turn.transpose(), other)
    }

    #[test]
    fn is_the_inverse_away_from_singularities() {
        for least in [1.0, 1.001] {
            let (A, _) = matrices([least, 1.5, 2.0, 2.0, 7.0, 100.0]);
            assert!((TaskInertia::new(1.0, 1.0).of(&A, &ALL) * A - Matrix6::identity()).amax() < 1e-13);
        }
        let (A, _) = matrices([1.0, 1.5, 2.0, 2.0, 7.0, 100.0]);
        // With units of 4 kg and 9 kg m²: the same inertias, and room for larger ones.
        assert!((TaskInertia::new(4.0, 9.0).of(&A, &ALL) * A - Matrix6::identity()).amax() < 1e-13);
    }

    #[test]
    fn is_bounded_near_singularities_and_nothing_in_them() {
        let (A, _) = matrices([0.0, 1e-3, 0.5, 0.5, 0.99, 3.0]);
        let sigma = TaskInertia::new(1.0, 1.0).of(&A, &ALL).symmetric_eigenvalues();
        assert!(sigma.max() < 1.21 && sigma.min() > -1e-12, "{sigma}");
        let most = (0..2000).map(|i| bounded_inverse(i as f64 * 1e-3)).fold(0.0, f64::max);
        assert!((most - (1.0 + 2.0_f64.sqrt()) / 2.0).abs() < 1e-6, "{most}");
    }

    #[test]
    fn leaves_out_what_is_no_task() {
        let (A, _) = matrices([1.0, 1.5, 2.0, 3.0, 7.0, 9.0]);
        let position = [false, false, false, true, true, true];
        let inertia = TaskInertia::new(1.0, 1.0).of(&A, &position);
        let block = A.fixed_view::<3, 3>(3, 3).try_inverse().unwrap();
        assert!((inertia.fixed_view::<3, 3>(3, 3) - block).amax() < 1e-14);
        assert_eq!(inertia.fixed_view::<6, 3>(0, 0).amax(), 0.0);
    }

    /// Repeated eigenvalues, both branches, and across the bound.
    #[test]
    fn its_derivative_is_the_central_difference() {
        for sigma in [
            [1.0, 1.5, 2.0, 2.0, 7.0, 20.0],
            [1.1, 1.5, 2.0, 2.0, 7.0, 20.0],
            [0.0, 0.0, 0.3, 0.3, 0.7, 0.9],
            [0.0, 0.5, 0.999, 1.001, 1.001, 4.0],
            [0.2, 0.2, 1.0, 1.0, 1.0, 3.0],
        ] {
            let (A, dA) = matrices(sigma);
            let task = TaskInertia::new(2.0, 0.5);
            let A = Matrix6::from_fn(|i, j| A[(i, j)] / (task.root[i] * task.root[j]));
            let jets = Matrix6::<Jet>::from_fn(|i, j| seed(A[(i, j)], 3, dA[(i, j)]));
            let found = task.of(&jets, &ALL).map(|x| partial(&x, 3));
            let h = 1e-6;
            let difference = (task.of(&(A + dA * h), &ALL) - task.of(&(A - dA * h), &ALL)) / (2.0 * h);
            // f'' jumps at 1: a central difference across it is off by h.
            assert!((found - difference).amax() < 2e-5, "{sigma:?}\n{found}{difference}");
        }
    }

    #[test]
    fn what_is_not_finite_stays_so() {
        let inertia = TaskInertia::new(1.0, 1.0).of(&Matrix6::repeat(f64::NAN), &ALL);
        assert!(inertia.iter().all(|x| x.is_nan()));
    }
}
