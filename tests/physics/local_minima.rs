//! Meshes with contact at all local minima of their distance: a screw in its nut, a key in its lock.

use crate::common::meshes::{of_mesh, prism};
use crate::common::*;
use kinegraph::integrators::{OfOptions, Options};
use kinegraph::simulate::Simulation;
use kinegraph::systems::geometry::{ExactMesh, Points};
use kinegraph::systems::multibody::plant::{ContactParameters, Material};
use kinegraph::systems::multibody::{Base, Model, PlantBuilder};
use nalgebra::{Isometry3, Quaternion, UnitQuaternion, Vector3};
use std::f64::consts::TAU;

/// Thread \[m\]: root radius, height of its crests, travel per turn.
const ROOT: f64 = 0.01;
const CREST: f64 = 1.5e-3;
const PITCH: f64 = 4e-3;
/// Number of faces around, and clearance of the nut \[m\].
const AROUND: usize = 24;
const PLAY: f64 = 2.5e-4;

/// A thread of `turns`, crests and roots in turn, without ends; that of a nut faces inwards.
fn thread(turns: usize, inwards: bool) -> ExactMesh {
    let rows = 2 * turns + 1;
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for row in 0..rows {
        for i in 0..=AROUND {
            let part = i as f64 / AROUND as f64;
            let z = PITCH * (part + 0.5 * row as f64 - 0.5 * turns as f64);
            let r = ROOT + if row % 2 == 0 { CREST } else { 0.0 } + if inwards { PLAY } else { 0.0 };
            points.push(Vector3::new(r * (TAU * part).cos(), r * (TAU * part).sin(), z));
        }
    }
    // The last column is the first of the row two below: the same point to the bit.
    for row in 0..rows - 2 {
        points[row * (AROUND + 1) + AROUND] = points[(row + 2) * (AROUND + 1)];
    }
    let at = |row: usize, i: usize| (row * (AROUND + 1) + i) as u32;
    for row in 0..rows - 1 {
        for i in 0..AROUND {
            let [p, q, r, s] = [at(row, i), at(row, i + 1), at(row + 1, i + 1), at(row + 1, i)];
            triangles.extend(if inwards { [[p, r, q], [p, s, r]] } else { [[p, q, r], [p, r, s]] });
        }
    }
    ExactMesh::new(&points, &triangles).unwrap()
}

fn of_thread(mesh: ExactMesh, mass: f64) -> Model {
    let moment = 0.5 * mass * ROOT * ROOT;
    let moments = Vector3::new(moment + mass * 1e-5, moment + mass * 1e-5, moment);
    of_mesh(mesh, Isometry3::identity(), mass, moments)
}

/// A screw that spins without friction advances by its pitch, within its play, with every solver. (Threads of flat
/// faces lock into each other if only gravity turns them.)
#[test]
fn a_screw_advances_by_its_pitch() {
    let pair = Material { stiffness: 1e6, dissipation: 1.0, static_friction: 0.0, dynamic_friction: 0.0 };
    let contact = ContactParameters { pair, points: Points::LocalMinima, ..ContactParameters::default() };
    let spin = 30.0;
    let start = thrown([0.0; 3], [0.0, 0.0, -spin], [0.0, 0.0, -spin * PITCH / TAU]);
    let built = PlantBuilder::new()
        .gravity([0.0, 0.0, -9.81])
        .contact(contact)
        .model("nut", of_thread(thread(2, true), 1.0), Base::fixed())
        .model("screw", of_thread(thread(6, false), 0.1), start);
    for options in [Options::icf(1e-3), Options::sap(1e-3), Options::theta_gamma(1e-3)] {
        let mut simulation = Simulation::new(&alone(built.clone()), options).unwrap();
        let (mut turned, mut last) = (0.0, 0.0);
        for i in 1..=5 {
            simulation.advance_to(0.01 * f64::from(i)).unwrap();
            let place = position(&mut simulation, "screw");
            let [w, x, y, z] =
                ["qw", "qx", "qy", "qz"].map(|c| simulation.channel(&format!("plant.screw.body.pose.{c}")).unwrap());
            let rotation = UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z));
            let x = rotation * Vector3::x();
            let now = x.y.atan2(x.x);
            turned += (now - last + TAU / 2.0).rem_euclid(TAU) - TAU / 2.0;
            last = now;
            // Flanks part by PLAY along the radius, by PITCH/2 over CREST of it along the axis.
            let play = PLAY * 0.5 * PITCH / CREST;
            let miss = place.z - PITCH * turned / TAU;
            assert!(miss.abs() < 1.3 * play, "{i}: {miss} m at {place}");
            assert!(place.xy().norm() < 1.1 * PLAY && (rotation * Vector3::z()).z > 0.995, "{i}: {place}");
        }
        assert!(turned < -1.0, "{turned} rad");
    }
}

