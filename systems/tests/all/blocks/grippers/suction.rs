//! Suction forces over the distance, and the target faces.

use kinegraph_systems::grippers::{Face, Suction, SuctionLaw};
use nalgebra::Vector3;

fn check(face: Face, p: [f64; 3], distance: f64, normal: [f64; 3]) {
    let (d, n) = face.distance(&Vector3::from(p));
    assert!((d - distance).abs() < 1e-15 && (n - Vector3::from(normal)).norm() < 1e-15, "{face:?}: {d}, {n}");
}

#[test]
fn distances_and_normals() {
    let plane = Face::Plane { point: [0.0, 0.0, 1.0], normal: [0.0, 0.0, 5.0] };
    check(plane, [3.0, 4.0, 3.0], 2.0, [0.0, 0.0, 1.0]);
    check(plane, [3.0, 4.0, 0.0], 0.0, [0.0, 0.0, 1.0]);
    let sphere = Face::Sphere { center: [1.0, 0.0, 0.0], radius: 2.0 };
    check(sphere, [1.0, 0.0, -5.0], 3.0, [0.0, 0.0, -1.0]);
    check(sphere, [1.0, 1.0, 0.0], 0.0, [0.0, 1.0, 0.0]);
    let block = Face::Box { center: [0.0, 0.0, 1.0], size: [2.0, 4.0, 6.0] };
    check(block, [0.5, 0.5, 5.0], 1.0, [0.0, 0.0, 1.0]);
    check(block, [4.0, 6.0, 1.0], 5.0, [0.6, 0.8, 0.0]);
    check(block, [0.9, 0.0, 1.0], 0.0, [1.0, 0.0, 0.0]);
    check(block, [0.0, -1.9, 1.0], 0.0, [0.0, -1.0, 0.0]);
}

#[test]
fn laws_start_at_the_holding_force_and_fall() {
    let inverse = Suction::InverseDistance { c: 0.01, d0: 0.001 };
    assert!((inverse.force(0.0) - 10.0).abs() < 1e-12 && (inverse.force(0.009) - 1.0).abs() < 1e-12);
    let seal = Suction::Seal { force: 8.0, reach: 0.01 };
    assert_eq!([seal.force(0.0), seal.force(0.005), seal.force(0.01), seal.force(0.1)], [8.0, 4.0, 0.0, 0.0]);
}
