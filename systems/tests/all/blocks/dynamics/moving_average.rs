//! The mean of the last samples.

use kinegraph_core::testing::{Bench, conformance};
use kinegraph_core::{Sampling, Tick};
use kinegraph_systems::dynamics::MovingAverage;
use std::num::NonZero;

#[test]
fn conforms() {
    conformance::check(&MovingAverage::new(2, NonZero::new(5).unwrap(), Sampling::every(0.1)).unwrap());
}

#[test]
fn is_the_mean_of_the_last_three_samples() {
    let block = MovingAverage::new(1, NonZero::new(3).unwrap(), Sampling::every(0.1)).unwrap();
    let (mut window, mut means) = (vec![0.0; 3], Vec::new());
    for sample in [6.0, 3.0, 9.0, 12.0] {
        window = Bench::new(&block).input(block.input, [sample]).discrete(&window).update(Tick { index: 0 });
        means.extend(Bench::new(&block).discrete(&window).eval(block.output));
    }
    assert_eq!(means, [2.0, 3.0, 6.0, 8.0]);
}
