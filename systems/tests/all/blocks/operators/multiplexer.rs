//! Joining of several signals into one.

use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::operators::Multiplexer;

#[test]
fn conforms() {
    conformance::check(&Multiplexer::new(&[2, 1, 3]).unwrap());
}

#[test]
fn joins_in_order() {
    let join = Multiplexer::new(&[2, 1]).unwrap();
    let bench = Bench::new(&join).input(join.inputs[0], [1.0, 2.0]).input(join.inputs[1], [3.0]);
    assert_eq!(bench.eval(join.output), [1.0, 2.0, 3.0]);
}

#[test]
fn refuses_to_join_nothing() {
    assert_eq!(Multiplexer::new(&[]).err().unwrap().to_string(), "widths is empty");
}
