//! Delays by a signal.

use kinegraph_core::LeafSystem;
use kinegraph_core::port::{Tick, Witness};
use kinegraph_core::testing::{Bench, Sample, conformance};
use kinegraph_systems::dynamics::VariableDelay;

const ARRIVAL: usize = 0;
const RETURN: usize = 1;

/// The delay's discrete state after sampling `u` at all periods up to `time`, with the first jump arrived.
fn run(delay: &VariableDelay, u: impl Fn(f64) -> f64, time: f64) -> Vec<f64> {
    let mut discrete = Bench::new(delay).discrete_state();
    let period = LeafSystem::ports(delay).ticks()[0].period;
    let mut k = 0;
    while k as f64 * period <= time {
        let t = k as f64 * period;
        let bench = Bench::new(delay).time(t).input(delay.input, [u(t)]).input(delay.delay, [0.0]);
        discrete = bench.discrete(&discrete).update(Tick { index: 0 });
        k += 1;
    }
    let bench = Bench::new(delay).time(time).input(delay.input, [0.0]).input(delay.delay, [0.0]).discrete(&discrete);
    if bench.witnesses()[ARRIVAL] > 0.0 { bench.reset(Witness { index: ARRIVAL }).1 } else { discrete }
}

#[test]
fn conforms() {
    let delay = VariableDelay::new(1, 0.55, 0.1, 0.5).unwrap();
    conformance::check(&delay);
    let discrete = run(&delay, |t| (3.0 * t).sin(), 2.0);
    // Delays whose instants lie within a period and away from its ends.
    let sample = |by: f64| Sample {
        time: 2.04,
        state: vec![],
        discrete: discrete.clone(),
        inputs: vec![Some(vec![0.7]), Some(vec![by])],
    };
    conformance::check_at(&delay, &[0.17, 0.26, 0.39, 0.52, 0.05, 0.9].map(sample));
}

/// Ramps whose corners are at multiples of the period: every delay within the bounds, at any time, is exact.
#[test]
fn is_exact_for_inputs_that_are_linear_between_samples() {
    let u = |t: f64| -4.0 + 2.0 * t + if t > 0.5 { -3.0 * (t - 0.5) } else { 0.0 };
    let delay = VariableDelay::new(1, 0.75, 0.1, -9.0).unwrap();
    for time in [0.15, 0.3, 0.64, 0.7, 0.93, 1.0, 1.234] {
        for (asked, by) in
            [(-1.0, 0.1), (0.05, 0.1), (0.1, 0.1), (0.25, 0.25), (0.3333, 0.3333), (0.75, 0.75), (2.0, 0.75)]
        {
            if time < by {
                continue;
            }
            let bench = Bench::new(&delay).time(time).discrete(run(&delay, u, time)).input(delay.delay, [asked]);
            let (y, expected) = (bench.eval(delay.output)[0], u(time - by));
            assert!((y - expected).abs() < 1e-9, "{by} before {time}: {y} instead of {expected}");
        }
    }
}

/// A jump from 1 to 3 at 0.52 s is passed both ways, and each side has its own value at the same instant.
#[test]
fn a_jump_arrives_and_returns() {
    let delay = VariableDelay::new(1, 0.5, 0.1, 1.0).unwrap();
    let mut discrete = run(&delay, |_| 1.0, 0.5);
    let [old, new] =
        [1.0, 3.0].map(|u| Bench::new(&delay).time(0.52).input(delay.input, [u]).input(delay.delay, [0.1]));
    discrete = old.discrete(&discrete).jumped(&new.discrete(&discrete));
    for time in [0.6, 0.7] {
        let bench = Bench::new(&delay).time(time).input(delay.input, [3.0]).input(delay.delay, [0.1]);
        discrete = bench.discrete(&discrete).update(Tick { index: 0 });
    }
    let at = |by: f64, discrete: &[f64]| {
        Bench::new(&delay).time(0.72).input(delay.input, [3.0]).input(delay.delay, [by]).discrete(discrete)
    };
    let bench = at(0.25, &discrete);
    assert_eq!(bench.eval(delay.output), [1.0]);
    let witness = |bench: &Bench<'_>, which: usize| bench.witnesses()[which];
    assert!((witness(&bench, ARRIVAL) + 0.05).abs() < 1e-12);
    let arrived = at(0.15, &discrete).reset(Witness { index: ARRIVAL }).1;
    assert_eq!(at(0.15, &arrived).eval(delay.output), [3.0]);
    assert!((witness(&at(0.15, &arrived), RETURN) + 0.05).abs() < 1e-12);
    let returned = at(0.25, &arrived).reset(Witness { index: RETURN }).1;
    assert_eq!(returned, discrete);
}

#[test]
fn refuses_delays_that_are_not_sampled() {
    let fault = |longest, period| VariableDelay::new(1, longest, period, 0.0).err().unwrap().to_string();
    assert_eq!(fault(0.05, 0.1), "longest[0] is 0.05, expected at least one period");
    assert_eq!(fault(1.0, 1e-9), "longest[0] is 1, expected at most a million periods");
}
