//! Block-sparse Cholesky factorization: the numbers. For the pattern, see `pattern.rs`.
//!
//! The factorization is left-looking: a column takes the contributions of all columns before it that have a block in
//! its rows, then is factored. The numbers that it writes are contiguous in memory, and so are those that it reads of
//! each other column. The last places form the tail, which is one dense matrix.

use super::dense::Dense;
use super::kernels;
use super::pattern::Pattern;
use crate::linear_algebra::RealScalar;
use kinegraph_core::wide;

/// Factor of a symmetric positive definite matrix of blocks, stored in place of the matrix.
#[derive(Clone, Debug, Default)]
pub struct BlockCholesky<T: RealScalar = f64> {
    values: Vec<T>,
    /// Memory to fill the matrix in double precision, if `T` is another type.
    filled: Vec<f64>,
    /// For each place, the offset of its block within the column that is being computed.
    target: Vec<u32>,
    /// Right side and solution in the order of elimination.
    permuted: Vec<T>,
    dense: Dense<T>,
}

impl BlockCholesky {
    /// Sets the matrix to zero and returns its numbers, to be filled (see [`Places`](super::Places)).
    pub fn start(&mut self, pattern: &Pattern<'_>) -> &mut [f64] {
        self.values.clear();
        self.values.resize(pattern.numbers(), 0.0);
        &mut self.values
    }
}

impl<T: RealScalar> BlockCholesky<T> {
    /// Fills the matrix (see [`Places`](super::Places)): `write` sets the diagonal blocks before the tail, and adds to
    /// all other blocks, which are zero before.
    #[inline(always)]
    pub fn fill(&mut self, pattern: &Pattern<'_>, write: impl FnOnce(&mut [f64])) {
        T::write(
            &mut self.values,
            &mut self.filled,
            pattern.numbers(),
            #[inline(always)]
            |values| {
                pattern.clear(values);
                write(values);
            },
        );
    }

    /// Factors the matrix. `false` if it is not (numerically) positive definite or not finite.
    pub fn factor(&mut self, pattern: &Pattern<'_>) -> bool {
        if let Some(n) = pattern.alone() {
            return wide(
                #[inline(always)]
                || kernels::factor(&mut self.values[..n * n], n),
            );
        }
        let (start, size) = pattern.tail();
        wide(
            #[inline(always)]
            || self.factor_columns(pattern),
        ) && self.dense.factor(&mut self.values[start..], size)
    }

    /// Factors the columns before the tail, and subtracts their contributions from the tail.
    #[inline(always)]
    fn factor_columns(&mut self, pattern: &Pattern<'_>) -> bool {
        let (tail, tail_size) = pattern.tail();
        let tail_row = pattern.first[pattern.columns];
        self.target.resize(pattern.size.len(), 0);
        for j in 0..pattern.size.len() {
            let in_tail = j >= pattern.columns;
            let (own, stride) = if in_tail {
                (tail, tail_size)
            } else {
                let own = pattern.diagonal[j];
                self.target[j] = 0;
                for t in pattern.starts[j] as usize..pattern.starts[j + 1] as usize {
                    self.target[pattern.rows[t] as usize] = pattern.blocks[t] - own;
                }
                (own as usize, 0)
            };
            // In memory, all earlier columns come before this one.
            let (earlier, column) = self.values.split_at_mut(own);
            let n = pattern.size[j] as usize;
            let entries = pattern.row_starts[j] as usize..pattern.row_starts[j + 1] as usize;
            for (&k, &block) in pattern.row_columns[entries.clone()].iter().zip(&pattern.row_blocks[entries]) {
                let (k, block) = (k as usize, block as usize);
                let width = pattern.size[k] as usize;
                let end = pattern.starts[k + 1] as usize;
                let mut at = pattern.blocks[block] as usize;
                let b = &earlier[at..at + n * width];
                for &i in &pattern.rows[block..end] {
                    let i = i as usize;
                    let m = pattern.size[i] as usize;
                    let a = &earlier[at..at + m * width];
                    at += m * width;
                    let (place, stride) = if in_tail {
                        let (row, column) = (pattern.first[i] - tail_row, pattern.first[j] - tail_row);
                        (column as usize * stride + row as usize, stride)
                    } else {
                        (self.target[i] as usize, m)
                    };
                    kernels::subtract_product(&mut column[place..], stride, a, b, [m, n, width]);
                }
            }
            if in_tail {
                continue;
            }
            let (diagonal, below) = column.split_at_mut(n * n);
            if !kernels::factor(diagonal, n) {
                return false;
            }
            let mut at = 0;
            for &i in &pattern.rows[pattern.starts[j] as usize..pattern.starts[j + 1] as usize] {
                let m = pattern.size[i as usize] as usize;
                kernels::solve_right(diagonal, &mut below[at..at + m * n], m, n);
                at += m * n;
            }
        }
        true
    }

