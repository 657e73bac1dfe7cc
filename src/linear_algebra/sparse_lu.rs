//! Sparse LU factorization with row exchanges, in memory that is kept.
//!
//! Left-looking: a column is solved with the columns of L before it that reach it, in the order of their pivots
//! \[Gilbert & Peierls 1988\]. The pivot is the entry of the diagonal, unless a tenth of the largest is more. Columns
//! with few entries come first: chains and trees stay sparse so, and a row or column that meets all others comes last.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A pivot off the diagonal is taken where that of the diagonal is below this part of it.
const DIAGONAL_PREFERENCE: f64 = 0.1;
/// Stands for no pivot yet.
const NONE: usize = usize::MAX;

/// Columns of rows with values.
#[derive(Clone, Debug, Default)]
struct Columns {
    ends: Vec<usize>,
    entries: Vec<(usize, f64)>,
}

impl Columns {
    fn clear(&mut self) {
        self.ends.clear();
        self.entries.clear();
    }

    fn of(&self, column: usize) -> &[(usize, f64)] {
        let start = if column == 0 { 0 } else { self.ends[column - 1] };
        &self.entries[start..self.ends[column]]
    }
}

/// Factors of a square matrix. A singular matrix gives solutions that are not finite.
#[derive(Clone, Debug, Default)]
pub(crate) struct SparseLu {
    /// The columns in the order of elimination, and the row of each pivot.
    order: Vec<usize>,
    pivot_rows: Vec<usize>,
    /// The pivot that a row has.
    pivot_of: Vec<usize>,
    pivots: Vec<f64>,
    /// By pivot: below it, by row; above it, by pivot.
    lower: Columns,
    upper: Columns,
    /// One column: its values by row, which rows it has, and which of its pivots are still to be looked at.
    work: Vec<f64>,
    taken: Vec<bool>,
    rows: Vec<usize>,
    pending: BinaryHeap<Reverse<usize>>,
    degree: Vec<usize>,
}

impl SparseLu {
    /// Factors the matrix of `n` rows whose `entries` of a column come as (row, value), each row once.
    pub fn factor<I: Iterator<Item = (usize, f64)>>(&mut self, n: usize, entries: impl Fn(usize) -> I) {
        self.degree.clear();
        self.degree.resize(n, 0);
        for column in 0..n {
            for (row, _) in entries(column) {
                self.degree[row] += 1;
                self.degree[column] += 1;
            }
        }
        self.order.clear();
        self.order.extend(0..n);
        let degree = &self.degree;
        self.order.sort_unstable_by_key(|&column| (degree[column], column));
        self.pivot_of.clear();
        self.pivot_of.resize(n, NONE);
        self.work.clear();
        self.work.resize(n, 0.0);
        self.taken.clear();
        self.taken.resize(n, false);
        self.pivot_rows.clear();
        self.pivots.clear();
        self.lower.clear();
        self.upper.clear();
        for k in 0..n {
            let column = self.order[k];
            entries(column).for_each(|(row, x)| self.add(row, x));
            while let Some(Reverse(p)) = self.pending.pop() {
                let x = self.work[self.pivot_rows[p]];
                self.upper.entries.push((p, x));
                let start = if p == 0 { 0 } else { self.lower.ends[p - 1] };
                for at in start..self.lower.ends[p] {
                    let (row, factor) = self.lower.entries[at];
                    self.add(row, -factor * x);
                }
            }
            self.upper.ends.push(self.upper.entries.len());
            self.take_pivot(column);
        }
    }

    /// Adds to an entry of the column at work.
    fn add(&mut self, row: usize, x: f64) {
        self.work[row] += x;
        if !self.taken[row] {
            self.taken[row] = true;
            self.rows.push(row);
            if self.pivot_of[row] != NONE {
                self.pending.push(Reverse(self.pivot_of[row]));
            }
        }
    }

