//! Tests of `src/engine/integrators/step_control.rs`.

use kinegraph_engine::integrators::{Decision, StepControl};

#[test]
fn step_follows_the_square_root_of_the_error() {
    let mut c = StepControl::new(1e-3, 1.0);
    let retry = |verdict| match verdict {
        Decision::Retry(h) => h,
        Decision::Accept => panic!("accepted"),
    };
    assert_eq!(c.first_attempt(10.0), 0.1);
    assert!((retry(c.judge(0.1, 4e-3)) - 0.045).abs() < 1e-15);
    assert_eq!(c.judge(0.045, 1e-3), Decision::Accept);
    assert_eq!(c.first_attempt(10.0), 0.045);
    assert_eq!(c.judge(0.045, 0.0), Decision::Accept);
    assert!((c.first_attempt(10.0) - 0.225).abs() < 1e-15);
    assert!((retry(c.judge(0.1, f64::NAN)) - 0.01).abs() < 1e-15);
    assert_eq!(retry(c.failed(0.1)), 0.05);
}

#[test]
fn a_discarded_attempt_may_shorten_the_next_but_not_lengthen_it() {
    let mut c = StepControl::new(1e-3, 1.0);
    assert_eq!(c.judge(0.1, 1e-3), Decision::Accept);
    let before = c;
    assert_eq!(c.first_attempt(10.0), 0.1);
    assert_eq!(c.judge(0.1, 1e-9), Decision::Accept);
    c.discard(&before, 0.1);
    assert_eq!(c.first_attempt(10.0), 0.1);
    assert!(matches!(c.judge(0.1, 4e-3), Decision::Retry(_)));
    assert_eq!(c.judge(0.045, 1e-9), Decision::Accept);
    c.discard(&before, 0.045);
    assert_eq!(c.first_attempt(10.0), 0.045);
    // One cut short by a limit says nothing.
    let before = c;
    assert_eq!(c.first_attempt(0.01), 0.01);
    assert_eq!(c.judge(0.01, 1e-9), Decision::Accept);
    c.discard(&before, 0.01);
    assert_eq!(c.first_attempt(10.0), 0.045);
}

#[test]
fn a_step_cut_by_the_limit_does_not_change_the_next() {
    let mut c = StepControl::new(1e-3, 0.5);
    assert_eq!(c.judge(0.05, 0.25e-3), Decision::Accept); // wants 0.09
    let wanted = c.first_attempt(10.0);
    assert_eq!(c.first_attempt(0.01), 0.01);
    assert_eq!(c.judge(0.01, 0.0), Decision::Accept);
    assert_eq!(c.first_attempt(10.0), wanted);
    assert_eq!(c.first_attempt(wanted * 1.0005), wanted * 1.0005);
}
