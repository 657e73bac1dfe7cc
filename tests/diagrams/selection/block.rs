//! The block that assembles an input from numbers of several outputs.

use kinegraph_core::port::OutputPort;
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_core::{Dyn, Ports};
use kinegraph_diagram::selection::Selection;

fn selection() -> Selection {
    let mut ports = Ports::new();
    ports.output_of_width::<Dyn>("a", 3);
    ports.output_of_width::<Dyn>("b", 1);
    let sources: Vec<&OutputPort> = ports.outputs().iter().collect();
    Selection::new(&sources, vec![Some((1, 0)), None, Some((0, 2)), Some((0, 0))])
}

#[test]
fn conforms() {
    conformance::check(&selection());
}

#[test]
fn puts_numbers_in_their_places() {
    let block = selection();
    let bench = Bench::new(&block).input(block.inputs[0], [1.0, 2.0, 3.0]).input(block.inputs[1], [4.0]);
    assert_eq!(bench.eval(block.output), [4.0, 0.0, 3.0, 1.0]);
}
