//! Which events fire when, and their order at equal times.

use super::accurate;
use super::blocks::{Counter, Hold, Lag};
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::{Options, Step};
use kinegraph::simulate::Simulation;
use kinegraph::systems::port::Sampling;
use kinegraph::systems::sources::Constant;

fn counters(samplings: &[Sampling]) -> Diagram {
    let mut b = DiagramBuilder::new("counters");
    for (i, sampling) in samplings.iter().enumerate() {
        b.add(format!("c{i}"), Counter::new(&[*sampling]));
    }
    b.build().unwrap()
}

#[test]
fn three_times_a_tenth_is_once_three_tenths() {
    let diagram = counters(&[Sampling::every(0.1), Sampling::every(0.3), Sampling { period: 0.1, offset: 0.3 }]);
    let mut simulation = Simulation::new(&diagram, accurate()).unwrap();
    let mut times = Vec::new();
    while simulation.time() < 0.95 {
        if let Step::Event { time } = simulation.step(0.95).unwrap() {
            times.push(time);
        }
    }
    // One event per tenth: those of the blocks at one time are one.
    assert_eq!(times.len(), 9, "{times:?}");
    let [a, _, b, _, c, _] = simulation.state().discrete[..] else { panic!("six numbers") };
    assert_eq!((a, b, c), (10.0, 4.0, 7.0));
}

#[test]
fn a_million_ticks_do_not_drift() {
    // Every tick is computed from the start, so that two ways to one time meet.
    let tenth = Sampling::every(0.1);
    let mut t = 0.0;
    for k in 1..1_000_000_u64 {
        t = tenth.next_after(t);
        assert_eq!(t, k as f64 * 0.1);
        assert!(tenth.fires_at(t));
    }
}

#[test]
fn at_the_start_the_events_without_offset_fire_before_the_first_record() {
    let diagram = counters(&[Sampling::every(0.5), Sampling { period: 0.5, offset: 0.2 }]);
    let mut simulation = Simulation::new(&diagram, accurate()).unwrap();
    let mut records = Vec::new();
    simulation
        .advance_sampling(1.0, 0.1, |state| {
            records.push(((10.0 * state.time).round() as i32, state.discrete[0] as i32, state.discrete[2] as i32));
        })
        .unwrap();
    // At 0.2, 0.5 and so on the record follows the updates.
    let expected: Vec<(i32, i32, i32)> =
        (0..=10).map(|i| (i, 1 + i / 5, if i < 2 { 0 } else { 1 + (i - 2) / 5 })).collect();
    assert_eq!(records, expected);
}

#[test]
fn events_at_the_end_fire_before_the_last_record_and_not_again() {
    let diagram = counters(&[Sampling::every(0.25)]);
    for options in [accurate(), Options::icf(0.01), Options::cenic(1e-3)] {
        let mut simulation = Simulation::new(&diagram, options).unwrap();
        let mut last = 0.0;
        simulation.advance_sampling(1.0, 0.1, |state| last = state.discrete[0]).unwrap();
        assert_eq!((last, simulation.state().discrete[1]), (5.0, 1.0));
        simulation.advance_to(1.0).unwrap();
        simulation.advance_to(1.2).unwrap();
        assert_eq!(simulation.state().discrete[0], 5.0);
        simulation.advance_to(1.25).unwrap();
        assert_eq!(simulation.state().discrete[0], 6.0);
    }
}

