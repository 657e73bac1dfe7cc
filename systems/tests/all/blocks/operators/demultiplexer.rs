//! Splitting of a signal into several.

use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::operators::Demultiplexer;

#[test]
fn conforms() {
    conformance::check(&Demultiplexer::new(&[2, 1, 3]).unwrap());
}

#[test]
fn splits_in_order() {
    let split = Demultiplexer::new(&[2, 1]).unwrap();
    let bench = Bench::new(&split).input(split.input, [1.0, 2.0, 3.0]);
    assert_eq!(bench.eval(split.outputs[0]), [1.0, 2.0]);
    assert_eq!(bench.eval(split.outputs[1]), [3.0]);
}
