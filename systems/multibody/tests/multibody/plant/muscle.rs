//! Tests of `systems/multibody/plant/muscle.rs`.

use kinegraph_core::scalar::{Scalar, partial, seed};
use kinegraph_multibody::scene_data::Muscle;

fn muscle() -> Muscle {
    Muscle {
        force: 100.0,
        lengths: (0.2, 0.35),
        range: (0.75, 1.05),
        min_length: 0.5,
        max_length: 1.6,
        max_velocity: 1.5,
        max_passive: 1.3,
        max_lengthening: 1.2,
    }
}

/// The optimal length is half a metre here: l = 0.2 + (L - 0.75)/2.
#[test]
fn muscle_curves_pass_through_their_corner_points() {
    let m = muscle();
    let at = |L: f64| 0.2 + (L - 0.75) * 0.5;
    for (L, share) in [(0.5, 0.0), (0.75, 0.5), (1.0, 1.0), (1.3, 0.5), (1.6, 0.0), (0.4, 0.0), (1.7, 0.0)] {
        assert!((m.active(at(L), 0.0) + 100.0 * share).abs() < 1e-10, "{L}");
    }
    for (V, share) in [(-1.0, 0.0), (-2.0, 0.0), (-0.5, 0.25), (0.0, 1.0), (0.2, 1.2), (1.0, 1.2)] {
        assert!((m.active(at(1.0), V * 0.75) + 100.0 * share).abs() < 1e-10, "{V}");
    }
    for (L, share) in [(0.9, 0.0), (1.0, 0.0), (1.3, 0.65), (1.6, 1.95)] {
        assert!((m.passive(at(L)) + 100.0 * share).abs() < 1e-10, "{L}");
    }
}

/// Force and slope do not jump anywhere: neighbouring values differ by their slope.
#[test]
fn force_and_slope_are_continuous() {
    let m = muscle();
    for i in 0..2000 {
        let (l, h) = (0.05 + 3e-4 * f64::from(i), 1e-7);
        for f in [|m: &Muscle, l| m.active(l, seed(0.1, 1, 1.0)), |m: &Muscle, l| m.passive(l)] {
            let (a, b) = (f(&m, seed(l, 0, 1.0)), f(&m, seed(l + h, 0, 1.0)));
            let slope = 0.5 * (partial(&a, 0) + partial(&b, 0));
            assert!((b.value() - a.value() - h * slope).abs() < 1e-9, "at {l}");
            assert!((partial(&a, 0) - partial(&b, 0)).abs() < 1e-3, "at {l}");
        }
    }
}
