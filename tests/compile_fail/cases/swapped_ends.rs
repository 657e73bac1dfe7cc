//! The input first: the wrong way round.
use kinegraph::prelude::*;

fn wire(b: &mut DiagramBuilder, goal: &Constant, gain: &Gain) {
    b.connect(gain.input, goal.output);
}

fn main() {}
