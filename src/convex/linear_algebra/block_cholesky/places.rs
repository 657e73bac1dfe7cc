//! Places of the blocks of an island's Hessian.

use super::pattern::Pattern;

/// The storage that a Hessian is written to.
#[derive(Clone, Copy, Debug)]
pub enum Places<'a> {
    /// One matrix, column major: the first row of each clique, and the number of rows.
    Dense(&'a [usize], usize),
    /// Blocks.
    Sparse(Pattern<'a>),
}

/// Place of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Offset of its first number.
    pub start: usize,
    /// Distance from one column to the next.
    pub stride: usize,
    /// True if its transpose is stored.
    pub transposed: bool,
}

impl Block {
    /// Offset of entry (`row`, `column`) of the block.
    #[inline]
    pub fn entry(&self, row: usize, column: usize) -> usize {
        let (row, column) = if self.transposed { (column, row) } else { (row, column) };
        self.start + column * self.stride + row
    }
}

impl Places<'_> {
    /// The block with the rows of clique `a` and the columns of clique `b` (numbers within the island). They must be
    /// coupled by the pattern.
    #[inline]
    pub fn block(&self, a: usize, b: usize) -> Block {
        match self {
            Places::Dense(first, n) => {
                let (low, high) = (first[a.min(b)], first[a.max(b)]);
                Block { start: low * n + high, stride: *n, transposed: a < b }
            }
            Places::Sparse(pattern) => {
                let (a, b) = (pattern.place[a] as usize, pattern.place[b] as usize);
                let (low, high) = (a.min(b), a.max(b));
                let transposed = a < b;
                if low >= pattern.columns {
                    let (start, n) = pattern.tail();
                    let row = |p: usize| (pattern.first[p] - pattern.first[pattern.columns]) as usize;
                    return Block { start: start + row(low) * n + row(high), stride: n, transposed };
                }
                if low == high {
                    let stride = pattern.size[low] as usize;
                    return Block { start: pattern.diagonal[low] as usize, stride, transposed };
                }
                let column = pattern.starts[low] as usize..pattern.starts[low + 1] as usize;
                let t = column.start + pattern.rows[column].partition_point(|&r| (r as usize) < high);
                debug_assert_eq!(pattern.rows[t] as usize, high);
                Block { start: pattern.blocks[t] as usize, stride: pattern.size[high] as usize, transposed }
            }
        }
    }
}
