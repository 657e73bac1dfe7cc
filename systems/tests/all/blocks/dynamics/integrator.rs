//! The integral of a signal over time.

use kinegraph_core::LeafSystem;
use kinegraph_core::port::{Crossing, Witness};
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::dynamics::{Integrator, IntegratorSettings, Restart};

fn limited(lower: f64, upper: f64) -> Integrator {
    let settings = IntegratorSettings {
        lower: Some(lower.into()),
        upper: Some(upper.into()),
        reset: Some(Restart::on(Crossing::Rising)),
    };
    Integrator::with([0.0, 0.5], settings).unwrap()
}

#[test]
fn conforms() {
    conformance::check(&Integrator::new([1.0, 2.0, 3.0]).unwrap());
    conformance::check(&limited(-2.0, 2.0));
}

#[test]
fn shows_its_state_and_moves_at_its_input() {
    let integrator = Integrator::new([1.0, 2.0]).unwrap();
    // The output needs no input: it is not fed through.
    assert_eq!(Bench::new(&integrator).eval(integrator.output), [1.0, 2.0]);
    assert_eq!(Bench::new(&integrator).input(integrator.input, [5.0, -6.0]).derivatives(), [5.0, -6.0]);
}

#[test]
fn at_a_limit_only_inward_motion_is_left() {
    let block = limited(-1.0, 2.0);
    for (mode, u, expected) in [
        ([1.0, -1.0], [3.0, 3.0], [0.0, 3.0]),
        ([1.0, -1.0], [-3.0, -3.0], [-3.0, 0.0]),
        ([0.0, 0.0], [3.0, -3.0], [3.0, -3.0]),
    ] {
        let bench = Bench::new(&block).input(block.input, u).input(block.reset.unwrap(), [0.0]).discrete(mode);
        assert_eq!(bench.derivatives(), expected);
    }
}

#[test]
fn passing_a_limit_puts_the_state_on_it_and_turning_inward_frees_it() {
    let block = limited(-1.0, 2.0);
    let bench = Bench::new(&block).input(block.reset.unwrap(), [-1.0]);
    // Just beyond the upper limit on channel 0, just beyond the lower one on channel 1.
    let beyond = bench.clone().input(block.input, [1.0, -1.0]).state([2.0 + 1e-12, -1.0 - 1e-12]);
    let witnesses = beyond.witnesses();
    assert!(witnesses[0] > 0.0 && witnesses[1] < 0.0 && witnesses[2] > 0.0 && witnesses[3] < 0.0, "{witnesses:?}");
    assert_eq!(beyond.reset(Witness { index: 0 }), (vec![2.0, -1.0 - 1e-12], vec![1.0, 0.0]));
    assert_eq!(beyond.reset(Witness { index: 2 }), (vec![2.0 + 1e-12, -1.0], vec![0.0, -1.0]));
    // Held, then turned inward: nothing until the input changes its sign.
    let held = bench.state([2.0, -1.0]).discrete([1.0, -1.0]);
    assert!(held.clone().input(block.input, [1.0, -1.0]).witnesses().iter().all(|&w| w < 0.0));
    let turned = held.input(block.input, [-1.0, 1.0]);
    assert!(turned.witnesses()[1] > 0.0 && turned.witnesses()[3] > 0.0);
    assert_eq!(turned.reset(Witness { index: 1 }), (vec![2.0, -1.0], vec![0.0, -1.0]));
    // A step over the turn has led the state away from the limit: it leaves from there, and not before its input turns.
    let dipped = turned.clone().state([1.99, -0.99]);
    assert_eq!(dipped.reset(Witness { index: 1 }), (vec![2.0, -0.99], vec![0.0, -1.0]));
    assert!(dipped.clone().input(block.input, [1.0, -1.0]).witnesses().iter().all(|&w| w < 0.0));
    assert_eq!(dipped.discrete([0.0, -1.0]).reset(Witness { index: 1 }), (vec![2.0, -0.99], vec![0.0, -1.0]));
    // An input that jumped inward: the state itself shows it.
    assert!(turned.clone().state([1.9, -0.9]).witnesses()[0] > 0.0);
}

#[test]
fn a_reset_starts_anew() {
    let block = limited(-1.0, 2.0);
    let bench = Bench::new(&block).input(block.input, [1.0, 1.0]).state([2.0, 1.0]).discrete([1.0, 0.0]);
    let up = bench.input(block.reset.unwrap(), [0.25]);
    assert_eq!(up.witnesses()[4], 0.25);
    assert_eq!(up.reset(Witness { index: 4 }), (vec![0.0, 0.5], vec![0.0, 0.0]));
}

#[test]
fn a_reset_may_start_from_an_input_within_the_limits() {
    let reset = Some(Restart::from_input_on(Crossing::Falling));
    let settings = IntegratorSettings { lower: Some((-1.0).into()), upper: Some(2.0.into()), reset };
    let block = Integrator::with([0.0, 0.5], settings).unwrap();
    conformance::check(&block);
    let bench = Bench::new(&block).input(block.input, [1.0, 1.0]).input(block.reset.unwrap(), [-1e-9]);
    let bench = bench.input(block.reset_value.unwrap(), [1.5, -7.0]).discrete([1.0, 0.0]);
    assert_eq!(bench.reset(Witness { index: 4 }), (vec![1.5, -1.0], vec![0.0, 0.0]));
    assert_eq!(block.ports().witnesses()[4].crossing, Crossing::Falling);
}

#[test]
fn plain_integrators_are_not_watched() {
    assert!(Integrator::new([0.0]).unwrap().ports().witnesses().is_empty());
}

#[test]
fn refuses_limits_that_leave_no_room() {
    let with = |lower: f64, upper: f64| {
        let settings = IntegratorSettings { lower: Some(lower.into()), upper: Some(upper.into()), reset: None };
        Integrator::with([0.0], settings).err().unwrap().to_string()
    };
    assert_eq!(with(1.0, 1.0), "lower[0] = 1 is not below upper[0] = 1");
    assert_eq!(with(1.0, 2.0), "initial[0] is 0, expected a number within the limits");
}
