//! Tests of `systems/multibody/tendon_path/wrap.rs`.

use kinegraph_multibody::scene_data::WrapForm;
use kinegraph_multibody::tendon_path::wrap::wrap;
use nalgebra::Vector3;
use std::f64::consts::{FRAC_PI_3, PI};

#[test]
fn half_around_a_sphere() {
    // Tangents of length sqrt(3) from two points at the distance two, an arc of a third of a turn.
    let (from, to) = (Vector3::new(2.0, 0.0, 0.0), Vector3::new(-2.0, 1e-9, 0.0));
    let (p, q, arc) = wrap(WrapForm::Sphere, 1.0, &from, &to, None).unwrap();
    assert!(((p - from).norm() - 3.0_f64.sqrt()).abs() < 1e-8 && ((q - to).norm() - 3.0_f64.sqrt()).abs() < 1e-8);
    assert!((arc - FRAC_PI_3).abs() < 1e-8, "{arc}");
    assert!(wrap(WrapForm::Sphere, 0.2, &from, &Vector3::new(0.0, 2.0, 0.0), None).is_none());
}

#[test]
fn a_helix_rises_evenly() {
    let (from, to) = (Vector3::new(1.0, -1.0, 0.0), Vector3::new(1.0, 1.0, 3.0));
    let behind = Some(Vector3::new(-2.0, 0.0, 0.0));
    let (p, q, length) = wrap(WrapForm::Cylinder, 1.0, &from, &to, behind).unwrap();
    // Once around the back: from (0, -1) to (0, 1), straight on both sides.
    assert!((p - Vector3::new(0.0, -1.0, 3.0 / (2.0 + PI))).norm() < 1e-12, "{p}");
    assert!((q.z - 3.0 * (1.0 + PI) / (2.0 + PI)).abs() < 1e-12, "{q}");
    assert!((length - PI * (1.0 + (3.0 / (2.0 + PI)).powi(2)).sqrt()).abs() < 1e-12);
}

#[test]
fn a_side_site_opposite_both_ends_holds_the_string_on_the_other_way() {
    // The straight line passes above the circle.
    let (from, to) = (Vector3::new(-0.4, 0.3, 0.0), Vector3::new(0.4, 0.3, 0.0));
    let way = |x: f64, y: f64| wrap(WrapForm::Cylinder, 0.2, &from, &to, Some(Vector3::new(x, y, 0.0)));
    for (x, y) in [(0.0, 0.5), (0.3, -0.1), (-0.5, -0.3), (0.5, 0.0)] {
        assert!(way(x, y).is_none(), "{x} {y}");
    }
    for (x, y) in [(0.0, -0.5), (0.3, -0.4), (-0.3, -0.4)] {
        let (p, q, _) = way(x, y).unwrap();
        assert!(p.y < 0.0 && q.y < 0.0, "{x} {y}: {p} {q}");
    }
    // Ends opposite each other: the half of the plane decides.
    let (from, to) = (Vector3::new(-0.5, 0.0, 0.0), Vector3::new(0.5, 0.0, 0.0));
    for y in [0.1, -0.1] {
        let (p, ..) = wrap(WrapForm::Cylinder, 0.2, &from, &to, Some(Vector3::new(0.3, y, 0.0))).unwrap();
        assert!(p.y * y > 0.0, "{p}");
    }
}
