//! A transfer function in continuous time.

use kinegraph_core::LeafSystem;
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::dynamics::TransferFunction;
use nalgebra::{Complex, DMatrix, DVector};
use proptest::prelude::*;

#[test]
fn conforms() {
    for (numerator, denominator) in
        [(&[1.0, 2.0][..], &[2.0, 3.0, 4.0][..]), (&[1.0, 0.0], &[1.0, 5.0]), (&[3.0], &[2.0])]
    {
        conformance::check(&TransferFunction::new(numerator, denominator).unwrap());
    }
}

/// C (s I - A)⁻¹ B + D, with the columns of A and C read off the block one by one.
fn at(function: &TransferFunction, s: Complex<f64>) -> Complex<f64> {
    let n = LeafSystem::ports(function).continuous_width();
    let probe = |x: &[f64], u: f64| {
        let bench = Bench::new(function).input(function.input, [u]).state(x);
        (bench.derivatives(), bench.eval(function.output)[0])
    };
    let mut pencil = DMatrix::from_diagonal_element(n, n, s);
    let mut C = DVector::zeros(n);
    for j in 0..n {
        let mut unit = vec![0.0; n];
        unit[j] = 1.0;
        let (column, y) = probe(&unit, 0.0);
        (0..n).for_each(|i| pencil[(i, j)] -= Complex::from(column[i]));
        C[j] = Complex::from(y);
    }
    let (B, D) = probe(&vec![0.0; n], 1.0);
    let B = DVector::from_iterator(n, B.into_iter().map(Complex::from));
    let x = pencil.lu().solve(&B).expect("s is no pole");
    C.dot(&x) + D
}

fn polynomial(coefficients: &[f64], s: Complex<f64>) -> Complex<f64> {
    coefficients.iter().fold(Complex::from(0.0), |sum, &c| sum * s + c)
}

proptest! {
    #[test]
    fn the_frequency_response_is_numerator_over_denominator(
        numerator in prop::collection::vec(-3.0..3.0_f64, 1..6),
        rest in prop::collection::vec(-3.0..3.0_f64, 4..7),
        leading in prop_oneof![-2.0..-0.5_f64, 0.5..2.0_f64],
        omega in 0.3..3.0_f64,
    ) {
        let mut denominator = vec![leading];
        denominator.extend(rest);
        let s = Complex::new(0.2, omega);
        let (over, under) = (polynomial(&numerator, s), polynomial(&denominator, s));
        prop_assume!(under.norm() > 1e-2);
        let function = TransferFunction::new(&numerator, &denominator).unwrap();
        let expected = over / under;
        prop_assert!((at(&function, s) - expected).norm() < 1e-9 * (1.0 + expected.norm()));
    }
}

#[test]
fn a_constant_input_leads_to_the_dc_gain() {
    let function = TransferFunction::new(&[2.0, 6.0], &[2.0, 3.0, 4.0]).unwrap();
    assert_eq!(function.dc_gain(), 1.5);
    // At rest under u = 1: x₁ = 1/aₙ with the monic denominator.
    let bench = Bench::new(&function).input(function.input, [1.0]).state([0.5, 0.0]);
    assert_eq!((bench.derivatives(), bench.eval(function.output)), (vec![0.0, 0.0], vec![1.5]));
    assert!(TransferFunction::new(&[1.0], &[1.0, 0.0]).unwrap().dc_gain().is_infinite());
}

#[test]
fn leading_zeros_of_the_numerator_do_not_count() {
    let function = TransferFunction::new(&[0.0, 0.0, 3.0], &[1.0, 2.0]).unwrap();
    assert!(!LeafSystem::ports(&function).outputs()[0].feedthrough.contains(0));
    assert_eq!(function.dc_gain(), 1.5);
}

#[test]
fn improper_transfer_functions_are_refused() {
    let fault = |n: &[f64], d: &[f64]| TransferFunction::new(n, d).err().unwrap().to_string();
    assert!(fault(&[1.0, 0.0, 0.0], &[1.0, 1.0]).contains("numerator has degree 2, the denominator 1"));
    assert_eq!(fault(&[1.0], &[0.0, 1.0]), "denominator[0] is 0, expected a leading coefficient that is not 0");
    assert_eq!(fault(&[], &[1.0]), "numerator is empty");
    assert_eq!(fault(&[1.0], &[1.0, f64::NAN]), "denominator[1] is NaN, expected a finite number");
}
