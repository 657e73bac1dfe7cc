//! A diagram under construction is not simulated.
use kinegraph::prelude::*;

fn run(b: &DiagramBuilder) {
    let _simulation = Simulation::new(b, Options::cenic(1e-3));
}

fn main() {}
