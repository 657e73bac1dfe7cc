//! Effects that depend on the time alone: events between steps, sources faster than steps, jumps through delays.

use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::{METHODS, Options};
use kinegraph::simulate::{Scenario, Simulation};
use kinegraph::systems::dynamics::{Counter, DiscreteTransferFunction, Integrator, TransportDelay};
use kinegraph::systems::operators::{Adder, Elementary, Expression, Function, Gain, Relay, RelayParameters, Switch};
use kinegraph::systems::sources::{Constant, Pulse, Sine, Step};
use kinegraph::systems::{Context, Fixed, LeafSystem, Out, Outputs, Ports, Sampling, Scalar};
use std::f64::consts::{PI, TAU};

/// Methods of every kind at an accuracy; those of fixed length with steps of 20 ms.
fn methods(accuracy: f64) -> Vec<Options> {
    let mut all: Vec<Options> = METHODS.iter().map(|method| Options { accuracy, ..Options::of(method) }).collect();
    all.retain(|options| options.error_controlled());
    all.push(Options::icf(0.02));
    all
}

fn diagram(file: &str) -> Diagram {
    Scenario::open(format!("tests/data/clockwork/{file}.yaml")).unwrap_or_else(|fault| panic!("{fault}")).diagram
}

/// A channel of `diagram` at time `t`.
fn at(diagram: &Diagram, options: Options, t: f64, channel: &str) -> f64 {
    let mut simulation = Simulation::new(diagram, options).unwrap();
    simulation.advance_to(t).unwrap_or_else(|fault| panic!("{}: {fault}", options.integrator.name));
    simulation.channel(channel).unwrap()
}

#[test]
fn a_counter_counts_every_wave_whatever_the_steps() {
    for options in methods(1e-3) {
        let count = at(&diagram("counter"), options, 10.0, "count.output");
        assert_eq!(count, 500.0, "{}", options.integrator.name);
    }
    for max_step in [0.02, 0.013, 3.0] {
        let options = Options { max_step, ..Options::cenic(1e-2) };
        assert_eq!(at(&diagram("counter"), options, 10.0, "count.output"), 500.0, "{max_step}");
    }
}

#[test]
fn a_wave_that_just_touches_the_threshold_counts() {
    let mut b = DiagramBuilder::new("touches");
    b.add("wave", Sine::new(1, 1.0, TAU * 7.0, 0.3, 0.0).unwrap());
    b.add("count", Counter::new(1.0 - 1e-9, None).unwrap());
    b.connect_paths("wave.output", "count.input");
    let diagram = b.build().unwrap();
    assert_eq!(at(&diagram, Options::cenic(1e-3), 5.0, "count.output"), 35.0);
}

#[test]
fn a_touch_just_before_another_event_counts() {
    // The wave touches at 0.25 s and every second, a step jumps a little later.
    for delay in [1e-7, 1e-5, 1e-4, 1e-3, 5e-3, 1e-2, 0.02, 0.03] {
        let mut b = DiagramBuilder::new("touches");
        b.add("wave", Sine::new(1, 1.0, TAU, 0.0, 0.0).unwrap());
        b.add("count", Counter::new(1.0 - 1e-9, None).unwrap());
        b.connect_paths("wave.output", "count.input");
        b.add("jump", Pulse::new(1, 1.0, 1.0, 0.4, 0.25 + delay).unwrap());
        b.add("others", Counter::new(0.5, None).unwrap());
        b.connect_paths("jump.output", "others.input");
        let diagram = b.build().unwrap();
        for options in [Options::cenic(1e-3), Options::dopri5(1e-3)] {
            let counts = ["count.output", "others.output"].map(|channel| at(&diagram, options, 5.9, channel));
            assert_eq!(counts, [6.0, 6.0], "{} {delay:e} s later", options.integrator.name);
        }
    }
}

