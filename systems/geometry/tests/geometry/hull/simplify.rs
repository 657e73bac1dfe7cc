//! Tests of `systems/geometry/hull/simplify.rs`.

use kinegraph_geometry::ConvexHull;
use nalgebra::{Rotation3, Vector3};

/// Points of a ball, and a prism of many sides: few corners remain, all others are near, and a box keeps its own.
#[test]
fn corners_left_out_by_simplification_are_near_the_hull() {
    let ball = |i: i32| {
        let (z, turn) = (f64::from(i) / 1500.0 - 1.0, f64::from(i) * 2.4);
        Vector3::new(turn.cos() * (1.0 - z * z).sqrt(), turn.sin() * (1.0 - z * z).sqrt(), z)
    };
    let prism = |i: i32| {
        let angle = f64::from(i / 2) * std::f64::consts::TAU / 1000.0;
        Vector3::new(angle.cos(), angle.sin(), if i % 2 == 0 { 0.3 } else { -0.3 })
    };
    let turn = Rotation3::from_euler_angles(0.3, 1.0, -0.4);
    let shapes: [(Vec<Vector3<f64>>, usize); 2] =
        [((0..3001).map(ball).collect(), 1000), ((0..2000).map(|i| turn * prism(i)).collect(), 300)];
    for (points, most) in shapes {
        let exact = ConvexHull::new(&points).unwrap();
        let hull = exact.simplified(5e-3);
        assert!(hull.vertices().len() < most, "{} of {}", hull.vertices().len(), exact.vertices().len());
        for face in hull.face_list() {
            let outside = |p: &Vector3<f64>| face.normal.dot(&(p - hull.center())) - face.offset;
            assert!(points.iter().all(|p| outside(p) <= 5e-3 + 1e-9));
        }
    }
    let corners: Vec<_> =
        (0..8).map(|i| Vector3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2))).collect();
    assert_eq!(ConvexHull::new(&corners).unwrap().simplified(1e-3).vertices().len(), 8);
}
