//! Tests of `systems/core/scene/geometry.rs`.

use kinegraph_core::scene::Geometry;
use kinegraph_geometry::{ConvexHull, Shape};
use nalgebra::Vector3;

#[test]
fn faces_of_a_hull_enclose_its_volume() {
    // A block of 1 x 2 x 3, away from the origin.
    let corner = |i: usize| Vector3::new((i & 1) as f64, (i >> 1 & 1) as f64 * 2.0, (i >> 2) as f64 * 3.0);
    let points: Vec<_> = (0..8).map(|i| corner(i) + Vector3::new(5.0, -1.0, 2.0)).collect();
    let hull = ConvexHull::new(&points).unwrap();
    let Geometry::Hull { vertices, faces } = Geometry::from(&Shape::Convex(hull.into())) else { panic!() };
    assert_eq!((vertices.len(), faces.len()), (8, 6));
    assert!(points.iter().all(|p| vertices.iter().any(|v| (Vector3::from(*v) - p).norm() < 1e-14)));
    // The divergence theorem: anticlockwise triangles seen from outside have the volume with its sign.
    let at = |i: u32| Vector3::from(vertices[i as usize]);
    let fan = |face: &Vec<u32>| {
        let triangles = face[1..].windows(2);
        triangles.map(|pair| at(face[0]).dot(&at(pair[0]).cross(&at(pair[1]))) / 6.0).sum::<f64>()
    };
    let volume: f64 = faces.iter().map(fan).sum();
    assert!((volume - 6.0).abs() < 1e-12, "{volume}");
}

#[test]
fn the_json_of_a_shape_names_its_type() {
    let capsule = Geometry::from(&Shape::Capsule { radius: 0.25, half_length: 1.5 });
    let text = serde_json::to_string(&capsule).unwrap();
    assert_eq!(text, r#"{"type":"capsule","radius":0.25,"length":3.0}"#);
    assert_eq!(serde_json::to_string(&Geometry::HalfSpace).unwrap(), r#"{"type":"half_space"}"#);
}
