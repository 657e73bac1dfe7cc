//! A path where a handle is expected: paths go to `connect_paths`.
use kinegraph::prelude::*;

fn wire(b: &mut DiagramBuilder, gain: &Gain) {
    b.connect("goal.output", gain.input);
}

fn main() {}
