//! Tests of `systems/models/mjcf/solids.rs`.

use kinegraph_models::mjcf::solids::Solid;
use nalgebra::Vector3;

/// A layer is the difference of two solids, one slightly larger by the same thickness everywhere.
#[test]
fn shells_are_the_difference_of_solids() {
    let e = 1e-6;
    let grown = [
        (Solid::Sphere { r: 0.3 }, Solid::Sphere { r: 0.3 + e }),
        (Solid::Capsule { r: 0.2, l: 0.5 }, Solid::Capsule { r: 0.2 + e, l: 0.5 }),
        (Solid::Cylinder { r: 0.2, l: 0.5 }, Solid::Cylinder { r: 0.2 + e, l: 0.5 + e }),
        (Solid::Box(Vector3::new(0.1, 0.2, 0.4)), Solid::Box(Vector3::new(0.1 + e, 0.2 + e, 0.4 + e))),
    ];
    for (inner, outer) in grown {
        let area = (outer.amount(false) - inner.amount(false)) / e;
        assert!((area - inner.amount(true)).abs() < 1e-4 * area, "{inner:?}");
        let of = |s: &Solid| s.moments(s.amount(false), false);
        let layer = (of(&outer) - of(&inner)) / (outer.amount(false) - inner.amount(false));
        assert!((layer - inner.moments(1.0, true)).norm() < 1e-4 * layer.norm(), "{inner:?}");
    }
}

#[test]
fn the_shell_of_an_ellipsoid_is_a_layer_of_one_thickness_along_its_axes() {
    let (s, e) = (Vector3::new(0.0856, 0.0597, 0.0608), 1e-6);
    let [inner, outer] = [Solid::Ellipsoid(s), Solid::Ellipsoid(s.add_scalar(e))];
    let of = |s: &Solid| s.moments(s.amount(false), false);
    let layer = (of(&outer) - of(&inner)) / (outer.amount(false) - inner.amount(false));
    assert!((layer - inner.moments(1.0, true)).norm() < 1e-4 * layer.norm());
    // A ball's is that of a sphere.
    let ball = Solid::Ellipsoid(Vector3::repeat(0.3)).moments(1.0, true);
    assert!((ball - Solid::Sphere { r: 0.3 }.moments(1.0, true)).norm() < 1e-14);
}

#[test]
fn a_short_capsule_is_a_ball_and_a_flat_one_a_rod() {
    let ball = Solid::Sphere { r: 0.7 };
    let short = Solid::Capsule { r: 0.7, l: 0.0 };
    assert!((ball.amount(false) - short.amount(false)).abs() < 1e-14);
    assert!((ball.moments(2.0, false) - short.moments(2.0, false)).norm() < 1e-14);
    let thin = Solid::Capsule { r: 1e-9, l: 0.5 }.moments(12.0, false);
    assert!((thin - Vector3::new(1.0, 1.0, 0.0)).norm() < 1e-7);
}
