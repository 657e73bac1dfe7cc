//! A square matrix J that is block diagonal once its rows and columns are reordered, and the factors of `I - s J`.
//!
//! In a block the positions q come first, part by part, then the other rows v; a part is a kinematic tree of a plant.
//! The rates of positions depend on the positions and velocities of their own part alone, so positions are eliminated
//! before anything large is factored. P, N, D and Y have entries within parts only:
//!
//! ```text
//! J = [P N; F G],   D = I - s P,   Y = D^-1 N
//! S = I - s G - s² F Y
//! (I - s J) [q; v] = [a; b]:   c = D^-1 a,   S v = b + s F c,   q = c + s Y v
//! ```
//!
//! A large block without positions that is mostly empty (a chain of ten thousand lags) is stored sparsely: each column
//! has only the rows that it reaches, and the factors are sparse.

use crate::linearize::Sparsity;
use kinegraph_convex::linear_algebra::{Lu, SparseLu};
use std::ops::Range;

/// One block on the diagonal.
#[derive(Clone, Debug)]
struct Block {
    /// Range of its rows in [`BlockMatrix::members`].
    members: Range<usize>,
    /// Number of positions, which are the first of these rows.
    positions: usize,
    /// Range of the parts in [`BlockMatrix::parts`] that the positions belong to.
    parts: Range<usize>,
    /// Offset of its values in [`BlockMatrix::values`]; they stand column by column.
    start: usize,
    /// Number of its first column among all sparse columns; `None` if the block is dense.
    sparse: Option<usize>,
}

/// A part that has positions. Ranges are places of rows within the block.
#[derive(Clone, Debug)]
struct Part {
    positions: Range<usize>,
    /// The other rows of the part.
    rest: Range<usize>,
}

/// The matrix J. It reuses its memory.
#[derive(Clone, Debug, Default)]
pub struct BlockMatrix {
    /// Rows, block by block.
    members: Vec<usize>,
    blocks: Vec<Block>,
    parts: Vec<Part>,
    /// Block of each row, and its place in it.
    places: Vec<(usize, usize)>,
    pub values: Vec<f64>,
    /// For all sparse columns: the places of their rows within the block, in order, and the end of each column in that
    /// list.
    sparse_rows: Vec<usize>,
    sparse_ends: Vec<usize>,
    /// Scratch: the rows that a column reaches.
    reached: Vec<usize>,
    /// Target of writes outside of the pattern.
    outside: f64,
}

impl BlockMatrix {
    /// Sets the pattern, and all values to zero. Rows with the same number in `block_of` are in the same block.
    /// `position` returns the part of a row: `Ok` if the row is a position, else `Err`. `reach` appends to a list the
    /// rows in which a column may have entries; it is called only for large blocks without positions.
    pub fn start(
        &mut self,
        block_of: &[usize],
        position: impl Fn(usize) -> Result<usize, usize>,
        reach: impl Fn(usize, &mut Vec<usize>),
    ) {
        let part_of = |i: usize| position(i).unwrap_or_else(|part| part);
        self.members.clear();
        self.members.extend(0..block_of.len());
        self.members.sort_unstable_by_key(|&i| (block_of[i], position(i).is_err(), part_of(i), i));
        self.places.clear();
        self.places.resize(block_of.len(), (0, 0));
        self.blocks.clear();
        self.parts.clear();
        self.sparse_rows.clear();
        self.sparse_ends.clear();
        let (mut begin, mut start) = (0, 0);
        while begin < self.members.len() {
            let of_block = |i: &&usize| block_of[**i] == block_of[self.members[begin]];
            let n = self.members[begin..].iter().take_while(of_block).count();
            let rows = &self.members[begin..begin + n];
            let positions = rows.iter().take_while(|i| position(**i).is_ok()).count();
            let (first, mut at) = (self.parts.len(), 0);
            while at < positions {
                let part = part_of(rows[at]);
                let end = at + rows[at..positions].iter().take_while(|i| part_of(**i) == part).count();
                let rest = positions + rows[positions..].partition_point(|i| part_of(*i) < part);
                let rest = rest..rest + rows[rest..].iter().take_while(|i| part_of(**i) == part).count();
                self.parts.push(Part { positions: at..end, rest });
                at = end;
            }
            rows.iter().enumerate().for_each(|(place, &row)| self.places[row] = (self.blocks.len(), place));
            let (members, parts) = (begin..begin + n, first..self.parts.len());
            let sparse = if positions == 0 { self.sparse_columns(members.clone(), &reach) } else { None };
            let size = sparse.map_or(n * n, |first| self.sparse_rows.len() - self.sparse_start(first));
            self.blocks.push(Block { members, positions, parts, start, sparse });
            (begin, start) = (begin + n, start + size);
        }
        self.values.clear();
        self.values.resize(start, 0.0);
    }

