//! Minimal realizations: a model without the states that no input moves or no output shows.
//!
//! A staircase of orthogonal changes of coordinates \[Van Dooren 1981, The generalized eigenstructure problem in linear
//! system theory\]: the states that the inputs move are spanned by B, A B, A² B, …, found one block after the other,
//! each orthogonal to those before; those that the outputs show the same way from the transposed model.

use super::LinearModel;
use super::model::eigenvalues;
use super::scaling::Matrices;
use nalgebra::{Complex, DMatrix};

/// What a minimal realization leaves out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Removed {
    /// Poles of the states that no input moves.
    pub unreachable: Vec<Complex<f64>>,
    /// Poles of the states that inputs move and no output shows.
    pub unobservable: Vec<Complex<f64>>,
}

impl LinearModel {
    /// The model without the states that no input moves or no output shows, and their poles. A direction counts as not
    /// moved where its part of A or B, of scaled states, is below `tolerance` times their size. The model itself if
    /// there are none; `None` if an iteration does not converge.
    pub fn minimal(&self, tolerance: f64) -> Option<(LinearModel, Removed)> {
        let mut whole = Matrices::of(self);
        let factors = whole.scale();
        let n = whole.states();
        let moved = reachable(&whole.a, &whole.b, tolerance)?;
        let of_moved = whole.projected(&moved.transpose(), &moved);
        let transposed = of_moved.transposed();
        let shown = reachable(&transposed.a, &transposed.b, tolerance)?;
        let removed = Removed {
            unreachable: rest(&whole.a, &moved)?,
            unobservable: rest(&of_moved.a, &shown)?,
        };
        if shown.ncols() == n {
            return Some((self.clone(), removed));
        }
        let kept = moved * &shown;
        let unscaled = DMatrix::from_fn(kept.ncols(), n, |i, j| kept[(j, i)] / factors[j]);
        let found = of_moved.projected(&shown.transpose(), &shown);
        Some((self.with_states("minimal", found, &unscaled), removed))
    }

    /// The same inputs and outputs with other states; `measures` gives them from the old ones.
    pub(super) fn with_states(&self, name: &str, matrices: Matrices, measures: &DMatrix<f64>) -> LinearModel {
        let rates = measures * nalgebra::DVector::from_column_slice(&self.rates);
        let Matrices { a, b, c, d } = matrices;
        LinearModel {
            state_names: (0..a.nrows()).map(|i| format!("{name}[{i}]")).collect(),
            rates: rates.iter().copied().collect(),
            a,
            b,
            c,
            d,
            ..self.clone()
        }
    }
}

/// Orthonormal basis of the states that inputs move.
fn reachable(a: &DMatrix<f64>, b: &DMatrix<f64>, tolerance: f64) -> Option<DMatrix<f64>> {
    let n = a.nrows();
    let mut basis = DMatrix::<f64>::zeros(n, 0);
    let (mut block, mut zero) = (b.clone(), tolerance * b.norm());
    while basis.ncols() < n && block.ncols() > 0 {
        // Twice is enough for orthogonality to rounding.
        for _ in 0..2 {
            let along = basis.transpose() * &block;
            block -= &basis * along;
        }
        let svd = block.try_svd(true, false, f64::EPSILON, 10_000)?;
        let found = svd.singular_values.iter().filter(|value| **value > zero).count();
        if found == 0 {
            break;
        }
        let new = svd.u?.columns(0, found).into_owned();
        let before = basis.ncols();
        basis = basis.insert_columns(before, found, 0.0);
        basis.columns_mut(before, found).copy_from(&new);
        block = a * new;
        zero = tolerance * a.norm();
    }
    Some(basis)
}

/// Eigenvalues of A on the states that are orthogonal to an invariant subspace with this basis.
fn rest(a: &DMatrix<f64>, basis: &DMatrix<f64>) -> Option<Vec<Complex<f64>>> {
    let n = a.nrows();
    if basis.ncols() == n {
        return Some(Vec::new());
    }
    let orthogonal = DMatrix::identity(n, n) - basis * basis.transpose();
    let svd = orthogonal.try_svd(true, false, f64::EPSILON, 10_000)?;
    let others = svd.u?.columns(0, n - basis.ncols()).into_owned();
    eigenvalues(&(others.transpose() * a * others))
}
