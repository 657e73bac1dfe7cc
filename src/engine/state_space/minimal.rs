//! Minimal realizations: a model without the states that no input moves or no output shows.
//!
//! A staircase of orthogonal changes of coordinates \[Van Dooren 1981, The generalized eigenstructure problem in linear
//! system theory\]: the states that the inputs move are spanned by B, A B, A² B, …, found one block after the other,
//! each orthogonal to those before; those that the outputs show the same way from the transposed model.

use super::LinearModel;
use super::model::eigenvalues;
use super::scaling::Matrices;
use nalgebra::{Complex, DMatrix, DVector};

/// Poles of the states that a minimal realization leaves out.
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
        let moved = reachable(&whole.a, &whole.b, tolerance);
        let of_moved = whole.projected(&moved.transpose(), &moved);
        let transposed = of_moved.transposed();
        let shown = reachable(&transposed.a, &transposed.b, tolerance);
        let removed = Removed { unreachable: rest(&whole.a, &moved)?, unobservable: rest(&of_moved.a, &shown)? };
        if shown.ncols() == n {
            return Some((self.clone(), removed));
        }
        let kept = moved * &shown;
        let unscaled = DMatrix::from_fn(kept.ncols(), n, |i, j| kept[(j, i)] / factors[j]);
        let found = of_moved.projected(&shown.transpose(), &shown);
        Some((self.with_states("minimal", found, &unscaled), removed))
    }

    /// A model with these inputs and outputs and other states; `measures` gives them from the old ones.
    pub(super) fn with_states(&self, name: &str, matrices: Matrices, measures: &DMatrix<f64>) -> LinearModel {
        let rates = measures * DVector::from_column_slice(&self.rates);
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
fn reachable(a: &DMatrix<f64>, b: &DMatrix<f64>, tolerance: f64) -> DMatrix<f64> {
    let mut basis = Vec::new();
    let mut new = extend(&mut basis, b.clone(), tolerance * b.norm());
    while new > 0 && basis.len() < a.nrows() {
        let last = DMatrix::from_columns(&basis[basis.len() - new..]);
        new = extend(&mut basis, a * last, tolerance * a.norm());
    }
    columns(&basis, a.nrows())
}

/// Adds the directions of a block to an orthonormal basis, the largest first, until no column has more than `zero`
/// beside it. Returns their number.
fn extend(basis: &mut Vec<DVector<f64>>, mut block: DMatrix<f64>, zero: f64) -> usize {
    let before = basis.len();
    let turn_away = |column: &mut DVector<f64>, basis: &[DVector<f64>]| {
        // Twice is enough for orthogonality to rounding.
        for _ in 0..2 {
            basis.iter().for_each(|direction| column.axpy(-direction.dot(column), direction, 1.0));
        }
    };
    while block.ncols() > 0 && basis.len() < block.nrows() {
        for mut column in block.column_iter_mut() {
            let mut rest = column.clone_owned();
            turn_away(&mut rest, basis);
            column.copy_from(&rest);
        }
        let sizes: Vec<f64> = block.column_iter().map(|column| column.norm()).collect();
        let Some(largest) = (0..sizes.len()).max_by(|i, j| sizes[*i].total_cmp(&sizes[*j])) else { break };
        if sizes[largest] <= zero || sizes[largest] == 0.0 {
            break;
        }
        let mut direction = block.column(largest) / sizes[largest];
        turn_away(&mut direction, basis);
        basis.push(direction.normalize());
        block = block.remove_column(largest);
    }
    basis.len() - before
}

fn columns(basis: &[DVector<f64>], rows: usize) -> DMatrix<f64> {
    if basis.is_empty() { DMatrix::zeros(rows, 0) } else { DMatrix::from_columns(basis) }
}

/// Eigenvalues of A on the states that are orthogonal to an invariant subspace with this basis.
fn rest(a: &DMatrix<f64>, basis: &DMatrix<f64>) -> Option<Vec<Complex<f64>>> {
    let (n, kept) = (a.nrows(), basis.ncols());
    let mut all: Vec<DVector<f64>> = basis.column_iter().map(|column| column.clone_owned()).collect();
    extend(&mut all, DMatrix::identity(n, n), 0.0);
    let others = columns(&all[kept..], n);
    eigenvalues(&(others.transpose() * a * others))
}
