//! A linear system in discrete time.

use kinegraph_core::port::{Sampling, Tick};
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::dynamics::DiscreteStateSpace;
use nalgebra::DMatrix;

fn matrix(rows: usize, columns: usize, values: &[f64]) -> DMatrix<f64> {
    DMatrix::from_row_slice(rows, columns, values)
}

/// Fibonacci numbers, driven by one impulse.
fn fibonacci() -> DiscreteStateSpace {
    let (A, B) = (matrix(2, 2, &[0.0, 1.0, 1.0, 1.0]), matrix(2, 1, &[0.0, 1.0]));
    let (C, D) = (matrix(2, 2, &[1.0, 0.0, 0.0, 1.0]), matrix(2, 1, &[0.0, 10.0]));
    DiscreteStateSpace::new(A, B, C, D, [0.0, 0.0], Sampling::every(0.1)).unwrap()
}

#[test]
fn conforms() {
    conformance::check(&fibonacci());
}

#[test]
fn steps_by_its_matrices() {
    let block = fibonacci();
    let (mut discrete, mut shown) = (vec![0.0; 4], Vec::new());
    for k in 0..8 {
        let u = if k == 0 { 1.0 } else { 0.0 };
        let bench = Bench::new(&block).input(block.input, [u]).discrete(&discrete);
        discrete = bench.update(Tick { index: 0 });
        shown.push(bench.discrete(&discrete).eval(block.output));
    }
    let [first, second]: [Vec<f64>; 2] = [0, 1].map(|i| shown.iter().map(|y| y[i]).collect());
    assert_eq!(first, [0.0, 0.0, 1.0, 1.0, 2.0, 3.0, 5.0, 8.0]);
    assert_eq!(second, [10.0, 1.0, 1.0, 2.0, 3.0, 5.0, 8.0, 13.0]);
}
