//! Faces that spin on the ground: the torque is that of even pressure, for any points that represent the area.

use crate::common::*;
use kinegraph::integrators::Options;
use kinegraph::simulate::Simulation;
use kinegraph::systems::geometry::Shape;
use kinegraph::systems::multibody::plant::{ContactModel, Hydroelastics};
use kinegraph::systems::multibody::proximity::Proximity;
use kinegraph::systems::multibody::{Base, PlantBuilder};
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use std::f64::consts::PI;

const G: f64 = 9.81;
/// Modulus \[Pa\] and stiffness \[N/m\].
const E: f64 = 1e6;
const K: f64 = 3e5;

/// A shape with its face: area, mean distance from the centre, thickness of the pressure field.
struct Face {
    shape: Shape,
    area: f64,
    mean: f64,
    thickness: f64,
}

/// The mean distance of the points of a rectangle from its centre; half sizes.
fn mean_distance(a: f64, b: f64) -> f64 {
    let side = |h: f64, w: f64| h / 3.0 * (w * w.hypot(h) + h * h * (w / h).asinh());
    2.0 * (side(a, b) + side(b, a)) / (4.0 * a * b)
}

fn rectangle(a: f64, b: f64, h: f64) -> Face {
    let shape = Shape::Box { half_extents: Vector3::new(a, b, h) };
    Face { shape, area: 4.0 * a * b, mean: mean_distance(a, b), thickness: a.min(b).min(h) }
}

fn disc(radius: f64, half_length: f64) -> Face {
    let thickness = radius.min(half_length);
    Face { shape: Shape::Cylinder { radius, half_length }, area: PI * radius * radius, mean: radius / 1.5, thickness }
}

/// Numbers in 0 to 1 that fill it evenly.
fn draw(k: u32) -> f64 {
    (f64::from(k) * 0.618_033_988_749_894_9).fract()
}

fn faces(seed: u32) -> Vec<Face> {
    let at = |k: u32, low: f64, high: f64| low + (high - low) * draw(7 * seed + k);
    let (a, h) = (at(1, 0.05, 0.3), at(2, 0.03, 0.06));
    vec![rectangle(a, a * at(3, 0.7, 1.0), h), rectangle(a, a * at(4, 0.12, 0.4), h), disc(at(5, 0.05, 0.12), h)]
}

/// Torque that brakes a face, relative to that of even pressure, and the displacement of its centre \[m\].
fn braked(face: &Face, model: Option<ContactModel>, options: Options, seed: u32) -> (f64, f64) {
    let (mass, mu, spin) = (0.5 + 5.0 * draw(seed + 11), 0.2 + 0.6 * draw(seed + 5), 10.0);
    let (height, inertia) = match &face.shape {
        Shape::Box { half_extents: e } => (e.z, mass * (e.x * e.x + e.y * e.y) / 3.0),
        Shape::Cylinder { radius, half_length } => (*half_length, 0.5 * mass * radius * radius),
        _ => panic!("no face"),
    };
    let (depth, plant) = match model {
        None => (mass * G / K, PlantBuilder::new()),
        Some(model) => {
            let bodies = Proximity::compliant(E);
            let hydroelastics = Hydroelastics { model, bodies, ..Hydroelastics::default() };
            (mass * G * face.thickness / (E * face.area), PlantBuilder::new().hydroelastics(hydroelastics))
        }
    };
    let turn = UnitQuaternion::from_euler_angles(0.0, 0.0, 6.0 * draw(seed + 2));
    let X = Isometry3::from_parts(Translation3::new(0.0, 0.0, height - depth), turn);
    let base = Base::Floating { X_WR: X, w_WR: Vector3::z() * spin, v_WR: Vector3::zeros() };
    let plant = plant.contact(contact(K, 20.0, mu)).ground(0.0).model("body", solid(face.shape.clone(), mass), base);
    let torque = mu * mass * G * face.mean;
    let time = 0.4 * inertia * spin / torque;
    let mut simulation = Simulation::new(&alone(plant), options).unwrap();
    simulation.advance_to(time).unwrap();
    let end = velocity(&mut simulation, "body").0.z;
    let q = &simulation.state().continuous;
    (inertia * (spin - end) / time / torque, q[4].hypot(q[5]))
}

fn every_face(options: impl Fn(f64) -> Options, within: f64) {
    for model in [None, Some(ContactModel::Hydroelastic), Some(ContactModel::Volume)] {
        for seed in 1..4 {
            for (kind, face) in faces(seed).iter().enumerate() {
                let (part, way) = braked(face, model, options(1e-3), seed);
                assert!((part - 1.0).abs() < within, "{model:?}, face {kind} of {seed}: {part}");
                assert!(way < 1e-9, "{model:?}, face {kind} of {seed} went {way} m");
            }
        }
    }
}

#[test]
fn a_spin_is_braked_by_the_torque_of_even_pressure() {
    every_face(cenic, 0.02);
}

#[test]
fn steps_of_fixed_length_brake_a_spin_as_even_pressure_does() {
    every_face(icf, 0.02);
}
