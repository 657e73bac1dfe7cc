//! Proportional-integral-derivative control of a signal whose rate is not measured.

use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::control::{AntiWindup, PidOnError, PidSettings};

#[test]
fn conforms() {
    for (kp, ki, kd) in [(3.0, 2.0, 0.7), (3.0, 0.0, 0.7), (3.0, 2.0, 0.0), (3.0, 0.0, 0.0)] {
        for anti_windup in [AntiWindup::Off, AntiWindup::Clamping, AntiWindup::BackCalculation(None)] {
            let (lower, upper) = (Some((-1.0).into()), Some([0.5, 2.0].into()));
            let settings = PidSettings { lower, upper, anti_windup, ..PidSettings::new(kp, ki, kd) };
            conformance::check(&PidOnError::new(2, settings).unwrap());
        }
    }
}

/// Under e = 1 from t = 0: w = 1 - e^(-t/T), z = t, effort = kp + ki t + kd/T e^(-t/T). Checks slope and value at
/// points of that path.
#[test]
fn answers_a_jump_with_a_kick_and_a_ramp() {
    let filter = Some(0.2.into());
    let settings = PidSettings { derivative_filter: filter, ..PidSettings::new(3.0, 2.0, 0.5) };
    let pid = PidOnError::new(1, settings).unwrap();
    for t in [0.0_f64, 0.1, 1.0] {
        let decay = (-t / 0.2).exp();
        let bench = Bench::new(&pid).input(pid.error, [1.0]).state([t, 1.0 - decay]);
        let effort = bench.eval(pid.effort)[0];
        assert!((effort - (3.0 + 2.0 * t + 2.5 * decay)).abs() < 1e-12, "at {t}: {effort}");
        let rates = bench.derivatives();
        assert!(rates[0] == 1.0 && (rates[1] - 5.0 * decay).abs() < 1e-12, "at {t}: {rates:?}");
    }
}

#[test]
fn the_filter_is_a_tenth_of_the_derivative_time_by_default() {
    let pid = PidOnError::new(1, PidSettings::new(4.0, 0.0, 2.0)).unwrap();
    assert_eq!(Bench::new(&pid).input(pid.error, [1.0]).eval(pid.effort), [4.0 + 2.0 / 0.05]);
    let fault = PidOnError::new(1, PidSettings::new(0.0, 0.0, 2.0)).err().unwrap().to_string();
    assert!(fault.contains("derivative_filter[0] is inf"), "{fault}");
}
