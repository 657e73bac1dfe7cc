//! Tests of `src/convex/linear_algebra/small.rs`.

use kinegraph_convex::linear_algebra::{factor_small, solve_lower_squared};

/// Of all sizes around the lanes: the factor gives the matrix back, the substitution the norm.
#[test]
fn blocks_of_all_sizes_are_factored_and_solved() {
    for n in 1..=19 {
        let root = |i: usize, j: usize| ((3 * i + 7 * j) as f64 * 1.7).sin() + if i == j { 3.0 } else { 0.0 };
        let at = |i: usize, j: usize| (0..n).map(|k| root(i, k) * root(j, k)).sum::<f64>();
        let matrix: Vec<f64> = (0..n * n).map(|e| at(e % n, e / n)).collect();
        let mut factor = matrix.clone();
        assert!(factor_small(&mut factor, n));
        let x: Vec<f64> = (0..n).map(|i| (i as f64 * 0.9).cos()).collect();
        let mut y = x.clone();
        let square = solve_lower_squared(&factor, &mut y);
        assert!((square - y.iter().map(|y| y * y).sum::<f64>()).abs() < 1e-12 * square, "{n}");
        for i in 0..n {
            let l = |j: usize| if i == j { 1.0 / factor[j * n + i] } else { factor[j * n + i] };
            let product: f64 = (0..=i).map(|j| l(j) * y[j]).sum();
            assert!((product - x[i]).abs() < 1e-12, "{i} of {n}");
        }
    }
}
