//! Time since a signal became true.

use kinegraph_core::port::{Tick, Witness};
use kinegraph_core::testing::{Bench, Sample, conformance};
use kinegraph_systems::dynamics::Timer;

#[test]
fn conforms() {
    let timer = Timer::new(2, 0.5, true).unwrap();
    conformance::check(&timer);
    let inputs = vec![Some(vec![1.0, 0.0]), Some(vec![0.0, 0.0])];
    let discrete = vec![1.0, 0.0, 0.25, 0.75, 3.0, 4.0];
    conformance::check_at(&timer, &[Sample { time: 1.5, state: vec![], discrete, inputs }]);
}

/// True from 1 s to 3 s, and again from 4 s on: at 6 s it shows 2 s, or 4 s if it accumulates.
#[test]
fn counts_from_each_start_or_accumulates() {
    for (accumulates, while_false, at_end) in [(false, 0.0, 2.0), (true, 2.0, 4.0)] {
        let timer = Timer::new(1, 0.5, accumulates).unwrap();
        let mut discrete = vec![0.0; 3];
        for (time, input) in [(1.0, 1.0), (3.0, 0.0), (4.0, 1.0)] {
            let bench = Bench::new(&timer).time(time).input(timer.input, [input]).discrete(&discrete);
            assert_eq!(bench.witnesses(), [0.5, -1.0], "at {time}");
            discrete = bench.reset(Witness { index: 0 }).1;
            if time == 3.0 {
                let later = Bench::new(&timer).time(3.5).discrete(&discrete);
                assert_eq!(later.eval(timer.output), [while_false]);
            }
        }
        assert_eq!(Bench::new(&timer).time(6.0).discrete(&discrete).eval(timer.output), [at_end]);
    }
}

#[test]
fn a_reset_begins_again_from_zero() {
    let timer = Timer::new(1, 0.5, true).unwrap();
    let bench = Bench::new(&timer).time(5.0).input(timer.input, [1.0]).input(timer.reset, [1.0]);
    let discrete = bench.discrete([1.0, 1.0, 7.0]).reset(Witness { index: 1 }).1;
    assert_eq!(Bench::new(&timer).time(5.5).discrete(&discrete).eval(timer.output), [0.5]);
}

#[test]
fn a_signal_that_is_true_at_the_start_starts_it() {
    let timer = Timer::new(2, 0.5, false).unwrap();
    let bench = Bench::new(&timer).input(timer.input, [1.0, 0.0]);
    let discrete = bench.update(Tick { index: 0 });
    assert_eq!(Bench::new(&timer).time(2.0).discrete(&discrete).eval(timer.output), [2.0, 0.0]);
}
