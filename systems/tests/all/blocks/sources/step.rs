//! A single jump.

use kinegraph_core::port::Tick;
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::sources::Step;

#[test]
fn conforms() {
    conformance::check(&Step::new(2, 1.2, 0.0, [1.0, -2.0]).unwrap());
}

#[test]
fn jumps_once() {
    let step = Step::new(2, 1.0, 0.5, [1.0, -2.0]).unwrap();
    let bench = Bench::new(&step);
    assert_eq!(bench.clone().time(0.999).eval(step.output), [0.5, 0.5]);
    assert_eq!(bench.clone().time(1.001).eval(step.output), [1.0, -2.0]);
    // At the instant: old until the event.
    let at = bench.time(1.0);
    assert_eq!(at.eval(step.output), [0.5, 0.5]);
    assert_eq!(at.clone().discrete(at.update(Tick { index: 0 })).eval(step.output), [1.0, -2.0]);
}

#[test]
fn refuses_a_time_that_is_none() {
    let fault = Step::new(1, f64::NAN, 0.0, 1.0).err().unwrap();
    assert_eq!(fault.to_string(), "time[0] is NaN, expected a finite number");
}
