//! A ball that falls from rest and bounces: bounce n follows bounce n - 1 by `2 e^n sqrt(2 h/g)`, and all bounces end
//! at `sqrt(2 h/g) (1 + e)/(1 - e)`.

use super::accurate;
use super::blocks::alone;
use kinegraph::integrators::{Options, Step};
use kinegraph::simulate::{RunError, Simulation};
use kinegraph::systems::port::{Crossing, Witness};
use kinegraph::systems::system::Reset;
use kinegraph::systems::{Context, Fixed, LeafSystem, Out, Outputs, Ports, Scalar};

const G: f64 = 9.81;

struct Ball {
    height: Out<Fixed<1>>,
    restitution: f64,
    ports: Ports,
}

impl Ball {
    fn new(restitution: f64) -> Self {
        let mut ports = Ports::new();
        let height = ports.output("height");
        ports.continuous_state("z", vec![1.0, 0.0]);
        ports.discrete_state("bounces", vec![0.0]);
        ports.witness("touches the ground", Crossing::Falling);
        Ball { height, restitution, ports }
    }
}

impl LeafSystem for Ball {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.height, [ctx.continuous[0]]);
    }
    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        (derivatives[0], derivatives[1]) = (ctx.continuous[1], S::constant(-G));
    }
    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        values[0] = ctx.continuous[0];
    }
    fn reset(&self, _witness: Witness, ctx: &Context<f64>, state: &mut Reset) {
        state.continuous[0] = 0.0;
        state.continuous[1] = -self.restitution * ctx.continuous[1];
        state.discrete[0] += 1.0;
    }
}

/// Times of the first bounces.
fn bounces(options: Options, count: usize) -> Vec<f64> {
    let mut simulation = Simulation::new(&alone(Ball::new(0.8)), options).unwrap();
    let mut times = Vec::new();
    while times.len() < count {
        if let Step::Event { time } = simulation.step(100.0).unwrap() {
            times.push(time);
        }
    }
    assert_eq!(simulation.state().discrete, [count as f64]);
    times
}

fn exact(n: usize) -> f64 {
    let fall = (2.0 / G).sqrt();
    fall + (1..=n).map(|k| 2.0 * fall * 0.8_f64.powi(k as i32)).sum::<f64>()
}

#[test]
fn bounces_come_when_they_should() {
    // A parabola is exact for methods of second order and above: only the location of the crossing errs, and rounding.
    // The convex step is of first order: its steps add up errors of the accuracy each.
    for (options, bound) in [(accurate(), 1e-12), (Options::rk3(1e-6), 1e-12), (Options::cenic(1e-7), 2e-2)] {
        for (n, time) in bounces(options, 20).into_iter().enumerate() {
            assert!((time - exact(n)).abs() < bound, "bounce {n} at {time} instead of {}", exact(n));
        }
    }
    for (n, time) in bounces(Options { step: Some(0.07), ..Options::dopri5(1e-3) }, 8).into_iter().enumerate() {
        assert!((time - exact(n)).abs() < 1e-12);
    }
}

#[test]
fn endless_bounces_stop_the_run_with_a_report() {
    let end = (2.0 / G).sqrt() * (1.0 + 0.8) / (1.0 - 0.8);
    for options in [accurate(), Options::rk3(1e-6)] {
        let mut simulation = Simulation::new(&alone(Ball::new(0.8)), options).unwrap();
        let error = simulation.advance_to(5.0).unwrap_err();
        let RunError::Zeno { time, events, .. } = error else { panic!("{error}") };
        assert!((time - end).abs() < 1e-6 && events > 100);
        let text = error.to_string();
        assert!(
            text.starts_with(&format!("at t = {time} s events come without end: {events} crossings within ")),
            "{text}"
        );
        assert!(text.contains("the last of block: touches the ground. Give the guard hysteresis"), "{text}");
        // The ball did not fall through, and what is there is the state at the time of the report.
        let [z, v] = simulation.state().continuous[..] else { panic!("two states") };
        assert!(simulation.time() == time && z.abs() < 1e-12 && v.abs() < 1e-5, "{z} {v}");
    }
}

#[test]
fn many_bounces_in_a_long_run_are_not_endless() {
    // Without loss it bounces for ever: 2000 bounces, none suspicious.
    let mut simulation = Simulation::new(&alone(Ball::new(1.0)), Options::rk3(1e-6)).unwrap();
    let fall = (2.0 / G).sqrt();
    simulation.advance_to(2000.0 * fall).unwrap();
    assert_eq!(simulation.state().discrete, [1000.0]);
    // A simulation started over has no memory of earlier bounces.
    let diagram = alone(Ball::new(0.8));
    let mut simulation = Simulation::new(&diagram, Options::rk3(1e-6)).unwrap();
    for _ in 0..30 {
        simulation.set_state(diagram.initial_state()).unwrap();
        simulation.advance_to(4.0 - 1e-3).unwrap();
    }
}
