//! Thermal masses.

use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::dynamics::Thermal;

#[test]
fn conforms() {
    conformance::check(&Thermal::new(2, [50.0, 3.0], 2.0, 20.0).unwrap());
}

#[test]
fn rests_where_the_loss_is_the_heat() {
    let block = Thermal::new(1, 50.0, 2.0, 0.0).unwrap();
    let bench = Bench::new(&block).input(block.heat, [8.0]).input(block.ambient, [20.0]).state([36.0]);
    assert_eq!((bench.derivatives(), bench.eval(block.loss)), (vec![0.0], vec![8.0]));
    assert_eq!(bench.eval(block.temperature), [36.0]);
}

#[test]
fn refuses_a_body_without_capacity() {
    let fault = Thermal::new(1, 0.0, 2.0, 0.0).err().unwrap();
    assert_eq!(fault.to_string(), "capacity[0] is 0, expected a number above 0");
}
