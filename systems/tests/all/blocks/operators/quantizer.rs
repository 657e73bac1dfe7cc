//! Rounding to a grid.

use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::operators::Quantizer;

#[test]
fn conforms() {
    conformance::check(&Quantizer::new(5, 0.1).unwrap());
}

#[test]
fn rounds_to_the_nearest_multiple() {
    let grid = Quantizer::new(4, [0.5, 0.5, 0.25, 2.0]).unwrap();
    let bench = Bench::new(&grid).input(grid.input, [0.7, -0.8, 0.125, 0.9]);
    assert_eq!(bench.eval(grid.output), [0.5, -1.0, 0.25, 0.0]);
}

#[test]
fn refuses_no_interval() {
    let fault = Quantizer::new(1, 0.0).err().unwrap();
    assert_eq!(fault.to_string(), "interval[0] is 0, expected a number above 0");
}
