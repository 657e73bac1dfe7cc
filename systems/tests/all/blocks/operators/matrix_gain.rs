//! Multiplication by a constant matrix.

use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::operators::MatrixGain;
use nalgebra::DMatrix;

#[test]
fn conforms() {
    conformance::check(&MatrixGain::new(vec![vec![1.0, -2.0, 0.5]; 4]).unwrap());
}

#[test]
fn multiplies_by_its_matrix() {
    let gain = MatrixGain::new(vec![vec![1.0, 2.0, 3.0], vec![0.0, -1.0, 4.0]]).unwrap();
    let bench = Bench::new(&gain).input(gain.input, [1.0, 10.0, 100.0]);
    assert_eq!(bench.eval(gain.output), [321.0, 390.0]);
    let expected = DMatrix::from_row_slice(2, 3, &[1.0, 2.0, 3.0, 0.0, -1.0, 4.0]);
    assert_eq!(bench.jacobian(gain.input, gain.output), expected);
}

#[test]
fn empty_and_ragged_matrices_are_refused() {
    assert_eq!(MatrixGain::new(vec![]).err().unwrap().to_string(), "matrix is empty");
    let fault = MatrixGain::new(vec![vec![1.0, 2.0], vec![1.0]]).err().unwrap();
    assert_eq!(fault.to_string(), "matrix[1] has 1 elements, expected 2");
}
