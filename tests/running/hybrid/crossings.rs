//! Location of crossings, and those that are found together.

use super::accurate;
use super::blocks::{Counter, Levels, Watch, alone};
use kinegraph::diagram::DiagramBuilder;
use kinegraph::integrators::{OfOptions, Options, Step};
use kinegraph::simulate::{RunError, Scenario, Simulation};
use kinegraph::systems::dynamics::{self, Integrator};
use kinegraph::systems::operators::{Adder, Elementary, Expression, Function, Gain, Relay, RelayParameters};
use kinegraph::systems::port::{Crossing, Sampling, Witness};
use kinegraph::systems::system::Reset;
use kinegraph::systems::{Context, Fixed, LeafSystem, Out, Outputs, Ports, Scalar};

#[test]
fn crossings_in_one_step_come_one_after_the_other() {
    // The step would be 0.1; all levels lie within one.
    let levels = [0.031, 0.012, 0.0779, 0.05, 0.0120001];
    let options = Options { initial_step: Some(0.1), ..accurate() };
    let mut simulation = Simulation::new(&alone(Levels::new(&levels)), options).unwrap();
    let mut times = Vec::new();
    while simulation.time() < 0.1 {
        if let Step::Event { time } = simulation.step(0.1).unwrap() {
            times.push(time);
        }
    }
    assert!(times.is_sorted() && times.len() == levels.len());
    for (seen, level) in simulation.state().discrete.chunks(2).zip(levels) {
        assert!(seen[0] == 1.0 && (seen[1] - level).abs() < 1e-14, "{seen:?} at {level}");
    }
}

#[test]
fn a_crossing_is_located_to_rounding() {
    for options in [accurate(), Options::cenic(1e-3), Options::icf(0.01), Options::rk3(1e-3)] {
        for level in [1e-7, 0.1234567, 1.0 / 3.0, 7.7] {
            let mut simulation = Simulation::new(&alone(Levels::new(&[level])), options).unwrap();
            simulation.advance_to(10.0).unwrap();
            let [count, time] = simulation.state().discrete[..] else { panic!("two numbers") };
            assert!(count == 1.0 && (time - level).abs() < 1e-10_f64.min(1e-13 * level.max(1.0)), "{time} {level}");
        }
    }
}

#[test]
fn crossings_at_one_time_are_one_event_and_read_the_same_values() {
    // One at 0.3 s, the other 1e-13 s later: the same time, to rounding.
    let mut b = DiagramBuilder::new("together");
    let x = b.add("x", Levels::new(&[0.3]));
    let triple = b.add("triple", Gain::new(1, 3.0).unwrap());
    let watch = b.add("watch", Watch::new(3.0 * (0.3 + 1e-13), Crossing::Rising));
    b.connect(x.output, triple.input);
    b.connect(triple.output, watch.input);
    let diagram = b.build().unwrap();
    let mut simulation = Simulation::new(&diagram, accurate()).unwrap();
    let mut events = 0;
    while simulation.time() < 1.0 {
        events += usize::from(matches!(simulation.step(1.0).unwrap(), Step::Event { .. }));
    }
    let [a, t_a, b, t_b] = simulation.state().discrete[..] else { panic!("four numbers") };
    assert_eq!((events, a, b), (1, 1.0, 1.0));
    assert!(t_a == t_b && (t_a - 0.3).abs() < 1e-12);
}

/// Two points that swap their values where they meet: each reads the other's value just before.
struct Swap {
    both: Out<Fixed<2>>,
    ports: Ports,
}

impl Swap {
    fn new() -> Self {
        let mut ports = Ports::new();
        let both = ports.output("both");
        ports.continuous_state("x", vec![0.0, 1.0]);
        ports.discrete_state("seen", vec![0.0, 0.0]);
        ports.witness("first", Crossing::Rising);
        ports.witness("second", Crossing::Rising);
        Swap { both, ports }
    }
}

