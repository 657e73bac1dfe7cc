//! Products of Jacobians, `J_b' (G J_a)`, added to a block of a Hessian, for bodies in trees of several.

use crate::linear_algebra::Block;

/// Number of columns of a Jacobian that are multiplied together.
const LANES: usize = 4; // size
/// Number of columns of the other Jacobian whose products are ready for them.
const READY: usize = 16; // size

/// Block to which products are added.
#[derive(Clone, Copy)]
pub(super) struct Target {
    pub block: Block,
    /// True if it couples a clique with itself: then only the lower triangle is read.
    pub own: bool,
}

impl Target {
    #[inline(always)]
    fn add(&self, i: usize, j: usize, x: f64, h: &mut [f64]) {
        let (row, column) = if self.block.transposed { (j, i) } else { (i, j) };
        if !self.own || row >= column {
            h[self.block.start + column * self.block.stride + row] += x;
        }
    }

    /// True if rows `from` to `to` of column `j` are not read.
    #[inline(always)]
    fn skips(&self, from: usize, to: usize, j: usize) -> bool {
        self.own && if self.block.transposed { j < from } else { to < j }
    }
}

/// Adds `G J_a`, whose columns are given, to the rows of a free body.
#[inline(always)]
pub(super) fn add_rows(columns: impl Iterator<Item = (usize, [f64; 6])>, target: Target, h: &mut [f64]) {
    for (j, x) in columns {
        (0..6).for_each(|i| target.add(i, j, x[i], h));
    }
}

/// Adds `J_b' (G J_a)`, by a few columns of J_b at a time. `rows` are the columns of J_b, in the order of their
/// velocities; `columns` are those of `G J_a`.
#[inline(always)]
pub(super) fn add_products<const D: usize>(
    rows: impl Iterator<Item = (usize, [f64; D])> + Clone,
    mut columns: impl Iterator<Item = (usize, [f64; D])>,
    target: Target,
    h: &mut [f64],
) {
    loop {
        let (mut ready, mut count) = ([(0, [0.0; D]); READY], 0);
        for column in columns.by_ref().take(READY) {
            ready[count] = column;
            count += 1;
        }
        let mut rows = rows.clone();
        loop {
            let (mut index, mut lanes, mut filled) = ([0; LANES], [[0.0; LANES]; D], 0);
            for (i, row) in rows.by_ref().take(LANES) {
                index[filled] = i;
                (0..D).for_each(|k| lanes[k][filled] = row[k]);
                filled += 1;
            }
            let Some(&last) = index[..filled].last() else { break };
            for (j, x) in &ready[..count] {
                if target.skips(index[0], last, *j) {
                    continue;
                }
                let mut sum = lanes[0].map(|row| row * x[0]);
                for k in 1..D {
                    (0..LANES).for_each(|l| sum[l] += lanes[k][l] * x[k]);
                }
                index[..filled].iter().zip(sum).for_each(|(&i, sum)| target.add(i, *j, sum, h));
            }
            if filled < LANES {
                break;
            }
        }
        if count < READY {
            return;
        }
    }
}