    /// Chooses the pivot of the column at work, and stores what is below it.
    fn take_pivot(&mut self, column: usize) {
        let is_free = |row: &&usize| self.pivot_of[**row] == NONE;
        let size = |row: usize| self.work[row].abs();
        let largest = self.rows.iter().filter(is_free).fold(0.0, |most, &row| size(row).max(most));
        let on_diagonal = self.pivot_of[column] == NONE && size(column) >= DIAGONAL_PREFERENCE * largest;
        let found = if on_diagonal {
            Some(column)
        } else {
            self.rows.iter().filter(is_free).find(|r| size(**r) == largest).copied()
        };
        // Without any entry the matrix is singular: any row without a pivot serves.
        let row = found.or_else(|| self.pivot_of.iter().position(|&pivot| pivot == NONE)).unwrap_or(column);
        let pivot = self.work[row];
        for &below in self.rows.iter().filter(is_free).filter(|below| **below != row) {
            self.lower.entries.push((below, self.work[below] / pivot));
        }
        self.lower.ends.push(self.lower.entries.len());
        self.pivot_of[row] = self.pivots.len();
        self.pivot_rows.push(row);
        self.pivots.push(pivot);
        for row in self.rows.drain(..) {
            self.work[row] = 0.0;
            self.taken[row] = false;
        }
    }

    /// Solves for right sides one after the other, in place.
    pub fn solve(&mut self, sides: &mut [f64]) {
        let n = self.order.len();
        for side in sides.chunks_exact_mut(n.max(1)) {
            for k in 0..n {
                let x = side[self.pivot_rows[k]];
                self.work[k] = x;
                self.lower.of(k).iter().for_each(|&(row, factor)| side[row] -= factor * x);
            }
            for k in (0..n).rev() {
                let x = self.work[k] / self.pivots[k];
                self.upper.of(k).iter().for_each(|&(p, factor)| self.work[p] -= factor * x);
                side[self.order[k]] = x;
            }
        }
        self.work.fill(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear_algebra::Lu;

    /// Sparse columns of `n` rows with about `per_column` entries, seeded; chains where `chain` says so.
    fn matrix(n: usize, seed: u64, per_column: usize, chain: bool) -> Vec<Vec<(usize, f64)>> {
        let mut state = seed;
        let mut random = move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize
        };
        (0..n)
            .map(|column| {
                let mut rows: Vec<usize> = (0..per_column).map(|_| random() % n).collect();
                if chain {
                    rows = vec![(column + 1) % n];
                }
                // Some diagonals are missing.
                if !seed.is_multiple_of(3) || !column.is_multiple_of(5) || chain {
                    rows.push(column);
                }
                rows.sort_unstable();
                rows.dedup();
                rows.into_iter().map(|row| (row, (random() % 2000) as f64 / 1000.0 - 1.0)).collect()
            })
            .collect()
    }

    #[test]
    fn solves_what_the_dense_factors_solve() {
        let (mut sparse, mut dense) = (SparseLu::default(), Lu::default());
        for seed in 0..300_u64 {
            let n = 1 + (seed as usize * 7) % 60;
            let columns = matrix(n, seed, 4, seed.is_multiple_of(4));
            sparse.factor(n, |column| columns[column].iter().copied());
            let a = dense.start(n);
            columns.iter().enumerate().for_each(|(j, c)| c.iter().for_each(|&(i, x)| a[j * n + i] = x));
            dense.factor();
            let b: Vec<f64> = (0..n).map(|i| (i as f64 + 1.0).sin()).collect();
            let (mut x, mut expected) = (b.clone(), b.clone());
            sparse.solve(&mut x);
            dense.solve(&mut expected);
            let singular = expected.iter().any(|x| x.is_nan() || x.abs() >= 1e12);
            if singular {
                assert!(
                    x.iter().any(|x| x.is_nan() || x.abs() >= 1e9),
                    "seed {seed}: a singular matrix has a solution"
                );
                continue;
            }
            // The residual, by the size of the solution.
            let size = x.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
            let mut residual = b;
            columns.iter().zip(&x).for_each(|(c, x)| c.iter().for_each(|&(i, a)| residual[i] -= a * x));
            assert!(residual.iter().all(|r| r.abs() < 1e-12 * size), "seed {seed}");
        }
    }

    #[test]
    fn chains_rings_and_hubs_stay_sparse() {
        let n = 2000;
        let mut lu = SparseLu::default();
        let ring = matrix(n, 1, 0, true);
        lu.factor(n, |column| ring[column].iter().copied());
        assert!(lu.lower.entries.len() + lu.upper.entries.len() <= 3 * n);
        // The first row and column meet all others.
        let hub = |column: usize| {
            let rows: Vec<usize> = if column == 0 { (0..n).collect() } else { vec![0, column] };
            rows.into_iter().map(move |row| (row, if row == column { 2.0 } else { 1e-3 }))
        };
        lu.factor(n, hub);
        assert!(lu.lower.entries.len() + lu.upper.entries.len() <= 3 * n);
    }
}
