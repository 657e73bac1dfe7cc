//! Redundant rows of rigid constraints: found, and taken out of the Jacobian.
//!
//! A loop whose axes are parallel has rows that none of its velocities changes, and a second bearing on one axis has
//! nothing else. The digits of a file, and those of π, leave such rows coefficients of 1e-17 to 1e-5. Redundancy is a
//! question of geometry, not of masses: each row is measured against its size if both of its bodies were free to move
//! by each velocity alone,
//!
//! ```text
//! f_ik = Σ over A and B of |v_k| + |w_k| max(|p|, r),   ρ_i = max_k f_ik,   c_k = max_i f_ik/ρ_i
//! J~_ik = J_ik/(ρ_i c_k),   G = J~ J~'
//! ```
//!
//! with v_k the velocity that velocity k gives to the centre of mass of a body, w_k its angular velocity, p the arm
//! from there to the held point, and r the radius of gyration. A factor of G with pivots finds the rows that depend on
//! others: those where no pivot above `REDUNDANT` is left. The null vectors N of the remainder span combinations of
//! rows that no motion changes. With
//!
//! ```text
//! J~ := (1 - N N') J~,   g~ := (1 - N N') g~
//! ```
//!
//! these rows exert no force in any method, nor do their violations g count: nothing can remove them.

use super::support::Support;
use crate::linear_algebra::DisjointSets;
use std::ops::Range;

/// Coefficients below this part of that scale are zero, for rounding, where rows depend on each other.
pub(super) const ROUNDING: f64 = 1e-12; // rounding

/// Rigid constraints that share velocities, with redundant combinations of rows.
#[derive(Clone, Debug)]
pub struct RedundantSet {
    /// A velocity that they share.
    pub velocity: usize,
    /// Number of independent combinations.
    pub rows: usize,
    /// Largest violation along one of them \[m, rad\].
    pub open: f64,
    /// Longest lever, or 1 rad, of one of them.
    pub lever: f64,
    pub(super) vectors: Range<usize>,
}

/// A combination of rows that no motion changes.
#[derive(Clone, Debug)]
pub(super) struct NullVector {
    /// Range of its entries.
    pub entries: Range<usize>,
    /// Combined violation of its rows, in their units \[m, rad\].
    pub violation: f64,
}

/// An entry of such a combination.
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
    /// Group with the weakest row that is not redundant, and its strength.
    pub weakest: Option<(usize, f64)>,
    pub vectors: Vec<NullVector>,
    pub entries: Vec<Entry>,
    pub sets: DisjointSets,
    /// Root and number of each group.
    pub order: Vec<(usize, usize)>,
    /// Scales of groups and of velocities.
    pub scales: Vec<f64>,
    pub columns: Vec<f64>,
    /// The rows of one set: group and axis.
    pub rows: Vec<(usize, usize)>,
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

/// Factors a symmetric matrix of order `n` with pivots. `order` becomes the order of rows, and the columns before the
/// returned rank those of the factor (in that order, column major, rows below).
pub(super) fn factor_with_pivots(a: &mut [f64], n: usize, order: &mut Vec<usize>, least: f64) -> usize {
    order.clear();
    order.extend(0..n);
    for k in 0..n {
        let largest = (k..n).fold(k, |best, i| if a[i * n + i] > a[best * n + best] { i } else { best });
        // Not-a-number is found by the solver.
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

/// Finds an orthonormal basis of the complement of the pivots before `rank`: `null`, vector after vector, in the order
/// of the rows.
pub(super) fn find_null_vectors(n: usize, rank: usize, work: &mut RedundantRows) {
    let RedundantRows { gram: l, pivots, null, .. } = work;
    null.clear();
    null.resize(n * (n - rank), 0.0);
    for (q, vector) in null.chunks_exact_mut(n).enumerate() {
        // (L11')^-1 of minus the row of L that belongs to the dependent row.
        vector[pivots[rank + q]] = 1.0;
        for i in (0..rank).rev() {
            let known: f64 = (i + 1..rank).map(|k| l[i * n + k] * vector[pivots[k]]).sum();
            vector[pivots[i]] = -(l[i * n + rank + q] + known) / l[i * n + i];
        }
    }
    for q in 0..n - rank {
        let (before, rest) = null.split_at_mut(q * n);
        let own = &mut rest[..n];
        // Twice, for rounding.
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
