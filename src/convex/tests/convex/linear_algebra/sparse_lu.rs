//! Tests of `src/convex/linear_algebra/sparse_lu.rs`.

use kinegraph_convex::linear_algebra::{Lu, SparseLu};

/// Sparse columns of `n` rows with about `per_column` entries, seeded; chains where `chain` says so.
fn matrix(n: usize, seed: u64, per_column: usize, chain: bool) -> Vec<Vec<(usize, f64)>> {
    let mut state = seed;
    let mut random = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize
    };
    (0..n)
        .map(|column| {
            let mut rows: Vec<usize> = (0..per_column).map(|_| random() % n).collect();
            if chain {
                rows = vec![(column + 1) % n];
            }
            // Some diagonals are missing.
            if !seed.is_multiple_of(3) || !column.is_multiple_of(5) || chain {
                rows.push(column);
            }
            rows.sort_unstable();
            rows.dedup();
            rows.into_iter().map(|row| (row, (random() % 2000) as f64 / 1000.0 - 1.0)).collect()
        })
        .collect()
}

#[test]
fn solves_what_the_dense_factors_solve() {
    let (mut sparse, mut dense) = (SparseLu::default(), Lu::default());
    for seed in 0..300_u64 {
        let n = 1 + (seed as usize * 7) % 60;
        let columns = matrix(n, seed, 4, seed.is_multiple_of(4));
        sparse.factor(n, |column| columns[column].iter().copied());
        let a = dense.start(n);
        columns.iter().enumerate().for_each(|(j, c)| c.iter().for_each(|&(i, x)| a[j * n + i] = x));
        dense.factor();
        let b: Vec<f64> = (0..n).map(|i| (i as f64 + 1.0).sin()).collect();
        let (mut x, mut expected) = (b.clone(), b.clone());
        sparse.solve(&mut x);
        dense.solve(&mut expected);
        let singular = expected.iter().any(|x| x.is_nan() || x.abs() >= 1e12);
        if singular {
            assert!(x.iter().any(|x| x.is_nan() || x.abs() >= 1e9), "seed {seed}: a singular matrix has a solution");
            continue;
        }
        // The residual, by the size of the solution.
        let size = x.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
        let mut residual = b;
        columns.iter().zip(&x).for_each(|(c, x)| c.iter().for_each(|&(i, a)| residual[i] -= a * x));
        assert!(residual.iter().all(|r| r.abs() < 1e-12 * size), "seed {seed}");
    }
}

#[test]
fn chains_rings_and_hubs_stay_sparse() {
    let n = 2000;
    let mut lu = SparseLu::default();
    let ring = matrix(n, 1, 0, true);
    lu.factor(n, |column| ring[column].iter().copied());
    assert!(lu.entries() <= 3 * n);
    // The first row and column meet all others.
    let hub = |column: usize| {
        let rows: Vec<usize> = if column == 0 { (0..n).collect() } else { vec![0, column] };
        rows.into_iter().map(move |row| (row, if row == column { 2.0 } else { 1e-3 }))
    };
    lu.factor(n, hub);
    assert!(lu.entries() <= 3 * n);
}
