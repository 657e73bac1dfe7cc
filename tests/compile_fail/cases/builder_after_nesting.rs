//! A diagram that became part of another one is wired from there.
use kinegraph::prelude::*;

fn wire(mut outer: DiagramBuilder, mut inner: DiagramBuilder, goal: &Constant, gain: &Gain) {
    outer.add_diagram("inner", inner);
    inner.connect(goal.output, gain.input);
}

fn main() {}
