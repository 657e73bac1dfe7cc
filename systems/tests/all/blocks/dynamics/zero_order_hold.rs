//! Sample and hold.

use kinegraph_core::port::{Sampling, Tick};
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::dynamics::ZeroOrderHold;

#[test]
fn conforms() {
    conformance::check(&ZeroOrderHold::new(2, Sampling::every(0.1), [1.0, -1.0]).unwrap());
}

#[test]
fn output_is_held_between_samples() {
    let hold = ZeroOrderHold::new(2, Sampling::every(0.1), [1.0, -1.0]).unwrap();
    let bench = Bench::new(&hold).input(hold.input, [5.0, 6.0]);
    assert_eq!(bench.eval(hold.output), [1.0, -1.0]);
    let held = bench.update(Tick { index: 0 });
    assert_eq!(bench.input(hold.input, [7.0, 8.0]).discrete(held).eval(hold.output), [5.0, 6.0]);
}

#[test]
fn refuses_periods_that_do_not_go_on() {
    let fault = |period, offset| ZeroOrderHold::new(1, Sampling { period, offset }, 0.0).err().unwrap().to_string();
    assert_eq!(fault(-1.0, 0.0), "period[0] is -1, expected a number above 0");
    assert_eq!(fault(1.0, -1.0), "offset[0] is -1, expected a number that is not negative");
    assert_eq!(fault(f64::INFINITY, 0.0), "period[0] is inf, expected a finite number");
}
