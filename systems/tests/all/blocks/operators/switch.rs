//! A choice between two signals.

use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::operators::Switch;

#[test]
fn conforms() {
    conformance::check(&Switch::new(3, 0.1).unwrap());
}

#[test]
fn chooses_by_its_control() {
    let switch = Switch::new(2, 0.5).unwrap();
    let bench = Bench::new(&switch).input(switch.above, [1.0, 2.0]).input(switch.below, [-1.0, -2.0]);
    for (control, expected) in [(0.0, [-1.0, -2.0]), (0.5, [1.0, 2.0]), (0.75, [1.0, 2.0])] {
        let bench = bench.clone().input(switch.control, [control]);
        assert_eq!(bench.eval(switch.output), expected, "at {control}");
        assert_eq!(bench.witnesses(), [control - 0.5]);
    }
}
