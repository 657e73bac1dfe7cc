//! Growing motion is followed, or the run stops and names the diverging state: implicit steps damp growth that they do
//! not follow.
#![allow(non_snake_case)] // A: as the field writes it

mod systems;

use kinegraph::integrators::{IntegratorError, OfOptions, Options, Rule, StepFailure};
use kinegraph::simulate::{RunError, Simulation};
use systems::System;

/// A stable system of blocks without kinks.
pub fn smooth() -> kinegraph::diagram::Diagram {
    System::random(2, false).diagram
}

/// Bound on the error, in accuracies.
const FOLLOWED: f64 = 20.0;
type Method = (&'static str, fn(f64) -> Options);
const METHODS: [Method; 5] = [
    ("cenic", Options::cenic),
    ("cenic-trapezoid", Options::cenic_trapezoid),
    ("implicit-euler", Options::implicit_euler),
    ("sdirk2", Options::sdirk2),
    ("ros2", Options::ros2),
];

/// Largest deviation from the exact growth, up to `time`, in accuracies times the growth of a deviation of one.
fn deviation(system: &System, options: Options, time: f64) -> f64 {
    let accuracy = options.accuracy;
    let mut simulation = Simulation::new(&system.diagram, options).unwrap();
    let mut largest = 0.0_f64;
    for k in 1..=4 {
        let at = time * f64::from(k) / 4.0;
        simulation.advance_to(at).unwrap();
        let found = &simulation.state().continuous;
        let exact = system.exact(at);
        let error = found.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        largest = largest.max(error / (accuracy * system.gain(at)));
    }
    largest
}

/// Starts from states of the size of one, until the fastest mode has grown by e^5.
fn follow(of: impl Fn(usize) -> bool) {
    let mut wrong = Vec::new();
    let mut largest = [0.0_f64; 5];
    for case in (0..100).filter(|case| of(*case)) {
        let system = System::random(case, true);
        for (k, (name, options)) in METHODS.into_iter().enumerate() {
            let found = deviation(&system, options(1e-3), 5.0 / system.abscissa);
            largest[k] = largest[k].max(found);
            // Not-a-number is wrong.
            if found.is_nan() || found > FOLLOWED {
                wrong.push(format!(
                    "{case} {name} {found:.1} ({:.2} 1/s, {} states)",
                    system.abscissa,
                    system.A.nrows()
                ));
            }
        }
    }
    println!("largest errors in accuracies: {largest:.1?}");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn unstable_blocks_are_followed() {
    follow(|case| case % 4 < 2);
}

#[test]
fn unstable_rings_of_blocks_are_followed() {
    follow(|case| case % 4 == 2);
}

#[test]
fn unstable_loops_of_plants_are_followed() {
    follow(|case| case % 4 == 3);
}

/// A mode with zero initial value grows all the same: `x' = 1000 x + 1`, with a first step of ten growth times.
#[test]
fn growth_from_nothing_is_seen() {
    let mut system = System::random(0, true);
    system.A[(0, 0)] = 1000.0;
    system.b[0] = 1.0;
    system.x0[0] = 0.0;
    system.diagram = systems::alone(&system);
    for (name, options) in METHODS {
        let found = deviation(&system, options(1e-3), 0.012);
        assert!(found <= 20.0, "{name}: {found}");
        // Even if it is far faster than the first step.
        system.A[(0, 0)] = 1e9;
        let fast = System { diagram: systems::alone(&system), A: system.A.clone(), ..System::random(0, true) };
        let mut simulation = Simulation::new(&fast.diagram, options(1e-3)).unwrap();
        simulation.advance_to(15e-9).unwrap();
        assert!(simulation.state().continuous[0] > 1e-4, "{name}: {:?}", simulation.state().continuous);
        system.A[(0, 0)] = 1000.0;
    }
}

/// Steps of fixed length that would damp growth are cut, or fail with the admissible length.
#[test]
fn fixed_steps_do_not_damp_growth() {
    let mut system = System::random(0, true);
    (system.A[(0, 0)], system.b[0], system.x0[0]) = (1000.0, 1.0, 0.0);
    let diagram = systems::alone(&system);
    let mut simulation = Simulation::new(&diagram, Options::icf(0.01)).unwrap();
    simulation.advance_to(0.01).unwrap();
    // The implicit Euler method in 20 steps: 2^20 in the place of e^10.
    let found = simulation.state().continuous[0];
    assert!((found * 1000.0 / f64::from(1 << 20) - 1.0).abs() < 1e-3, "{found}");
    for options in [Options::sdirk2(1e-3), Options::ros2(1e-3), Options::implicit_euler(1e-3)] {
        let mut simulation = Simulation::new(&diagram, Options { step: Some(0.01), ..options }).unwrap();
        let Err(RunError::Integrator(IntegratorError::FixedStepFailed { failure, .. })) = simulation.advance_to(1.0)
        else {
            panic!("damped: {:?}", simulation.state())
        };
        let StepFailure::Grows { longest, .. } = failure else { panic!("{failure}") };
        assert!((longest - 5e-4).abs() < 1e-9, "{longest}");
        let mut simulation = Simulation::new(&diagram, Options { step: Some(longest), ..options }).unwrap();
        simulation.advance_to(0.01).unwrap();
        assert!(simulation.state().continuous[0] > 10.0);
    }
}

/// `e^1000` exceeds the range of numbers: the run stops where the accuracy is lost, and names the state.
#[test]
fn divergence_stops_the_run_and_names_the_state() {
    for case in [0, 3, 6] {
        let system = System::random(case, true);
        for (name, options) in [METHODS[0], METHODS[3], ("dopri5", Options::dopri5 as fn(f64) -> Options)] {
            let mut simulation = Simulation::new(&system.diagram, options(1e-3)).unwrap();
            let end = simulation.advance_to(1000.0 / system.abscissa);
            let (what, time, value) = match end {
                Err(RunError::Integrator(IntegratorError::Diverges { what, time, value, .. })) => (what, time, value),
                // The largest number is in a loop of blocks.
                Err(RunError::Diverges(found)) => (found.what, found.time, found.value),
                end => panic!("{case} {name}: {end:?}"),
            };
            assert!(system.diagram.state_names().contains(&what), "{what}");
            let most = 50.0 / system.abscissa;
            assert!(time < most && value.abs() > 1e6, "{case} {name}: {value:e} at {time} of {most}");
        }
    }
}

/// Poles of stable systems bound no step.
#[test]
fn stable_systems_keep_their_steps() {
    for case in 0..100 {
        let system = System::random(case, false);
        let time = 10.0 / system.abscissa.abs();
        let run = |options: Options| {
            let mut simulation = Simulation::new(&system.diagram, options).unwrap();
            simulation.advance_to(time).unwrap();
            (simulation.statistics().steps, simulation.state().continuous.clone())
        };
        let without = |options: Options| Options { rules: options.rules.without(Rule::Growth), ..options };
        for (name, options) in &METHODS[..2] {
            assert_eq!(run(options(1e-3)), run(without(options(1e-3))), "{case} {name}");
        }
        for (name, options) in &METHODS[2..] {
            let mut simulation = Simulation::new(&system.diagram, options(1e-3)).unwrap();
            simulation.keep_attempts();
            while simulation.state().time < time {
                simulation.advance_to(simulation.state().time + 0.02 * time).unwrap();
                assert!(simulation.attempts().iter().all(|attempt| attempt.rule.is_none()), "{case} {name}");
            }
        }
    }
}