impl LeafSystem for Swap {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.both, ctx.continuous);
    }
    fn derivatives<S: Scalar>(&self, _ctx: &Context<S>, derivatives: &mut [S]) {
        (derivatives[0], derivatives[1]) = (S::one(), S::zero());
    }
    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        values.fill(ctx.continuous[0] - 0.5);
    }
    fn reset(&self, witness: Witness, ctx: &Context<f64>, state: &mut Reset) {
        let (i, j) = (witness.index, 1 - witness.index);
        state.discrete[i] = ctx.continuous[j];
        state.continuous[i] = -1.0 - ctx.continuous[i];
    }
}

#[test]
fn resets_at_one_time_do_not_see_each_other() {
    let mut simulation = Simulation::new(&alone(Swap::new()), accurate()).unwrap();
    while !matches!(simulation.step(1.0).unwrap(), Step::Event { .. }) {}
    let state = simulation.state();
    assert!((state.discrete[0] - 1.0).abs() < 1e-12 && (state.discrete[1] - 0.5).abs() < 1e-12, "{state:?}");
    assert!((state.continuous[0] + 1.5).abs() < 1e-12 && (state.continuous[1] + 2.0).abs() < 1e-12, "{state:?}");
}

/// Regression: the tick at the time of a crossing was passed over.
#[test]
fn a_crossing_at_the_time_of_a_tick_comes_first_and_the_tick_still_fires() {
    for level in [0.3, 0.3 - 1e-14, 0.3 + 1e-14, 0.1 + 0.2] {
        for options in [accurate(), Options::icf(0.01), Options::cenic(1e-3)] {
            let mut b = DiagramBuilder::new("both");
            b.add("x", Levels::new(&[level]));
            b.add("counter", Counter::new(&[Sampling::every(0.1)]));
            let mut simulation = Simulation::new(&b.build().unwrap(), options).unwrap();
            simulation.advance_to(1.0).unwrap();
            let [crossed, at, ticks, last] = simulation.state().discrete[..] else { panic!("four numbers") };
            assert_eq!((crossed, ticks, last), (1.0, 11.0, 1.0), "{level}");
            assert!((at - 0.3).abs() < 1e-12);
        }
    }
}

/// Regression: with steps as long as the largest, a step ended at the limit without reporting it, and the tick there
/// was lost.
#[test]
fn a_tick_that_steps_of_the_largest_length_just_meet_fires() {
    for options in [accurate(), Options::cenic(1e-3), Options { step: Some(0.1), ..Options::rk3(1e-3) }] {
        for period in [0.1, 0.2, 0.3, 0.7] {
            let mut b = DiagramBuilder::new("both");
            b.add("x", Levels::new(&[]));
            b.add("counter", Counter::new(&[Sampling::every(period)]));
            let options = Options { max_step: 0.1, initial_step: Some(0.1), ..options };
            let mut simulation = Simulation::new(&b.build().unwrap(), options).unwrap();
            simulation.advance_to(100.0 * period).unwrap();
            assert_eq!(simulation.state().discrete[0], 101.0, "{period}");
        }
    }
}

#[test]
fn an_update_that_jumps_across_zero_is_a_crossing() {
    let mut b = DiagramBuilder::new("jumps");
    let counter = b.add("counter", Counter::new(&[Sampling { period: 0.25, offset: 0.25 }]));
    let rising = b.add("rising", Watch::new(1.5, Crossing::Rising));
    let falling = b.add("falling", Watch::new(1.5, Crossing::Falling));
    b.connect(counter.output, rising.input);
    b.connect(counter.output, falling.input);
    let mut simulation = Simulation::new(&b.build().unwrap(), accurate()).unwrap();
    simulation.advance_to(1.0).unwrap();
    let [count, _, rises, at, falls, _] = simulation.state().discrete[..] else { panic!("six numbers") };
    assert_eq!((count, rises, at, falls), (4.0, 1.0, 0.5, 0.0));
}

/// A reset that makes its own function change sign back: a clock that starts over at one.
struct Clock {
    time: Out<Fixed<1>>,
    ports: Ports,
}

impl Clock {
    fn new() -> Self {
        let mut ports = Ports::new();
        let time = ports.output("time");
        ports.continuous_state("t", vec![0.0]);
        ports.discrete_state("rounds", vec![0.0]);
        ports.witness("full", Crossing::Either);
        Clock { time, ports }
    }
}