#[test]
fn a_force_of_any_frequency_moves_a_cart_as_its_mean_does() {
    let diagram = diagram("aliased");
    for options in [Options::cenic(1e-2), Options::dopri5(1e-3), Options::cenic(1e-4)] {
        let v = at(&diagram, options, 10.0, "plant.cart.x.v");
        assert!((v - 5.0).abs() < 20.0 * options.accuracy, "{} {v}", options.integrator.name);
    }
}

#[test]
fn the_integral_of_a_square_is_right_at_any_frequency() {
    for (frequency, options) in [
        (0.01, Options::cenic(1e-2)),
        (100.0, Options::cenic(1e-2)),
        (200.0, Options::cenic(1e-4)),
        (10.0, Options::dopri5(1e-3)),
        (1000.0, Options::dopri5(1e-3)),
        (50.0, Options::ros2(1e-3)),
        (50.0, Options::sdirk2(1e-3)),
    ] {
        let mut b = DiagramBuilder::new("square");
        b.add("wave", Sine::new(1, 1.0, TAU * frequency, 0.0, 0.0).unwrap());
        b.add("square", Function::new(1, Elementary::Square));
        b.add("sum", Integrator::new(vec![0.0]).unwrap());
        b.connect_paths("wave.output", "square.input");
        b.connect_paths("square.output", "sum.input");
        let t = 2.13;
        let expected = 0.5 * t - (2.0 * TAU * frequency * t).sin() / (4.0 * TAU * frequency);
        let found = at(&b.build().unwrap(), options, t, "sum.output");
        let name = options.integrator.name;
        assert!((found - expected).abs() < 20.0 * options.accuracy, "{name} {frequency} Hz: {found} {expected}");
    }
}

#[test]
fn a_burst_of_an_expression_is_not_passed_over() {
    let mut b = DiagramBuilder::new("burst");
    b.add("burst", Expression::new(&[], &["100*exp(-((t-500)/0.01)^2)"]).unwrap());
    b.add("sum", Integrator::new(vec![0.0]).unwrap());
    b.connect_paths("burst.output", "sum.input");
    let diagram = b.build().unwrap();
    for options in [Options::cenic(1e-3), Options::dopri5(1e-3)] {
        let found = at(&diagram, Options { max_step: 100.0, ..options }, 1000.0, "sum.output");
        assert!((found - PI.sqrt()).abs() < 2e-2, "{} {found}", options.integrator.name);
    }
}

#[test]
fn a_table_over_the_day_has_its_bursts() {
    for options in methods(1e-3) {
        let longest = if options.error_controlled() { 3600.0 } else { options.max_step };
        let step = options.step.map(|_| 3600.0);
        let options = Options { max_step: longest, step, ..options };
        let energy = at(&diagram("series"), options, 86400.0, "energy.output");
        assert!((energy - 900.0).abs() < 2e-2, "{} {energy}", options.integrator.name);
    }
}

#[test]
fn jumps_come_through_a_delay_when_they_are_due() {
    for options in methods(1e-4) {
        let mut simulation = Simulation::new(&diagram("delayed"), options).unwrap();
        simulation.advance_to(1.0).unwrap();
        let pulse = simulation.channel("area_of_pulse.output").unwrap();
        let step = simulation.channel("area_of_step.output").unwrap();
        let name = options.integrator.name;
        assert!((pulse - 0.005).abs() < 1e-10 && (step - 0.397).abs() < 1e-10, "{name}: {pulse} {step}");
    }
}

#[test]
fn delays_in_series_pass_pulses_that_a_counter_counts() {
    let mut b = DiagramBuilder::new("series");
    b.add("pulses", Pulse::new(1, 1.0, 0.013, 0.1, 0.0).unwrap());
    b.add("first", TransportDelay::new(1, 0.05, 0.02, 0.0).unwrap());
    b.add("second", TransportDelay::new(1, 0.1, 0.05, 0.0).unwrap());
    b.add("count", Counter::new(0.5, None).unwrap());
    b.connect_paths("pulses.output", "first.input");
    b.connect_paths("first.output", "second.input");
    b.connect_paths("second.output", "count.input");
    let diagram = b.build().unwrap();
    // The pulses that rise before the time minus 0.15 s; in between, jumps coincide with samples of the delays to
    // rounding.
    for t in [2.0_f64, 5.0] {
        assert_eq!(at(&diagram, Options::cenic(1e-3), t, "count.output"), ((t - 0.15) / 0.013).ceil());
    }
}

