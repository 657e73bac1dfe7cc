//! Contract that every integrator must pass. A line in `main.rs` enrols a new one, and a test there finds those that
//! have none. That steps do not allocate is tested for all in `tests/allocations/methods.rs`, their treatment of each
//! feature of a diagram in `features`.

use crate::models::{Breaks, Equation, FiniteEscape, Oscillator, Rest, Smooth, beside, diagram, error_at, watched};
use kinegraph::diagram::{Diagram, State};
use kinegraph::integrators::{Integrator, IntegratorError, Options, Statistics, Step, StepMemory};
use kinegraph::simulate::Simulation;

/// An integrator and its expected properties, on equations that are not a plant.
#[derive(Clone, Copy)]
pub struct Expected {
    /// Its options.
    pub options: fn() -> Options,
    /// Its options for steps of a length, if it has any.
    pub fixed: Option<fn(f64) -> Options>,
    /// Order of accuracy, seen in steps of this length and shorter.
    pub order: i32,
    /// Longest step at which this order is seen.
    pub longest: f64,
    /// Dense output of one step has an error proportional to the step's length to this power.
    pub dense: i32,
}

/// Enrols integrators: a module of tests for each, and the list of their options.
#[macro_export]
macro_rules! enrol {
    ($($(#[$about:meta])* $name:ident: $expected:expr;)*) => {
        /// The options of all that are enrolled.
        const ENROLLED: &[fn() -> kinegraph::integrators::Options] = &[$($expected.options),*];
        $(test_one! { $name: $expected })*
    };
}

/// A module of tests for an integrator.
#[macro_export]
macro_rules! test_one {
    ($name:ident: $expected:expr; $($test:ident)*) => {
        mod $name {
            use super::*;
            $(
                #[test]
                fn $test() {
                    $crate::conformance::$test($expected);
                }
            )*
        }
    };
    ($name:ident: $expected:expr) => {
        test_one! { $name: $expected;
            has_its_order is_as_accurate_as_asked meets_every_limit_exactly does_nothing_at_the_limit refuses_to_go_back
            takes_no_step_above_the_largest goes_on_after_an_interruption goes_on_from_a_saved_state_bit_for_bit
            is_not_changed_by_samples dense_output_has_its_order counts_its_steps is_deterministic
            fails_with_the_time_where_the_equation_ends fails_with_the_time_where_the_solution_ends refuses_a_foreign_state
            meets_events restarts_as_new leaves_what_is_unrelated_alone is_swapped_in_and_out
        }
    };
}

struct Run {
    integrator: Box<dyn Integrator>,
    state: State,
}

impl Run {
    fn new(diagram: &Diagram, options: Options) -> Self {
        Run { integrator: options.build(diagram).unwrap(), state: diagram.initial_state() }
    }

    fn step(&mut self, limit: f64) -> Step {
        self.integrator.advance(&mut self.state, limit).unwrap()
    }

    fn to(&mut self, limit: f64) -> &mut Self {
        while self.state.time < limit {
            self.step(limit);
        }
        self
    }

    fn bits(&self) -> Vec<u64> {
        bits(&self.state)
    }
}

fn bits(state: &State) -> Vec<u64> {
    std::iter::once(state.time).chain(state.continuous.iter().copied()).map(f64::to_bits).collect()
}

fn error_of<E: Equation>(options: Options, end: f64) -> f64 {
    error_at::<E>(end, &Run::new(&diagram::<E>(), options).to(end).state.continuous)
}

/// Checks that halving the step divides the error by 2^order, from the orders seen.
fn check_order(errors: &[f64], order: i32) {
    let seen: Vec<f64> = errors.windows(2).map(|e| (e[0] / e[1]).log2()).collect();
    let last = seen[seen.len() - 1];
    assert!((last - f64::from(order)).abs() < 0.35, "expected {order}, measured {seen:.2?} from {errors:?}");
}

pub fn has_its_order(method: Expected) {
    let Some(fixed) = method.fixed else { return };
    for error in [error_of::<Smooth>, error_of::<Oscillator>] {
        let errors: Vec<f64> = (0..5).map(|k| error(fixed(method.longest / f64::from(1 << k)), 2.0)).collect();
        check_order(&errors, method.order);
    }
}

/// The error of a step is the accuracy; the number of steps grows with the inverse of its root:
/// `error ~ accuracy^(p/(p+1))`.
pub fn is_as_accurate_as_asked(method: Expected) {
    if !(method.options)().error_controlled() {
        return;
    }
    let p = f64::from(method.order);
    for accuracy in [1e-2, 1e-4, 1e-6] {
        let error = error_of::<Smooth>(Options { accuracy, ..(method.options)() }, 2.0);
        assert!(error < 5.0 * accuracy.powf(p / (p + 1.0)), "{accuracy:e}: {error:e}");
    }
}

pub fn meets_every_limit_exactly(method: Expected) {
    let mut run = Run::new(&diagram::<Smooth>(), (method.options)());
    for limit in [1e-9, 0.1, 0.30000000000000004, 0.30000000000000016, 0.7, 1.0 / 3.0 + 0.5, 2.0] {
        loop {
            let before = run.state.time;
            let step = run.step(limit);
            assert!(run.state.time <= limit, "{} after {limit}", run.state.time);
            match step {
                Step::ReachedLimit { h, .. } => {
                    assert!(h > 0.0 && (h - (limit - before)).abs() < 1e-15, "{h:e} {before} {limit}");
                    break;
                }
                Step::Accepted { h, .. } => assert_eq!(run.state.time, before + h),
                Step::Event { .. } => panic!("there are no events"),
            }
        }
        assert_eq!(run.state.time, limit);
    }
}

pub fn does_nothing_at_the_limit(method: Expected) {
    let mut run = Run::new(&diagram::<Smooth>(), (method.options)());
    for time in [0.0, 0.37] {
        run.to(time);
        let (before, counts) = (run.state.clone(), run.integrator.statistics().clone());
        assert_eq!(run.step(time), Step::ReachedLimit { h: 0.0, error: 0.0 });
        assert_eq!((&run.state, run.integrator.statistics()), (&before, &counts));
    }
    // The earlier run does not affect later ones either.
    let mut straight = Run::new(&diagram::<Smooth>(), (method.options)());
    assert_eq!(straight.to(0.37).to(1.0).bits(), run.to(1.0).bits());
}

pub fn refuses_to_go_back(method: Expected) {
    let mut run = Run::new(&diagram::<Smooth>(), (method.options)());
    run.to(0.5);
    let before = run.state.clone();
    for limit in [0.4999, -1.0, f64::NEG_INFINITY, f64::NAN] {
        let error = run.integrator.advance(&mut run.state, limit).unwrap_err();
        assert!(matches!(error, IntegratorError::LimitBehind { time: 0.5, .. }), "{error}");
    }
    assert_eq!(run.state, before);
    run.step(1.0);
}

pub fn takes_no_step_above_the_largest(method: Expected) {
    let options = Options { max_step: 0.03, ..(method.options)() };
    let largest = if options.error_controlled() { 0.03 } else { options.step.unwrap() };
    let mut run = Run::new(&diagram::<Rest>(), options);
    while run.state.time < 1.0 {
        let before = run.state.time;
        run.step(1.0);
        assert!(run.state.time - before <= largest * (1.0 + 1e-12));
    }
    assert!(run.integrator.statistics().largest_step <= largest * (1.0 + 1e-12));
    // And it takes them that large where nothing happens.
    assert!(run.integrator.statistics().steps <= (1.0 / largest).ceil() as usize + 3);
}

pub fn goes_on_after_an_interruption(method: Expected) {
    let diagram = diagram::<Oscillator>();
    let (mut reported, mut silent) = (Run::new(&diagram, (method.options)()), Run::new(&diagram, (method.options)()));
    while reported.state.time < 1.0 {
        reported.step(1.0);
        reported.integrator.interrupted();
        silent.step(1.0);
    }
    assert_eq!(reported.bits(), silent.bits());
    // A state that an event changed: as a fresh integrator goes on from it.
    reported.state.continuous[1] += 0.5;
    reported.integrator.interrupted();
    let mut fresh = Run::new(&diagram, (method.options)());
    fresh.state = reported.state.clone();
    fresh.integrator.recall(&reported.integrator.memory());
    assert_eq!(reported.to(2.0).bits(), fresh.to(2.0).bits());
    // Even one that forgot to report it.
    silent.state.continuous[1] += 0.5;
    assert_eq!(silent.to(2.0).bits(), fresh.bits());
}

pub fn goes_on_from_a_saved_state_bit_for_bit(method: Expected) {
    let diagram = diagram::<Smooth>();
    let mut run = Run::new(&diagram, (method.options)());
    for _ in 0..4 {
        run.step(2.0);
    }
    let saved = serde_json::to_string(&(&run.state, run.integrator.memory())).unwrap();
    run.to(2.0);
    let (state, memory): (State, StepMemory) = serde_json::from_str(&saved).unwrap();
    let mut other = Run::new(&diagram, (method.options)());
    other.state = state;
    other.integrator.recall(&memory);
    assert_eq!(run.bits(), other.to(2.0).bits());
}

pub fn is_not_changed_by_samples(method: Expected) {
    let diagram = diagram::<Smooth>();
    let mut alone = Simulation::new(&diagram, (method.options)()).unwrap();
    alone.advance_to(1.0).unwrap();
    let mut watched = Simulation::new(&diagram, (method.options)()).unwrap();
    let (mut n, mut worst) = (0, 0.0_f64);
    watched
        .advance_sampling(1.0, 0.0123, |state| {
            n += 1;
            worst = worst.max(error_at::<Smooth>(state.time, &state.continuous));
        })
        .unwrap();
    assert_eq!(bits(alone.state()), bits(watched.state()));
    assert_eq!(alone.statistics(), watched.statistics());
    assert_eq!(n, 1 + 81 + 1);
    // The samples are about as good as the steps.
    assert!(worst < 0.05, "{worst:e}");
}

pub fn dense_output_has_its_order(method: Expected) {
    let Some(fixed) = method.fixed else { return };
    let diagram = diagram::<Smooth>();
    let error = |h: f64| {
        // One step from a point on the solution.
        let mut run = Run::new(&diagram, fixed(h));
        (run.state.time, run.state.continuous) = (0.3, Smooth::exact(0.3));
        let start = run.state.clone();
        run.step(1.0);
        let dense = run.integrator.dense();
        let mut x = Vec::new();
        dense.evaluate(0.3, &mut x);
        assert_eq!(x, start.continuous);
        dense.evaluate(run.state.time, &mut x);
        assert_eq!(x, run.state.continuous);
        let inside = (1..8).map(|k| 0.3 + h * f64::from(k) / 8.0);
        let errors = inside.map(|t| {
            dense.evaluate(t, &mut x);
            error_at::<Smooth>(t, &x)
        });
        errors.fold(0.0, f64::max)
    };
    let errors: Vec<f64> = (0..4).map(|k| error(0.1 / f64::from(1 << k))).collect();
    check_order(&errors, method.dense);
}

pub fn counts_its_steps(method: Expected) {
    let mut run = Run::new(&diagram::<Smooth>(), (method.options)());
    let (mut steps, mut largest, mut sum) = (0, 0.0_f64, 0.0);
    while run.state.time < 2.0 {
        let (Step::Accepted { h, error } | Step::ReachedLimit { h, error }) = run.step(2.0) else {
            panic!("there are no events")
        };
        (steps, largest, sum) = (steps + 1, largest.max(h), sum + h);
        assert!(error.is_finite() && error >= 0.0);
        if (method.options)().error_controlled() {
            assert!(error <= (method.options)().accuracy);
        }
    }
    let s: &Statistics = run.integrator.statistics();
    assert_eq!((s.steps, s.largest_step), (steps, largest));
    assert!((sum - 2.0).abs() < 1e-13);
    assert!(s.smallest_step.unwrap() <= largest && s.first_step.unwrap() <= largest);
    // Work is done in proportion: per attempt as much as per step.
    let attempts = s.steps + s.rejected_steps;
    let work = s.derivative_evaluations.max(s.solves);
    // Methods that iterate for their stages evaluate once in every iteration.
    let iterates = s.solves > 0 && s.derivative_evaluations > s.solver_iterations;
    let most = 7 * attempts + 1 + if iterates { s.solver_iterations } else { 0 };
    assert!((attempts..=most).contains(&work), "{work} for {attempts} attempts");
    // A simulation set to a state counts anew.
    let mut simulation = Simulation::new(&diagram::<Smooth>(), (method.options)()).unwrap();
    let start = simulation.state().clone();
    simulation.advance_to(2.0).unwrap();
    assert_eq!(simulation.statistics().steps, steps);
    simulation.set_state(start).unwrap();
    assert_eq!(simulation.statistics(), &Statistics::default());
}

pub fn is_deterministic(method: Expected) {
    let runs: Vec<_> = (0..2).map(|_| Run::new(&diagram::<Smooth>(), (method.options)()).to(2.0).bits()).collect();
    assert_eq!(runs[0], runs[1]);
}

pub fn fails_with_the_time_where_the_equation_ends(method: Expected) {
    let mut simulation = Simulation::new(&diagram::<Breaks>(), (method.options)()).unwrap();
    let error = simulation.advance_to(1.0).unwrap_err().to_string();
    let time = simulation.time();
    assert!((0.4..0.51).contains(&time), "{error}");
    assert!(error.starts_with(&format!("at t = {time} s ")) && error.contains("not a finite number"), "{error}");
    // x = 1 + 2/3 (sqrt(1/2)^3 - sqrt(1/2 - t)^3): the last good state stays.
    let exact = 1.0 + 2.0 / 3.0 * (0.5_f64.powf(1.5) - (0.5 - time).max(0.0).powf(1.5));
    assert!((simulation.state().continuous[0] - exact).abs() < 0.02, "{error}");
}

pub fn fails_with_the_time_where_the_solution_ends(method: Expected) {
    // Steps of fixed length of an implicit method leap over the pole.
    if !(method.options)().error_controlled() {
        return;
    }
    let mut run = Run::new(&diagram::<FiniteEscape>(), (method.options)());
    let error = loop {
        match run.integrator.advance(&mut run.state, 2.0) {
            Ok(_) => assert!(run.state.time < 1.05 && run.state.continuous[0].is_finite()),
            Err(error) => break error,
        }
    };
    let (IntegratorError::StepTooSmall { time, .. } | IntegratorError::Diverges { time, .. }) = error else {
        panic!("{error}")
    };
    assert!(time == run.state.time && (0.95..1.05).contains(&time), "{error}");
}

pub fn refuses_a_foreign_state(method: Expected) {
    let (one, two) = (diagram::<Rest>(), diagram::<Oscillator>());
    let mut integrator = (method.options)().build(&two).unwrap();
    let error = integrator.advance(&mut one.initial_state(), 1.0).unwrap_err();
    assert!(matches!(error, IntegratorError::ForeignState { continuous: 1, continuous_width: 2, .. }), "{error}");
    let Err(error) = Simulation::with(one.initial_state(), integrator) else { panic!("a state of another diagram") };
    assert!(matches!(error, IntegratorError::ForeignState { continuous: 1, continuous_width: 2, .. }), "{error}");
}

/// A zero of a solution is located exactly: the state there is zero to rounding, the time as accurate as the steps.
pub fn meets_events(method: Expected) {
    let mut simulation = Simulation::new(&watched::<Oscillator>(), (method.options)()).unwrap();
    let mut times = Vec::new();
    while simulation.time() < 5.0 {
        if let Step::Event { time } = simulation.step(5.0).unwrap() {
            assert!(time == simulation.time() && simulation.state().continuous[0].abs() < 1e-13, "{time}");
            times.push(time);
        }
    }
    assert_eq!(times, simulation.state().discrete[1..3]);
    for (time, zero) in times.iter().zip([0.5, 1.5]) {
        let error = time - zero * std::f64::consts::PI;
        assert!(error.abs() < 0.03, "{times:?}");
    }
    assert_eq!(simulation.time(), 5.0);
}

pub fn restarts_as_new(method: Expected) {
    let diagram = diagram::<Smooth>();
    let mut run = Run::new(&diagram, (method.options)());
    run.to(0.7);
    run.integrator.restart();
    run.state = diagram.initial_state();
    let mut fresh = Run::new(&diagram, (method.options)());
    assert_eq!(run.to(1.3).bits(), fresh.to(1.3).bits());
    assert_eq!(run.integrator.statistics(), fresh.integrator.statistics());
    assert_eq!(run.integrator.memory(), fresh.integrator.memory());
}

/// A block at rest beside the equation keeps every bit of its state, and the equation has the solution that it has
/// alone.
pub fn leaves_what_is_unrelated_alone(method: Expected) {
    let both = beside::<Smooth>();
    let start = both.initial_state();
    let mut run = Run::new(&both, (method.options)());
    run.to(2.0);
    let kept = |state: &State| [state.continuous[3..].to_vec(), state.discrete.clone()].concat();
    assert_eq!(kept(&run.state), kept(&start));
    let mut alone = Run::new(&diagram::<Smooth>(), (method.options)());
    alone.to(2.0);
    for (with, without) in run.state.continuous.iter().zip(&alone.state.continuous) {
        assert!((with - without).abs() < 1e-12, "{with} and {without}");
    }
}

/// Another method continues from its state, and it from that of the other, as if it were new.
pub fn is_swapped_in_and_out(method: Expected) {
    let diagram = diagram::<Smooth>();
    let mut simulation = Simulation::new(&diagram, (method.options)()).unwrap();
    simulation.advance_to(0.7).unwrap();
    for (options, time) in [(Options::dopri5(1e-9), 0.9), ((method.options)(), 1.3), (Options::icf(0.01), 1.4)] {
        let before = simulation.state().clone();
        simulation.switch(options).unwrap();
        assert_eq!(bits(simulation.state()), bits(&before));
        let mut fresh = Simulation::with(before, options.build(&diagram).unwrap()).unwrap();
        simulation.advance_to(time).unwrap();
        fresh.advance_to(time).unwrap();
        assert_eq!(bits(simulation.state()), bits(fresh.state()));
        assert_eq!(simulation.statistics(), fresh.statistics());
    }
}
