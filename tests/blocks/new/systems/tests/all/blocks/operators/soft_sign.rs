//! A sign that changes smoothly.

use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::operators::SoftSign;

#[test]
fn conforms() {
    conformance::check(&SoftSign::new(9, 0.5).unwrap());
}

#[test]
fn is_odd_and_bounded() {
    let block = SoftSign::new(3, 4.0).unwrap();
    let found = Bench::new(&block).input(block.input, [3.0, -3.0, 1e9]).eval(block.output);
    assert_eq!(found, [0.6, -0.6, 1.0]);
}

#[test]
fn refuses_a_scale_that_is_not_positive() {
    assert!(SoftSign::new(1, 0.0).is_err() && SoftSign::new(1, f64::NAN).is_err());
}
