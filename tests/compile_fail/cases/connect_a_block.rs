//! A block has several ports: one of them must be named.
use kinegraph::prelude::*;

fn wire(b: &mut DiagramBuilder, goal: &Constant, gain: &Gain) {
    b.connect(goal, gain.input);
}

fn main() {}
