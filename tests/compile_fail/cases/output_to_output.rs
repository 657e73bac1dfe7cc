//! A wire from an output to an output.
use kinegraph::prelude::*;

fn wire(b: &mut DiagramBuilder, goal: &Constant, gain: &Gain) {
    b.connect(goal.output, gain.output);
}

fn main() {}
