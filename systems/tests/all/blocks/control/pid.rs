//! Proportional-integral-derivative control of coordinates.

use kinegraph_core::LeafSystem;
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::control::{AntiWindup, Pid, PidSettings};

#[test]
fn conforms() {
    conformance::check(&Pid::new(3, 1e4, [1.0, 2.0, 3.0], 200.0).unwrap());
    conformance::check(&Pid::new(2, 100.0, 0.0, 2.0).unwrap());
    for anti_windup in [AntiWindup::Off, AntiWindup::Clamping, AntiWindup::BackCalculation(None)] {
        let (lower, upper) = (Some((-1.0).into()), Some([0.5, 2.0].into()));
        let filter = Some(0.1.into());
        let gains = PidSettings::new(3.0, [0.0, 2.0], 0.7);
        let settings = PidSettings { derivative_filter: filter, lower, upper, anti_windup, ..gains };
        conformance::check(&Pid::with(2, settings).unwrap());
    }
}

#[test]
fn pushes_towards_the_desired_state() {
    let pid = Pid::new(2, [100.0, 10.0], 5.0, 7.0).unwrap();
    let bench = Bench::new(&pid)
        .input(pid.measured, [0.1, 0.5, 0.0, 1.0])
        .input(pid.desired, [1.0, 0.5, 0.0, 3.0])
        .state([0.2, -1.0]);
    assert_eq!(bench.eval(pid.effort), [91.0, 9.0]);
    assert_eq!(bench.derivatives(), [0.9, 0.0]);
    let measured = bench.jacobian(pid.measured, pid.effort);
    let expected = [-100.0, 0.0, -7.0, 0.0, 0.0, -10.0, 0.0, -7.0];
    assert_eq!(measured, nalgebra::DMatrix::from_row_slice(2, 4, &expected));
    assert_eq!(bench.jacobian(pid.desired, pid.effort), -measured);
}

#[test]
fn without_integral_gain_there_is_no_state() {
    assert_eq!(LeafSystem::ports(&Pid::new(2, 1.0, 0.0, 1.0).unwrap()).continuous_width(), 0);
}

#[test]
fn the_filter_takes_the_place_of_the_rate() {
    let settings = PidSettings { derivative_filter: Some(0.5.into()), ..PidSettings::new(1.0, 0.0, 10.0) };
    let pid = Pid::with(1, settings).unwrap();
    let bench = Bench::new(&pid).input(pid.measured, [0.0, 1.0]).input(pid.desired, [2.0, 4.0]).state([0.3]);
    assert_eq!(bench.eval(pid.effort), [2.0 + 10.0 * 0.3]);
    assert_eq!(bench.derivatives(), [(3.0 - 0.3) / 0.5]);
}

/// kp e = 6 with an integral of 1 gives 8, the limit is 5.
#[test]
fn at_a_limit_the_integral_does_as_its_protection_says() {
    let rate = |anti_windup, e: f64| {
        let settings = PidSettings { upper: Some(5.0.into()), anti_windup, ..PidSettings::new(3.0, 2.0, 0.0) };
        let pid = Pid::with(1, settings).unwrap();
        let bench = Bench::new(&pid).input(pid.measured, [0.0, 0.0]).input(pid.desired, [e, 0.0]).state([1.0]);
        (bench.eval(pid.effort)[0], bench.derivatives()[0])
    };
    assert_eq!(rate(AntiWindup::Off, 2.0), (5.0, 2.0));
    assert_eq!(rate(AntiWindup::Clamping, 2.0), (5.0, 0.0));
    // e - excess/(ki T), with T = 0.5 s given, and with T = kp/ki = 1.5 s.
    assert_eq!(rate(AntiWindup::BackCalculation(Some(0.5.into())), 2.0), (5.0, 2.0 - 3.0));
    assert_eq!(rate(AntiWindup::BackCalculation(None), 2.0), (5.0, 2.0 - 1.0));
    // Within the limits nothing changes.
    for anti_windup in [AntiWindup::Off, AntiWindup::Clamping, AntiWindup::BackCalculation(None)] {
        assert_eq!(rate(anti_windup, 0.5), (3.5, 0.5));
    }
}

#[test]
fn names_the_gain_that_does_not_fit() {
    let fault = Pid::new(2, 1.0, [1.0; 3], 1.0).err().unwrap();
    assert_eq!(fault.to_string(), "ki has 3 elements, expected 2");
    let fault = Pid::new(2, 1.0, 1.0, f64::INFINITY).err().unwrap();
    assert_eq!(fault.to_string(), "kd[0] is inf, expected a finite number");
    let settings = PidSettings { anti_windup: AntiWindup::BackCalculation(None), ..PidSettings::new(0.0, 1.0, 0.0) };
    let fault = Pid::with(1, settings).err().unwrap().to_string();
    assert!(fault.starts_with("tracking_time (kp/ki)[0] is 0"), "{fault}");
}
