//! Contact by volume: rest, sliding with spin, a tower, a peg in its hole.

use super::volume::{E, FEATURE, G, HALF, plant, sunk};
use super::{Pace, at_rest, by_every_method, gone_on};
use crate::common::*;
use kinegraph::integrators::{Family, NEAR_RIGID, Options, RIGID};
use kinegraph::simulate::Simulation;
use kinegraph::systems::geometry::Shape;
use kinegraph::systems::multibody::{Base, Collision};
use nalgebra::{Isometry3, Vector3};

/// True if bodies yield according to their modulus.
fn yields(family: Family) -> bool {
    !matches!(family, NEAR_RIGID | RIGID)
}

/// A cube at rest sinks by `F H/(E A)`, or by the depth of the method's law, and its contact force is its weight in
/// every step.
#[test]
fn every_method_lets_a_cube_rest_by_volume() {
    let mass = 0.5;
    let rest = at_rest(
        &alone(plant(E, 0.3).ground(0.0).model("cube", cuboid(mass, [HALF; 3]), at(0.0, 0.0, HALF - sunk(mass)))),
        1e-3,
        0.5,
    );
    let pace = Pace { step: 1e-3, accuracy: 1e-5, time: 0.05, short: 2e-4, short_time: 0.02 };
    by_every_method(FEATURE, &pace, |options, family, found| {
        let name = options.integrator.name;
        let mut simulation = gone_on(&rest, options, if yields(family) { pace.time(family) } else { 0.5 })?;
        let depth = HALF - position(&mut simulation, "cube").z;
        let (expected, close) = match name {
            "volume" => (2e-3 * G * pace.step * pace.step, 0.01),
            _ if yields(family) => (sunk(mass), 0.01),
            // Below the slop, and as deep as the law of SAP says.
            _ => (sunk(mass), 1.0),
        };
        found.near("depth", depth, expected, close * expected);
        let start = simulation.time();
        for i in 1..=20 {
            simulation.advance_to(start + pace.step * f64::from(i))?;
            let force = simulation.contact_results("plant").unwrap().force_on("cube/body")[2];
            // Explicit methods to their accuracy.
            let close = if family == Family::EXPLICIT { 1e-3 } else { 1e-6 };
            found.near(format!("force {i}"), force, mass * G, close * mass * G);
        }
        Ok(())
    });
}

/// Friction takes energy from a box that slides and spins, and returns no more than its contact stores.
#[test]
fn every_method_only_dissipates_energy_of_sliding_by_volume() {
    let (mass, low) = (0.5, 0.01);
    let base = thrown([0.0, 0.0, low - sunk(mass) * low / HALF], [0.0, 0.0, 10.0], [1.0, 0.0, 0.0]);
    let diagram = alone(plant(E, 0.3).ground(0.0).model("box", cuboid(mass, [HALF, HALF, low]), base));
    let pace = Pace { step: 1e-3, accuracy: 1e-5, time: 0.15, short: 2e-4, short_time: 0.15 };
    let inertia = Vector3::new(HALF * HALF + low * low, HALF * HALF + low * low, 2.0 * HALF * HALF) * (mass / 3.0);
    by_every_method(FEATURE, &pace, |options, _, found| {
        let mut simulation = Simulation::new(&diagram, options).unwrap();
        let energy = |s: &mut Simulation| {
            let (w, v) = velocity(s, "box");
            let moving = 0.5 * (mass * v.norm_squared() + w.dot(&inertia.component_mul(&w)));
            moving + mass * G * position(s, "box").z
        };
        let start = energy(&mut simulation);
        let (mut least, mut gained) = (start, 0.0_f64);
        for i in 1..=150 {
            simulation.advance_to(pace.step * f64::from(i))?;
            let now = energy(&mut simulation);
            gained = gained.max(now - least);
            least = least.min(now);
        }
        found.near("gained", gained, 0.0, 2e-4 * start);
        found.holds(format!("it slows down: {least} of {start}"), least < 0.6 * start);
        Ok(())
    });
}

