//! The bench evaluates outputs.
use kinegraph::prelude::*;

fn test(gain: &Gain) -> Vec<f64> {
    Bench::new(gain).input(gain.input, [1.0]).eval(gain.input)
}

fn main() {}
