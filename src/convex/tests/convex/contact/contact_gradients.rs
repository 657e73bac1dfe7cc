//! Tests of `src/convex/contact/contact_gradients.rs`.

use kinegraph_convex::contact::{ContactMaterial, ContactRow};
use nalgebra::{Matrix3, Vector3};

/// A contact of bodies that move by `vc` against each other, and the force between them.
fn contact(depth: f64, vc: Vector3<f64>, grain: f64) -> (ContactRow, Vector3<f64>) {
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
        grain: normal.cross(&Vector3::x()).normalize() * grain,
        ..ContactRow::default()
    };
    row.measure(&row.scaled(&vc), 1.0);
    (row, row.scaled(&row.explicit_force(0.0)))
}

#[test]
fn gradients_are_derivatives_of_the_force() {
    let depth = 1e-3;
    let velocities = [[1e-4, 2e-4, -3e-4], [0.2, -0.1, 0.05], [0.0, 0.01, -0.2]].map(Vector3::from);
    for (vc, grain) in velocities.into_iter().flat_map(|vc| [0.0, 0.7, 1.0].map(|grain| (vc, grain))) {
        let row = contact(depth, vc, grain).0;
        let ((by_position, by_velocity), normal) = (row.gradients(), row.normal);
        for k in 0..3 {
            let e = Vector3::ith(k, 1e-8);
            let force = |sign: f64| contact(depth, vc + e * sign, grain).1;
            let expected = (force(1.0) - force(-1.0)) / 2e-8;
            let found: Vector3<f64> = by_velocity.column(k).into();
            assert!((found - expected).norm() < 1e-5 * by_velocity.norm(), "{found} {expected}");
            let force = |sign: f64| contact(depth - sign * normal.dot(&e), vc, grain).1;
            let expected = (force(1.0) - force(-1.0)) / 2e-8;
            let found: Vector3<f64> = by_position.column(k).into();
            assert!((found - expected).norm() < 1e-5 * by_position.norm(), "{found} {expected}");
        }
    }
    assert_eq!(contact(-1e-6, Vector3::zeros(), 0.0).0.gradients().0, Matrix3::zeros());
}
