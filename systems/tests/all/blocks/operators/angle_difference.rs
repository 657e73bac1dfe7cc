//! Differences of angles.

use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::operators::AngleDifference;
use std::f64::consts::TAU;

#[test]
fn conforms() {
    conformance::check(&AngleDifference::new(9));
}

#[test]
fn goes_the_shorter_way_round() {
    let block = AngleDifference::new(1);
    for (desired, measured, expected) in [(0.5, 0.25, 0.25), (3.0, -3.0, 6.0 - TAU), (-3.0, 3.0, TAU - 6.0)] {
        let bench = Bench::new(&block).input(block.desired, [desired]).input(block.measured, [measured]);
        assert!((bench.eval(block.output)[0] - expected).abs() < 1e-15);
    }
}
