//! Choice of coordinates in which the motion that is left is written.

use nalgebra::{DMatrix, DVector};

/// As many rows of `basis` as it has columns, that determine all others; those of the lowest `rank` first, of one rank
/// those that determine others well, then those that come first. Sorted.
pub(super) fn independent(basis: &DMatrix<f64>, rank: &[usize]) -> Vec<usize> {
    // Orthonormal columns: then the parts of rows are comparable.
    let orthonormal = basis.clone().qr().q();
    let mut ranks: Vec<Option<usize>> = rank.iter().copied().map(Some).collect();
    ranks.sort_unstable();
    ranks.dedup();
    // formula: a row counts if this part of it is new; the largest possible is 1
    let by_rank = ranks.into_iter().flat_map(|rank| [0.3, 0.03, 1e-3].map(|part| (rank, part)));
    let of_any_rank = [1e-6, 0.0].map(|part| (None, part));
    let (mut chosen, mut directions): (Vec<usize>, Vec<DVector<f64>>) = Default::default();
    for (of, threshold) in by_rank.chain(of_any_rank) {
        for (i, own) in rank.iter().enumerate() {
            if chosen.len() == basis.ncols() {
                break;
            }
            if chosen.contains(&i) || of.is_some_and(|of| of != *own) {
                continue;
            }
            let mut rest = orthonormal.row(i).transpose();
            for _ in 0..2 {
                directions.iter().for_each(|known| rest -= known * known.dot(&rest));
            }
            let size = rest.norm();
            if size > threshold {
                chosen.push(i);
                directions.push(rest / size);
            }
        }
    }
    chosen.sort_unstable();
    chosen
}

/// The columns of `basis` combined so that the rows `chosen` are the identity; `None` if these are not independent.
pub(super) fn by_rows(basis: &DMatrix<f64>, chosen: &[usize]) -> Option<DMatrix<f64>> {
    basis.select_rows(chosen).try_inverse()
}
