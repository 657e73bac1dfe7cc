//! A linear system in continuous time.

use kinegraph_core::LeafSystem;
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::dynamics::StateSpace;
use nalgebra::DMatrix;

fn matrix(rows: usize, columns: usize, values: &[f64]) -> DMatrix<f64> {
    DMatrix::from_row_slice(rows, columns, values)
}

fn oscillator(d: f64) -> StateSpace {
    let (A, B) = (matrix(2, 2, &[0.0, 1.0, -4.0, -0.5]), matrix(2, 1, &[0.0, 2.0]));
    let (C, D) = (matrix(3, 2, &[1.0, 0.0, 0.0, 1.0, 1.0, 1.0]), matrix(3, 1, &[0.0, d, 0.0]));
    StateSpace::new(A, B, C, D, [0.5, -0.5]).unwrap()
}

#[test]
fn conforms() {
    conformance::check(&oscillator(0.0));
    conformance::check(&oscillator(1.0));
}

#[test]
fn is_the_matrices() {
    let system = oscillator(3.0);
    let bench = Bench::new(&system).input(system.input, [5.0]).state([1.0, 2.0]);
    assert_eq!(bench.derivatives(), [2.0, -4.0 - 1.0 + 10.0]);
    assert_eq!(bench.eval(system.output), [1.0, 2.0 + 15.0, 3.0]);
}

#[test]
fn breaks_loops_only_without_direct_term() {
    let strict = oscillator(0.0);
    // Without a value at its input.
    assert_eq!(Bench::new(&strict).eval(strict.output), [0.5, -0.5, 0.0]);
    assert!(oscillator(1.0).ports().outputs()[0].feedthrough.contains(0));
}

#[test]
fn names_the_matrix_that_does_not_fit() {
    let one = || DMatrix::from_element(1, 1, 1.0);
    let fault = |A, B, C, D| StateSpace::new(A, B, C, D, [0.0]).err().unwrap().to_string();
    assert_eq!(fault(DMatrix::zeros(1, 2), one(), one(), one()), "A is 1 x 2, expected 1 x 1");
    assert_eq!(fault(one(), DMatrix::zeros(2, 1), one(), one()), "B is 2 x 1, expected 1 x 1");
    assert_eq!(fault(one(), one(), DMatrix::zeros(3, 2), one()), "C is 3 x 2, expected 3 x 1");
    assert_eq!(fault(one(), one(), one(), DMatrix::zeros(1, 2)), "D is 1 x 2, expected 1 x 1");
    assert_eq!(fault(one(), one() * f64::NAN, one(), one()), "B[0][0] is NaN, expected a finite number");
}
