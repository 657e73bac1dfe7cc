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

/// Seeded meshes: bodies of few corners whose sides have many points, round bodies, and bodies that are both.
#[test]
fn hulls_of_many_points_are_exact_where_they_have_few_corners() {
    let mut seed = 7_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    for scene in 0..30 {
        let corners: Vec<_> = (0..6 + scene % 20).map(|_| Vector3::from_fn(|_, _| 2.0 * random() - 1.0)).collect();
        let few = ConvexHull::new(&corners).unwrap();
        // Points of its sides and edges, and within it.
        let mut points = corners.clone();
        for face in few.face_list() {
            let at = |i: usize| few.center() + few.corners()[face.corners[i] as usize];
            for _ in 0..200 {
                let (a, b) = (random(), random());
                let [p, q, r] = [0, 1, 2].map(at);
                points.push(p + (q - p) * a + (r - p) * (b * (1.0 - a)));
            }
        }
        let (hull, exact) = ConvexHull::simple(&points, 5e-3, 200).unwrap();
        assert!(exact, "scene {scene}");
        assert_eq!(hull.vertices().len(), few.vertices().len(), "scene {scene}");
        // A ball beside it has thousands.
        let ball = |i: i32| {
            let (z, turn) = (f64::from(i) / 1000.0 - 1.0, f64::from(i) * 2.4);
            let circle = (1.0 - z * z).sqrt();
            Vector3::new(3.0 + 0.5 * turn.cos() * circle, 0.5 * turn.sin() * circle, 0.5 * z)
        };
        points.extend((0..2001).map(ball));
        let (hull, exact) = ConvexHull::simple(&points, 5e-3, 200).unwrap();
        assert!(!exact, "scene {scene}");
        let (low, high) = points.iter().fold((points[0], points[0]), |(low, high), p| (low.inf(p), high.sup(p)));
        let size = points.iter().map(|p| (p - 0.5 * (low + high)).norm()).fold(0.0, f64::max);
        for face in hull.face_list() {
            let outside = |p: &Vector3<f64>| face.normal.dot(&(p - hull.center())) - face.offset;
            assert!(points.iter().all(|p| outside(p) <= 5e-3 * size + 1e-9), "scene {scene}");
        }
    }
}
