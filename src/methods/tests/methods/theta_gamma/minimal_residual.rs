//! Tests of `src/methods/theta_gamma/minimal_residual.rs`.

use kinegraph_methods::theta_gamma::minimal_residual::{MinimalResidual, dot};

/// A matrix with large entries of both signs is solved in as many iterations as it has rows; fewer iterations leave the
/// returned residual.
#[test]
fn as_many_iterations_as_rows_solve() {
    let k = [[0.3, -1.7, 0.2, 0.0], [1.9, 0.1, 0.0, 0.4], [0.0, 0.8, -2.2, 0.1], [0.5, 0.0, 0.0, 0.6]];
    let apply = |x: &[f64], out: &mut [f64]| (0..4).for_each(|i| out[i] = dot(&k[i], x));
    let (b, mut x, mut image) = ([1.0, -2.0, 0.5, 3.0], [0.0; 4], [0.0; 4]);
    let mut memory = MinimalResidual::default();
    for iterations in 1..=4 {
        let left = memory.solve(&b, &mut x, 1e-13, iterations, apply);
        apply(&x, &mut image);
        let rest = (0..4).map(|i| (b[i] - x[i] + image[i]).powi(2)).sum::<f64>().sqrt();
        assert!((rest / dot(&b, &b).sqrt() - left).abs() < 1e-12, "{iterations}: {rest} {left}");
        assert!(iterations < 4 || left < 1e-12, "{left}");
    }
}
