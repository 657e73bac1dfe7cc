//! Tests of `src/convex/contact/spins.rs`.

use kinegraph_convex::contact::spins::{after, midpoint};
use nalgebra::{Matrix3, Vector3};

#[test]
fn energy_and_momentum_are_kept_whatever_the_turn() {
    let inertia = Matrix3::new(1.0, 0.1, 0.0, 0.1, 2.0, -0.2, 0.0, -0.2, 3.0);
    for scale in [1e-6, 1.0, 30.0, 1000.0] {
        let w = Vector3::new(0.3, 2.0, -0.4) * scale;
        let mut x = w;
        for _ in 0..100 {
            x = after(&inertia, &x, 0.05);
        }
        let energy = |w: &Vector3<f64>| w.dot(&(inertia * w));
        assert!((energy(&x) / energy(&w) - 1.0).abs() < 1e-11, "{scale}");
        assert!(((inertia * x).norm() / (inertia * w).norm() - 1.0).abs() < 1e-11, "{scale}");
    }
}

#[test]
fn the_turn_is_that_of_euler_to_second_order() {
    let inertia = Matrix3::from_diagonal(&Vector3::new(1.0, 2.0, 3.0));
    let w = Vector3::new(0.5, 1.0, -0.7);
    let fine = (0..4096).fold(w, |x, _| midpoint(&inertia, &x, 0.4 / 4096.0).unwrap());
    let error = |h: f64| (after(&inertia, &w, h) - (0..64).fold(w, |x, _| after(&inertia, &x, h / 64.0))).norm();
    assert!((after(&inertia, &w, 0.4) - fine).norm() < 0.02);
    let ratio = error(0.02) / error(0.01);
    assert!((ratio - 8.0).abs() < 0.8, "{ratio}");
}

#[test]
fn what_has_no_inertia_keeps_its_velocity() {
    let w = Vector3::new(0.5, 1.0, -0.7);
    assert_eq!(after(&Matrix3::zeros(), &w, 0.1), w);
    assert_eq!(after(&Matrix3::identity(), &(w * 1e9), 0.1), w * 1e9);
}
