//! PID control with two degrees of freedom.

use kinegraph_core::port::{Tick, Witness};
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::control::{AntiWindup, Pid2Dof, PidOnError, PidSettings, SetpointWeights};

fn settings() -> PidSettings {
    PidSettings { derivative_filter: Some(0.1.into()), ..PidSettings::new([2.0, 3.0], 4.0, [1.0, 0.5]) }
}

fn weights(b: f64, c: f64) -> SetpointWeights {
    SetpointWeights { b: b.into(), c: c.into() }
}

#[test]
fn conforms() {
    for has_manual in [false, true] {
        conformance::check(&Pid2Dof::new(2, settings(), weights(0.7, 0.2), has_manual).unwrap());
        let plain = PidSettings::new(2.0, 0.0, 0.0);
        conformance::check(&Pid2Dof::new(2, plain, weights(1.0, 0.0), has_manual).unwrap());
        let (upper, anti_windup) = (Some(1.0.into()), AntiWindup::BackCalculation(None));
        let limited = PidSettings { upper, anti_windup, ..settings() };
        conformance::check(&Pid2Dof::new(2, limited, weights(1.0, 0.0), has_manual).unwrap());
    }
}

#[test]
fn with_both_weights_it_is_the_controller_of_the_error() {
    let both = Pid2Dof::new(2, settings(), weights(1.0, 1.0), false).unwrap();
    let error = PidOnError::new(2, settings()).unwrap();
    let state = [0.1, 0.2, 0.3, 0.4];
    let ours = Bench::new(&both).input(both.reference, [1.0, 2.0]).input(both.measured, [0.25, 0.5]).state(state);
    let theirs = Bench::new(&error).input(error.error, [0.75, 1.5]).state(state);
    assert_eq!(ours.eval(both.effort), theirs.eval(error.effort));
    assert_eq!(ours.derivatives(), theirs.derivatives());
}

#[test]
fn the_reference_acts_by_its_weights() {
    let pid = Pid2Dof::new(2, settings(), weights(0.7, 0.2), false).unwrap();
    let bench = Bench::new(&pid).input(pid.reference, [1.0, 2.0]).input(pid.measured, [0.25, 0.5]);
    let slopes = bench.jacobian(pid.reference, pid.effort);
    assert!((slopes[(0, 0)] - (0.7 * 2.0 + 0.2 * 1.0 / 0.1)).abs() < 1e-12);
    assert!((slopes[(1, 1)] - (0.7 * 3.0 + 0.2 * 0.5 / 0.1)).abs() < 1e-12);
    // The measured value acts with the whole gains.
    let slopes = bench.jacobian(pid.measured, pid.effort);
    assert!((slopes[(0, 0)] + 2.0 + 1.0 / 0.1).abs() < 1e-12);
}

/// The integral at the end of the manual mode continues the effort that was tracked, within the limits.
#[test]
fn the_manual_mode_ends_without_a_jump() {
    let limits = PidSettings { lower: Some((-5.0).into()), upper: Some(5.0.into()), ..settings() };
    let pid = Pid2Dof::new(2, limits, weights(0.7, 0.2), true).unwrap();
    let (manual, track) = (pid.manual.unwrap(), pid.track.unwrap());
    let bench = Bench::new(&pid).input(pid.reference, [1.0, 2.0]).input(pid.measured, [0.25, 0.5]);
    let bench = bench.input(manual, [0.0]).input(track, [1.5, 70.0]).state([0.0, 0.0, 0.3, -0.2]).discrete([1.0]);
    assert_eq!(bench.eval(pid.effort), [1.5, 5.0]);
    assert_eq!(bench.derivatives()[..2], [0.0, 0.0]);
    assert_eq!(bench.witnesses(), [0.5]);
    let (state, discrete) = bench.reset(Witness { index: 0 });
    assert_eq!((discrete.as_slice(), &state[2..]), (&[0.0][..], &[0.3, -0.2][..]));
    let effort = bench.state(&state).discrete(&discrete).eval(pid.effort);
    assert!((effort[0] - 1.5).abs() < 1e-12 && (effort[1] - 5.0).abs() < 1e-12, "{effort:?}");
}

#[test]
fn the_manual_mode_begins_with_its_input() {
    let pid = Pid2Dof::new(2, settings(), weights(1.0, 0.0), true).unwrap();
    let (manual, track) = (pid.manual.unwrap(), pid.track.unwrap());
    let bench = Bench::new(&pid).input(pid.reference, [1.0, 2.0]).input(pid.measured, [0.0, 0.0]);
    let bench = bench.input(manual, [1.0]).input(track, [3.0, 4.0]);
    assert_eq!(bench.update(Tick { index: 0 }), [1.0]);
    assert_eq!(bench.reset(Witness { index: 0 }).1, [1.0]);
}

#[test]
fn refuses_weights_of_other_channels() {
    let weights = SetpointWeights { b: [1.0; 3].into(), c: 0.0.into() };
    let fault = Pid2Dof::new(2, settings(), weights, false).err().unwrap();
    assert_eq!(fault.to_string(), "b has 3 elements, expected 2");
}
