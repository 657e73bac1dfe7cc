//! Sums and differences.

use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::operators::Adder;

#[test]
fn conforms() {
    conformance::check(&Adder::new(4, [1.0, -1.0, 0.5]).unwrap());
}

#[test]
fn adds_with_signs() {
    let adder = Adder::new(2, [1.0, -1.0]).unwrap();
    let bench = Bench::new(&adder).input(adder.inputs[0], [5.0, 7.0]).input(adder.inputs[1], [1.0, 10.0]);
    assert_eq!(bench.eval(adder.output), [4.0, -3.0]);
}

#[test]
fn refuses_to_add_nothing() {
    assert_eq!(Adder::new(2, []).err().unwrap().to_string(), "signs is empty");
}