impl LeafSystem for Clock {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.time, ctx.continuous);
    }
    fn derivatives<S: Scalar>(&self, _ctx: &Context<S>, derivatives: &mut [S]) {
        derivatives[0] = S::one();
    }
    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        values[0] = ctx.continuous[0] - 1.0;
    }
    fn reset(&self, _witness: Witness, ctx: &Context<f64>, state: &mut Reset) {
        state.continuous[0] = ctx.continuous[0] - 1.0;
        state.discrete[0] += 1.0;
    }
}

#[test]
fn a_reset_is_no_crossing() {
    let mut simulation = Simulation::new(&alone(Clock::new()), accurate()).unwrap();
    simulation.advance_to(10.5).unwrap();
    assert_eq!(simulation.state().discrete, [10.0]);
    assert!((simulation.state().continuous[0] - 0.5).abs() < 1e-12);
}

fn relay(rise_at: f64, fall_at: f64) -> Relay {
    let [rise_at, fall_at, high, low] = [rise_at, fall_at, 1.0, 0.0].map(Into::into);
    Relay::new(1, RelayParameters { rise_at, fall_at, high, low, starts_high: false }).unwrap()
}

/// A relay switches another, which is counted: all at one time, in any order of the blocks.
#[test]
fn a_reset_that_makes_the_function_of_another_block_jump_is_a_crossing_at_the_same_time() {
    for backwards in [false, true] {
        let mut b = DiagramBuilder::new("relays");
        let counter = || dynamics::Counter::new(0.5, None).unwrap();
        let early = backwards.then(|| b.add("count", counter()));
        let x = b.add("x", Levels::new(&[]));
        let (second, first) = (b.add("second", relay(0.9, 0.1)), b.add("first", relay(0.3, 0.2)));
        let count = early.unwrap_or_else(|| b.add("count", counter()));
        b.connect(x.output, first.input);
        b.connect(first.output, second.input);
        b.connect(second.output, count.input);
        let diagram = b.build().unwrap();
        for options in [accurate(), Options::cenic(1e-3), Options::icf(0.01)] {
            let mut simulation = Simulation::new(&diagram, options).unwrap();
            let mut events = Vec::new();
            while simulation.time() < 1.0 {
                if let Step::Event { time } = simulation.step(1.0).unwrap() {
                    events.push(time);
                }
            }
            assert!(events.len() == 1 && (events[0] - 0.3).abs() < 1e-10, "{events:?}");
            assert_eq!(simulation.output(second.output), [1.0]);
            assert_eq!(simulation.output(count.output), [1.0]);
        }
    }
}

/// At the start a relay takes the mode that its input requires, and so does one that the first one drives.
#[test]
fn modes_at_the_start_follow_each_other() {
    let mut b = DiagramBuilder::new("start");
    let (second, first) = (b.add("second", relay(0.9, 0.1)), b.add("first", relay(0.3, 0.2)));
    b.fix(first.input, [1.0]);
    b.connect(first.output, second.input);
    let mut simulation = Simulation::new(&b.build().unwrap(), accurate()).unwrap();
    simulation.advance_to(0.5).unwrap();
    assert_eq!(simulation.output(second.output), [1.0]);
}

/// A relay that switches itself back at once, around a loop without memory: it does not end in a mode that contradicts
/// its input.
#[test]
fn a_loop_of_resets_without_end_stops_the_run_with_a_report() {
    let mut b = DiagramBuilder::new("chatter");
    let x = b.add("x", Levels::new(&[]));
    let relay = b.add("relay", relay(0.3, 0.2));
    let (back, input) =
        (b.add("back", Gain::new(1, -1.0).unwrap()), b.add("input", Adder::new(1, [1.0, 1.0]).unwrap()));
    b.connect(relay.output, back.input);
    b.connect(x.output, input.inputs[0]);
    b.connect(back.output, input.inputs[1]);
    b.connect(input.output, relay.input);
    let mut simulation = Simulation::new(&b.build().unwrap(), accurate()).unwrap();
    let RunError::Zeno { time, witnesses, .. } = simulation.advance_to(1.0).unwrap_err() else { panic!("no report") };
    assert!((time - 0.3).abs() < 1e-10 && witnesses.starts_with("relay: "), "{time} {witnesses}");
}

