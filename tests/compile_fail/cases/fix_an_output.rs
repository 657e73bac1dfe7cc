//! Only inputs can be fixed to a value.
use kinegraph::prelude::*;

fn wire(b: &mut DiagramBuilder, gain: &Gain) {
    b.fix(gain.output, [1.0]);
}

fn main() {}
