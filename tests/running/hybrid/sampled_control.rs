//! Controllers that sample a motor at two rates that do not divide each other. Between events the motor is linear and
//! the inputs are constant, so that the motion has a closed form from event to event.

use super::blocks::{Hold, Lag};
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::Options;
use kinegraph::simulate::Simulation;
use kinegraph::systems::operators::{Adder, Gain};
use kinegraph::systems::port::Sampling;
use kinegraph::systems::sources::Constant;

/// Speed w of a motor: `w' = -w/T + K u`, `u = p (r - w)` sampled every 0.01 s, plus `d w` sampled every 0.007 s from
/// 0.002 s.
const T: f64 = 0.05;
const K: f64 = 100.0;
const P: f64 = 0.4;
const D: f64 = -0.15;
const FAST: Sampling = Sampling { period: 0.007, offset: 0.002 };
const SLOW: Sampling = Sampling { period: 0.01, offset: 0.0 };

fn motor() -> Diagram {
    let mut b = DiagramBuilder::new("motor");
    let goal = b.add("goal", Constant::new([10.0 * P]).unwrap());
    let speed = b.add("speed", Lag::new(-1.0 / T, K, 3.0));
    let p = b.add("p", Gain::new(1, -P).unwrap());
    let error = b.add("error", Adder::new(1, [1.0, 1.0]).unwrap());
    let d = b.add("d", Gain::new(1, D).unwrap());
    let slow = b.add("slow", Hold::new(SLOW));
    let fast = b.add("fast", Hold::new(FAST));
    let u = b.add("u", Adder::new(1, [1.0, 1.0]).unwrap());
    b.connect(speed.output, p.input);
    b.connect(goal.output, error.inputs[0]);
    b.connect(p.output, error.inputs[1]);
    b.connect(error.output, slow.input);
    b.connect(speed.output, d.input);
    b.connect(d.output, fast.input);
    b.connect(slow.output, u.inputs[0]);
    b.connect(fast.output, u.inputs[1]);
    b.connect(u.output, speed.input);
    b.build().unwrap()
}

/// The speed at `end`, event by event. Times in thousandths of a second, so that equal times are equal.
fn exact(end: u32) -> f64 {
    let (mut w, mut slow, mut fast) = (3.0, 0.0, 0.0);
    for millis in 0..=end {
        let (p, d) = (P * 10.0 - P * w, D * w);
        if millis % 10 == 0 {
            slow = p;
        }
        if millis >= 2 && (millis - 2) % 7 == 0 {
            fast = d;
        }
        if millis < end {
            let rest = T * K * (slow + fast);
            w = rest + (w - rest) * (-1e-3 / T).exp();
        }
    }
    w
}

#[test]
fn two_rates_that_do_not_divide_each_other() {
    for (options, bound) in [
        (Options::dopri5(1e-11), 1e-10),
        (Options::rk3(1e-8), 1e-7),
        (Options { step: Some(1e-3), ..Options::dopri5(1e-3) }, 1e-8),
        (Options::cenic(1e-6), 2e-3),
        (Options::icf(1e-5), 2e-3),
    ] {
        let mut simulation = Simulation::new(&motor(), options).unwrap();
        for millis in [1, 2, 9, 10, 72, 135, 300] {
            simulation.advance_to(f64::from(millis) * 1e-3).unwrap();
            let w = simulation.state().continuous[0];
            assert!((w - exact(millis)).abs() < bound, "{options:?} at {millis} ms: {w} instead of {}", exact(millis));
        }
    }
}

#[test]
fn the_motor_settles_at_the_balance_of_the_gains() {
    // w (1/(T K) + p - d) = p r
    let mut simulation = Simulation::new(&motor(), Options::dopri5(1e-9)).unwrap();
    simulation.advance_to(3.0).unwrap();
    let w = simulation.state().continuous[0];
    assert!((w - P * 10.0 / (1.0 / (T * K) + P - D)).abs() < 1e-6, "{w}");
}
