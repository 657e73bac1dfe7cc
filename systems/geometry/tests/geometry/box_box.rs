//! Tests of `systems/geometry/box_box.rs`.

use kinegraph_geometry::Shape;
use kinegraph_geometry::box_box::least_overlap;
use kinegraph_geometry::direction::LeastOverlap;
use kinegraph_geometry::solid::{Kind, Solid};
use nalgebra::{Isometry3, UnitQuaternion, Vector3};

/// The axis of the short method equals that of all fifteen tried one by one, bit for bit: boxes at random, with equal
/// axes, turned about one of them, and turned by almost nothing.
#[test]
fn the_axis_is_the_best_of_all_fifteen() {
    let mut state = 7_u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0
    };
    for case in 0..20_000 {
        let turn = match case % 5 {
            0 => Vector3::zeros(),
            1 => Vector3::z() * random() * 3.0,
            2 => Vector3::new(random(), random(), random()) * 1e-5,
            3 => Vector3::new(random(), random(), random()) * 1e-9,
            _ => Vector3::new(random(), random(), random()) * 3.0,
        };
        let base = UnitQuaternion::new(Vector3::new(random(), random(), random()) * 2.0);
        let mut half = || [0, 1, 2].map(|_| 0.05 + 0.2 * random().abs());
        let [first, second] = [Shape::Box { half_extents: half().into() }, Shape::Box { half_extents: half().into() }];
        let X_WA = Isometry3::from_parts(Vector3::new(random(), random(), random()).into(), base);
        let X_WB = Isometry3::from_parts(
            (X_WA.translation.vector + Vector3::new(random(), random(), random()) * 0.5).into(),
            base * UnitQuaternion::new(turn),
        );
        let (a, b) = (Solid::new(&first, &X_WA).unwrap(), Solid::new(&second, &X_WB).unwrap());
        let (Kind::Box(of_a), Kind::Box(of_b)) = (a.kind, b.kind) else { unreachable!() };
        let mut one_by_one = LeastOverlap::new(&a, &b);
        one_by_one.offer_faces();
        assert_eq!(least_overlap(&a, &of_a, &b, &of_b), one_by_one.best, "case {case}");
    }
}