    /// Solves in place with the factor; `rhs` has the velocities of the cliques in their order.
    pub fn solve(&mut self, pattern: &Pattern<'_>, rhs: &mut [T]) {
        wide(
            #[inline(always)]
            || match pattern.alone() {
                Some(n) => {
                    let (factor, own) = (&self.values[..n * n], &mut rhs[..n]);
                    kernels::solve_lower(factor, own);
                    kernels::solve_upper(factor, own);
                }
                None => self.solve_columns(pattern, rhs),
            },
        );
    }

    #[inline(always)]
    fn solve_columns(&mut self, pattern: &Pattern<'_>, rhs: &mut [T]) {
        let x = &mut self.permuted;
        x.resize(rhs.len(), T::ZERO);
        let mut at = 0;
        for &p in pattern.place {
            let (first, size) = (pattern.first[p as usize] as usize, pattern.size[p as usize] as usize);
            x[first..first + size].copy_from_slice(&rhs[at..at + size]);
            at += size;
        }
        let range = |p: usize| pattern.first[p] as usize..pattern.first[p + 1] as usize;
        let blocks = |k: usize| pattern.starts[k] as usize..pattern.starts[k + 1] as usize;
        for k in 0..pattern.columns {
            let (n, diagonal) = (pattern.size[k] as usize, pattern.diagonal[k] as usize);
            let end = range(k).end;
            let (head, below) = x.split_at_mut(end);
            let own = &mut head[range(k)];
            kernels::solve_lower(&self.values[diagonal..diagonal + n * n], own);
            for t in blocks(k) {
                let (row, at) = (range(pattern.rows[t] as usize), pattern.blocks[t] as usize);
                let y = &mut below[row.start - end..row.end - end];
                kernels::subtract_times(y, &self.values[at..at + y.len() * n], own);
            }
        }
        let (tail, tail_size) = pattern.tail();
        let tail_row = pattern.first[pattern.columns] as usize;
        Dense::solve(&self.values[tail..], tail_size, &mut x[tail_row..]);
        for k in (0..pattern.columns).rev() {
            let (n, diagonal) = (pattern.size[k] as usize, pattern.diagonal[k] as usize);
            let end = range(k).end;
            let (head, below) = x.split_at_mut(end);
            let own = &mut head[range(k)];
            for t in blocks(k) {
                let (row, at) = (range(pattern.rows[t] as usize), pattern.blocks[t] as usize);
                let y = &below[row.start - end..row.end - end];
                kernels::subtract_transposed_times(own, &self.values[at..at + y.len() * n], y);
            }
            kernels::solve_upper(&self.values[diagonal..diagonal + n * n], own);
        }
        let mut at = 0;
        for &p in pattern.place {
            let range = range(p as usize);
            rhs[at..at + range.len()].copy_from_slice(&x[range.clone()]);
            at += range.len();
        }
    }
}

/// Solves with either set of instructions, for tests.
impl<T: RealScalar> BlockCholesky<T> {
    /// Factors and solves by the instructions that the crate is built for; returns the numbers of the factor. `None` if
    /// the matrix is not positive definite.
    pub fn solve_narrow(&mut self, pattern: &Pattern<'_>, rhs: &mut [T]) -> Option<&[T]> {
        let (start, size) = pattern.tail();
        if !self.factor_columns(pattern) || !self.dense.factor(&mut self.values[start..], size) {
            return None;
        }
        self.solve_columns(pattern, rhs);
        Some(&self.values)
    }

    /// Factors and solves by the widest instructions of the machine; returns the numbers of the factor.
    pub fn solve_wide(&mut self, pattern: &Pattern<'_>, rhs: &mut [T]) -> Option<&[T]> {
        if !self.factor(pattern) {
            return None;
        }
        self.solve(pattern, rhs);
        Some(&self.values)
    }
}
