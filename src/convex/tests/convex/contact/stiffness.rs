//! Tests of `src/convex/contact/stiffness.rs`.

use kinegraph_convex::contact::{FeedbackBlock, Problem};
use kinegraph_convex::linear_algebra::Cholesky;

/// Masses `[1, c; c, 1]` with the dampers d on both: the rates are `d / (1 + c)` and `d / (1 - c)`. With c = 1 the
/// latter is infinite.
#[test]
fn dampers_are_as_stiff_as_the_motion_with_the_least_inertia() {
    let mut factor = Cholesky::default();
    for (c, d) in [(0.0, 2.0), (0.5, 2.0), (0.99, 0.3), (-0.9999, 1.0)] {
        let mut problem = Problem::default();
        problem.add_clique(&[1.0, c, c, 1.0], &[d, d], &[0.0; 2], &[0.0; 2]);
        let slowest = (1.0 - f64::abs(c)) / d;
        assert!(problem.is_soft(0.999 * slowest, 1.0, &mut factor), "{c}");
        assert!(!problem.is_soft(1.001 * slowest, 1.0, &mut factor), "{c}");
    }
    let mut problem = Problem::default();
    problem.add_clique(&[1.0; 4], &[0.1; 2], &[0.0; 2], &[0.0; 2]);
    assert!(!problem.is_soft(1e-12, 1.0, &mut factor));
    // Feedback on joints is as stiff as dampers, and its coupling counts with its symmetric part.
    for (c, d) in [(0.0, 2.0), (0.99, 0.3), (-0.9999, 1.0)] {
        let mut problem = Problem::default();
        problem.add_clique(&[1.0, c, c, 1.0], &[0.0; 2], &[0.0; 2], &[0.0; 2]);
        let gain = vec![d, 0.7, -0.7, d];
        let velocities = vec![0, 1];
        problem.feedback.push(FeedbackBlock { velocities, gain, ..FeedbackBlock::default() });
        let slowest = (1.0 - f64::abs(c)) / d;
        assert!(problem.is_soft(0.999 * slowest, 1.0, &mut factor), "{c}");
        assert!(!problem.is_soft(1.001 * slowest, 1.0, &mut factor), "{c}");
    }
    // A spring is as stiff as its frequency, dt² k = 1.
    let mut problem = Problem::default();
    problem.add_clique(&[4.0], &[0.0], &[0.0], &[0.0]);
    assert!(problem.is_soft(10.0, 1.0, &mut factor));
    problem.add_spring(0, 400.0);
    assert!(problem.is_soft(0.0999, 1.0, &mut factor) && !problem.is_soft(0.1001, 1.0, &mut factor));
}
