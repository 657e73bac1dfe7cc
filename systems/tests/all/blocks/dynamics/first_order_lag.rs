//! A first-order low-pass.

use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::dynamics::FirstOrderLag;

#[test]
fn conforms() {
    conformance::check(&FirstOrderLag::new(3, [0.1, 1.0, 10.0], 2.0, 0.5).unwrap());
}

/// x(t) = gain (1 - e^(-t/T)) + x₀ e^(-t/T) under u = 1: its slope at any point of the curve.
#[test]
fn approaches_its_gain_exponentially() {
    let lag = FirstOrderLag::new(1, 0.2, 3.0, 0.0).unwrap();
    for t in [0.0_f64, 0.1, 1.0] {
        let decay = (-t / 0.2).exp();
        let rate = Bench::new(&lag).input(lag.input, [1.0]).state([3.0 * (1.0 - decay)]).derivatives()[0];
        assert!((rate - 15.0 * decay).abs() < 1e-12, "at {t}: {rate}");
    }
}

#[test]
fn refuses_a_time_constant_of_zero() {
    let fault = FirstOrderLag::new(2, [1.0, 0.0], 1.0, 0.0).err().unwrap();
    assert_eq!(fault.to_string(), "time_constant[1] is 0, expected a number above 0");
}
