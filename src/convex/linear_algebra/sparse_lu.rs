//! Sparse LU factorization with row exchanges, in memory that is kept.
//!
//! Left-looking: a column is solved with the columns of L before it that reach it, in the order of their pivots
//! \[Gilbert & Peierls 1988\]. The pivot is the entry of the diagonal, unless a tenth of the largest is more. Columns
//! with few entries come first: chains and trees stay sparse so, and a row or column that meets all others comes last.

use crate::choices::sparse_lu::DIAGONAL_PREFERENCE;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Marks a missing pivot.
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
pub struct SparseLu {
    /// Columns in the order of elimination, and the row of each pivot.
    order: Vec<usize>,
    pivot_rows: Vec<usize>,
    /// Pivot of each row.
    pivot_of: Vec<usize>,
    pivots: Vec<f64>,
    /// By pivot: below it, by row; above it, by pivot.
    lower: Columns,
    upper: Columns,
    /// One column: its values by row, its rows, and those of its pivots that remain to be processed.
    work: Vec<f64>,
    taken: Vec<bool>,
    rows: Vec<usize>,
    pending: BinaryHeap<Reverse<usize>>,
    degree: Vec<usize>,
}

impl SparseLu {
    /// Number of entries of the factors besides the pivots.
    pub fn entries(&self) -> usize {
        self.lower.entries.len() + self.upper.entries.len()
    }

    /// Factors the matrix of `n` rows; `entries` returns a column as (row, value), each row once.
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

    /// Adds to an entry of the current column.
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

    /// Chooses the pivot of the current column, and stores the entries below it.
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
