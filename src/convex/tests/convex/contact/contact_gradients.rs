//! Tests of `src/convex/contact/contact_gradients.rs`.

use kinegraph_convex::contact::{ContactMaterial, ContactRow};
use nalgebra::{Matrix3, Vector3};

fn contact(depth: f64, vc: Vector3<f64>) -> ContactRow {
    let normal = Vector3::new(0.3, -0.5, 0.8).normalize();
    let mut row = ContactRow {
        normal,
        depth,
        material: ContactMaterial {
            stiffness: 1e4,
            dissipation: 5.0,
            static_friction: 0.4,
            dynamic_friction: 0.4,
            stiction_tolerance: 1e-3,
            ..ContactMaterial::default()
        },
        ..ContactRow::default()
    };
    row.measure(&vc, 1.0);
    row
}

#[test]
fn gradients_are_derivatives_of_the_force() {
    let depth = 1e-3;
    for vc in [[1e-4, 2e-4, -3e-4], [0.2, -0.1, 0.05], [0.0, 0.01, -0.2]].map(Vector3::from) {
        let (by_position, by_velocity) = contact(depth, vc).gradients();
        let normal = contact(depth, vc).normal;
        for k in 0..3 {
            let e = Vector3::ith(k, 1e-8);
            let force = |sign: f64| contact(depth, vc + e * sign).explicit_force(0.0);
            let expected = (force(1.0) - force(-1.0)) / 2e-8;
            let found: Vector3<f64> = by_velocity.column(k).into();
            assert!((found - expected).norm() < 1e-5 * by_velocity.norm(), "{found} {expected}");
            let force = |sign: f64| contact(depth - sign * normal.dot(&e), vc).explicit_force(0.0);
            let expected = (force(1.0) - force(-1.0)) / 2e-8;
            let found: Vector3<f64> = by_position.column(k).into();
            assert!((found - expected).norm() < 1e-5 * by_position.norm(), "{found} {expected}");
        }
    }
    assert_eq!(contact(-1e-6, Vector3::zeros()).gradients().0, Matrix3::zeros());
}
