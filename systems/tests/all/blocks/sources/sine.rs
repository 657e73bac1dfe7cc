//! A sine wave.

use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::sources::Sine;
use std::f64::consts::PI;

#[test]
fn conforms() {
    conformance::check(&Sine::new(2, [1.0, 0.3], [2.0, -7.0], 0.4, [0.0, 5.0]).unwrap());
}

#[test]
fn is_known_at_quarter_turns() {
    let sine = Sine::new(2, 2.0, PI, [0.0, PI / 2.0], 1.0).unwrap();
    for (time, expected) in [(0.0, [1.0, 3.0, 2.0 * PI, 0.0]), (0.5, [3.0, 1.0, 0.0, -2.0 * PI])] {
        for (x, expected) in Bench::new(&sine).time(time).eval(sine.state).iter().zip(expected) {
            assert!((x - expected).abs() < 1e-14, "at {time}: {x} instead of {expected}");
        }
    }
    let bench = Bench::new(&sine).time(0.3);
    assert_eq!(bench.eval(sine.state), [bench.eval(sine.output), bench.eval(sine.rate)].concat());
}
