//! A set-reset latch.

use kinegraph_core::port::{Tick, Witness};
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::dynamics::{Dominant, Latch};

#[test]
fn conforms() {
    conformance::check(&Latch::new(3, 0.5, Dominant::Reset, false).unwrap());
}

/// The output that follows from the inputs, for all of them and both states.
#[test]
fn the_table_of_its_states() {
    for dominant in [Dominant::Set, Dominant::Reset] {
        for (set, reset) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
            for before in [0.0, 1.0] {
                let latch = Latch::new(1, 0.5, dominant, false).unwrap();
                let bench = Bench::new(&latch).input(latch.set, [set]).input(latch.reset, [reset]).discrete([before]);
                let both = f64::from(u8::from(dominant == Dominant::Set));
                let expected = [[before, 0.0], [1.0, both]][set as usize][reset as usize];
                let case = format!("{dominant:?}, {set}, {reset}, {before}");
                assert_eq!(bench.update(Tick { index: 0 }), [expected], "{case}");
                assert_eq!(bench.eval(latch.output), [before]);
                let due = bench.witnesses()[0] > 0.0;
                assert_eq!(due, before != expected, "{case}");
                assert_eq!(bench.reset(Witness { index: 0 }).1, [1.0 - before]);
            }
        }
    }
}

#[test]
fn starts_in_its_first_state() {
    let latch = Latch::new(2, 0.5, Dominant::Reset, true).unwrap();
    assert_eq!(Bench::new(&latch).eval(latch.output), [1.0, 1.0]);
}
