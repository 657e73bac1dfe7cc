//! Tests of `src/engine/integrators/search.rs`.

use kinegraph_engine::integrators::{Estimate, Statistics, StepControl};

#[test]
fn the_smallest_step_is_tried_before_a_run_fails() {
    for (longest, taken) in [(6e-3, Some(5e-3)), (4e-3, None)] {
        let mut control = StepControl::new(1e-3, 0.1);
        control.min_step = 5e-3;
        let attempt = |h: f64, _: &mut Statistics| Ok(Estimate::from((if h > longest { 1.0 } else { 1e-9 }, 0)));
        let found = control.search(0.0, 1.0, &mut Statistics::default(), attempt);
        assert_eq!(found.as_ref().ok().map(|accepted| accepted.h), taken);
        assert!(found.is_ok() || found.is_err_and(|too_short| too_short.minimum == 5e-3));
    }
}
