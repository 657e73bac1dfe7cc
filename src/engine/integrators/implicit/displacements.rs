//! Map from displacements of bodies to changes of positions: `δq = N δθ`, where N leads from velocities to rates of
//! positions.

use super::block_matrix::BlockMatrix;
use crate::integrators::couplings::Kind;
use kinegraph_convex::linear_algebra::Cholesky;

/// Displacements of one tree: its numbers in the state, and `(N'N)^-1 N'`; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Displacements {
    positions: Vec<usize>,
    velocities: Vec<usize>,
    /// N, one velocity after the other.
    rates: Vec<f64>,
    gram: Cholesky,
    /// `(N'N)^-1 N'`, one position after the other.
    inverse: Vec<f64>,
}

impl Displacements {
    /// Finds the map of the tree whose numbers are `members`; N is in the matrix.
    pub fn find(&mut self, matrix: &mut BlockMatrix, members: &[usize], kinds: &[Kind]) {
        let Displacements { positions, velocities, rates, gram, inverse } = self;
        let of = |kind: Kind| members.iter().copied().filter(move |&i| kinds[i] == kind);
        positions.clear();
        positions.extend(of(Kind::Position));
        velocities.clear();
        velocities.extend(of(Kind::Velocity));
        rates.clear();
        for &v in velocities.iter() {
            rates.extend(positions.iter().map(|&q| *matrix.entry(q, v)));
        }
        let (count, n) = (positions.len(), velocities.len());
        let column = |v: usize| &rates[v * count..(v + 1) * count];
        let g = gram.start(n);
        for i in 0..n {
            for j in 0..=i {
                g[j * n + i] = column(i).iter().zip(column(j)).map(|(a, b)| a * b).sum();
            }
            // Locked joints move nothing.
            if g[i * n + i] == 0.0 {
                g[i * n + i] = 1.0;
            }
        }
        inverse.clear();
        if gram.factor() {
            for q in 0..count {
                let start = inverse.len();
                inverse.extend((0..n).map(|v| column(v)[q]));
                gram.solve(&mut inverse[start..]);
            }
        } else {
            inverse.resize(n * count, f64::NAN);
        }
    }

    /// Adds to the matrix the derivatives of the accelerations of the velocities among `rows` by displacements and by
    /// velocities of the tree: blocks, column by column.
    pub fn add(
        &self,
        matrix: &mut BlockMatrix,
        rows: &[usize],
        kinds: &[Kind],
        by_displacement: &[f64],
        by_velocity: &[f64],
    ) {
        let n = self.velocities.len();
        let rows = || rows.iter().copied().filter(|&i| kinds[i] == Kind::Velocity);
        let count = by_velocity.len() / n.max(1);
        for (&v, column) in self.velocities.iter().zip(by_velocity.chunks_exact(count.max(1))) {
            rows().zip(column).for_each(|(row, value)| *matrix.entry(row, v) += value);
        }
        for (&q, parts) in self.positions.iter().zip(self.inverse.chunks_exact(n.max(1))) {
            for (part, column) in parts.iter().zip(by_displacement.chunks_exact(count.max(1))) {
                if *part != 0.0 {
                    rows().zip(column).for_each(|(row, value)| *matrix.entry(row, q) += part * value);
                }
            }
        }
    }
}
