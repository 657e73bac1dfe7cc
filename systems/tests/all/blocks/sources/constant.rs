//! A constant vector.

use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::sources::Constant;

#[test]
fn conforms() {
    conformance::check(&Constant::new([1.0, -2.0]).unwrap());
}

#[test]
fn is_the_same_at_all_times() {
    let constant = Constant::new([1.0, -2.0]).unwrap();
    for time in [0.0, 1e6] {
        assert_eq!(Bench::new(&constant).time(time).eval(constant.output), [1.0, -2.0]);
    }
}

#[test]
fn nan_is_refused() {
    let fault = Constant::new([0.0, f64::NAN]).err().unwrap();
    assert_eq!(fault.to_string(), "value[1] is NaN, expected a finite number");
}
