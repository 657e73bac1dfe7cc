//! Tests of `src/convex/linear_algebra/block_cholesky/dense.rs`.

use kinegraph_convex::choices::dense::MAX_UNBLOCKED_ROWS;
use kinegraph_convex::linear_algebra::Cholesky;
use proptest::prelude::*;

/// Number of entries of the largest matrix and its right side.
const MAX_ENTRIES: usize = 4 * MAX_UNBLOCKED_ROWS * MAX_UNBLOCKED_ROWS + 2 * MAX_UNBLOCKED_ROWS;

proptest! {
    /// `A x` gives b back, whatever the size and whatever stands in the upper triangle.
    #[test]
    fn solves_what_it_factors(
        n in 1..=2 * MAX_UNBLOCKED_ROWS,
        entries in prop::collection::vec(-1.0f64..1.0, MAX_ENTRIES),
    ) {
        let (square, b) = (&entries[..n * n], &entries[n * n..n * n + n]);
        let at = |i: usize, j: usize| {
            (0..n).map(|k| square[k * n + i] * square[k * n + j]).sum::<f64>() + if i == j { 0.5 } else { 0.0 }
        };
        let mut c = Cholesky::default();
        for (e, x) in c.start(n).iter_mut().enumerate() {
            *x = if e % n < e / n { f64::NAN } else { at(e % n, e / n) };
        }
        prop_assert!(c.factor());
        let mut x = b.to_vec();
        c.solve(&mut x);
        for (i, b) in b.iter().enumerate() {
            let product: f64 = (0..n).map(|j| at(i, j) * x[j]).sum();
            prop_assert!((product - b).abs() < 1e-11, "{product} for {b}");
        }
    }
}

#[test]
fn solves_a_known_system_and_refuses_an_indefinite_one() {
    let mut c = Cholesky::default();
    c.start(2).copy_from_slice(&[4.0, 2.0, f64::NAN, 3.0]); // the upper triangle is not read
    assert!(c.factor());
    let mut x = [10.0, 8.0];
    c.solve(&mut x);
    assert!((x[0] - 1.75).abs() < 1e-15 && (x[1] - 1.5).abs() < 1e-15);
    c.start(2).copy_from_slice(&[1.0, 2.0, 2.0, 1.0]);
    assert!(!c.factor());
    c.start(1).copy_from_slice(&[f64::NAN]);
    assert!(!c.factor());
}
