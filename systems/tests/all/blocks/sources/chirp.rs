//! A sine wave whose frequency changes.

use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::sources::Chirp;
use std::f64::consts::PI;

#[test]
fn conforms() {
    conformance::check(&Chirp::new(2, [1.0, -2.0], [1.0, 9.0], 1.5).unwrap());
}

#[test]
fn counts_the_turns_of_the_mean_frequency() {
    // From 1 to 3 turns per second in 2 s: at T, (1 + 3)/2 * 2 = 4 turns; half way in time 1.5 turns.
    let chirp = Chirp::new(1, 2.0, [2.0 * PI, 6.0 * PI], 2.0).unwrap();
    let at = |time: f64| Bench::new(&chirp).time(time).eval(chirp.output)[0];
    assert!(at(2.0).abs() < 1e-13 && at(1.0).abs() < 1e-13);
    // Then 3 turns per second: a twelfth of a second is a quarter turn.
    assert!((at(2.0 + 1.0 / 12.0) - 2.0).abs() < 1e-13);
    // Before, 1 turn per second.
    assert!((at(-0.25) + 2.0).abs() < 1e-13);
}

#[test]
fn refuses_no_time() {
    let fault = Chirp::new(1, 1.0, [1.0, 2.0], 0.0).err().unwrap();
    assert_eq!(fault.to_string(), "duration[0] is 0, expected a number above 0");
}
