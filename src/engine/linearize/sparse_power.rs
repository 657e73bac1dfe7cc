//! Powers of a sparse matrix, for bounds on its eigenvalues.

use crate::choices::sparse_power::MAX_FILL;

/// A square matrix by columns; keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct SparsePower {
    ends: Vec<usize>,
    pub entries: Vec<(usize, f64)>,
    next_ends: Vec<usize>,
    next: Vec<(usize, f64)>,
    /// One column: its values and rows.
    work: Vec<f64>,
    taken: Vec<bool>,
    rows: Vec<usize>,
    sums: Vec<f64>,
}

impl SparsePower {
    /// Starts with a matrix by its columns.
    pub fn start<I: Iterator<Item = (usize, f64)>>(&mut self, columns: impl Iterator<Item = I>) {
        self.ends.clear();
        self.entries.clear();
        for column in columns {
            self.entries.extend(column);
            self.ends.push(self.entries.len());
        }
    }

    fn column(&self, column: usize) -> std::ops::Range<usize> {
        (if column == 0 { 0 } else { self.ends[column - 1] })..self.ends[column]
    }

    /// Largest row sum; not-a-number where the matrix has one.
    pub fn norm(&mut self) -> f64 {
        self.sums.clear();
        self.sums.resize(self.ends.len(), 0.0);
        self.entries.iter().for_each(|&(row, x)| self.sums[row] += x.abs());
        self.sums.iter().fold(0.0, |most, &sum| if sum <= most { most } else { sum })
    }

    /// Replaces the matrix by its square. `false`, with the matrix unchanged, if that has too many entries.
    pub fn square(&mut self) -> bool {
        let n = self.ends.len();
        self.work.clear();
        self.work.resize(n, 0.0);
        self.taken.clear();
        self.taken.resize(n, false);
        self.next.clear();
        self.next_ends.clear();
        let most = MAX_FILL * self.entries.len();
        for column in 0..n {
            for at in self.column(column) {
                let (middle, x) = self.entries[at];
                for inner in self.column(middle) {
                    let (row, factor) = self.entries[inner];
                    self.work[row] += factor * x;
                    if !std::mem::replace(&mut self.taken[row], true) {
                        self.rows.push(row);
                    }
                }
            }
            for row in self.rows.drain(..) {
                self.taken[row] = false;
                self.next.push((row, std::mem::take(&mut self.work[row])));
            }
            self.next_ends.push(self.next.len());
            if self.next.len() > most {
                return false;
            }
        }
        std::mem::swap(&mut self.ends, &mut self.next_ends);
        std::mem::swap(&mut self.entries, &mut self.next);
        true
    }
}
