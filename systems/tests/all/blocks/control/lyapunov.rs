//! The Lyapunov equation `Aᵀ X + X A + Q = 0` for stable A.

use kinegraph_systems::control::lyapunov;
use nalgebra::DMatrix;
use proptest::prelude::*;

#[test]
fn scalar_equations_are_solved_exactly() {
    let one = |x| DMatrix::from_element(1, 1, x);
    for (a, q) in [(-1.0, 3.0), (-1e6, 1.0), (-1e-6, 2.0)] {
        let x = lyapunov(&one(a), &one(q)).unwrap()[0];
        assert!((x / (-q / (2.0 * a)) - 1.0).abs() < 1e-13, "{a}, {q}: {x}");
    }
    assert!(lyapunov(&one(1.0), &one(1.0)).is_none());
    assert!(lyapunov(&one(0.0), &one(1.0)).is_none());
}

proptest! {
    #[test]
    fn solutions_solve_and_unstable_matrices_are_refused(
        entries in prop::collection::vec(-1.0..1.0_f64, 50),
        shift in -4.0..2.0_f64,
    ) {
        let A = DMatrix::from_row_slice(5, 5, &entries[..25]) + DMatrix::identity(5, 5) * shift;
        let root = DMatrix::from_row_slice(5, 5, &entries[25..]);
        let Q = &root * root.transpose();
        let abscissa = A.complex_eigenvalues().iter().map(|e| e.re).fold(f64::NEG_INFINITY, f64::max);
        prop_assume!(abscissa.abs() > 1e-3);
        let X = lyapunov(&A, &Q);
        prop_assert_eq!(X.is_some(), abscissa < 0.0);
        if let Some(X) = X {
            let residual = A.transpose() * &X + &X * &A + &Q;
            prop_assert!(residual.norm() < 1e-9 * (1.0 + X.norm()), "residual {}", residual.norm());
        }
    }
}
