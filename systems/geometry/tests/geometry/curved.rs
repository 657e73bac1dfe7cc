//! Tests of `systems/geometry/curved.rs`.

use kinegraph_geometry::nearest_point::{nearest_on_cone, nearest_on_ellipsoid};
use nalgebra::Vector3;
use proptest::prelude::*;

fn point() -> impl Strategy<Value = Vector3<f64>> {
    prop::array::uniform3(-2.0..2.0_f64).prop_map(Vector3::from)
}

proptest! {
    /// The vector from the nearest point is normal to the surface, and no sampled point is nearer.
    #[test]
    fn nearest_points_of_an_ellipsoid(s in prop::array::uniform3(0.1..1.0_f64), p in point(), d in point()) {
        let s = Vector3::from(s);
        let near = nearest_on_ellipsoid(&s, &p);
        if p.component_div(&s).norm() <= 1.0 {
            prop_assert_eq!(near, p);
        } else {
            prop_assert!((near.component_div(&s).norm() - 1.0).abs() < 1e-14);
            let normal = near.component_div(&s).component_div(&s).normalize();
            let way = p - near;
            prop_assert!((way - normal * normal.dot(&way)).norm() < 1e-9, "{near}");
            let other = d.normalize().component_mul(&s);
            prop_assert!((p - other).norm() >= way.norm() - 1e-12);
        }
    }

    #[test]
    fn nearest_points_of_a_cone(r in 0.1..1.0_f64, l in 0.1..1.0_f64, p in point(), t in 0.0..1.0_f64, turn in 0.0..6.3_f64, z in -1.0..1.0_f64) {
        let near = nearest_on_cone(r, l, &p);
        // Any point of it.
        let z = z * l;
        let rho = t * r * (l - z) / (2.0 * l);
        let other = Vector3::new(rho * turn.cos(), rho * turn.sin(), z);
        prop_assert!((p - other).norm() >= (p - near).norm() - 1e-12);
        let within = near.z.abs() <= l + 1e-12 && near.x.hypot(near.y) <= r * (l - near.z) / (2.0 * l) + 1e-9;
        prop_assert!(within, "{near}");
    }
}
