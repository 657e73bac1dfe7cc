//! The value of an input is a list of numbers, also where it is one.
use kinegraph::prelude::*;

fn test(gain: &Gain) -> Vec<f64> {
    Bench::new(gain).input(gain.input, 1.0).eval(gain.output)
}

fn main() {}