#[test]
fn a_comparator_and_a_switch_divide_a_wave() {
    let mut b = DiagramBuilder::new("halves");
    b.add("wave", Sine::new(1, 1.0, TAU * 40.0, 0.0, 0.0).unwrap());
    let [rise_at, fall_at, high, low] = [0.5, 0.5, 1.0, 0.0].map(Into::into);
    let parameters = RelayParameters { rise_at, fall_at, high, low, starts_high: false };
    b.add("comparator", Relay::new(1, parameters).unwrap());
    b.add("switch", Switch::new(1, 0.5).unwrap());
    let [one, zero] = [1.0, 0.0].map(|x| Constant::new(vec![x]).unwrap());
    b.add("one", one);
    b.add("zero", zero);
    b.connect_paths("wave.output", "comparator.input");
    b.connect_paths("wave.output", "switch.control");
    b.connect_paths("one.output", "switch.above");
    b.connect_paths("zero.output", "switch.below");
    for block in ["comparator", "switch"] {
        b.add(format!("by_{block}"), Integrator::new(vec![0.0]).unwrap());
        b.connect_paths(format!("{block}.output"), format!("by_{block}.input"));
    }
    let diagram = b.build().unwrap();
    // The wave is above a half for a third of each of 40 periods.
    for options in methods(1e-3) {
        for channel in ["by_comparator.output", "by_switch.output"] {
            let above = at(&diagram, options, 1.0, channel);
            assert!(
                (above - 1.0 / 3.0).abs() < options.accuracy.min(1e-3),
                "{} {channel} {above}",
                options.integrator.name
            );
        }
    }
}

#[test]
fn a_latch_of_a_relay_keeps_the_state_set_by_pulses() {
    let mut b = DiagramBuilder::new("latch");
    // Set at 0.1, 1.1, … s, reset at 0.45, 1.45, … s, by pulses of 1 ms.
    b.add("set", Pulse::new(1, 1.0, 1.0, 1e-3, 0.1).unwrap());
    b.add("reset", Pulse::new(1, 1.0, 1.0, 1e-3, 0.45).unwrap());
    b.add("difference", Adder::new(1, [1.0, -1.0]).unwrap());
    let [rise_at, fall_at, high, low] = [0.5, -0.5, 1.0, 0.0].map(Into::into);
    let parameters = RelayParameters { rise_at, fall_at, high, low, starts_high: false };
    b.add("latch", Relay::new(1, parameters).unwrap());
    b.add("gain", Gain::new(1, 1.0).unwrap());
    b.add("sum", Integrator::new(vec![0.0]).unwrap());
    b.connect_paths("set.output", "difference.input0");
    b.connect_paths("reset.output", "difference.input1");
    b.connect_paths("difference.output", "latch.input");
    b.connect_paths("latch.output", "gain.input");
    b.connect_paths("gain.output", "sum.input");
    let held = at(&b.build().unwrap(), Options::cenic(1e-3), 5.0, "sum.output");
    assert!((held - 5.0 * 0.35).abs() < 1e-9, "{held}");
}

/// A source that does not state how fast it is: 1 + sin(400 t).
struct Unbounded {
    output: Out<Fixed<1>>,
    ports: Ports,
}

impl LeafSystem for Unbounded {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.output, [S::one() + (S::constant(400.0) * ctx.time).sin()]);
    }
}

