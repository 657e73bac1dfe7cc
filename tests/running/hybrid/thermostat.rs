//! A thermostat with hysteresis: off, the room cools as `x' = -k (x - outside)`; on, it warms as `x' = -k (x - hot)`.
//! Switching times are logarithms.

use super::accurate;
use super::blocks::alone;
use kinegraph::integrators::{Options, Step};
use kinegraph::simulate::Simulation;
use kinegraph::systems::port::{Crossing, Witness};
use kinegraph::systems::system::Reset;
use kinegraph::systems::{Context, Fixed, LeafSystem, Out, Outputs, Ports, Scalar};

const K: f64 = 0.3;
const OUTSIDE: f64 = 5.0;
const HOT: f64 = 40.0;
const LOW: f64 = 19.0;
const HIGH: f64 = 21.0;

struct Room {
    temperature: Out<Fixed<1>>,
    ports: Ports,
}

impl Room {
    fn new() -> Self {
        let mut ports = Ports::new();
        let temperature = ports.output("temperature");
        ports.continuous_state("x", vec![20.0]);
        ports.discrete_state("on", vec![0.0]);
        ports.witness("too cold", Crossing::Falling);
        ports.witness("too warm", Crossing::Rising);
        Room { temperature, ports }
    }
}

impl LeafSystem for Room {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.temperature, ctx.continuous);
    }
    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        let goal = if ctx.discrete[0] > 0.5 { HOT } else { OUTSIDE };
        derivatives[0] = (S::constant(goal) - ctx.continuous[0]) * S::constant(K);
    }
    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        (values[0], values[1]) = (ctx.continuous[0] - LOW, ctx.continuous[0] - HIGH);
    }
    fn reset(&self, witness: Witness, _ctx: &Context<f64>, state: &mut Reset) {
        state.discrete[0] = if witness.index == 0 { 1.0 } else { 0.0 };
    }
}

/// The first switching times in closed form.
fn exact(count: usize) -> Vec<f64> {
    let cooling = |from: f64, to: f64| ((from - OUTSIDE) / (to - OUTSIDE)).ln() / K;
    let warming = |from: f64, to: f64| ((HOT - from) / (HOT - to)).ln() / K;
    let mut t = cooling(20.0, LOW);
    let mut times = vec![t];
    while times.len() < count {
        t += if times.len() % 2 == 1 { warming(LOW, HIGH) } else { cooling(HIGH, LOW) };
        times.push(t);
    }
    times
}

fn worst(options: Options, count: usize) -> f64 {
    let mut simulation = Simulation::new(&alone(Room::new()), options).unwrap();
    let mut worst = 0.0_f64;
    for time in exact(count) {
        let found = loop {
            if let Step::Event { time } = simulation.step(100.0).unwrap() {
                break time;
            }
        };
        assert_eq!(found, simulation.time());
        worst = worst.max((found - time).abs());
    }
    worst
}

#[test]
fn the_thermostat_switches_at_the_times_of_the_closed_form() {
    assert!(worst(accurate(), 30) < 1e-10);
    for accuracy in [1e-4, 1e-6, 1e-8] {
        // The temperature errs by about the accuracy times its size per switch; its slope there is about 5 per second.
        let error = worst(Options::dopri5(accuracy), 10);
        assert!(error < 50.0 * accuracy, "{accuracy:e}: {error:e}");
    }
    let error = worst(Options::cenic(1e-5), 10);
    assert!(error < 1e-2, "{error:e}");
}

#[test]
fn the_temperature_stays_between_the_levels_in_every_sample() {
    let mut simulation = Simulation::new(&alone(Room::new()), accurate()).unwrap();
    simulation
        .advance_sampling(20.0, 0.01, |state| assert!((LOW - 1e-9..HIGH + 1e-9).contains(&state.continuous[0])))
        .unwrap();
}
