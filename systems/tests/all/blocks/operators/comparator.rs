//! Comparison of two signals.

use kinegraph_core::port::{Tick, Witness};
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::operators::Comparator;

#[test]
fn conforms() {
    conformance::check(&Comparator::new(3, 0.1, 0.2).unwrap());
}

#[test]
fn hysteresis_stands_on_both_sides_of_the_threshold() {
    let block = Comparator::new(2, 1.0, 0.5).unwrap();
    let bench = Bench::new(&block).input(block.input, [2.0, 2.0]).input(block.reference, [0.5, 0.5]);
    // 1.5 above the reference: 0.25 above the level at which it rises, 0.75 above that at which it falls.
    let bench = bench.discrete([0.0, 1.0]);
    assert_eq!(bench.witnesses(), [0.25, -0.75]);
    assert_eq!(bench.eval(block.output), [0.0, 1.0]);
    assert_eq!(bench.reset(Witness { index: 0 }).1, [1.0, 1.0]);
    assert_eq!(bench.reset(Witness { index: 1 }).1, [0.0, 0.0]);
}

#[test]
fn compares_with_the_threshold_alone_where_nothing_else_is_wired() {
    let block = Comparator::new(1, 0.75, 0.0).unwrap();
    assert_eq!(Bench::new(&block).input(block.input, [1.0]).witnesses(), [0.25]);
}

#[test]
fn the_signals_decide_at_the_start() {
    let block = Comparator::new(4, 0.0, 1.0).unwrap();
    let bench = Bench::new(&block).input(block.input, [2.0, 0.4, -0.4, -2.0]);
    assert_eq!(bench.update(Tick { index: 0 }), [1.0, 0.0, 0.0, 0.0]);
}

#[test]
fn refuses_a_negative_hysteresis() {
    let fault = Comparator::new(1, 0.0, -1.0).err().unwrap();
    assert_eq!(fault.to_string(), "hysteresis[0] is -1, expected a number that is not negative");
}
