//! Signals between parts of different rates.

use kinegraph_core::LeafSystem;
use kinegraph_core::port::Tick;
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::dynamics::{RateTransition, Transfer};

#[test]
fn conforms() {
    conformance::check(&RateTransition::new(3, [0.1, 0.3], Transfer::Hold, 0.5).unwrap());
    conformance::check(&RateTransition::new(3, [0.3, 0.1], Transfer::Delay, 0.5).unwrap());
}

#[test]
fn acts_at_the_slower_rate() {
    for rates in [[0.1, 0.3], [0.3, 0.1]] {
        let block = RateTransition::new(1, rates, Transfer::Hold, 0.0).unwrap();
        let ticks = LeafSystem::ports(&block).ticks();
        assert_eq!((ticks.len(), ticks[0].period, ticks[0].offset), (1, 0.3, 0.0));
    }
}

#[test]
fn shows_the_newest_sample_or_the_one_before() {
    for (transfer, expected) in [(Transfer::Hold, [9.0, 1.0, 2.0, 3.0]), (Transfer::Delay, [9.0, 9.0, 1.0, 2.0])] {
        let block = RateTransition::new(1, [0.1, 0.1], transfer, 9.0).unwrap();
        let mut discrete = Bench::new(&block).discrete_state();
        let mut shown = Vec::new();
        for sample in [1.0, 2.0, 3.0, 4.0] {
            let bench = Bench::new(&block).input(block.input, [sample]).discrete(&discrete);
            shown.extend(bench.eval(block.output));
            discrete = bench.update(Tick { index: 0 });
        }
        assert_eq!(shown, expected);
    }
}

#[test]
fn refuses_periods_whose_events_do_not_coincide() {
    let fault = |rates| RateTransition::new(1, rates, Transfer::Hold, 0.0).err().unwrap().to_string();
    let expected = "a period of which `from` is a whole multiple, or which is a whole multiple of `from`";
    assert_eq!(fault([0.1, 0.25]), format!("to[0] is 0.25, expected {expected}"));
    assert_eq!(fault([0.0, 0.25]), "from[0] is 0, expected a number above 0");
}
