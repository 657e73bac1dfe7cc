//! The stiffness of a pair is independent of the number of corners of its shapes.
#![allow(non_snake_case)] // quantity and frames, as the field writes them

use crate::common::*;
use kinegraph::systems::geometry::{self, ConvexHull, Points, Shape, Touch};
use kinegraph::systems::multibody::PlantBuilder;
use nalgebra::{Isometry3, UnitQuaternion, Vector3};
use std::sync::Arc;

const G: f64 = 9.81;

/// Numbers in [0, 1).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

fn hull(points: &[Vector3<f64>]) -> Shape {
    Shape::Convex(Arc::new(ConvexHull::new(points).unwrap()))
}

/// A prism of half height 0.1 m over points in the plane.
fn prism(outline: &[[f64; 2]]) -> Shape {
    let at = |z: f64| outline.iter().map(move |[x, y]| Vector3::new(*x, *y, z));
    hull(&at(-0.1).chain(at(0.1)).collect::<Vec<_>>())
}

fn circle(corners: usize, radius: f64) -> Vec<[f64; 2]> {
    let angle = |i: usize| i as f64 * std::f64::consts::TAU / corners as f64;
    (0..corners).map(|i| [radius * angle(i).cos(), radius * angle(i).sin()]).collect()
}

/// Contact points within the depth.
fn touches(a: &Shape, X_WA: Isometry3<f64>, b: &Shape, X_WB: Isometry3<f64>) -> Vec<Touch> {
    within(1e-6, a, X_WA, b, X_WB)
}

fn within(margin: f64, a: &Shape, X_WA: Isometry3<f64>, b: &Shape, X_WB: Isometry3<f64>) -> Vec<Touch> {
    let mut out = Vec::new();
    geometry::touches(a, &X_WA, b, &X_WB, Points::Manifold, margin, &mut out);
    out
}

/// Bodies of 100 kg come to rest `m g / K` deep: discs, prisms of few and of many corners, on the ground and on a
/// table.
#[test]
fn a_body_rests_as_deep_as_the_stiffness_of_the_pair_says() {
    let mut shapes = vec![
        Shape::Cylinder { radius: 0.1, half_length: 0.1 },
        Shape::Box { half_extents: Vector3::new(0.2, 0.1, 0.1) },
    ];
    shapes.extend([3, 4, 8, 60].map(|n| prism(&circle(n, 0.1))));
    let depth = 100.0 * G / 1e5;
    for shape in shapes {
        let ground = PlantBuilder::new().ground(0.0);
        let table = PlantBuilder::new().model("table", cuboid(1.0, [1.0, 1.0, 1.0]), at_rest(-1.0));
        for plant in [ground, table] {
            let plant =
                plant.contact(contact(1e5, 10.0, 0.5)).model("body", solid(shape.clone(), 100.0), at(0.0, 0.0, 0.1));
            let z = position(&mut run(&alone(plant), cenic(1e-3), 2.0), "body").z;
            assert!((0.1 - z - depth).abs() < 0.02 * depth, "{} instead of {depth} for {shape:?}", 0.1 - z);
        }
    }
}

fn at_rest(z: f64) -> kinegraph::systems::multibody::Base {
    kinegraph::systems::multibody::Base::Fixed { X_WR: Isometry3::translation(0.0, 0.0, z) }
}

/// Random outlines lying flat, with random rotation, on ground, boxes and one another: shares sum to one, and the force
/// acts at the centroid of the contact area.
#[test]
fn shares_of_flat_contacts_sum_to_one_and_act_at_the_centroid() {
    let mut r = Random(3);
    let flat = |x: f64, y: f64, z: f64, turn: f64| {
        Isometry3::from_parts(Vector3::new(x, y, z).into(), UnitQuaternion::from_axis_angle(&Vector3::z_axis(), turn))
    };
    for _ in 0..200 {
        let corners = 3 + (r.next() * 20.0) as usize;
        let outline: Vec<[f64; 2]> = (0..corners).map(|_| [0.2 * r.next() - 0.1, 0.2 * r.next() - 0.1]).collect();
        let body = prism(&outline);
        let depth = 1e-3 * r.next();
        let X = flat(r.next(), r.next(), 0.1 - depth, 6.0 * r.next());
        let table = Shape::Box { half_extents: Vector3::new(3.0, 3.0, 0.5) };
        let plate = prism(&circle(30, 3.0));
        let on_ground = touches(&Shape::HalfSpace, Isometry3::identity(), &body, X);
        let on_table = touches(&table, flat(0.1, 0.2, -0.5, r.next()), &body, X);
        let on_plate = touches(&plate, flat(0.1, 0.2, -0.1, r.next()), &body, X);
        let middle = |touches: &[Touch]| touches.iter().fold(Vector3::zeros(), |sum, t| sum + t.p_WC * t.share);
        for found in [&on_ground, &on_table, &on_plate] {
            let sum: f64 = found.iter().map(|t| t.share).sum();
            assert!((sum - 1.0).abs() < 1e-6, "{sum} of {} points", found.len());
            assert!((middle(found) - middle(&on_ground)).norm() < 1e-6);
        }
    }
}

/// However a body is tilted, the force of the pair lies between a quarter of `K D` (a corner) and `K D`, and does not
/// jump: it changes by little when the tilt does.
#[test]
fn tilting_changes_the_force_of_a_pair_gradually() {
    let mut r = Random(8);
    let points: Vec<Vector3<f64>> =
        (0..30).map(|_| Vector3::new(r.next() - 0.5, r.next() - 0.5, r.next() - 0.5).normalize() * 0.1).collect();
    let shapes = [
        hull(&points),
        prism(&circle(5, 0.1)),
        prism(&circle(40, 0.1)),
        Shape::Box { half_extents: Vector3::new(0.1, 0.05, 0.08) },
        Shape::Cylinder { radius: 0.1, half_length: 0.05 },
        Shape::Capsule { radius: 0.05, half_length: 0.1 },
    ];
    let depth = 2e-3;
    for shape in shapes {
        let axis = nalgebra::Unit::new_normalize(Vector3::new(1.0, 0.3, 0.2));
        let force = |angle: f64| {
            let turn = UnitQuaternion::from_axis_angle(&axis, angle);
            let lowest = {
                let probe = Isometry3::from_parts(Vector3::new(0.0, 0.0, 0.1).into(), turn);
                let found = within(1.0, &Shape::HalfSpace, Isometry3::identity(), &shape, probe);
                found.iter().map(|t| t.depth).fold(f64::NEG_INFINITY, f64::max)
            };
            let X = Isometry3::from_parts(Vector3::new(0.0, 0.0, 0.1 + lowest - depth).into(), turn);
            let found = touches(&Shape::HalfSpace, Isometry3::identity(), &shape, X);
            let total: f64 = found.iter().map(|t| t.share * t.depth.max(0.0)).sum();
            total / depth
        };
        let mut last = force(0.0);
        for i in 1..2000 {
            let now = force(f64::from(i) * 1e-3);
            assert!((0.249..1.001).contains(&now), "{now} at {i} of {shape:?}");
            // A face of 0.1 m that tilts by a milliradian lifts its far side by a twentieth of the depth.
            assert!((now - last).abs() < 0.12, "{last} -> {now} at {i} of {shape:?}");
            last = now;
        }
    }
}
