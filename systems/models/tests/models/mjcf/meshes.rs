//! Tests of `systems/models/mjcf/meshes.rs`.

use kinegraph_geometry::ConvexHull;
use kinegraph_models::mjcf::meshes::{legacy_moments, of_hull, shell_moments, volume_moments};
use nalgebra::{Matrix3, Vector3};

/// A unit cube, in any place.
#[test]
fn a_cube_has_the_moments_of_a_box() {
    let corner = |i: u32| Vector3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2 & 1) as f64);
    let points: Vec<Vector3<f64>> = (0..8).map(|i| corner(i) + Vector3::new(5.0, -3.0, 2.0)).collect();
    let hull = ConvexHull::new(&points).unwrap();
    for moments in [volume_moments(&of_hull(&hull)), legacy_moments(&of_hull(&hull))] {
        assert!((moments.amount - 1.0).abs() < 1e-12);
        assert!((moments.center - Vector3::new(5.5, -2.5, 2.5)).norm() < 1e-12);
        assert!((moments.inertia - Matrix3::identity() / 6.0).norm() < 1e-12);
    }
    let shell = shell_moments(&of_hull(&hull));
    let solid = kinegraph_models::mjcf::solids::Solid::Box(Vector3::repeat(0.5));
    assert!((shell.amount - 6.0).abs() < 1e-12);
    assert!((shell.inertia.diagonal() / shell.amount - solid.moments(1.0, true)).norm() < 1e-12);
}
