//! A damped oscillator that follows its input.

use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::dynamics::SecondOrder;

#[test]
fn conforms() {
    conformance::check(&SecondOrder::new(2, [1.0, 5.0], [0.7, 0.0], 2.0, [0.5, 0.0]).unwrap());
}

/// The step response for ζ < 1: 1 - e^(-ζωt) (cos ω_d t + ζω/ω_d sin ω_d t), rate ω²/ω_d e^(-ζωt) sin ω_d t.
#[test]
fn moves_along_the_step_response() {
    let (omega, zeta, gain) = (3.0_f64, 0.4_f64, 2.0);
    let block = SecondOrder::new(1, omega, zeta, gain, 0.0).unwrap();
    let damped = omega * (1.0 - zeta * zeta).sqrt();
    for t in [0.0_f64, 0.3, 1.0, 2.5] {
        let decay = (-zeta * omega * t).exp();
        let (sin, cos) = (damped * t).sin_cos();
        let x = gain * (1.0 - decay * (cos + zeta * omega / damped * sin));
        let v = gain * omega * omega / damped * decay * sin;
        let a = gain * omega * omega * decay * (cos - zeta * omega / damped * sin);
        let bench = Bench::new(&block).input(block.input, [1.0]).state([x, v]);
        let rates = bench.derivatives();
        assert!((rates[0] - v).abs() < 1e-12 && (rates[1] - a).abs() < 1e-12, "at {t}: {rates:?}");
        assert_eq!((bench.eval(block.position), bench.eval(block.rate)), (vec![x], vec![v]));
    }
}

#[test]
fn refuses_a_frequency_of_zero() {
    let fault = SecondOrder::new(1, 0.0, 1.0, 1.0, 0.0).err().unwrap();
    assert_eq!(fault.to_string(), "natural_frequency[0] is 0, expected a number above 0");
}
