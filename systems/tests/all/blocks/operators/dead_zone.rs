//! No response to small signals.

use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::operators::{DeadZone, Saturation};

#[test]
fn conforms() {
    conformance::check(&DeadZone::new(7, -0.3, 0.4).unwrap());
}

#[test]
fn output_is_the_input_minus_its_saturation() {
    let (zone, bounds) = (DeadZone::new(1, -1.0, 2.0).unwrap(), Saturation::new(1, -1.0, 2.0).unwrap());
    for u in [-5.0, -1.0, 0.0, 1.5, 2.0, 2.25] {
        let passed = Bench::new(&bounds).input(bounds.input, [u]).eval(bounds.output)[0];
        assert_eq!(Bench::new(&zone).input(zone.input, [u]).eval(zone.output), [u - passed], "at {u}");
    }
}
