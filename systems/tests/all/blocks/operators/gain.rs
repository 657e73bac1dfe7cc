//! Multiplication by constants.

use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::operators::Gain;

#[test]
fn conforms() {
    conformance::check(&Gain::new(9, -2.5).unwrap());
}

#[test]
fn multiplies_each_element_by_its_own_gain() {
    let gain = Gain::new(2, [2.0, -3.0]).unwrap();
    assert_eq!(Bench::new(&gain).input(gain.input, [5.0, 7.0]).eval(gain.output), [10.0, -21.0]);
    let jacobian = Bench::new(&gain).input(gain.input, [5.0, 7.0]).jacobian(gain.input, gain.output);
    assert_eq!(jacobian, nalgebra::DMatrix::from_row_slice(2, 2, &[2.0, 0.0, 0.0, -3.0]));
}

#[test]
fn refuses_a_list_of_another_length() {
    assert_eq!(Gain::new(3, [1.0, 2.0]).err().unwrap().to_string(), "gain has 2 elements, expected 3");
}
