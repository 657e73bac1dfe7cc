//! Tests of `systems/geometry/shapes/cone.rs`.

use kinegraph_geometry::{Points, Shape, touches};
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};

#[test]
fn a_leaning_cone_is_as_deep_in_the_ground_as_its_lowest_point() {
    let (radius, half_length) = (0.3, 0.5);
    let cone = Shape::Cone { radius, half_length };
    for i in 0..24 {
        let (sin, cos) = (f64::from(i) * 0.3).sin_cos();
        let turn = UnitQuaternion::from_scaled_axis(Vector3::y() * (f64::from(i) * 0.3));
        let X = Isometry3::from_parts(Translation3::new(0.0, 0.0, 0.1), turn);
        let mut found = Vec::new();
        touches(&Shape::HalfSpace, &Isometry3::identity(), &cone, &X, Points::Deepest, 1.0, &mut found);
        let lowest = (half_length * cos).min(-half_length * cos - radius * sin.abs());
        assert!((found[0].depth + 0.1 + lowest).abs() < 1e-12, "{i}: {found:?}, not {}", -0.1 - lowest);
    }
}
