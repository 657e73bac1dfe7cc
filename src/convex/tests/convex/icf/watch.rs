//! Tests of `src/convex/solvers/icf/primal_dual/watch.rs`.

use kinegraph_convex::choices::watch::MAX_STALLED;
use kinegraph_convex::solvers::icf::primal_dual::watch::Watch;

#[test]
fn an_iteration_is_guarded_once_when_its_error_does_not_halve_in_time_or_explodes() {
    let mut watch = Watch::new();
    // Halving keeps it free, however long it takes.
    for k in 0..50 {
        assert!(!watch.note(0.49_f64.powi(k), 0).guard);
    }
    let stuck: Vec<bool> = (0..5).map(|_| watch.note(1e-15, 0).guard).collect();
    assert_eq!(stuck, [false, false, true, false, false]);
    assert!(watch.guarded);
    let mut patient = Watch::new();
    let stuck = (0..20).position(|_| patient.note(1.0, 6).guard);
    assert_eq!(stuck, Some(MAX_STALLED + 6));
    let mut exploding = Watch::new();
    assert!(!exploding.note(1.0, 6).guard && !exploding.note(90.0, 6).guard && exploding.note(101.0, 6).guard);
}

#[test]
fn two_slow_iterations_in_a_row_are_reported_of_once() {
    let mut watch = Watch::new();
    let errors = [1.0, 0.5, 0.1, 0.09, 0.08, 0.07, 0.06, 0.001];
    let slow: Vec<bool> = errors.iter().map(|&e| watch.note(e, 0).slow).collect();
    assert_eq!(slow, [false, false, false, false, true, false, true, false]);
}
