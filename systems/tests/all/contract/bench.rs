//! A single block on the bench.

use kinegraph_systems::JET_WIDTH;
use kinegraph_systems::operators::Gain;
use kinegraph_systems::testing::Bench;
use nalgebra::DMatrix;

fn gain() -> Gain {
    Gain::new(2, 3.0).unwrap()
}

#[test]
#[should_panic(expected = "input `input` has no value")]
fn an_output_needs_the_inputs_it_depends_on() {
    let gain = gain();
    Bench::new(&gain).eval(gain.output);
}

#[test]
#[should_panic(expected = "input `input` has width 2 but is given 3 values")]
fn widths_are_checked() {
    let gain = gain();
    Bench::new(&gain).input(gain.input, [1.0; 3]).eval(gain.output);
}

#[test]
#[should_panic(expected = "this port belongs to another block")]
fn handles_of_other_blocks_are_refused() {
    let (gain, other) = (gain(), gain());
    Bench::new(&gain).input(other.input, [1.0; 2]);
}

#[test]
fn jacobians_wider_than_a_jet_are_complete() {
    let n = 2 * JET_WIDTH + 3;
    let gains: Vec<f64> = (1..=n).map(|i| i as f64).collect();
    let gain = Gain::new(n, gains.clone()).unwrap();
    let jacobian = Bench::new(&gain).input(gain.input, vec![1.0; n]).jacobian(gain.input, gain.output);
    assert_eq!(jacobian, DMatrix::from_diagonal(&gains.into()));
}
