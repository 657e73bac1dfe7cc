//! The bench gives values to inputs.
use kinegraph::prelude::*;

fn test(gain: &Gain) -> Vec<f64> {
    Bench::new(gain).input(gain.output, [1.0]).eval(gain.output)
}

fn main() {}
