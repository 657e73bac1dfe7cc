//! A wire from an input to an input.
use kinegraph::prelude::*;

fn wire(b: &mut DiagramBuilder, first: &Gain, second: &Gain) {
    b.connect(first.input, second.input);
}

fn main() {}