/// Ten boxes on each other keep their energy within a thousandth.
#[test]
fn every_method_keeps_the_energy_of_a_tower_by_volume() {
    let (mass, count) = (0.5, 10);
    let (mut z, mut energy) = (0.0, 0.0);
    let mut built = plant(E, 0.5).ground(0.0);
    for i in 0..count {
        // Two equal sides in a row yield twice as much as one on rigid ground.
        z += HALF - sunk(mass) * f64::from(count - i) * if i == 0 { 1.0 } else { 2.0 };
        built = built.model(format!("box{i}"), cuboid(mass, [HALF; 3]), at(0.0, 0.0, z));
        energy += mass * G * z;
        z += HALF;
    }
    let rest = at_rest(&alone(built), 1e-2, 1.0);
    let pace = Pace { step: 1e-3, accuracy: 1e-4, time: 0.1, short: 2e-4, short_time: 0.02 };
    by_every_method(FEATURE, &pace, |options, family, found| {
        let time = match options.integrator.name {
            // The overlap that is removed at first comes to rest.
            "volume" => 0.3,
            _ if yields(family) => pace.time(family),
            _ => 0.05,
        };
        let mut simulation = gone_on(&rest, options, time)?;
        let mut now = 0.0;
        for i in 0..count {
            let name = format!("box{i}");
            let v = velocity(&mut simulation, &name).1;
            now += mass * (G * position(&mut simulation, &name).z + 0.5 * v.norm_squared());
        }
        found.near("energy", now, energy, if yields(family) { 1e-3 } else { 1e-2 } * energy);
        Ok(())
    });
}

/// A square peg falls into its hole with 0.1 mm of clearance on each side; at the end only its weight acts on the
/// floor.
#[test]
fn every_method_sinks_a_peg_into_its_hole_by_volume() {
    let mass = 0.2;
    let mut hole = cuboid(1.0, [1.0; 3]);
    let wall = |p: [f64; 3], size: [f64; 3]| Collision {
        name: String::new(),
        X_BG: Isometry3::translation(p[0], p[1], p[2]),
        shape: Shape::Box { half_extents: size.into() },
        surface: None,
    };
    hole.links[0].collisions = vec![
        wall([-0.0251, 0.0, 0.02], [0.015, 0.0401, 0.02]),
        wall([0.0251, 0.0, 0.02], [0.015, 0.0401, 0.02]),
        wall([0.0, -0.0251, 0.02], [0.0101, 0.015, 0.02]),
        wall([0.0, 0.0251, 0.02], [0.0101, 0.015, 0.02]),
        wall([0.0, 0.0, -0.01], [0.04, 0.04, 0.01]),
    ];
    let leans = Isometry3::new(Vector3::z() * 0.06, Vector3::new(0.003, 0.002, 0.001));
    let built = plant(1e7, 0.2).model("hole", hole, Base::fixed());
    let diagram = alone(built.model("peg", cuboid(mass, [0.01, 0.01, 0.03]), Base::floating(leans)));
    let pace = Pace { step: 1e-3, accuracy: 1e-4, time: 0.3, short: 5e-5, short_time: 0.3 };
    by_every_method(FEATURE, &pace, |options, family, found| {
        // Impacts ask implicit methods that iterate for error control: their equations do not converge in such steps.
        let iterates = family == Family::IMPLICIT && options.integrator.name != "ros2";
        let step = if iterates { None } else { options.step };
        let mut simulation = Simulation::new(&diagram, Options { step, accuracy: pace.accuracy, ..options }).unwrap();
        simulation.advance_to(pace.time(family))?;
        let (p, (w, v)) = (position(&mut simulation, "peg"), velocity(&mut simulation, "peg"));
        let energy = mass * (G * p.z + 0.5 * v.norm_squared()) + 0.5 * 6.7e-5 * w.norm_squared();
        found.near("energy", energy, mass * G * 0.03, 0.01 * mass * G * 0.03);
        found.near("aside", p.xy().norm(), 0.0, 1.5e-4);
        Ok(())
    });
}
