//! Dense Cholesky factorization, without allocation after the first use of a size.

use super::kernels::{self, FREE, FREE_BLOCK};
use crate::linear_algebra::{RealScalar, wide};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt;
use faer::{MatMut, Par};
use std::marker::PhantomData;

/// Up to this many rows the preparations of a blocked method take longer than all the arithmetic.
const MAX_UNBLOCKED_ROWS: usize = 64;

/// The memory of a dense factorization.
#[derive(Default)]
pub(super) struct Dense<T = f64> {
    scratch: Option<MemBuffer>,
    size: usize,
    of: PhantomData<T>,
}

impl<T: RealScalar> Clone for Dense<T> {
    /// With scratch memory of its own.
    fn clone(&self) -> Self {
        Dense { scratch: self.scratch.as_ref().map(|_| scratch::<T>(self.size)), size: self.size, of: PhantomData }
    }
}

/// Scratch memory for matrices up to n x n.
fn scratch<T: RealScalar>(n: usize) -> MemBuffer {
    MemBuffer::new(llt::factor::cholesky_in_place_scratch::<T>(n, Par::Seq, Default::default()))
}

impl<T> std::fmt::Debug for Dense<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Dense({})", self.size)
    }
}

impl<T: RealScalar> Dense<T> {
    /// Factors an n x n matrix in place (column major; only the lower triangle is read). `false` if it is not
    /// (numerically) positive definite or not finite.
    pub fn factor(&mut self, values: &mut [T], n: usize) -> bool {
        if n <= MAX_UNBLOCKED_ROWS {
            return wide(
                #[inline(always)]
                || match <&mut [T; FREE_BLOCK]>::try_from(&mut *values) {
                    Ok(values) => kernels::factor_any(values, FREE),
                    Err(_) => kernels::factor_any(values, n),
                },
            );
        }
        if self.scratch.is_none() || self.size < n {
            self.scratch = Some(scratch::<T>(n));
            self.size = n;
        }
        let Some(buffer) = self.scratch.as_mut() else { return false };
        let matrix = MatMut::from_column_major_slice_mut(&mut *values, n, n);
        let stack = MemStack::new(buffer);
        llt::factor::cholesky_in_place(matrix, Default::default(), Par::Seq, stack, Default::default()).is_ok()
            && values.iter().step_by(n + 1).all(|pivot| pivot.value().is_finite())
    }

    /// Solves in place with the factor. One right side gives a blocked method nothing to reuse, whatever its size.
    pub fn solve(values: &[T], n: usize, rhs: &mut [T]) {
        wide(
            #[inline(always)]
            || match (<&[T; FREE_BLOCK]>::try_from(values), <&mut [T; FREE]>::try_from(&mut *rhs)) {
                (Ok(values), Ok(rhs)) => solve_inlined(values, rhs),
                _ => solve_inlined(values, &mut rhs[..n]),
            },
        );
    }
}

#[inline(always)]
fn solve_inlined<T: RealScalar>(values: &[T], rhs: &mut [T]) {
    kernels::solve_lower_any(values, rhs, false);
    kernels::solve_upper_any(values, rhs, false);
}

/// Factor of a symmetric positive definite matrix, stored in place.
#[derive(Clone, Debug, Default)]
pub struct Cholesky {
    size: usize,
    values: Vec<f64>,
    dense: Dense,
}

impl Cholesky {
    /// Makes room for an `n x n` matrix, set to zero, and returns it (column major; only the lower triangle is read).
    pub fn start(&mut self, n: usize) -> &mut [f64] {
        self.size = n;
        self.values.clear();
        self.values.resize(n * n, 0.0);
        &mut self.values
    }

    /// Factors the matrix. `false` if it is not (numerically) positive definite or not finite.
    pub fn factor(&mut self) -> bool {
        self.dense.factor(&mut self.values, self.size)
    }

    /// The factored matrix: the lower triangle is the factor.
    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }

    /// Solves in place with the factor.
    pub fn solve(&mut self, rhs: &mut [f64]) {
        Dense::solve(&self.values, self.size, rhs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Of the largest matrix and its right side.
    const MAX_ENTRIES: usize = 4 * MAX_UNBLOCKED_ROWS * MAX_UNBLOCKED_ROWS + 2 * MAX_UNBLOCKED_ROWS;

    proptest! {
        /// `A x` gives b back, whatever the size and whatever stands in the upper triangle.
        #[test]
        fn solves_what_it_factors(
            n in 1..=2 * MAX_UNBLOCKED_ROWS,
            entries in prop::collection::vec(-1.0f64..1.0, MAX_ENTRIES),
        ) {
            let (square, b) = (&entries[..n * n], &entries[n * n..n * n + n]);
            let at = |i: usize, j: usize| {
                (0..n).map(|k| square[k * n + i] * square[k * n + j]).sum::<f64>() + if i == j { 0.5 } else { 0.0 }
            };
            let mut c = Cholesky::default();
            for (e, x) in c.start(n).iter_mut().enumerate() {
                *x = if e % n < e / n { f64::NAN } else { at(e % n, e / n) };
            }
            prop_assert!(c.factor());
            let mut x = b.to_vec();
            c.solve(&mut x);
            for (i, b) in b.iter().enumerate() {
                let product: f64 = (0..n).map(|j| at(i, j) * x[j]).sum();
                prop_assert!((product - b).abs() < 1e-11, "{product} for {b}");
            }
        }
    }

    #[test]
    fn solves_a_known_system_and_refuses_an_indefinite_one() {
        let mut c = Cholesky::default();
        c.start(2).copy_from_slice(&[4.0, 2.0, f64::NAN, 3.0]); // the upper triangle is not read
        assert!(c.factor());
        let mut x = [10.0, 8.0];
        c.solve(&mut x);
        assert!((x[0] - 1.75).abs() < 1e-15 && (x[1] - 1.5).abs() < 1e-15);
        c.start(2).copy_from_slice(&[1.0, 2.0, 2.0, 1.0]);
        assert!(!c.factor());
        c.start(1).copy_from_slice(&[f64::NAN]);
        assert!(!c.factor());
    }
}
