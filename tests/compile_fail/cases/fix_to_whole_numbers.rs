//! Fixed values are floating-point numbers.
use kinegraph::prelude::*;

fn wire(b: &mut DiagramBuilder, gain: &Gain, values: Vec<i32>) {
    b.fix(gain.input, values);
}

fn main() {}
