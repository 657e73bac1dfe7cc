//! Redundant rows of rigid constraints: found, and taken out of the Jacobian.
//!
//! In a loop with parallel axes some rows depend on no velocity, and of a second bearing on one axis no row does. Where
//! such rows should be zero, the digits of a file, and those of π, leave coefficients of 1e-17 to 1e-5. Redundancy is a
//! question of geometry, not of masses. So row i is measured against its size if both of its bodies, A and B, were free
//! and moved by one velocity k at a time:
//!
//! ```text
//! f_ik = Σ over A and B of |v_k| + |w_k| max(|p|, r),   ρ_i = max_k f_ik,   c_k = max_i f_ik/ρ_i
//! J~_ik = J_ik/(ρ_i c_k),   G = J~ J~'
//! ```
//!
//! with v_k the velocity that velocity k gives to the centre of mass of a body, w_k its angular velocity, p the arm
//! from there to the held point, and r the radius of gyration. A Cholesky factorization of G with pivoting stops where
//! no pivot above `REDUNDANT` is left; the remaining rows depend on those before. The null vectors N of G are
//! combinations of rows that no motion changes. With
//!
//! ```text
//! J~ := (1 - N N') J~,   g~ := (1 - N N') g~
//! ```
//!
//! these combinations exert no force in any method. Their violations g do not count, since no motion can remove them.

use super::support::Support;
use crate::linear_algebra::DisjointSets;
use std::ops::Range;

/// Coefficients below this fraction of their scale are zero, where rows depend on each other.
pub(super) const ROUNDING: f64 = 1e-12; // rounding

/// A set of rigid constraints that share velocities and have redundant combinations of rows.
#[derive(Clone, Debug)]
pub struct RedundantSet {
    /// A velocity that they share.
    pub velocity: usize,
    /// Number of independent redundant combinations.
    pub rows: usize,
    /// Largest violation along one of these combinations \[m, rad\].
    pub open: f64,
    /// Largest scale of their rows: the longest lever \[m\], or 1 for rows of angles \[rad\].
    pub lever: f64,
    pub(super) vectors: Range<usize>,
}

/// A combination of rows that no motion changes.
#[derive(Clone, Debug)]
pub(super) struct NullVector {
    /// Range of its entries in [`RedundantRows::entries`].
    pub entries: Range<usize>,
    /// Combined violation of its rows, in their units \[m, rad\].
    pub violation: f64,
}

/// An entry of a null vector: one row and its weight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub group: usize,
    pub axis: usize,
    /// Weight of the row, in units of its own scale.
    pub weight: f64,
    pub scale: f64,
}

/// Combinations of rows that no motion changes; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct RedundantRows {
    pub sets_found: Vec<RedundantSet>,
    /// Group with the weakest row that is not redundant, and the motion of that row over its motion with free bodies.
    pub weakest: Option<(usize, f64)>,
    pub vectors: Vec<NullVector>,
    pub entries: Vec<Entry>,
    pub sets: DisjointSets,
    /// Root of the set of each rigid group, and the number of the group.
    pub order: Vec<(usize, usize)>,
    /// Scales ρ of groups, and c of velocities.
    pub scales: Vec<f64>,
    pub columns: Vec<f64>,
    /// The rows of one set: group and axis.
    pub rows: Vec<(usize, usize)>,
    /// G, then its factor; the order of its rows; and its null vectors.
    pub gram: Vec<f64>,
    pub pivots: Vec<usize>,
    pub null: Vec<f64>,
    /// Velocities of one set, and the products of null vectors with their columns.
    pub velocities: Vec<usize>,
    pub moved: Vec<f64>,
    pub support: Vec<Support>,
}

impl RedundantRows {
    pub fn clear(&mut self) {
        self.sets_found.clear();
        self.weakest = None;
        self.vectors.clear();
        self.entries.clear();
    }
}

/// Factors a symmetric matrix of order `n` by Cholesky's method with pivoting, as long as a pivot is at least `least`,
/// and returns the rank. `order` becomes the order of the rows. The first columns of `a`, up to the rank, become those
/// of the factor L in that order (column major, on and below the diagonal).
pub(super) fn factor_with_pivots(a: &mut [f64], n: usize, order: &mut Vec<usize>, least: f64) -> usize {
    order.clear();
    order.extend(0..n);
    for k in 0..n {
        let largest = (k..n).fold(k, |best, i| if a[i * n + i] > a[best * n + best] { i } else { best });
        // NaN passes here; the solver finds it.
        if a[largest * n + largest] < least {
            return k;
        }
        if largest != k {
            order.swap(k, largest);
            for i in 0..n {
                a.swap(k * n + i, largest * n + i);
            }
            for i in 0..n {
                a.swap(i * n + k, i * n + largest);
            }
        }
        let root = a[k * n + k].sqrt();
        a[k * n + k] = root;
        for i in k + 1..n {
            a[k * n + i] /= root;
        }
        for j in k + 1..n {
            let l = a[k * n + j];
            if l == 0.0 {
                continue;
            }
            for i in k + 1..n {
                a[j * n + i] -= a[k * n + i] * l;
            }
        }
    }
    n
}

/// Finds an orthonormal basis of the null space that the factor of rank `rank` leaves. `null` gets it vector after
/// vector, in the order that the rows had before pivoting.
pub(super) fn find_null_vectors(n: usize, rank: usize, work: &mut RedundantRows) {
    let RedundantRows { gram: l, pivots, null, .. } = work;
    null.clear();
    null.resize(n * (n - rank), 0.0);
    for (q, vector) in null.chunks_exact_mut(n).enumerate() {
        // `-(L11')^-1 l`, with l the row of L of the dependent row.
        vector[pivots[rank + q]] = 1.0;
        for i in (0..rank).rev() {
            let known: f64 = (i + 1..rank).map(|k| l[i * n + k] * vector[pivots[k]]).sum();
            vector[pivots[i]] = -(l[i * n + rank + q] + known) / l[i * n + i];
        }
    }
    for q in 0..n - rank {
        let (before, rest) = null.split_at_mut(q * n);
        let own = &mut rest[..n];
        // Twice, because of rounding.
        for _ in 0..2 {
            for other in before.chunks_exact(n) {
                let along: f64 = own.iter().zip(other).map(|(a, b)| a * b).sum();
                own.iter_mut().zip(other).for_each(|(a, b)| *a -= along * b);
            }
        }
        let length = own.iter().map(|x| x * x).sum::<f64>().sqrt();
        own.iter_mut().for_each(|x| *x /= length);
    }
}