#[test]
fn a_source_that_nobody_bounds_is_looked_at_between_steps() {
    let mut ports = Ports::new();
    let output = ports.output("output");
    let mut b = DiagramBuilder::new("unbounded");
    b.add("source", Unbounded { output, ports });
    b.add("square", Expression::new(&[("u", 1)], &["u^2"]).unwrap());
    b.add("sum", Integrator::new(vec![0.0]).unwrap());
    b.connect_paths("source.output", "square.u");
    b.connect_paths("square.output", "sum.input");
    let diagram = b.build().unwrap();
    let (t, w) = (5.0, 400.0_f64);
    let expected = 1.5 * t + 2.0 * (1.0 - (w * t).cos()) / w - (2.0 * w * t).sin() / (4.0 * w);
    for options in [Options::cenic(1e-3), Options::dopri5(1e-3)] {
        let found = at(&diagram, Options { max_step: 1.0, ..options }, t, "sum.output");
        assert!((found - expected).abs() < 2e-2, "{} {found} {expected}", options.integrator.name);
    }
}

#[test]
fn a_sample_at_the_time_of_a_step_reads_its_new_value() {
    let mut b = DiagramBuilder::new("discrete");
    b.add("step", Step::new(1, 0.0, 0.0, 1.0).unwrap());
    let sampling = Sampling::every(0.1);
    let filter = DiscreteTransferFunction::new(&[0.2, 0.1], &[1.0, -1.5, 0.7], sampling);
    b.add("filter", filter.unwrap());
    b.connect_paths("step.output", "filter.input");
    let mut simulation = Simulation::new(&b.build().unwrap(), Options::dopri5(1e-3)).unwrap();
    // The difference equation, as scipy.signal.dlsim solves it for u = 1.
    let mut y = [0.0, 0.2];
    for k in 1..10 {
        simulation.advance_to(0.1 * f64::from(k)).unwrap();
        let found = simulation.channel("filter.output").unwrap();
        assert!((found - y[1]).abs() < 1e-12, "{k}: {found} {}", y[1]);
        y = [y[1], 0.3 + 1.5 * y[1] - 0.7 * y[0]];
    }
    assert_eq!(at(&diagram("step_at_zero"), Options::dopri5(1e-3), 0.05, "zb.output"), 1.0);
}

#[test]
fn a_run_that_is_resumed_has_the_same_events() {
    let diagram = diagram("delayed");
    let mut simulation = Simulation::new(&diagram, Options::cenic(1e-3)).unwrap();
    while simulation.time() < 0.55 {
        simulation.step(1.0).unwrap();
    }
    let mut resumed = Simulation::new(&diagram, Options::cenic(1e-3)).unwrap();
    resumed.restore(&simulation.snapshot()).unwrap();
    for run in [&mut simulation, &mut resumed] {
        run.advance_to(1.0).unwrap();
    }
    assert_eq!(simulation.state(), resumed.state());
}

/// A signal that falls to a level on a straight line is exactly on it at one instant.
#[test]
fn no_time_is_left_out_where_a_signal_meets_a_level() {
    for options in methods(1e-5) {
        let mut b = DiagramBuilder::new("falls");
        b.add("fall", Expression::new(&[], &["0.37 - t"]).unwrap());
        b.add("size", Function::new(1, Elementary::Abs));
        b.add("area", Integrator::new(vec![0.0]).unwrap());
        b.add("one", Constant::new(vec![1.0]).unwrap());
        b.add("time", Integrator::new(vec![0.0]).unwrap());
        b.connect_paths("fall.output", "size.input");
        b.connect_paths("size.output", "area.input");
        b.connect_paths("one.output", "time.input");
        let diagram = b.build().unwrap();
        let name = options.integrator.name;
        let time = at(&diagram, options, 1.0, "time.output");
        assert!((time - 1.0).abs() < 1e-9, "{name}: {time}");
        let area = at(&diagram, options, 1.0, "area.output");
        let right = 0.5 * (0.37 * 0.37 + 0.63 * 0.63);
        let is_of_first_order = ["icf", "implicit-euler"].contains(&name);
        assert!(is_of_first_order || (area - right).abs() < 20.0 * options.accuracy, "{name}: {area} {right}");
    }
}

