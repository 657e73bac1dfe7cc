//! Two-point control with hysteresis.

use kinegraph_core::parameter::PerChannel;
use kinegraph_core::port::{Tick, Witness};
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::operators::{Relay, RelayParameters};

fn relay(width: usize) -> Relay {
    let [rise_at, fall_at, high, low] = [1.0, -1.0, 5.0, 2.0].map(PerChannel::from);
    Relay::new(width, RelayParameters { rise_at, fall_at, high, low, starts_high: false }).unwrap()
}

#[test]
fn conforms() {
    conformance::check(&relay(3));
}

#[test]
fn shows_the_value_of_its_mode() {
    let relay = relay(2);
    assert_eq!(Bench::new(&relay).discrete([0.0, 1.0]).eval(relay.output), [2.0, 5.0]);
}

#[test]
fn a_crossing_switches_its_element_only() {
    let relay = relay(2);
    let bench = Bench::new(&relay).input(relay.input, [0.5, 0.5]).discrete([0.0, 1.0]);
    // Off: it is watched for rising through 1. On: for falling through -1.
    assert_eq!(bench.witnesses(), [-0.5, 1.0, -1.0, 1.5]);
    assert_eq!(bench.reset(Witness { index: 0 }).1, [1.0, 1.0]);
    assert_eq!(bench.reset(Witness { index: 3 }).1, [0.0, 0.0]);
}

#[test]
fn the_input_sets_the_first_mode_where_it_decides() {
    let relay = relay(3);
    let bench = Bench::new(&relay).input(relay.input, [2.0, 0.0, -2.0]);
    let tick = Tick { index: 0 };
    assert_eq!(bench.clone().discrete([0.0; 3]).update(tick), [1.0, 0.0, 0.0]);
    assert_eq!(bench.discrete([1.0; 3]).update(tick), [1.0, 1.0, 0.0]);
}

#[test]
fn refuses_thresholds_in_the_wrong_order() {
    let [rise_at, fall_at, high, low] = [1.0, 1.5, 5.0, 2.0].map(PerChannel::from);
    let fault = Relay::new(1, RelayParameters { rise_at, fall_at, high, low, starts_high: false }).err().unwrap();
    assert_eq!(fault.to_string(), "fall_at[0] = 1.5 is not below rise_at[0] = 1");
}
