//! Six scenarios of block diagrams, each as a diagram file and built in Rust, against closed forms or an independent
//! reference.
//!
//! **What accuracy means.** It bounds the error of one step. Where errors do not grow, those of all steps add up to at
//! most their number times the accuracy. That is all `cenic` promises without extrapolation, whose steps err by about
//! the accuracy each and all to one side ([`Bound::Sum`]). A method of higher order errs less in a step than its
//! estimate says: `dopri5` keeps the whole run within the accuracy, `cenic` with extrapolation within three times of it
//! ([`Bound::Times`]). Where a motion switches, the bound is ten times the accuracy: crossings are found by dense
//! output, whose error is not under control, and the errors of their times add up.

#![allow(non_snake_case)] // A, B: as the field writes them

mod bouncing_ball;
mod cascade;
mod rc_ladder;
mod sampled_motor;
mod second_order;
mod thermostat;

use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::Options;
use kinegraph::simulate::{Scenario, Simulation};

/// Bound on the error of a run.
#[derive(Clone, Copy, Debug)]
pub enum Bound {
    /// This many times the accuracy.
    Times(f64),
    /// The number of steps times the accuracy.
    Sum,
}

/// `cenic` without extrapolation.
pub fn plain(accuracy: f64) -> Options {
    Options { extrapolate: false, ..Options::cenic(accuracy) }
}

/// The integrators that every scenario runs with.
pub fn methods() -> [(Options, Bound); 5] {
    [
        (Options::dopri5(1e-6), Bound::Times(1.0)),
        (Options::dopri5(1e-9), Bound::Times(1.0)),
        (Options::cenic(1e-3), Bound::Times(3.0)),
        (Options::cenic(1e-5), Bound::Times(3.0)),
        (plain(1e-4), Bound::Sum),
    ]
}

/// The scenario of a file, which must describe the same diagram as `by_hand`: the same states, and the same run bit for
/// bit.
pub fn open(file: &str, by_hand: DiagramBuilder) -> Scenario {
    let scenario = Scenario::open(file).unwrap_or_else(|fault| panic!("{fault}"));
    let by_hand = by_hand.build().unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(scenario.diagram.state_names(), by_hand.state_names());
    let mut runs = [&scenario.diagram, &by_hand].map(|diagram| Simulation::new(diagram, scenario.options).unwrap());
    for run in &mut runs {
        run.advance_to(scenario.duration).unwrap();
    }
    assert_eq!(runs[0].state(), runs[1].state());
    scenario
}

/// Checks every method against its bound: `exact` returns the continuous states of the blocks in `states` in their
/// order.
pub fn check(scenario: &Scenario, states: &[&str], exact: impl Fn(f64) -> Vec<f64>) {
    check_within(scenario, states, &methods(), exact);
}

/// Checks a motion with crossings in the same way.
pub fn check_hybrid(scenario: &Scenario, states: &[&str], exact: impl Fn(f64) -> Vec<f64>) {
    let methods = methods().map(|(options, bound)| match bound {
        Bound::Times(_) => (options, Bound::Times(10.0)),
        Bound::Sum => (options, Bound::Sum),
    });
    check_within(scenario, states, &methods, exact);
}

fn check_within(scenario: &Scenario, states: &[&str], methods: &[(Options, Bound)], exact: impl Fn(f64) -> Vec<f64>) {
    for &(options, bound) in methods {
        let options = Options { max_step: scenario.options.max_step, ..options };
        let mut simulation = Simulation::new(&scenario.diagram, options).unwrap();
        let indices = indices(&scenario.diagram, states);
        let mut worst = (0.0, 0.0);
        let every = scenario.duration / 97.3;
        simulation
            .advance_sampling(scenario.duration, every, |state| {
                let found = indices.iter().map(|&i| state.continuous[i]);
                let errors = found.zip(exact(state.time)).map(|(x, exact)| (x - exact).abs());
                let error = errors.fold(0.0, f64::max);
                worst = if error > worst.0 { (error, state.time) } else { worst };
            })
            .unwrap();
        hold(&simulation, options, bound, worst.0, &format!("at t = {} s", worst.1));
    }
}

/// Checks one run against its bound.
pub fn hold(simulation: &Simulation, options: Options, bound: Bound, error: f64, what: &str) {
    let factor = match bound {
        Bound::Times(factor) => factor,
        Bound::Sum => simulation.statistics().steps as f64,
    };
    let limit = factor * options.accuracy;
    assert!(error <= limit, "{options:?}: error {error:e} {what}, the bound is {limit:e}");
}

/// Indices of the states of blocks among all continuous states.
pub fn indices(diagram: &Diagram, blocks: &[&str]) -> Vec<usize> {
    let find = |name: &&str| diagram.blocks()[diagram.find_block(name).unwrap()].state.clone();
    blocks.iter().flat_map(find).collect()
}
