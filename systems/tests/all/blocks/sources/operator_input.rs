//! Inputs of a person while a diagram runs.

use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::sources::OperatorInput;

fn names() -> Vec<String> {
    ["forward", "turn"].map(String::from).to_vec()
}

#[test]
fn conforms() {
    conformance::check(&OperatorInput::new(&names(), [2.0, -0.5], 0.1).unwrap());
}

#[test]
fn a_stick_at_rest_gives_zero_and_one_at_its_end_the_scale() {
    let block = OperatorInput::new(&names(), [2.0, -0.5], 0.2).unwrap();
    for (held, expected) in [
        ([0.0, 0.0], [0.0, 0.0]),
        ([0.2, -0.2], [0.0, 0.0]),
        ([1.0, -1.0], [2.0, 0.5]),
        ([0.6, -0.6], [1.0, 0.25]),
        ([-7.0, 7.0], [-2.0, -0.5]),
    ] {
        let got = Bench::new(&block).discrete(held).eval(block.output);
        assert!(got.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{held:?}: {got:?}");
    }
}

#[test]
fn invalid_sets_of_signals_are_refused() {
    let twice = vec!["a".to_owned(), "a".to_owned()];
    assert!(OperatorInput::new(&[], 1.0, 0.1).is_err());
    assert!(OperatorInput::new(&twice, 1.0, 0.1).is_err());
    assert!(OperatorInput::new(&names(), [1.0], 0.1).is_err());
    assert!(OperatorInput::new(&names(), f64::INFINITY, 0.1).is_err());
    assert!(OperatorInput::new(&names(), 1.0, 1.0).is_err());
}
