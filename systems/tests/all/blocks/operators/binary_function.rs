//! Elementary functions of two signals.

use kinegraph_core::testing::{Bench, Sample, conformance};
use kinegraph_systems::operators::{Binary, BinaryFunction};

#[test]
fn every_function_conforms() {
    for (_, function) in Binary::NAMES {
        let sample = |a: [f64; 2], b: [f64; 2]| Sample {
            time: 0.0,
            state: vec![],
            discrete: vec![],
            inputs: vec![Some(a.to_vec()), Some(b.to_vec())],
        };
        let samples = [sample([0.3, 0.7], [0.5, -0.4]), sample([1.2, 0.4], [-3.0, 0.9])];
        conformance::check_at(&BinaryFunction::new(2, *function), &samples);
    }
}

#[test]
fn values_are_the_known_ones() {
    for (name, a, b, expected) in [
        ("atan2", 1.0, -1.0, 0.75 * std::f64::consts::PI),
        ("hypot", 3.0, -4.0, 5.0),
        ("min", 3.0, -4.0, -4.0),
        ("max", 3.0, -4.0, 3.0),
        ("power", 2.0, -2.0, 0.25),
    ] {
        let function = BinaryFunction::new(1, Binary::named(name).unwrap());
        let bench = Bench::new(&function).input(function.a, [a]).input(function.b, [b]);
        assert!((bench.eval(function.output)[0] - expected).abs() < 1e-15, "{name}");
    }
}
