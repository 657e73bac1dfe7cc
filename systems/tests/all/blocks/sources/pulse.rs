//! A square wave.

use kinegraph_core::port::Tick;
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::sources::Pulse;

#[test]
fn conforms() {
    conformance::check(&Pulse::new(2, [1.0, -3.0], 0.7, 0.31, 0.2).unwrap());
}

#[test]
fn is_high_for_its_share_of_each_period() {
    let pulse = Pulse::new(1, 5.0, 0.1, 0.25, 1.0).unwrap();
    for (time, expected) in [(0.99, 0.0), (1.01, 5.0), (1.03, 0.0), (1.09, 0.0), (7.312, 5.0), (7.33, 0.0)] {
        assert_eq!(Bench::new(&pulse).time(time).eval(pulse.output), [expected], "at {time}");
    }
}

#[test]
fn the_state_knows_the_side_of_an_edge() {
    let pulse = Pulse::new(1, 5.0, 0.1, 0.25, 1.0).unwrap();
    for k in 0..1000 {
        for (edge, offset) in [1.0, 1.025].into_iter().enumerate() {
            let before = Bench::new(&pulse).time(offset + k as f64 * 0.1).discrete([(2 * k + edge) as f64]);
            let after = before.clone().discrete(before.update(Tick { index: edge }));
            let (low_first, high) = (edge == 0, [5.0]);
            assert_eq!(before.eval(pulse.output) == high, !low_first, "before edge {edge} of period {k}");
            assert_eq!(after.eval(pulse.output) == high, low_first, "after edge {edge} of period {k}");
        }
    }
}

#[test]
fn refuses_a_pulse_without_width() {
    let fault = Pulse::new(1, 1.0, 1.0, 1.0, 0.0).err().unwrap();
    assert_eq!(fault.to_string(), "width_fraction[0] is 1, expected a number between 0 and 1");
}
