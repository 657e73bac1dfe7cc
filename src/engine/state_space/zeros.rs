//! Invariant zeros of a linear model: the numbers s at which `[A - s I, B; C, D]` loses rank.
//!
//! Emami-Naeini & Van Dooren 1982, Computation of zeros of linear multivariable systems. Rows of D that are zero after
//! an orthogonal change of outputs show states that such an input keeps at zero; these leave the model, and their rates
//! become outputs. Once D has full row rank, the same on the transposed model gives one with a square, invertible D,
//! and the zeros are the eigenvalues of `A - B D^-1 C`.

use super::LinearModel;
use super::model::eigenvalues;
use super::scaling::Matrices;
use crate::choices::zeros::RANK_TOLERANCE;
use nalgebra::{Complex, DMatrix};

/// Matrices of a model on the way.
struct Reduced {
    a: DMatrix<f64>,
    b: DMatrix<f64>,
    c: DMatrix<f64>,
    d: DMatrix<f64>,
}

impl LinearModel {
    /// Invariant zeros \[1/s\], by real part; complex pairs are adjacent, negative imaginary part first. A model in
    /// which some output is zero for every input, or some input moves no output, has none. `None` if an iteration does
    /// not converge.
    pub fn zeros(&self) -> Option<Vec<Complex<f64>>> {
        // Without it, states of unlike sizes cost half of the digits.
        let mut scaled = Matrices::of(self);
        scaled.scale();
        let Matrices { a, b, c, d } = scaled;
        let size = [&a, &b, &c, &d].iter().map(|matrix| matrix.norm()).fold(0.0, f64::max);
        let whole = Reduced { a, b, c, d };
        let by_outputs = whole.reduced(RANK_TOLERANCE * size)?;
        let Reduced { a, b, c, d } = by_outputs.transposed().reduced(RANK_TOLERANCE * size)?.transposed();
        if a.nrows() == 0 || d.nrows() != d.ncols() || d.nrows() == 0 {
            return Some(Vec::new());
        }
        eigenvalues(&(a - b * d.lu().solve(&c)?))
    }
}

impl Reduced {
    fn transposed(&self) -> Self {
        let [a, b, c, d] = [&self.a, &self.c, &self.b, &self.d].map(DMatrix::transpose);
        Reduced { a, b, c, d }
    }

    /// The model without the states that have to stay at zero where all outputs do: its D has full row rank, or it has
    /// no states. Values below `zero` count as zero.
    fn reduced(self, zero: f64) -> Option<Self> {
        let Reduced { mut a, mut b, mut c, mut d } = self;
        loop {
            let (turn, rank) = compressed(&d, zero)?;
            // Outputs that no input reaches at once.
            let (turned_c, turned_d) = (turn.transpose() * &c, turn.transpose() * &d);
            let silent = turned_c.rows(rank, c.nrows() - rank).into_owned();
            (c, d) = (turned_c.rows(0, rank).into_owned(), turned_d.rows(0, rank).into_owned());
            let (states, seen) = compressed(&silent.transpose(), zero)?;
            if seen == 0 || a.nrows() == 0 {
                return Some(Reduced { a, b, c, d });
            }
            // The first states are those that the silent outputs show.
            let (turned_a, turned_b, turned_c) =
                (states.transpose() * &a * &states, states.transpose() * &b, &c * &states);
            let rest = a.nrows() - seen;
            c = stacked(
                &turned_c.columns(seen, rest).into_owned(),
                &turned_a.view((0, seen), (seen, rest)).into_owned(),
            );
            d = stacked(&d, &turned_b.rows(0, seen).into_owned());
            a = turned_a.view((seen, seen), (rest, rest)).into_owned();
            b = turned_b.rows(seen, rest).into_owned();
        }
    }
}

/// An orthogonal matrix whose first columns span the columns of `matrix`, and their number: the rank.
fn compressed(matrix: &DMatrix<f64>, zero: f64) -> Option<(DMatrix<f64>, usize)> {
    let rows = matrix.nrows();
    if rows == 0 || matrix.ncols() == 0 {
        return Some((DMatrix::identity(rows, rows), 0));
    }
    // Columns of zeros make the basis complete.
    let mut wide = DMatrix::zeros(rows, matrix.ncols().max(rows));
    wide.columns_mut(0, matrix.ncols()).copy_from(matrix);
    let svd = wide.svd(true, false);
    let rank = svd.singular_values.iter().filter(|value| **value > zero).count();
    Some((svd.u?, rank))
}

/// One matrix over the other.
fn stacked(above: &DMatrix<f64>, below: &DMatrix<f64>) -> DMatrix<f64> {
    let columns = above.ncols().max(below.ncols());
    let mut all = DMatrix::zeros(above.nrows() + below.nrows(), columns);
    all.rows_mut(0, above.nrows()).copy_from(above);
    all.rows_mut(above.nrows(), below.nrows()).copy_from(below);
    all
}
