//! Tests of `src/engine/integrators/solved.rs`.

use kinegraph_engine::integrators::acted;

#[test]
fn what_grows_evenly_acts_as_in_the_middle_of_each_half() {
    // y = 3 + 8 t over a second, read at the ends of the solves.
    let (mut a, mut b) = ([3.0 + 8.0 * 0.5], [3.0 + 8.0]);
    acted(&[3.0 + 8.0], (&mut a, &mut b), true);
    assert_eq!((a, b), ([3.0 + 8.0 * 0.25], [3.0 + 8.0 * 0.75]));
    acted(&[100.0], (&mut a, &mut b), false);
    assert_eq!((a, b), ([5.0], [9.0]));
}
