//! Tests of `systems/geometry/cap.rs`.

use kinegraph_geometry::cap::Caps;
use kinegraph_geometry::solid::{Solid, overlap, support};
use kinegraph_geometry::{ConvexHull, Shape};
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use proptest::prelude::*;
use std::sync::Arc;

fn direction() -> impl Strategy<Value = Vector3<f64>> {
    let axis = prop::array::uniform3(-1.0..1.0_f64).prop_map(Vector3::from);
    axis.prop_filter_map("a direction", |v| v.try_normalize(0.1))
}

proptest! {
    #[test]
    fn a_cap_is_the_whole_to_the_last_bit(
        points in prop::collection::vec(direction(), 10..60),
        place in prop::array::uniform3(-1.0..1.0_f64),
        about in direction(),
        off in prop::array::uniform3(-1.0..1.0_f64),
        digits in 1..9,
    ) {
        let Ok(hull) = ConvexHull::new(&points) else { return Ok(()) };
        let X = Isometry3::from_parts(
            Translation3::from(Vector3::from(place)),
            UnitQuaternion::from_scaled_axis(Vector3::from(off)),
        );
        let (hull, rod) = (Shape::Convex(Arc::new(hull)), Shape::Cylinder { radius: 0.3, half_length: 0.5 });
        let (a, b) = (Solid::new(&hull, &X).unwrap(), Solid::new(&rod, &Isometry3::identity()).unwrap());
        let turn = 0.1_f64.powi(digits);
        let n = (about + Vector3::from(off) * turn).normalize();
        for (a, b) in [(&a, &b), (&b, &a), (&a, &a)] {
            let caps = Caps::new(a, b, about, turn);
            prop_assert_eq!(caps.overlap(&n), overlap(a, b, &n));
            prop_assert_eq!(caps.between(&n), support(a, &n) - support(b, &-n));
        }
    }
}