/// A key of T section, 30 mm long, whose foot is `foot` wide to both sides, and the lock around one of 4 mm.
fn key_and_lock(foot: f64, play: f64) -> [ExactMesh; 2] {
    let mm = |points: &[[f64; 2]]| points.iter().map(|p| p.map(|x| 1e-3 * x)).collect::<Vec<_>>();
    let f = foot;
    let key = mm(&[[-f, -4.0], [f, -4.0], [f, -1.0], [1.0, -1.0], [1.0, 8.0], [-1.0, 8.0], [-1.0, -1.0], [-f, -1.0]]);
    let of_key = [[0, 1, 2], [0, 2, 3], [0, 3, 6], [0, 6, 7], [3, 4, 5], [3, 5, 6]];
    let (neck, wide, under, floor) = (1.0 + play, 4.0 + play, -1.0 + play, -4.0 - play);
    let lock = mm(&[
        [-10.0, -10.0],
        [10.0, -10.0],
        [10.0, 5.0],
        [neck, 5.0],
        [neck, under],
        [wide, under],
        [wide, floor],
        [-wide, floor],
        [-wide, under],
        [-neck, under],
        [-neck, 5.0],
        [-10.0, 5.0],
    ]);
    let of_lock = [[0, 1, 6], [0, 6, 7], [1, 2, 5], [1, 5, 6], [2, 3, 4], [2, 4, 5]];
    let mirrored = [[0, 7, 8], [0, 8, 11], [8, 9, 11], [9, 10, 11]];
    let of_lock: Vec<[u32; 3]> = of_lock.into_iter().chain(mirrored).collect();
    [prism(&key, &of_key, [-0.015, 0.015]), prism(&lock, &of_lock, [-0.03, 0.0])]
}

/// A key falls freely along its lock, which holds it across within its play; one that is too wide stays outside.
#[test]
fn a_key_moves_along_its_lock_alone() {
    let pair = Material { stiffness: 1e6, dissipation: 100.0, static_friction: 0.0, dynamic_friction: 0.0 };
    let contact = ContactParameters { pair, points: Points::LocalMinima, ..ContactParameters::default() };
    let play = 0.1;
    let built = |foot: f64, z: f64, gravity: [f64; 3]| {
        let [key, lock] = key_and_lock(foot, play);
        let builder = PlantBuilder::new().gravity(gravity).contact(contact);
        builder.model("lock", of_thread(lock, 1.0), Base::fixed()).model("key", of_thread(key, 0.02), at(0.0, 0.0, z))
    };
    for options in [Options::icf(1e-3), Options::cenic(1e-3), Options::theta_gamma(1e-3)] {
        // Pulled out of the slot and to a side.
        let mut simulation = run(&alone(built(4.0, 0.005, [3.0, 6.0, -9.81])), options, 0.05);
        let p = position(&mut simulation, "key");
        let fallen = 0.005 - p.z;
        // Within the accuracy; a leaning key is pushed along by the edges of the slot.
        assert!((fallen - 0.5 * 9.81 * 0.05 * 0.05).abs() < 1e-3, "{fallen}");
        let across = [p.x, p.y].map(|x| 1e3 * x / play);
        assert!(across.iter().all(|part| (0.2..1.5).contains(part)), "{across:?} of the play");
        let mut simulation = run(&alone(built(4.5, 0.0151, [0.0, 0.0, -9.81])), options, 0.05);
        // The key leans, as its foot does not support its centre of mass.
        let z = position(&mut simulation, "key").z;
        assert!(z > 0.0145, "{z}");
    }
}
