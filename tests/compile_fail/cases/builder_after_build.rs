//! A diagram that is built does not change any more.
use kinegraph::prelude::*;

fn wire(mut b: DiagramBuilder, goal: &Constant, gain: &Gain) {
    let _diagram = b.build();
    b.connect(goal.output, gain.input);
}

fn main() {}