    /// Adds sparse columns for a block of these members, if it is large and mostly empty, and returns the number of the
    /// first; `None` if the block is to be dense. The places of the members must be set before.
    fn sparse_columns(&mut self, members: Range<usize>, reach: &impl Fn(usize, &mut Vec<usize>)) -> Option<usize> {
        let sparsity = Sparsity::default();
        let n = members.len();
        if n <= sparsity.max_dense_rows {
            return None;
        }
        let (first, rows_before) = (self.sparse_ends.len(), self.sparse_rows.len());
        let most = n * n / sparsity.empty_per_entry;
        for &column in &self.members[members] {
            self.reached.clear();
            // The matrix that is factored, `I - s J`, has a diagonal.
            self.reached.push(column);
            reach(column, &mut self.reached);
            self.reached.iter_mut().for_each(|row| *row = self.places[*row].1);
            self.reached.sort_unstable();
            self.reached.dedup();
            self.sparse_rows.extend_from_slice(&self.reached);
            self.sparse_ends.push(self.sparse_rows.len());
            if self.sparse_rows.len() - rows_before >= most {
                self.sparse_rows.truncate(rows_before);
                self.sparse_ends.truncate(first);
                return None;
            }
        }
        Some(first)
    }

    /// Offset of the rows of a sparse column.
    fn sparse_start(&self, column: usize) -> usize {
        if column == 0 { 0 } else { self.sparse_ends[column - 1] }
    }

    /// Entry to write to. Its row and column must be in the same block, and in the pattern.
    pub fn entry(&mut self, row: usize, column: usize) -> &mut f64 {
        let ((block, i), (other, j)) = (self.places[row], self.places[column]);
        debug_assert_eq!(block, other, "row {row} and column {column} are not connected");
        let Block { members, start, sparse, .. } = &self.blocks[block];
        let Some(first) = *sparse else { return &mut self.values[start + j * members.len() + i] };
        let rows = self.sparse_start(first + j)..self.sparse_ends[first + j];
        let values = start + rows.start - self.sparse_start(first);
        match self.sparse_rows[rows].binary_search(&i) {
            Ok(place) => &mut self.values[values + place],
            Err(_) => {
                debug_assert!(false, "row {row} and column {column} are not connected");
                &mut self.outside
            }
        }
    }

    /// Entries of a column of a sparse block, as (place of the row, value).
    fn sparse_column(&self, block: &Block, first: usize, column: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let rows = self.sparse_start(first + column)..self.sparse_ends[first + column];
        let values = block.start + rows.start - self.sparse_start(first);
        let values = &self.values[values..values + rows.len()];
        self.sparse_rows[rows].iter().copied().zip(values.iter().copied())
    }

    /// The blocks, each as its number of positions and its matrix.
    pub fn blocks(&self) -> impl Iterator<Item = (usize, Values<'_>)> {
        self.blocks.iter().map(|block| {
            let n = block.members.len();
            let values = match block.sparse {
                Some(first) => Values::Sparse(SparseBlock { matrix: self, block, first }),
                None => Values::Dense(n, &self.values[block.start..block.start + n * n]),
            };
            (block.positions, values)
        })
    }

    /// True if all entries are finite.
    pub fn is_finite(&self) -> bool {
        self.values.iter().all(|x| x.is_finite())
    }

    /// Entries of a column of a dense block, in the rows of a range.
    fn column(&self, block: &Block, column: usize, rows: Range<usize>) -> &[f64] {
        let start = block.start + column * block.members.len();
        &self.values[start + rows.start..start + rows.end]
    }
}

/// The matrix of a block.
pub enum Values<'a> {
    /// Number of rows; all entries, column by column.
    Dense(usize, &'a [f64]),
    /// A sparse block, with the entries of its pattern.
    Sparse(SparseBlock<'a>),
}

/// A block that is sparse.
pub struct SparseBlock<'a> {
    matrix: &'a BlockMatrix,
    block: &'a Block,
    first: usize,
}

impl SparseBlock<'_> {
    /// Entries of each column, as (place of the row in the block, value).
    pub fn columns(&self) -> impl ExactSizeIterator<Item = impl Iterator<Item = (usize, f64)>> {
        (0..self.block.members.len()).map(|column| self.matrix.sparse_column(self.block, self.first, column))
    }
}

/// Factors of `I - s J`. They reuse their memory.
#[derive(Clone, Debug, Default)]
pub struct Factors {
    /// Factors of S, block by block, and of D, part by part.
    blocks: Vec<Lu>,
    parts: Vec<Lu>,
    /// Factors of sparse blocks, one after the other.
    sparse: Vec<SparseLu>,
    /// Values of Y, part by part, and the offset of each part.
    followers: Vec<f64>,
    starts: Vec<usize>,
    /// The s that the factors were computed for; `None` if the matrix has changed since.
    of: Option<f64>,
    local: Vec<f64>,
}

