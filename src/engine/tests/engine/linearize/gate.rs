//! Tests of `src/engine/linearize/gate.rs`.

use kinegraph_convex::contact::{FeedbackBlock, Problem};
use kinegraph_engine::linearize::gate::Gate;

/// True if a step is allowed for gains on n unit masses, given by (row, column, value).
fn allowed(n: usize, entries: &[(usize, usize, f64)], dt: f64) -> bool {
    let mut problem = Problem::default();
    for _ in 0..n {
        problem.add_clique(&[1.0], &[0.0], &[0.0], &[0.0]);
    }
    let mut k = vec![0.0; n * n];
    entries.iter().for_each(|&(i, j, value)| k[j * n + i] = value);
    let block = FeedbackBlock { velocities: (0..n).collect(), ..FeedbackBlock::default() };
    Gate::default().allows(&problem, &block, &k, dt)
}

#[test]
fn only_a_real_pole_near_the_inverse_step_closes_it() {
    for n in [2, 17] {
        // x¨ = 50 x: K = -50 dt, pole at sqrt(50).
        let unstable = |dt: f64| allowed(n, &[(0, 0, -50.0 * dt)], dt);
        assert!(unstable(0.0999) && !unstable(0.1001));
        // Far from definite, but triangular with eigenvalues 1.
        assert!(allowed(n, &[(0, 1, 1e6), (1, 0, 0.0)], 0.1));
        // A growing oscillation: no real eigenvalue.
        assert!(allowed(n, &[(0, 0, -9.0), (1, 1, -9.0), (0, 1, 20.0), (1, 0, -20.0)], 0.1));
    }
    assert!(!allowed(2, &[(0, 0, f64::NAN)], 0.1));
}

#[test]
fn a_stable_loop_that_is_not_definite_passes() {
    // Cart and pole under state feedback with poles down to -221 1/s, about the upright pose.
    let mut problem = Problem::default();
    problem.add_clique(&[1.2, 0.1, 0.1, 0.05], &[0.0; 2], &[0.0; 2], &[0.0; 2]);
    let block = FeedbackBlock { velocities: vec![0, 1], ..FeedbackBlock::default() };
    for dt in [1e-3, 1e-2, 1e-1] {
        let k = [-3162.28 * dt - 1929.54, 0.0, -5771.19 * dt - 1093.96, 0.0];
        assert!(Gate::default().allows(&problem, &block, &k, dt), "{dt}");
    }
}
