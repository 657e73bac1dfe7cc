//! A delayed signal.

use kinegraph_core::LeafSystem;
use kinegraph_core::port::Tick;
use kinegraph_core::testing::{Bench, Sample, conformance};
use kinegraph_systems::dynamics::TransportDelay;

/// Index of the periodic event at which the first sample arrives.
const ARRIVAL: usize = 1;

/// The delay's discrete state after sampling `u` at all periods up to `time`.
fn run(delay: &TransportDelay, u: impl Fn(f64) -> f64, time: f64) -> Vec<f64> {
    let mut discrete = Bench::new(delay).discrete_state();
    let ticks = LeafSystem::ports(delay).ticks();
    let (period, arrival) = (ticks[0].period, ticks[ARRIVAL].offset);
    let mut k = 0;
    while k as f64 * period <= time {
        let t = k as f64 * period;
        discrete = Bench::new(delay).time(t).input(delay.input, [u(t)]).discrete(&discrete).update(Tick { index: 0 });
        k += 1;
    }
    if arrival <= time {
        let bench = Bench::new(delay).input(delay.input, [0.0]).discrete(&discrete);
        discrete = bench.update(Tick { index: ARRIVAL });
    }
    discrete
}

#[test]
fn conforms() {
    let delay = TransportDelay::new(1, 0.35, 0.1, 0.5).unwrap();
    conformance::check(&delay);
    let discrete = run(&delay, |t| (3.0 * t).sin(), 2.0);
    let samples: Vec<Sample> = [2.013, 2.041, 2.049, 2.052, 2.099]
        .map(|time| Sample { time, state: vec![], discrete: discrete.clone(), inputs: vec![Some(vec![0.7])] })
        .into();
    conformance::check_at(&delay, &samples);
}

/// Ramps from -4 on, whose corners are at multiples of the period: every delay, at any time, is exact.
#[test]
fn is_exact_for_inputs_that_are_linear_between_samples() {
    let u = |t: f64| -4.0 + 2.0 * t + if t > 0.5 { -3.0 * (t - 0.5) } else { 0.0 };
    for by in [0.1, 0.25, 0.3, 0.3333, 0.7] {
        let delay = TransportDelay::new(1, by, 0.1, -9.0).unwrap();
        for time in [0.05, 0.1, 0.3, 0.64, 0.7, 0.93, 1.0, 1.234] {
            let y = Bench::new(&delay).time(time).discrete(run(&delay, u, time + 1e-12)).eval(delay.output)[0];
            let expected = if time < by { -9.0 } else { u(time - by) };
            assert!((y - expected).abs() < 1e-9, "{by} before {time}: {y} instead of {expected}");
        }
    }
}

#[test]
fn a_sample_changes_nothing_at_the_time_it_is_taken() {
    let delay = TransportDelay::new(1, 0.25, 0.1, 0.0).unwrap();
    let u = |t: f64| t * t;
    let before = Bench::new(&delay).time(0.8).discrete(run(&delay, u, 0.75)).eval(delay.output)[0];
    let after = Bench::new(&delay).time(0.8).discrete(run(&delay, u, 0.81)).eval(delay.output)[0];
    assert!((before - after).abs() < 1e-12, "{before} and {after}");
    // Between samples of t² the error of a straight line is at most T²/8 max |ü|.
    assert!((before - 0.55 * 0.55).abs() <= 0.1 * 0.1 / 8.0 * 2.0 + 1e-12);
}

#[test]
fn refuses_delays_that_are_not_sampled() {
    let fault = |delay, period| TransportDelay::new(1, delay, period, 0.0).err().unwrap().to_string();
    assert_eq!(fault(0.05, 0.1), "delay[0] is 0.05, expected at least one period");
    assert_eq!(fault(1.0, 1e-9), "delay[0] is 1, expected at most a million periods");
    assert_eq!(fault(1.0, 0.0), "period[0] is 0, expected a number above 0");
}
