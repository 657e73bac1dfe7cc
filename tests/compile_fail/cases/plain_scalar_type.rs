//! Only `f64` and `Jet` are scalars.
use kinegraph::prelude::*;

fn values(diagram: &Diagram) {
    diagram.values::<f32>();
}

fn main() {}
