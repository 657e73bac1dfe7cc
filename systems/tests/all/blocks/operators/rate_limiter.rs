//! A bound on how fast a signal changes.

use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::operators::RateLimiter;

#[test]
fn conforms() {
    conformance::check(&RateLimiter::new([0.0, 0.2, -0.1], 1.0, [2.0, 3.0, 4.0], 0.3).unwrap());
}

#[test]
fn lags_slow_changes_and_bounds_fast_ones() {
    let limiter = RateLimiter::new([1.0; 3], 2.0, 3.0, 0.1).unwrap();
    let bench = Bench::new(&limiter).input(limiter.input, [1.125, 9.0, -9.0]);
    assert_eq!(bench.eval(limiter.output), [1.0; 3]);
    assert_eq!(bench.derivatives(), [1.25, 2.0, -3.0]);
}

#[test]
fn refuses_a_limiter_that_cannot_fall() {
    let fault = RateLimiter::new([0.0], 1.0, 0.0, 0.1).err().unwrap();
    assert_eq!(fault.to_string(), "falling[0] is 0, expected a number above 0");
}
