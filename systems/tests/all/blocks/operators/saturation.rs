//! Bounds on a signal.

use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::operators::Saturation;

#[test]
fn conforms() {
    conformance::check(&Saturation::new(7, -0.3, 0.4).unwrap());
}

#[test]
fn bounds_each_element() {
    let bounds = Saturation::new(3, -1.0, [1.0, 2.0, 3.0]).unwrap();
    let bench = Bench::new(&bounds).input(bounds.input, [5.0, 1.5, -7.0]);
    assert_eq!(bench.eval(bounds.output), [1.0, 1.5, -1.0]);
    let slopes = bench.jacobian(bounds.input, bounds.output);
    assert_eq!(slopes.diagonal().as_slice(), [0.0, 1.0, 0.0]);
}

#[test]
fn refuses_bounds_in_the_wrong_order() {
    let fault = Saturation::new(2, [0.0, 2.0], 1.0).err().unwrap();
    assert_eq!(fault.to_string(), "lower[1] = 2 is not below upper[1] = 1");
}
