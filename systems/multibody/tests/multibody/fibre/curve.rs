//! Tests of `systems/multibody/fibre/curve.rs`.

use kinegraph_multibody::fibre::{Curve, FibreError};
use nalgebra::Vector3;

#[test]
fn nodes_are_at_equal_distances() {
    let corner = Curve::Polyline(vec![Vector3::zeros(), Vector3::x(), Vector3::new(1.0, 1.0, 0.0)]);
    let nodes = corner.nodes(4).unwrap();
    assert_eq!(nodes[1], Vector3::new(0.5, 0.0, 0.0));
    assert_eq!(nodes[2], Vector3::x());
    assert_eq!(nodes[4], Vector3::new(1.0, 1.0, 0.0));
    let (centre, axis) = (Vector3::new(1.0, 2.0, 3.0), Vector3::new(0.0, 0.0, 2.0));
    let ring = Curve::Circle { centre, axis, radius: 0.5 }.nodes(6).unwrap();
    assert!(ring.len() == 6 && ring.iter().all(|p| ((p - centre).norm() - 0.5).abs() < 1e-14));
    let spring = Curve::Helix { centre, axis, radius: 0.5, pitch: 0.1, turns: -2.0 };
    let nodes = spring.nodes(200).unwrap();
    assert!((nodes[200].z - 3.2).abs() < 1e-12);
    let chords: f64 = nodes.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
    assert!((chords / spring.length() - 1.0).abs() < 1e-3);
}

#[test]
fn curves_that_are_none_are_faults() {
    let point = Vector3::x();
    let twice = Curve::Polyline(vec![Vector3::zeros(), point, point]);
    assert_eq!(twice.nodes(3), Err(FibreError::CoincidentPoints { first: 1, second: 2 }));
    assert_eq!(Curve::Polyline(vec![point]).nodes(3), Err(FibreError::TooFewPoints { points: 1 }));
    assert!(Curve::Polyline(vec![Vector3::zeros(), point]).nodes(0).is_err());
    assert!(Curve::Circle { centre: point, axis: Vector3::zeros(), radius: 1.0 }.nodes(5).is_err());
}
