//! The drive of a conveyor belt.

use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::machines::ConveyorBelt;

#[test]
fn conforms() {
    conformance::check(&ConveyorBelt::new(0.2, 3.0, 0.3).unwrap());
}

#[test]
fn accelerates_as_fast_as_it_may_and_settles_exponentially() {
    let belt = ConveyorBelt::new(0.0, 2.0, 0.1).unwrap();
    let rates = |command, on, speed| {
        let bench = Bench::new(&belt).input(belt.command, [command]).input(belt.on, [on]);
        bench.state([speed, 7.0]).derivatives()
    };
    assert_eq!(rates(1.0, 1.0, 0.0), [2.0, 0.0]);
    assert_eq!(rates(1.0, 1.0, 0.875), [1.25, 0.875]);
    assert_eq!(rates(1.0, 0.0, 0.5), [-2.0, 0.5]);
}

#[test]
fn refuses_a_belt_without_acceleration() {
    let fault = ConveyorBelt::new(0.0, 0.0, 0.1).err().unwrap();
    assert_eq!(fault.to_string(), "acceleration[0] is 0, expected a number above 0");
}
