//! Dense Cholesky factorization, without allocation after the first use of a size.

use super::kernels::{self, FREE, FREE_BLOCK};
use crate::choices::dense::MAX_UNBLOCKED_ROWS;
use crate::linear_algebra::RealScalar;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt;
use faer::{MatMut, Par};
use kinegraph_core::wide;
use std::marker::PhantomData;

/// The memory of a dense factorization.
#[derive(Default)]
pub(super) struct Dense<T = f64> {
    scratch: Option<MemBuffer>,
    size: usize,
    of: PhantomData<T>,
}

impl<T: RealScalar> Clone for Dense<T> {
    /// The copy has scratch memory of its own.
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

    /// Factored matrix: the lower triangle is the factor.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Solves in place with the factor.
    pub fn solve(&mut self, rhs: &mut [f64]) {
        Dense::solve(&self.values, self.size, rhs);
    }
}
