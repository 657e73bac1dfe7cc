//! Counting of the rises of a signal.

use kinegraph_core::port::Witness;
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::dynamics::Counter;

#[test]
fn conforms() {
    conformance::check(&Counter::new(0.5, Some(3)).unwrap());
}

#[test]
fn counts_and_begins_again() {
    let counter = Counter::new(0.5, Some(3)).unwrap();
    let mut discrete = vec![0.0];
    let mut counts = Vec::new();
    for _ in 0..4 {
        let bench = Bench::new(&counter).input(counter.input, [0.7]).discrete(&discrete);
        counts.extend(bench.eval(counter.output));
        discrete = bench.reset(Witness { index: 0 }).1;
    }
    assert_eq!(counts, [0.0, 1.0, 2.0, 0.0]);
}

#[test]
fn watches_the_threshold() {
    let counter = Counter::new(0.5, None).unwrap();
    let witness = |u: f64| Bench::new(&counter).input(counter.input, [u]).witnesses()[0];
    assert!(witness(0.5) <= 0.0 && witness(0.5 + 1e-15) > 0.0 && witness(-3.0) < 0.0);
}

#[test]
fn refuses_to_count_modulo_nothing() {
    assert_eq!(Counter::new(0.0, Some(0)).err().unwrap().to_string(), "modulo[0] is 0, expected a number above 0");
}
