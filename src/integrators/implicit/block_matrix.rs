//! A square matrix that is zero outside blocks on its diagonal, up to the order of its rows, and factors of `I - s J`.

use crate::linear_algebra::Lu;
use std::ops::Range;

/// The matrix; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockMatrix {
    /// Rows, block by block.
    members: Vec<usize>,
    blocks: Vec<Range<usize>>,
    /// Block and place in it of each row.
    places: Vec<(usize, usize)>,
    /// Where the values of each block begin, column by column.
    starts: Vec<usize>,
    values: Vec<f64>,
}

impl BlockMatrix {
    /// Makes it zero, with rows that are in the same block if `block_of` says so.
    pub fn start(&mut self, block_of: &[usize]) {
        self.members.clear();
        self.members.extend(0..block_of.len());
        self.members.sort_unstable_by_key(|&i| (block_of[i], i));
        self.blocks.clear();
        self.places.clear();
        self.places.resize(block_of.len(), (0, 0));
        self.starts.clear();
        let mut values = 0;
        for (at, &row) in self.members.iter().enumerate() {
            let begins = at == 0 || block_of[self.members[at - 1]] != block_of[row];
            if begins {
                self.blocks.push(at..at);
            }
            let block = self.blocks.len() - 1;
            self.blocks[block].end = at + 1;
            self.places[row] = (block, at - self.blocks[block].start);
        }
        for block in &self.blocks {
            self.starts.push(values);
            values += block.len() * block.len();
        }
        self.values.clear();
        self.values.resize(values, 0.0);
    }

    /// An entry, of the same block.
    pub fn entry(&mut self, row: usize, column: usize) -> &mut f64 {
        let ((block, i), (other, j)) = (self.places[row], self.places[column]);
        debug_assert_eq!(block, other, "row {row} and column {column} are not connected");
        &mut self.values[self.starts[block] + j * self.blocks[block].len() + i]
    }

    /// Whether all entries are finite.
    pub fn is_finite(&self) -> bool {
        self.values.iter().all(|x| x.is_finite())
    }

    fn blocks(&self) -> impl Iterator<Item = (&[usize], &[f64])> {
        self.blocks.iter().zip(&self.starts).map(|(range, &start)| {
            let n = range.len();
            (&self.members[range.clone()], &self.values[start..start + n * n])
        })
    }
}

/// Factors of `I - s J`; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Factors {
    blocks: Vec<Lu>,
    /// s, if the factors are those of the matrix as it is.
    of: Option<f64>,
    part: Vec<f64>,
}

impl Factors {
    /// The matrix has changed.
    pub fn forget(&mut self) {
        self.of = None;
    }

    /// Factors `I - s J` for the matrix J, unless that is done. Whether there was anything to do.
    pub fn factor(&mut self, s: f64, matrix: &BlockMatrix) -> bool {
        if self.of == Some(s) {
            return false;
        }
        if self.blocks.len() < matrix.blocks.len() {
            self.blocks.resize_with(matrix.blocks.len(), Lu::default);
        }
        for (lu, (members, values)) in self.blocks.iter_mut().zip(matrix.blocks()) {
            let n = members.len();
            let to = lu.start(n);
            to.iter_mut().zip(values).for_each(|(to, value)| *to = -s * value);
            to.iter_mut().step_by(n + 1).for_each(|diagonal| *diagonal += 1.0);
            lu.factor();
        }
        self.of = Some(s);
        true
    }

    /// Solves in place. What is singular gives numbers that are not finite.
    pub fn solve(&mut self, matrix: &BlockMatrix, x: &mut [f64]) {
        for (lu, (members, _)) in self.blocks.iter_mut().zip(matrix.blocks()) {
            self.part.clear();
            self.part.extend(members.iter().map(|&i| x[i]));
            lu.solve(&mut self.part);
            members.iter().zip(&self.part).for_each(|(&i, value)| x[i] = *value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_solved_by_themselves() {
        let mut matrix = BlockMatrix::default();
        // Rows 0 and 2 belong together, 1 is alone.
        matrix.start(&[5, 1, 5]);
        *matrix.entry(0, 0) = -1.0;
        *matrix.entry(0, 2) = 4.0;
        *matrix.entry(2, 2) = -3.0;
        *matrix.entry(1, 1) = -9.0;
        let mut factors = Factors::default();
        assert!(factors.factor(0.5, &matrix) && !factors.factor(0.5, &matrix));
        // [1.5 -2; 0 2.5] and 5.5.
        let mut x = [-0.5, 11.0, 2.5];
        factors.solve(&matrix, &mut x);
        assert_eq!(x, [1.0, 2.0, 1.0]);
    }
}