/// A chain of holds is a delay line, in any order of the blocks.
#[test]
fn holds_at_equal_times_pass_on_earlier_values() {
    for backwards in [false, true] {
        let mut b = DiagramBuilder::new("delays");
        let source = b.add("source", Counter::new(&[Sampling::every(1.0)]));
        let mut names = ["d1", "d2", "d3"];
        if backwards {
            names.reverse();
        }
        let mut delays: Vec<_> = names.iter().map(|name| b.add(*name, Hold::new(Sampling::every(1.0)))).collect();
        if backwards {
            delays.reverse();
        }
        b.connect(source.output, delays[0].input);
        b.connect(delays[0].output, delays[1].input);
        b.connect(delays[1].output, delays[2].input);
        let outputs = [source.output, delays[0].output, delays[1].output, delays[2].output];
        let mut simulation = Simulation::new(&b.build().unwrap(), accurate()).unwrap();
        for k in 0..6 {
            simulation.advance_to(f64::from(k) + 0.5).unwrap();
            let n = f64::from(k);
            let expected = [n + 1.0, n, (n - 1.0).max(0.0), (n - 2.0).max(0.0)];
            let values = outputs.map(|output| simulation.output(output)[0]);
            assert_eq!(values, expected, "after tick {k}");
        }
    }
}

#[test]
fn several_periodic_events_of_one_block_all_count() {
    let mut b = DiagramBuilder::new("one");
    b.add("c", Counter::new(&[Sampling::every(0.1), Sampling::every(0.25)]));
    let mut simulation = Simulation::new(&b.build().unwrap(), accurate()).unwrap();
    simulation.advance_to(1.0).unwrap();
    // 11 and 5, those at 0, 0.5 and 1 both.
    assert_eq!(simulation.state().discrete[0], 16.0);
}

#[test]
fn limits_between_ticks_change_nothing() {
    let mut b = DiagramBuilder::new("sampled");
    let hold = b.add("hold", Hold::new(Sampling::every(0.1)));
    let lag = b.add("lag", Lag::new(0.0, -1.0, 1.0));
    b.connect(lag.output, hold.input);
    b.connect(hold.output, lag.input);
    let diagram = b.build().unwrap();
    let mut straight = Simulation::new(&diagram, accurate()).unwrap();
    straight.advance_to(2.0).unwrap();
    let mut nested = Simulation::new(&diagram, accurate()).unwrap();
    for k in 1..=700 {
        nested.advance_to(f64::from(k) / 350.0).unwrap();
    }
    // x(k+1) = x(k) - 0.1 x(k).
    for simulation in [&straight, &nested] {
        assert!((simulation.state().continuous[0] - 0.9_f64.powi(20)).abs() < 1e-12);
    }
}

#[test]
fn a_diagram_of_sampled_blocks_alone_runs() {
    let mut b = DiagramBuilder::new("discrete");
    let source = b.add("source", Constant::new([2.5]).unwrap());
    let hold = b.add("hold", Hold::new(Sampling { period: 1.0, offset: 0.5 }));
    b.connect(source.output, hold.input);
    let diagram = b.build().unwrap();
    for options in [accurate(), Options::cenic(1e-3), Options::icf(0.3)] {
        let mut simulation = Simulation::new(&diagram, options).unwrap();
        simulation.advance_to(0.49).unwrap();
        assert_eq!(simulation.output(hold.output), [0.0]);
        simulation.advance_to(0.5).unwrap();
        assert_eq!(simulation.output(hold.output), [2.5]);
    }
}

#[test]
fn samples_without_a_period_are_the_first_and_the_last() {
    for every in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let mut times = Vec::new();
        let mut simulation = Simulation::new(&counters(&[Sampling::every(0.1)]), accurate()).unwrap();
        simulation.advance_sampling(0.5, every, |state| times.push(state.time)).unwrap();
        assert_eq!(times, [0.0, 0.5]);
    }
}

#[test]
fn periods_that_cannot_be_counted_are_refused_all_together() {
    let mut b = DiagramBuilder::new("bad");
    let bad = [(0.0, 0.0), (-1.0, 0.0), (1e-300, 0.0), (f64::NAN, 0.0), (f64::INFINITY, 0.0), (1.0, f64::NAN)];
    for (i, (period, offset)) in bad.into_iter().enumerate() {
        b.add(format!("c{i}"), Counter::new(&[Sampling { period, offset }]));
    }
    let faults = b.build().unwrap_err().0;
    assert_eq!(faults.len(), bad.len());
    assert!(faults[1].to_string().starts_with("c1 has a periodic event every -1 s"), "{}", faults[1]);
}
