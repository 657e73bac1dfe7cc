//! Derivatives of hybrid diagrams: sampled blocks, events of blocks, initial states.

use kinegraph::files::load_str;
use kinegraph::integrators::Options;
use kinegraph::prelude::*;
use kinegraph::simulate::Simulation;
use kinegraph::simulate::gradient::{By, GradientError, GradientRequest, Of};
use std::path::Path;

fn diagram(text: &str) -> Diagram {
    let loaded = load_str(Path::new("gradient.yaml"), text, &[]).unwrap();
    Scenario::build(&loaded.diagram, &loaded.loader)
        .map(|scenario| scenario.diagram)
        .ok_or_else(|| loaded.failed())
        .unwrap()
}

/// A mass of 1 kg under a sampled law: `u = kp (1 - q) - kd v` every 50 ms, 20 times. The reference multiplies the
/// matrices of the held motion.
fn sampled(kp: f64) -> String {
    format!(
        "kinegraph: 1
systems:
  v: {{type: integrator, initial: 0}}
  q: {{type: integrator, initial: 0}}
  law: {{type: expression, inputs: [q, v], expression: \"{kp}*(1 - q) - 6*v\"}}
  hold: {{type: zero_order_hold, period: 0.05}}
connections:
  - v.output -> q.input
  - q.output -> law.q
  - v.output -> law.v
  - law.output -> hold.input
  - hold.output -> v.input
simulation: {{duration: 1}}
"
    )
}

#[test]
fn a_sampled_law() {
    let simulation = Simulation::new(&diagram(&sampled(20.0)), Options::dopri5(1e-6)).unwrap();
    let by = vec![By::parameter("kp", "", 20.0, |kp| Ok(diagram(&sampled(kp))))];
    let of: Vec<Of> = vec!["end(q.output)".parse().unwrap(), "integral(q.output)".parse().unwrap()];
    let found =
        simulation.gradient(&GradientRequest { of, by, until: 1.0, at: Vec::new(), second_look: true }).unwrap();
    assert!((found.get(0, 0).value - 2.288_712e-3).abs() < 1e-6, "{:?}", found.get(0, 0));
    // By the difference of exact recursions.
    let integral = |kp: f64| {
        let (mut q, mut v, mut sum, h) = (0.0, 0.0, 0.0, 0.05);
        for _ in 0..20 {
            let u = kp * (1.0 - q) - 6.0 * v;
            sum += q * h + v * h * h / 2.0 + u * h * h * h / 6.0;
            (q, v) = (q + v * h + u * h * h / 2.0, v + u * h);
        }
        sum
    };
    let reference = (integral(20.0 + 1e-4) - integral(20.0 - 1e-4)) / 2e-4;
    assert!((found.get(1, 0).value - reference).abs() < 1e-7, "{:?} for {reference}", found.get(1, 0));
}

/// A relay with hysteresis in a loop with a lag: its times of switching have closed forms.
#[test]
fn times_of_a_relay() {
    let text = |level: f64| {
        format!(
            "kinegraph: 1
systems:
  ramp: {{type: integrator, initial: 0}}
  one: {{type: constant, value: 2}}
  above: {{type: comparator, threshold: {level}}}
  count: {{type: integrator, initial: 0}}
connections:
  - one.output -> ramp.input
  - ramp.output -> above.input
  - above.output -> count.input
simulation: {{duration: 1}}
"
        )
    };
    let simulation = Simulation::new(&diagram(&text(0.7)), Options::dopri5(1e-4)).unwrap();
    let by = vec![By::parameter("level", "", 0.7, move |level| Ok(diagram(&text(level))))];
    let of: Vec<Of> = vec!["end(count.output)".parse().unwrap()];
    let found =
        simulation.gradient(&GradientRequest { of, by, until: 1.0, at: Vec::new(), second_look: true }).unwrap();
    // The output is 1 after level / 2 seconds.
    assert!((found.values[0] - 0.65).abs() < 1e-9 && (found.get(0, 0).value + 0.5).abs() < 1e-6, "{found:?}");
}

#[test]
fn an_initial_state() {
    let text = "kinegraph: 1
systems:
  lag: {type: first_order_lag, time_constant: 0.5, initial: 3}
  zero: {type: constant, value: 0}
connections: [zero.output -> lag.input]
simulation: {duration: 1}
";
    let diagram = diagram(text);
    let simulation = Simulation::new(&diagram, Options::dopri5(1e-8)).unwrap();
    let names = diagram.state_names().to_vec();
    let by = By::initial(&diagram, simulation.state(), &names[0]).unwrap();
    let of: Vec<Of> = vec!["end(lag.output)".parse().unwrap()];
    let found = simulation
        .gradient(&GradientRequest { of, by: vec![by], until: 1.0, at: Vec::new(), second_look: true })
        .unwrap();
    assert!((found.get(0, 0).value - (-2f64).exp()).abs() < 1e-7, "{:?}", found.get(0, 0));
    let wrong = By::initial(&diagram, simulation.state(), "lag.stat").unwrap_err();
    assert!(matches!(wrong, GradientError::NoState { .. }), "{wrong}");
}
