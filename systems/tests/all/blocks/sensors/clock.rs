//! Clocks.

use kinegraph_core::port::Tick;
use kinegraph_core::testing::Bench;
use kinegraph_systems::sensors::{Clock, ClockSettings, SampleSettings};

#[test]
fn a_clock_that_drifts_is_ahead() {
    let settings = ClockSettings { sampled: SampleSettings::every(0.5), drift: 1e-3, start: 10.0 };
    let clock = Clock::new(settings).unwrap();
    let bench = Bench::new(&clock).time(4.0);
    let discrete = bench.update(Tick { index: 0 });
    assert!((bench.discrete(discrete).eval(clock.time)[0] - 14.004).abs() < 1e-12);
}
