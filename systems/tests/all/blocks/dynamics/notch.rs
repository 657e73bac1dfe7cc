//! Notch filters.

use super::response::response;
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::dynamics::Notch;
use nalgebra::Complex;

#[test]
fn conforms() {
    conformance::check(&Notch::new(2, [3.0, 5.0], 0.4, [0.0, 0.3]).unwrap());
}

#[test]
fn has_the_response_of_its_formula() {
    let (omega, zeta, depth) = (40.0, 0.3, 0.2);
    let notch = Notch::new(1, omega, zeta, depth).unwrap();
    for w in [0.1, 10.0, 39.0, 40.0, 55.0, 1e3] {
        let s = Complex::new(0.0, w);
        let side = |factor: f64| s * s + s * (2.0 * factor * zeta * omega) + omega * omega;
        assert!((response(&notch, w) - side(depth) / side(1.0)).norm() < 1e-12, "at {w}");
    }
}

/// The depth is the gain at the frequency; a full notch is down to 1/√2 at both ends of a band that is 2 ζ ω wide.
#[test]
fn its_depth_and_its_width() {
    let zeta: f64 = 0.25;
    assert!((response(&Notch::new(1, 7.0, zeta, 0.125).unwrap(), 7.0).norm() - 0.125).abs() < 1e-15);
    let full = Notch::new(1, 1.0, zeta, 0.0).unwrap();
    assert!(response(&full, 1.0).norm() < 1e-15);
    let ends = [-1.0, 1.0].map(|side| (1.0 + zeta * zeta).sqrt() + side * zeta);
    assert!((ends[1] - ends[0] - 2.0 * zeta).abs() < 1e-15);
    assert!(ends.iter().all(|&w| (response(&full, w).norm() - 0.5_f64.sqrt()).abs() < 1e-12));
}

#[test]
fn constant_signals_pass_to_the_last_bit() {
    let notch = Notch::new(1, 7.3, 0.31, 0.17).unwrap();
    let bench = Bench::new(&notch).input(notch.input, [0.1]).state([0.1, 0.0]);
    assert_eq!((bench.derivatives(), bench.eval(notch.output)), (vec![0.0, 0.0], vec![0.1]));
}

#[test]
fn refuses_a_frequency_of_zero() {
    let fault = Notch::new(1, 0.0, 0.5, 0.0).err().unwrap();
    assert_eq!(fault.to_string(), "frequency[0] is 0, expected a number above 0");
}
