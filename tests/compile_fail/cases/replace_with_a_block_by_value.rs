//! A replacement is shared between diagrams.
use kinegraph::prelude::*;

fn swap(diagram: &Diagram, gain: Gain) {
    let _changed = diagram.replace("gain", gain);
}

fn main() {}
