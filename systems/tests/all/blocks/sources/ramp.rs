//! A straight rise.

use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::sources::Ramp;

#[test]
fn conforms() {
    conformance::check(&Ramp::new(2, [1.0, -3.0], 0.5, 0.4, Some(1.7)).unwrap());
    conformance::check(&Ramp::new(1, 2.0, 0.0, 0.4, None).unwrap());
}

#[test]
fn rises_between_start_and_stop() {
    let ramp = Ramp::new(2, [2.0, -1.0], 1.0, 1.0, Some(3.0)).unwrap();
    for (time, expected) in [(0.0, [1.0, 1.0]), (1.0, [1.0, 1.0]), (2.0, [3.0, 0.0]), (9.0, [5.0, -1.0])] {
        assert_eq!(Bench::new(&ramp).time(time).eval(ramp.output), expected, "at {time}");
    }
    let endless = Ramp::new(1, 2.0, 0.0, 1.0, None).unwrap();
    assert_eq!(Bench::new(&endless).time(101.0).eval(endless.output), [200.0]);
}

#[test]
fn refuses_to_stop_before_the_start() {
    let fault = Ramp::new(1, 1.0, 0.0, 2.0, Some(1.0)).err().unwrap();
    assert_eq!(fault.to_string(), "start[0] = 2 is not below stop[0] = 1");
}
