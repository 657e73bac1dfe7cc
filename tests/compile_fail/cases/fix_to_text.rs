//! Fixed values are numbers.
use kinegraph::prelude::*;

fn wire(b: &mut DiagramBuilder, gain: &Gain) {
    b.fix(gain.input, "1.0");
}

fn main() {}
