//! The constructor of a block may fail: its result is not yet a block.
use kinegraph::prelude::*;

fn wire(b: &mut DiagramBuilder) {
    b.add("gain", Gain::new(1, 2.0));
}

fn main() {}