/// A relay that its input switches on at time zero, between the relay's initial mode and the first sample.
#[test]
fn a_jump_at_the_instant_of_a_sample_comes_through_a_delay() {
    let mut b = DiagramBuilder::new("on at once");
    b.add("level", Constant::new(vec![1.0]).unwrap());
    let [rise_at, fall_at, high, low] = [0.5, 0.0, 2.0, 0.0].map(Into::into);
    b.add("relay", Relay::new(1, RelayParameters { rise_at, fall_at, high, low, starts_high: false }).unwrap());
    b.add("pipe", TransportDelay::new(1, 0.25, 0.1, 0.0).unwrap());
    b.add("sum", Integrator::new(vec![0.0]).unwrap());
    b.connect_paths("level.output", "relay.input");
    b.connect_paths("relay.output", "pipe.input");
    b.connect_paths("pipe.output", "sum.input");
    let diagram = b.build().unwrap();
    for options in [Options::cenic(1e-3), Options::dopri5(1e-3), Options::sdirk2(1e-3)] {
        let sum = at(&diagram, options, 1.0, "sum.output");
        assert!((sum - 1.5).abs() < 1e-6, "{}: {sum}", options.integrator.name);
    }
}

/// The output of a delay does not depend on events elsewhere: no smooth input jumps at them.
#[test]
fn a_delay_takes_no_event_beside_it_for_a_jump() {
    let (delay, period, frequency) = (0.208, 0.00217, 358.0);
    let mut b = DiagramBuilder::new("beside");
    b.add("wave", Sine::new(1, 1.0, frequency, 0.1, 0.0).unwrap());
    b.add("pipe", TransportDelay::new(1, delay, period, 0.0).unwrap());
    b.add("size", Function::new(1, Elementary::Abs));
    b.add("area", Integrator::new(vec![0.0]).unwrap());
    b.connect_paths("wave.output", "pipe.input");
    b.connect_paths("wave.output", "size.input");
    b.connect_paths("size.output", "area.input");
    let diagram = b.build().unwrap();
    let wave = |k: f64| (frequency * k * period + 0.1).sin();
    for t in [0.3, 0.4321, 0.5] {
        let k = ((t - delay) / period).floor();
        let right = wave(k) + (wave(k + 1.0) - wave(k)) * ((t - delay) / period - k);
        let found = at(&diagram, Options::cenic(1e-3), t, "pipe.output");
        assert!((found - right).abs() < 1e-9, "{t}: {found} {right}");
    }
}

/// A wave of 170 rad/s, sampled every 25 ms: the line of samples has kinks 15 ms after each, which steps must resolve.
#[test]
fn delayed_signals_have_kinks_at_events() {
    let (delay, period, frequency) = (0.49, 0.025, 170.0);
    let mut b = DiagramBuilder::new("bends");
    b.add("wave", Sine::new(1, 1.0, frequency, 0.0, 0.0).unwrap());
    b.add("pipe", TransportDelay::new(1, delay, period, 0.0).unwrap());
    b.add("area", Integrator::new(vec![0.0]).unwrap());
    b.connect_paths("wave.output", "pipe.input");
    b.connect_paths("pipe.output", "area.input");
    let diagram = b.build().unwrap();
    // Of 60 samples and the part of a period behind them, by trapezoids.
    let wave = |k: f64| (frequency * k * period).sin();
    let whole: f64 = (0..60).map(|k| 0.5 * period * (wave(f64::from(k)) + wave(f64::from(k) + 1.0))).sum();
    let part = (2.0 - delay) / period - 60.0;
    let right = whole + period * part * (wave(60.0) + 0.5 * part * (wave(61.0) - wave(60.0)));
    for options in [Options::cenic(1e-3), Options::dopri5(1e-3), Options::bs23(1e-3)] {
        let mut simulation = Simulation::new(&diagram, options).unwrap();
        simulation.advance_to(2.0).unwrap();
        let (area, steps) = (simulation.channel("area.output").unwrap(), simulation.statistics().steps);
        assert!((area - right).abs() < 1e-9, "{}: {area} {right}", options.integrator.name);
        // Before, it took 562 steps.
        assert!(steps < 200, "{}: {steps} steps", options.integrator.name);
    }
}