impl Factors {
    /// Marks the factors as outdated, since the matrix has changed.
    pub fn forget(&mut self) {
        self.of = None;
    }

    /// Factors `I - s J`, unless these factors are up to date. Returns whether it had to.
    pub fn factor(&mut self, s: f64, matrix: &BlockMatrix) -> bool {
        if self.of == Some(s) {
            return false;
        }
        for (factors, count) in [(&mut self.blocks, matrix.blocks.len()), (&mut self.parts, matrix.parts.len())] {
            if factors.len() < count {
                factors.resize_with(count, Lu::default);
            }
        }
        self.followers.clear();
        self.starts.clear();
        let mut sparse = 0;
        for (block, lu) in matrix.blocks.iter().zip(&mut self.blocks) {
            let (first, end) = (block.positions, block.members.len());
            if let Some(column) = block.sparse {
                if self.sparse.len() == sparse {
                    self.sparse.push(SparseLu::default());
                }
                self.sparse[sparse].factor(end, |j| {
                    let entries = matrix.sparse_column(block, column, j);
                    entries.map(move |(i, x)| (i, if i == j { 1.0 - s * x } else { -s * x }))
                });
                sparse += 1;
                continue;
            }
            let size = end - first;
            let reduced = lu.start(size);
            set_shifted(reduced, s, (first..end).map(|column| matrix.column(block, column, first..end)));
            for (number, part) in block.parts.clone().zip(&matrix.parts[block.parts.clone()]) {
                let (positions, rest) = (part.positions.clone(), part.rest.clone());
                let moved = &mut self.parts[number];
                let columns = positions.clone().map(|column| matrix.column(block, column, positions.clone()));
                set_shifted(moved.start(positions.len()), s, columns);
                moved.factor();
                let start = self.followers.len();
                self.starts.push(start);
                for column in rest.clone() {
                    self.followers.extend_from_slice(matrix.column(block, column, positions.clone()));
                }
                moved.solve(&mut self.followers[start..]);
                let followers = self.followers[start..].chunks_exact(positions.len());
                for (column, follower) in rest.zip(followers) {
                    let to = &mut reduced[(column - first) * size..][..size];
                    for (position, y) in positions.clone().zip(follower).filter(|(_, y)| **y != 0.0) {
                        add(to, -s * s * y, matrix.column(block, position, first..end));
                    }
                }
            }
            lu.factor();
        }
        self.of = Some(s);
        true
    }

    /// Solves `(I - s J) y = x` with the factors, and writes y to `x`. A singular matrix gives numbers that are not
    /// finite.
    pub fn solve(&mut self, matrix: &BlockMatrix, x: &mut [f64]) {
        let s = self.of.unwrap_or(0.0);
        let mut sparse = self.sparse.iter_mut();
        for (block, lu) in matrix.blocks.iter().zip(&mut self.blocks) {
            let members = &matrix.members[block.members.clone()];
            self.local.clear();
            self.local.extend(members.iter().map(|&i| x[i]));
            if block.sparse.is_some() {
                if let Some(lu) = sparse.next() {
                    lu.solve(&mut self.local);
                }
                members.iter().zip(&self.local).for_each(|(&i, value)| x[i] = *value);
                continue;
            }
            let (first, end) = (block.positions, members.len());
            let (positions, rest) = self.local.split_at_mut(first);
            for (number, part) in block.parts.clone().zip(&matrix.parts[block.parts.clone()]) {
                let own = &mut positions[part.positions.clone()];
                self.parts[number].solve(own);
                for (column, c) in part.positions.clone().zip(own.iter()) {
                    add(rest, s * c, matrix.column(block, column, first..end));
                }
            }
            lu.solve(rest);
            for (number, part) in block.parts.clone().zip(&matrix.parts[block.parts.clone()]) {
                let own = &mut positions[part.positions.clone()];
                let followers = self.followers[self.starts[number]..].chunks_exact(own.len());
                for (column, follower) in part.rest.clone().zip(followers) {
                    add(own, s * rest[column - first], follower);
                }
            }
            members.iter().zip(&self.local).for_each(|(&i, value)| x[i] = *value);
        }
    }
}

/// Sets `to` to `I - s J`, for a square matrix J given by its columns.
fn set_shifted<'a>(to: &mut [f64], s: f64, columns: impl ExactSizeIterator<Item = &'a [f64]>) {
    let n = columns.len();
    for (j, (to, from)) in to.chunks_exact_mut(n.max(1)).zip(columns).enumerate() {
        to.iter_mut().zip(from).for_each(|(to, value)| *to = -s * value);
        to[j] += 1.0;
    }
}

/// `to += factor from`
fn add(to: &mut [f64], factor: f64, from: &[f64]) {
    to.iter_mut().zip(from).for_each(|(to, x)| *to += factor * x);
}
