//! One contact query of a hull of 162 vertices with other shapes, overlapping by a few per cent of their size:
//! microseconds.

#![allow(non_snake_case)]

mod timing;

use kinegraph_systems::geometry::{ConvexHull, Points, Shape, aabb, touches};
use nalgebra::{Isometry3, UnitQuaternion, Vector3};
use std::hint::black_box;
use std::sync::Arc;
use timing::microseconds;

/// Points on a sphere of radius 0.5, spread evenly.
fn ball(count: usize) -> Shape {
    let golden = std::f64::consts::PI * (3.0 - 5_f64.sqrt());
    let point = |i: usize| {
        let z = 1.0 - 2.0 * (i as f64 + 0.5) / count as f64;
        let (s, c) = (i as f64 * golden).sin_cos();
        Vector3::new(c * (1.0 - z * z).sqrt(), s * (1.0 - z * z).sqrt(), z) * 0.5
    };
    hull(&(0..count).map(point).collect::<Vec<_>>())
}

fn hull(points: &[Vector3<f64>]) -> Shape {
    Shape::Convex(Arc::new(ConvexHull::new(points).unwrap()))
}

fn main() {
    let half = Vector3::repeat(0.5);
    let corner = |i: usize| Vector3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64) - half;
    let cube = hull(&(0..8).map(corner).collect::<Vec<_>>());
    let (large, other) = (ball(162), ball(161));
    let cases = [
        ("ground", Shape::HalfSpace, large.clone(), 0.47),
        ("sphere", Shape::Sphere { radius: 0.5 }, large.clone(), 0.97),
        ("capsule", Shape::Capsule { radius: 0.2, half_length: 0.5 }, large.clone(), 0.67),
        ("box", Shape::Box { half_extents: half }, large.clone(), 0.97),
        ("cylinder", Shape::Cylinder { radius: 0.5, half_length: 0.5 }, large.clone(), 0.97),
        ("hull of 8", cube.clone(), large.clone(), 0.97),
        ("hull of 161", other, large.clone(), 0.97),
        ("apart", ball(161), large.clone(), 1.05),
        ("two hulls of 8", cube.clone(), cube, 0.97),
        ("two boxes", Shape::Box { half_extents: half }, Shape::Box { half_extents: half }, 0.97),
    ];
    // Over twenty orientations of each pair.
    let turn = |i: usize| UnitQuaternion::new(Vector3::new(0.31, 0.17, 0.23) * i as f64);
    let mut out = Vec::new();
    for (name, a, b, distance) in &cases {
        for points in [Points::Deepest, Points::Manifold] {
            let mut i = 0;
            let time = microseconds(|| {
                i = (i + 1) % 20;
                let upright = matches!(a, Shape::HalfSpace);
                let X = if upright {
                    Isometry3::identity()
                } else {
                    Isometry3::from_parts(Vector3::zeros().into(), turn(i + 7))
                };
                let Y = Isometry3::from_parts((Vector3::z() * *distance).into(), turn(i));
                out.clear();
                touches(black_box(a), &X, b, &Y, points, 0.01, &mut out);
                black_box(&out);
            });
            println!("{time:8.3} {name}, {points:?}");
        }
    }
    let pose = Isometry3::from_parts(Vector3::x().into(), turn(3));
    let time = microseconds(|| {
        black_box(aabb(black_box(&large), &pose));
    });
    println!("{time:8.3} box around a hull of 162");
}
