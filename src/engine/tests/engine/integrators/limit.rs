//! Tests of `src/engine/integrators/limit.rs`.

use kinegraph_engine::integrators::limit::end_of_step;

#[test]
fn a_step_that_ends_at_the_limit_but_for_rounding_has_reached_it() {
    let limit = 0.30000000000000004;
    // 0.2 + 0.1 is the limit, though 0.1 is less than what remains; 0.7 + 0.1 falls short of 0.8 by one bit.
    assert_eq!(end_of_step(0.2, 0.1, limit - 0.2, limit), (limit, true));
    assert_eq!(end_of_step(0.7000000000000001, 0.09999999999999987, 0.8 - 0.7000000000000001, 0.8), (0.8, true));
    assert_eq!(end_of_step(0.2, 0.0999, limit - 0.2, limit), (0.2 + 0.0999, false));
}
