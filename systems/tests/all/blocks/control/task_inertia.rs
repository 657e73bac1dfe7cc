//! The inertia of a task, bounded where the arm is near a singular posture.

use kinegraph_core::scalar::{Jet, partial, seed};
use kinegraph_systems::control::task_inertia::{Matrix6, TaskInertia, bounded_inverse};

/// All directions of the task. The largest inertias are one, so that the matrices below are the scaled ones.
const ALL: [bool; 6] = [true; 6];

/// A symmetric matrix of these eigenvalues, and another one that does not commute with it.
fn matrices(sigma: [f64; 6]) -> (Matrix6<f64>, Matrix6<f64>) {
    let turn = Matrix6::from_fn(|i, j| ((i * 5 + j * 3) as f64).sin()).qr().q();
    let other = Matrix6::from_fn(|i, j| ((i + j) as f64 * 1.3).cos());
    (turn * Matrix6::from_diagonal(&sigma.into()) * turn.transpose(), other)
}

#[test]
fn is_the_inverse_away_from_singularities() {
    for least in [1.0, 1.001] {
        let (A, _) = matrices([least, 1.5, 2.0, 2.0, 7.0, 100.0]);
        assert!((TaskInertia::new(1.0, 1.0).of(&A, &ALL) * A - Matrix6::identity()).amax() < 1e-13);
    }
    let (A, _) = matrices([1.0, 1.5, 2.0, 2.0, 7.0, 100.0]);
    // With units of 4 kg and 9 kg m²: the same inertias, and room for larger ones.
    assert!((TaskInertia::new(4.0, 9.0).of(&A, &ALL) * A - Matrix6::identity()).amax() < 1e-13);
}

#[test]
fn is_bounded_near_singularities_and_zero_at_them() {
    let (A, _) = matrices([0.0, 1e-3, 0.5, 0.5, 0.99, 3.0]);
    let sigma = TaskInertia::new(1.0, 1.0).of(&A, &ALL).symmetric_eigenvalues();
    assert!(sigma.max() < 1.21 && sigma.min() > -1e-12, "{sigma}");
    let most = (0..2000).map(|i| bounded_inverse(i as f64 * 1e-3)).fold(0.0, f64::max);
    assert!((most - (1.0 + 2.0_f64.sqrt()) / 2.0).abs() < 1e-6, "{most}");
}

#[test]
fn directions_that_are_no_task_are_left_out() {
    let (A, _) = matrices([1.0, 1.5, 2.0, 3.0, 7.0, 9.0]);
    let position = [false, false, false, true, true, true];
    let inertia = TaskInertia::new(1.0, 1.0).of(&A, &position);
    let block = A.fixed_view::<3, 3>(3, 3).try_inverse().unwrap();
    assert!((inertia.fixed_view::<3, 3>(3, 3) - block).amax() < 1e-14);
    assert_eq!(inertia.fixed_view::<6, 3>(0, 0).amax(), 0.0);
}

/// Repeated eigenvalues, both branches, and across the bound.
#[test]
fn the_derivative_agrees_with_central_differences() {
    for sigma in [
        [1.0, 1.5, 2.0, 2.0, 7.0, 20.0],
        [1.1, 1.5, 2.0, 2.0, 7.0, 20.0],
        [0.0, 0.0, 0.3, 0.3, 0.7, 0.9],
        [0.0, 0.5, 0.999, 1.001, 1.001, 4.0],
        [0.2, 0.2, 1.0, 1.0, 1.0, 3.0],
    ] {
        let (A, dA) = matrices(sigma);
        let task = TaskInertia::new(2.0, 0.5);
        let A = Matrix6::from_fn(|i, j| A[(i, j)] / (task.root[i] * task.root[j]));
        let jets = Matrix6::<Jet>::from_fn(|i, j| seed(A[(i, j)], 3, dA[(i, j)]));
        let found = task.of(&jets, &ALL).map(|x| partial(&x, 3));
        let h = 1e-6;
        let difference = (task.of(&(A + dA * h), &ALL) - task.of(&(A - dA * h), &ALL)) / (2.0 * h);
        // f'' jumps at 1: a central difference across it is off by h.
        assert!((found - difference).amax() < 2e-5, "{sigma:?}\n{found}{difference}");
    }
}

#[test]
fn the_inverse_of_nan_is_nan() {
    let inertia = TaskInertia::new(1.0, 1.0).of(&Matrix6::repeat(f64::NAN), &ALL);
    assert!(inertia.iter().all(|x| x.is_nan()));
}
