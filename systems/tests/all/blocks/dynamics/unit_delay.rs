//! A delay by one sample.

use kinegraph_core::port::{Sampling, Tick};
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::dynamics::UnitDelay;

#[test]
fn conforms() {
    conformance::check(&UnitDelay::new(2, Sampling::every(0.1), [1.0, -1.0]).unwrap());
}

#[test]
fn shows_the_sample_before() {
    let delay = UnitDelay::new(1, Sampling::every(0.1), 9.0).unwrap();
    let (mut discrete, mut shown) = (vec![9.0, 9.0], Vec::new());
    for k in 0..4 {
        let bench = Bench::new(&delay).input(delay.input, [k as f64]).discrete(&discrete);
        discrete = bench.update(Tick { index: 0 });
        shown.extend(bench.discrete(&discrete).eval(delay.output));
    }
    assert_eq!(shown, [9.0, 0.0, 1.0, 2.0]);
}
