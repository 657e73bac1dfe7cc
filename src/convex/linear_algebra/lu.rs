//! Dense LU factorization with row exchanges, without allocation after the first use of a size.

use crate::choices::lu::MAX_UNBLOCKED_ROWS;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::lu::partial_pivoting::{factor, solve};
use faer::perm::PermRef;
use faer::{MatMut, MatRef, Par};

/// Factors of a square matrix, stored in place. A singular matrix gives solutions that are not finite.
#[derive(Default)]
pub struct Lu {
    size: usize,
    values: Vec<f64>,
    /// Of a small matrix: the row that each column was exchanged with. Otherwise the permutation, and its inverse.
    rows: Vec<usize>,
    rows_inverse: Vec<usize>,
    exchanges: usize,
    scratch: Option<MemBuffer>,
    scratch_size: usize,
}

impl std::fmt::Debug for Lu {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Lu({})", self.size)
    }
}

impl Clone for Lu {
    /// The copy has scratch memory of its own.
    fn clone(&self) -> Self {
        Lu {
            values: self.values.clone(),
            rows: self.rows.clone(),
            rows_inverse: self.rows_inverse.clone(),
            scratch: self.scratch.as_ref().map(|_| scratch(self.scratch_size)),
            ..*self
        }
    }
}

/// Scratch memory for matrices up to n x n.
fn scratch(n: usize) -> MemBuffer {
    let factor = factor::lu_in_place_scratch::<usize, f64>(n, n, Par::Seq, Default::default());
    MemBuffer::new(factor.or(solve::solve_in_place_scratch::<usize, f64>(n, n, Par::Seq)))
}

impl Lu {
    /// Makes room for an `n x n` matrix, set to zero, and returns it (column major).
    pub fn start(&mut self, n: usize) -> &mut [f64] {
        self.size = n;
        self.values.clear();
        self.values.resize(n * n, 0.0);
        &mut self.values
    }

    /// Matrix that was started, before it is factored.
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Factors the matrix.
    pub fn factor(&mut self) {
        let n = self.size;
        self.exchanges = 0;
        if n <= 1 {
            return;
        }
        if n <= MAX_UNBLOCKED_ROWS {
            self.rows.resize(n, 0);
            self.exchanges = factor_small(&mut self.values, n, &mut self.rows);
            return;
        }
        if self.scratch.is_none() || self.scratch_size < n {
            self.scratch = Some(scratch(n));
            self.scratch_size = n;
        }
        self.rows.resize(n, 0);
        self.rows_inverse.resize(n, 0);
        let Some(buffer) = self.scratch.as_mut() else { return };
        let matrix = MatMut::from_column_major_slice_mut(&mut self.values, n, n);
        let (rows, inverse, stack) = (&mut self.rows[..], &mut self.rows_inverse[..], MemStack::new(buffer));
        let (info, _) = factor::lu_in_place(matrix, rows, inverse, Par::Seq, stack, Default::default());
        self.exchanges = info.transposition_count;
    }

    /// Sign of the determinant: 1, -1, 0 or not-a-number.
    pub fn determinant_sign(&self) -> f64 {
        let sign = if self.exchanges.is_multiple_of(2) { 1.0 } else { -1.0 };
        (0..self.size).fold(sign, |sign, i| match self.values[i * self.size + i] {
            0.0 => 0.0,
            pivot => sign * 1.0_f64.copysign(pivot) * if pivot.is_nan() { f64::NAN } else { 1.0 },
        })
    }

    /// Solves in place with the factors; `rhs` has up to n columns of n numbers.
    pub fn solve(&mut self, rhs: &mut [f64]) {
        let n = self.size;
        if let [pivot] = self.values[..] {
            return rhs.iter_mut().for_each(|x| *x /= pivot);
        }
        if n > 0 && n <= MAX_UNBLOCKED_ROWS {
            return rhs.chunks_exact_mut(n).for_each(|x| solve_small(&self.values, &self.rows, x));
        }
        let Some(buffer) = self.scratch.as_mut().filter(|_| n > 0) else { return };
        let factors = MatRef::from_column_major_slice(&self.values, n, n);
        let rows = PermRef::new_checked(&self.rows, &self.rows_inverse, n);
        for rhs in rhs.chunks_exact_mut(n * n) {
            let rhs = MatMut::from_column_major_slice_mut(rhs, n, n);
            solve::solve_in_place(factors, factors, rows, rhs, Par::Seq, MemStack::new(buffer));
        }
        let rest = rhs.chunks_exact_mut(n * n).into_remainder();
        let columns = rest.len() / n;
        let rest = MatMut::from_column_major_slice_mut(rest, n, columns);
        solve::solve_in_place(factors, factors, rows, rest, Par::Seq, MemStack::new(buffer));
    }
}

/// Factors an n x n matrix in place; returns the number of row exchanges.
fn factor_small(a: &mut [f64], n: usize, rows: &mut [usize]) -> usize {
    let mut exchanges = 0;
    for k in 0..n {
        let column = &a[k * n..(k + 1) * n];
        let pivot = (k + 1..n).fold(k, |best, i| if column[i].abs() > column[best].abs() { i } else { best });
        rows[k] = pivot;
        if pivot != k {
            exchanges += 1;
            (0..n).for_each(|j| a.swap(j * n + k, j * n + pivot));
        }
        let (done, rest) = a.split_at_mut((k + 1) * n);
        let column = &mut done[k * n..];
        if column[k] == 0.0 {
            continue; // what is below it is zero as well
        }
        let inverse = 1.0 / column[k];
        column[k + 1..].iter_mut().for_each(|x| *x *= inverse);
        for other in rest.chunks_exact_mut(n) {
            let factor = other[k];
            other[k + 1..].iter_mut().zip(&column[k + 1..]).for_each(|(x, l)| *x -= l * factor);
        }
    }
    exchanges
}

/// Solves for one right-hand side in place, with the factors of a small matrix.
fn solve_small(a: &[f64], rows: &[usize], x: &mut [f64]) {
    let n = x.len();
    for (k, &row) in rows[..n].iter().enumerate() {
        x.swap(k, row);
    }
    for k in 0..n {
        let factor = x[k];
        x[k + 1..].iter_mut().zip(&a[k * n + k + 1..(k + 1) * n]).for_each(|(x, l)| *x -= l * factor);
    }
    for k in (0..n).rev() {
        let factor = x[k] / a[k * n + k];
        x[k] = factor;
        x[..k].iter_mut().zip(&a[k * n..k * n + k]).for_each(|(x, u)| *x -= u * factor);
    }
}