#[test]
fn a_function_that_is_not_a_number_stops_the_run_with_the_name_of_its_block() {
    let mut b = DiagramBuilder::new("undefined");
    let x = b.add("x", Levels::new(&[]));
    let rest = b.add("rest", Adder::new(1, [1.0, -1.0]).unwrap());
    let root = b.add("root", Function::new(1, Elementary::Sqrt));
    let watch = b.add("watch", Watch::new(-1.0, Crossing::Either));
    b.fix(rest.inputs[0], [0.5]);
    b.connect(x.output, rest.inputs[1]);
    b.connect(rest.output, root.input);
    b.connect(root.output, watch.input);
    let diagram = b.build().unwrap();
    for options in [accurate(), Options::cenic(1e-3), Options::icf(0.01), Options::rk3(1e-3)] {
        let mut simulation = Simulation::new(&diagram, options).unwrap();
        let error = simulation.advance_to(1.0).unwrap_err();
        let RunError::UndefinedWitness { time, witness } = &error else { panic!("{error}") };
        assert!((0.5..0.61).contains(time) && witness == "watch: level", "{error}");
        assert!(simulation.state().continuous[0].is_finite());
    }
}

#[test]
fn a_step_to_where_it_is_finds_nothing_twice() {
    // Once a regression waiting to happen: the step before is still there to be searched.
    let mut simulation = Simulation::new(&alone(Levels::new(&[0.5])), accurate()).unwrap();
    while !matches!(simulation.step(1.0).unwrap(), Step::Event { .. }) {}
    let before = simulation.state().clone();
    let time = simulation.time();
    assert_eq!(simulation.step(time).unwrap(), Step::ReachedLimit { h: 0.0, error: 0.0 });
    simulation.advance_to(0.1).unwrap();
    assert_eq!(simulation.state(), &before);
    for limit in [f64::NAN, 0.2] {
        let error = simulation.step(limit).unwrap_err();
        assert!(error.to_string().starts_with("cannot step from t = 0.5"), "{error}");
    }
    assert!(simulation.advance_to(f64::NAN).is_err());
    assert_eq!(simulation.state(), &before);
}

/// Dry friction as the sign of a velocity is a sliding mode: every method reports it instead of a wrong result.
#[test]
fn a_sliding_mode_stops_the_run_with_the_name_of_its_block() {
    let open = || Scenario::open("tests/data/edges/sliding_mode.yaml").unwrap_or_else(|fault| panic!("{fault}"));
    for options in [
        Options::cenic(1e-3),
        Options::cenic(1e-5),
        Options::cenic_trapezoid(1e-4),
        Options::dopri5(1e-3),
        Options::sdirk2(1e-3),
        Options::ros2(1e-4),
    ] {
        let mut simulation = Simulation::new(&open().diagram, options).unwrap();
        let fault = simulation.advance_to(8.0).expect_err("nothing follows it");
        let name = options.integrator.name;
        assert!(matches!(&fault, RunError::Slides { block, .. } if block == "f"), "{name}: {fault}");
    }
}

/// A relay that drives a mass to and fro across its switching point is no sliding mode.
#[test]
fn a_switch_that_is_passed_is_no_sliding_mode() {
    let mut b = DiagramBuilder::new("to_and_fro");
    b.add("v", Integrator::new(vec![0.0]).unwrap());
    b.add("x", Integrator::new(vec![1.0]).unwrap());
    b.add("push", Expression::new(&[("x", 1)], &["-3*sign(x)"]).unwrap());
    b.connect_paths("v.output", "x.input");
    b.connect_paths("x.output", "push.x");
    b.connect_paths("push.output", "v.input");
    let diagram = b.build().unwrap();
    for options in [Options::cenic(1e-3), Options::dopri5(1e-3), Options::sdirk2(1e-4)] {
        let mut simulation = Simulation::new(&diagram, options).unwrap();
        simulation.advance_to(20.0).unwrap_or_else(|fault| panic!("{}: {fault}", options.integrator.name));
    }
}
