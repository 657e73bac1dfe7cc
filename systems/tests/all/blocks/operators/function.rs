//! Elementary functions of a signal.

use kinegraph_core::testing::{Bench, Sample, conformance};
use kinegraph_systems::operators::{Elementary, Function};

#[test]
fn every_function_conforms() {
    for (_, function) in Elementary::NAMES {
        // Inside all domains and off every kink and jump.
        let sample =
            |u: [f64; 2]| Sample { time: 0.0, state: vec![], discrete: vec![], inputs: vec![Some(u.to_vec())] };
        conformance::check_at(&Function::new(2, *function), &[sample([0.3, 0.7]), sample([0.1, 0.9])]);
    }
}

#[test]
fn values_are_the_known_ones() {
    for (name, u, expected) in [
        ("sin", std::f64::consts::FRAC_PI_2, 1.0),
        ("cos", 0.0, 1.0),
        ("tan", std::f64::consts::FRAC_PI_4, 1.0),
        ("asin", 1.0, std::f64::consts::FRAC_PI_2),
        ("acos", 1.0, 0.0),
        ("atan", 1.0, std::f64::consts::FRAC_PI_4),
        ("sinh", 2.0_f64.ln(), 0.75),
        ("cosh", 2.0_f64.ln(), 1.25),
        ("tanh", 2.0_f64.ln(), 0.6),
        ("exp", 1.0, std::f64::consts::E),
        ("log", std::f64::consts::E, 1.0),
        ("log10", 1000.0, 3.0),
        ("sqrt", 9.0, 3.0),
        ("abs", -2.0, 2.0),
        ("sign", -2.0, -1.0),
        ("sign", 0.0, 0.0),
        ("square", -3.0, 9.0),
        ("reciprocal", -4.0, -0.25),
        ("floor", -1.5, -2.0),
        ("ceil", -1.5, -1.0),
        ("round", 2.5, 3.0),
    ] {
        let function = Function::new(1, Elementary::named(name).unwrap());
        let y = Bench::new(&function).input(function.input, [u]).eval(function.output)[0];
        assert!((y - expected).abs() < 1e-15, "{name}({u}) = {y}");
    }
}
