//! Random bodies with contact by volume or at local minima of their distance: all values stay finite.

use crate::common::meshes::of_mesh;
use crate::common::*;
use kinegraph::integrators::{OfOptions, Options};
use kinegraph::simulate::Simulation;
use kinegraph::systems::geometry::{ConvexHull, ExactMesh, Points, Shape};
use kinegraph::systems::multibody::plant::{ContactModel, ContactParameters, Hydroelastics};
use kinegraph::systems::multibody::proximity::Proximity;
use kinegraph::systems::multibody::{Base, Model, PlantBuilder};
use nalgebra::{Isometry3, UnitQuaternion, Vector3};
use std::f64::consts::TAU;
use std::sync::Arc;

const SCENES: u64 = 200;

fn vector(random: &mut Random, size: f64) -> Vector3<f64> {
    Vector3::from_fn(|_, _| random.between(-size, size))
}

/// Pose near the others, with random orientation and velocity; now and then in one place or level.
fn placed(random: &mut Random, number: usize) -> Base {
    let level = random.part() < 0.2;
    let turn = if level { Vector3::zeros() } else { vector(random, 3.0) };
    let aside = vector(random, 0.05);
    let up = if random.part() < 0.1 { 0.1 } else { 0.15 * number as f64 + 0.1 };
    Base::Floating {
        X_WR: Isometry3::from_parts((aside + Vector3::z() * up).into(), UnitQuaternion::from_scaled_axis(turn)),
        w_WR: vector(random, 10.0),
        v_WR: vector(random, 2.0),
    }
}

/// A hull of a few random points, or a box, now and then a thin one.
fn hull(random: &mut Random) -> Model {
    let mass = random.log(1e-2, 10.0);
    if random.part() < 0.3 {
        return cuboid(mass, [0.0; 3].map(|_: f64| random.log(1e-3, 0.1)));
    }
    let thin = random.log(1e-2, 1.0);
    let points = |random: &mut Random| vector(random, 0.1).component_mul(&Vector3::new(1.0, 1.0, thin));
    loop {
        let points: Vec<_> = (0..4 + (8.0 * random.part()) as usize).map(|_| points(random)).collect();
        if let Ok(hull) = ConvexHull::new(&points) {
            return solid(Shape::Convex(Arc::new(hull)), mass);
        }
    }
}

/// A prism whose outline goes in and out about its middle.
fn star(random: &mut Random) -> Model {
    let corners = 3 + (7.0 * random.part()) as u32;
    let height = random.log(1e-3, 0.1);
    let radii: Vec<f64> = (0..corners).map(|_| random.between(0.03, 0.1)).collect();
    let mut points = Vec::new();
    for z in [-height, height] {
        points.extend((0..corners).zip(&radii).map(|(k, r)| {
            let (sin, cos) = (TAU * f64::from(k) / f64::from(corners)).sin_cos();
            Vector3::new(r * cos, r * sin, z)
        }));
        points.push(Vector3::z() * z);
    }
    let n = corners + 1;
    let triangles: Vec<[u32; 3]> = (0..corners)
        .map(|i| (i, (i + 1) % corners))
        .flat_map(|(i, j)| [[i, j, n + j], [i, n + j, n + i], [j, i, corners], [n + i, n + j, n + corners]])
        .collect();
    let mass = random.log(1e-2, 10.0);
    of_mesh(ExactMesh::new(&points, &triangles).unwrap(), Isometry3::identity(), mass, Vector3::repeat(mass * 2e-3))
}

type Scene = fn(&mut Random) -> PlantBuilder;

/// Runs scenes of two or three bodies over a floor. Returns the number of scenes with contact, and of those that
/// stopped with an error.
fn run_all(methods: &[Options], scene: Scene, body: fn(&mut Random) -> Model) -> (usize, Vec<String>) {
    let (mut touched, mut stopped) = (0, Vec::new());
    for seed in 0..SCENES {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let mut plant = scene(&mut random);
        for number in 0..2 + seed as usize % 2 {
            let base = placed(&mut random, number);
            plant = plant.model(format!("b{number}"), body(&mut random), base);
        }
        let options = methods[seed as usize % methods.len()];
        let mut simulation = Simulation::new(&alone(plant), options).unwrap();
        if let Err(error) = simulation.advance_to(0.1) {
            stopped.push(format!("{seed}: {error}"));
        }
        let state = &simulation.state().continuous;
        assert!(state.iter().all(|x| x.is_finite()), "{seed}: {state:?}");
        touched += usize::from(simulation.statistics().max_contacts > 0);
    }
    (touched, stopped)
}

#[test]
fn random_bodies_that_touch_by_volume_stay_numbers() {
    let methods = [Options::volume(1e-3), icf(2e-3), cenic(1e-2), Options::theta_gamma(2e-3)];
    let scene = |random: &mut Random| {
        let bodies = Proximity::compliant(random.log(1e5, 1e10));
        let hydroelastics = Hydroelastics { model: ContactModel::Volume, bodies, ..Hydroelastics::default() };
        let contact = contact(1e5, random.log(0.1, 100.0), random.between(0.0, 1.5));
        PlantBuilder::new().ground(0.0).contact(contact).hydroelastics(hydroelastics)
    };
    let (touched, stopped) = run_all(&methods, scene, hull);
    assert!(touched > 100 && stopped.is_empty(), "{touched}, {stopped:#?}");
}

#[test]
fn random_meshes_that_touch_in_local_minima_stay_numbers() {
    let methods = [icf(2e-3), Options::sap(2e-3), cenic(1e-2), Options::theta_gamma(2e-3)];
    let scene = |random: &mut Random| {
        let contact = contact(random.log(1e3, 1e7), random.log(0.1, 100.0), random.between(0.0, 1.5));
        let contact = ContactParameters { points: Points::LocalMinima, ..contact };
        PlantBuilder::new().ground(0.0).contact(contact)
    };
    let (touched, stopped) = run_all(&methods, scene, star);
    assert!(touched > 100 && stopped.is_empty(), "{touched}, {stopped:#?}");
}
