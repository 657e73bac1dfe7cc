//! A run that is saved and resumed continues as if it had not been.

use super::accurate;
use super::blocks::{Counter, Hold, Lag, Levels, alone};
use kinegraph::diagram::{Diagram, DiagramBuilder, State};
use kinegraph::integrators::Options;
use kinegraph::simulate::{Simulation, Snapshot};
use kinegraph::systems::port::Sampling;

fn sampled() -> Diagram {
    let mut b = DiagramBuilder::new("sampled");
    let hold = b.add("hold", Hold::new(Sampling::every(0.1)));
    let lag = b.add("lag", Lag::new(-0.3, -1.0, 1.0));
    b.connect(lag.output, hold.input);
    b.connect(hold.output, lag.input);
    b.add("counter", Counter::new(&[Sampling::every(0.1)]));
    b.add("levels", Levels::new(&[0.2, 0.45, 0.77]));
    b.build().unwrap()
}

fn bits(state: &State) -> Vec<u64> {
    let numbers = state.continuous.iter().chain(&state.discrete).chain([&state.time]);
    numbers.map(|x| x.to_bits()).collect()
}

#[test]
fn a_snapshot_goes_on_bit_for_bit() {
    let diagram = sampled();
    for options in [accurate(), Options::rk3(1e-5), Options::cenic(1e-3), Options::icf(0.013)] {
        // At a tick, at a crossing and a tick, between.
        for stop in [0.3, 0.2, 0.4321] {
            let mut simulation = Simulation::new(&diagram, options).unwrap();
            simulation.advance_to(stop).unwrap();
            let saved = simulation.snapshot();
            simulation.advance_to(1.0).unwrap();
            let mut other = Simulation::new(&diagram, options).unwrap();
            other.restore(&saved).unwrap();
            other.advance_to(1.0).unwrap();
            assert_eq!(bits(simulation.state()), bits(other.state()), "{options:?} {stop}");
        }
    }
}

#[test]
fn a_snapshot_is_text() {
    // JSON has no numbers that are not finite: a diagram without them.
    let mut b = DiagramBuilder::new("sampled");
    let hold = b.add("hold", Hold::new(Sampling::every(0.1)));
    let lag = b.add("lag", Lag::new(-0.3, -1.0, 1.0));
    b.connect(lag.output, hold.input);
    b.connect(hold.output, lag.input);
    let diagram = b.build().unwrap();
    let mut simulation = Simulation::new(&diagram, Options::dopri5(1e-7)).unwrap();
    simulation.advance_to(0.4321).unwrap();
    let saved = serde_json::to_string(&simulation.snapshot()).unwrap();
    simulation.advance_to(1.0).unwrap();
    let mut other = Simulation::new(&diagram, Options::dopri5(1e-7)).unwrap();
    other.restore(&serde_json::from_str::<Snapshot>(&saved).unwrap()).unwrap();
    other.advance_to(1.0).unwrap();
    assert_eq!(bits(simulation.state()), bits(other.state()));
}

#[test]
fn start_events_fire_once_however_often_a_run_is_taken_up() {
    let diagram = alone(Counter::new(&[Sampling::every(0.25)]));
    let mut state = diagram.initial_state();
    for stop in [0.0, 0.0, 0.1, 0.25, 0.25, 0.3] {
        let mut simulation = Simulation::with(state, accurate().build(&diagram).unwrap()).unwrap();
        simulation.advance_to(stop).unwrap();
        state = simulation.state().clone();
        assert_eq!(state.discrete[0], if stop < 0.25 { 1.0 } else { 2.0 }, "{stop}");
    }
}

#[test]
fn another_integrator_takes_over_in_mid_run() {
    let diagram = sampled();
    let mut simulation = Simulation::new(&diagram, Options::cenic(1e-3)).unwrap();
    simulation.advance_to(0.35).unwrap();
    simulation.switch(accurate()).unwrap();
    simulation.advance_to(1.0).unwrap();
    let [_, ticks, _, c1, t1, c2, t2, c3, t3] = simulation.state().discrete[..] else { panic!("nine numbers") };
    assert_eq!((ticks, c1, c2, c3), (11.0, 1.0, 1.0, 1.0));
    for (t, level) in [(t1, 0.2), (t2, 0.45), (t3, 0.77)] {
        assert!((t - level).abs() < 1e-10);
    }
}
