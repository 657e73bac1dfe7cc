//! Blocks with memory, named in a diagram file, in motion.

use kinegraph::files::load_str;
use kinegraph::simulate::{Scenario, Simulation};
use std::path::Path;

fn run(text: &str) -> Simulation {
    let loaded = load_str(Path::new("printed.yaml"), text, &[]).unwrap_or_else(|e| panic!("{e}"));
    let scenario = Scenario::build(&loaded.diagram, &loaded.loader).unwrap_or_else(|| panic!("{}", loaded.failed()));
    let mut simulation = scenario.simulation().expect("an integrator");
    simulation.advance_to(scenario.duration).expect("the end");
    simulation
}

#[track_caller]
fn assert_channel(simulation: &mut Simulation, name: &str, expected: f64) {
    let found = simulation.channel(name).expect("a channel");
    assert!((found - expected).abs() < 1e-6, "{name} is {found} instead of {expected}");
}

/// Every block driven by a constant 1, or by the ramp that is its integral; at t = 2.05.
#[test]
fn every_filter_and_sampled_block_does_what_it_says() {
    let mut simulation = run(r"
kinegraph: 1
systems:
  one: {type: constant, value: 1}
  ramp: {type: integrator}
  held: {type: integrator, initial: 0.5, upper: 1.25}
  lag: {type: first_order_lag, time_constant: 0.5, gain: 2}
  smooth: {type: second_order, natural_frequency: 2}
  system: {type: state_space, A: [[-1]], B: [[1]], C: [[1], [2]], D: [[0], [1]]}
  function: {type: transfer_function, numerator: [3], denominator: [1, 2]}
  pipe: {type: transport_delay, delay: 0.33, period: 0.1}
  hold: {type: zero_order_hold, period: 0.5, offset: 0.25}
  last: {type: unit_delay, period: 0.5, offset: 0.25}
  rate: {type: discrete_derivative, period: 0.5}
  mean: {type: moving_average, samples: 4, period: 0.5}
  digital: {type: discrete_state_space, A: [[1]], B: [[1]], C: [[1]], period: 0.5}
  equation: {type: discrete_transfer_function, numerator: [1], denominator: [1, -1], period: 0.5}
  edges: {type: counter, threshold: 1.5}
  log: {type: recorder, names: [ramp, delayed]}
  both: {type: state_space, A: [[0]], B: [[0]], C: [[1], [0]], D: [[0], [1]]}
connections:
  - one.output -> ramp.input
  - one.output -> held.input
  - one.output -> lag.input
  - one.output -> smooth.input
  - one.output -> system.input
  - one.output -> function.input
  - ramp.output -> pipe.input
  - ramp.output -> hold.input
  - ramp.output -> last.input
  - ramp.output -> rate.input
  - ramp.output -> mean.input
  - one.output -> digital.input
  - one.output -> equation.input
  - ramp.output -> edges.input
  - pipe.output -> both.input
  - both.output -> log.input
simulation: {integrator: dopri5, accuracy: 1.0e-9, duration: 2.05}
");
    let t = 2.05_f64;
    let decay = |rate: f64| (-rate * t).exp();
    for (name, expected) in [
        ("ramp.output", t),
        ("held.output", 1.25),
        // The samples at 0.5, 1, 1.5 and 2 s.
        ("mean.output", 1.25),
        ("lag.output", 2.0 * (1.0 - decay(2.0))),
        ("smooth.position", 1.0 - (1.0 + 2.0 * t) * decay(2.0)),
        ("smooth.rate", 4.0 * t * decay(2.0)),
        ("system.output[0]", 1.0 - decay(1.0)),
        ("system.output[1]", 3.0 - 2.0 * decay(1.0)),
        ("function.output", 1.5 * (1.0 - decay(2.0))),
        ("pipe.output", t - 0.33),
        ("hold.output", 1.75),
        ("last.output", 1.25),
        ("rate.output", 1.0),
        // Events at 0, 0.5, 1, 1.5, 2: the sum of the samples before the latest.
        ("digital.output", 4.0),
        ("equation.output", 4.0),
        ("edges.output", 1.0),
        ("log.delayed", t - 0.33),
    ] {
        assert_channel(&mut simulation, name, expected);
    }
}

/// A mass under its regulator, from the estimate of a filter: x = e^(-√3/2 t) (cos t/2 + √3 sin t/2) from (1, 0).
#[test]
fn regulator_and_filter_are_designed_from_the_file() {
    let mut simulation = run(r"
kinegraph: 1
systems:
  mass: {type: state_space, A: [[0, 1], [0, 0]], B: [[0], [1]], C: [[1, 0]], initial: [1, 0]}
  regulator: {type: lqr, A: [[0, 1], [0, 0]], B: [[0], [1]], Q: [[1, 0], [0, 1]], R: [[1]]}
  observer:
    type: kalman_filter
    A: [[0, 1], [0, 0]]
    B: [[0], [1]]
    C: [[1, 0]]
    process_noise: [[0, 0], [0, 4]]
    measurement_noise: [[1]]
    initial: [1, 0]
connections:
  - mass.output -> observer.measurement
  - regulator.effort -> observer.input
  - observer.estimate -> regulator.state
  - regulator.effort -> mass.input
simulation: {integrator: dopri5, accuracy: 1.0e-9, duration: 2.0}
");
    let (decay, (sin, cos)) = ((-3.0_f64.sqrt()).exp(), 1.0_f64.sin_cos());
    assert_channel(&mut simulation, "mass.output", decay * (cos + 3.0_f64.sqrt() * sin));
}

/// An error of 1 under kp = 1, ki = 2, limited to 3: at t = 2 the limit is active, and the integral is reduced with T =
/// 0.4.
#[test]
fn a_limited_pid_on_an_error() {
    let mut simulation = run(r"
kinegraph: 1
systems:
  error: {type: constant, value: [1, 1]}
  pid: {type: pid, kp: 1, ki: [2, 0], kd: [0, 0.5], input: error, derivative_filter: 0.25, upper: 3, tracking_time: 0.4}
connections: [error.output -> pid.error]
simulation: {integrator: dopri5, accuracy: 1.0e-9, duration: 2.0}
");
    assert_channel(&mut simulation, "pid.effort[0]", 3.0);
    assert_channel(&mut simulation, "pid.effort[1]", 1.0 + 2.0 * (-8.0_f64).exp());
    let integral = simulation.state().continuous[0];
    assert!((integral - (1.0 + 0.4 * (1.0 - (-2.5_f64).exp()))).abs() < 1e-6, "{integral}");
}
