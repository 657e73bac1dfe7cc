//! Gaussian elimination in place.

use kinegraph_diagram::algebraic::Elimination;
use proptest::prelude::*;

proptest! {
    #[test]
    fn the_solution_solves(n in 1_usize..6, entries in prop::collection::vec(-1.0..1.0f64, 36), x in prop::collection::vec(-1.0..1.0f64, 6)) {
        let mut e = Elimination::default();
        e.reset(n);
        e.matrix.copy_from_slice(&entries[..n * n]);
        let a = e.matrix.clone();
        let mut b: Vec<f64> = (0..n).map(|i| (0..n).map(|j| a[j * n + i] * x[j]).sum()).collect();
        prop_assume!(e.factor());
        let b0 = b.clone();
        e.solve(&mut b);
        // The residual is small whatever the condition of the matrix.
        let size = b.iter().fold(1.0_f64, |a, x| a.max(x.abs()));
        for i in 0..n {
            let sum: f64 = (0..n).map(|j| a[j * n + i] * b[j]).sum();
            prop_assert!((sum - b0[i]).abs() < 1e-12 * size);
        }
    }
}

#[test]
fn a_singular_matrix_is_reported() {
    let mut e = Elimination::default();
    e.reset(2);
    e.matrix.copy_from_slice(&[1.0, 2.0, 2.0, 4.0]);
    assert!(!e.factor());
    e.reset(1);
    e.matrix[0] = f64::NAN;
    assert!(!e.factor());
}
