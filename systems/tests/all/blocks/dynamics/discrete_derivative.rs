//! The rate of a sampled signal.

use kinegraph_core::port::{Sampling, Tick};
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::dynamics::DiscreteDerivative;

#[test]
fn conforms() {
    conformance::check(&DiscreteDerivative::new(2, Sampling::every(0.1)).unwrap());
}

#[test]
fn of_a_parabola_is_its_rate_half_a_period_before() {
    let block = DiscreteDerivative::new(2, Sampling::every(0.25)).unwrap();
    let mut discrete = vec![0.0; 5];
    for k in 0..5 {
        let t = 0.25 * k as f64;
        let bench = Bench::new(&block).time(t).input(block.input, [3.0 + t * t, -t]).discrete(&discrete);
        discrete = bench.update(Tick { index: 0 });
        let expected = if k == 0 { [0.0, 0.0] } else { [2.0 * (t - 0.125), -1.0] };
        assert_eq!(bench.discrete(&discrete).eval(block.output), expected);
    }
}
