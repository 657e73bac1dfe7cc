//! Fibres: a ring, the elastica, fibres that cross.

use super::{Pace, at_rest, by_every_method, gone_on};
use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::{Family, NEAR_RIGID, RIGID};
use kinegraph::simulate::Simulation;
use kinegraph::systems::multibody::PlantBuilder;
use kinegraph::systems::multibody::fibre::{Curve, Fibre, FibreEnd, FibreMaterial, Section};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use std::f64::consts::TAU;

const FEATURE: &str = "fibres";

fn material(damping: f64) -> FibreMaterial {
    FibreMaterial { young: 1.0, shear: 1.0, density: 1.0, damping }
}

fn line(from: [f64; 3], to: [f64; 3]) -> Curve {
    Curve::Polyline(vec![from.into(), to.into()])
}

/// Clamped at its start, with a load on its last node: torque, force.
fn cantilever(fibre: Fibre, load: [f64; 6]) -> Diagram {
    let width = 6 * fibre.elements;
    let ends = [FibreEnd::Clamped("world".into()), FibreEnd::Free];
    let fibre = Fibre { ends, contact_radius: Some(0.0), ..fibre };
    let mut b = DiagramBuilder::new("cantilever");
    let plant = b.add("plant", weightless().fibre(fibre).build().unwrap());
    let mut forces = vec![0.0; width];
    forces[width - 6..].copy_from_slice(&load);
    b.fix(plant.applied_generalized_force("rod"), forces);
    b.build().unwrap()
}

/// 1 m, EI = GJ = 1 N m², 1 kg/m.
fn rod(elements: usize, stretch: f64, radius: f64, damping: f64) -> Fibre {
    let section = Section::Given { stretch: [stretch; 3], bend: [1.0; 3], mass: 1.0, radius };
    Fibre::new("rod", line([0.0; 3], [1.0, 0.0, 0.0]), elements, section, material(damping))
}

/// Direction and place of the last of `nodes`.
fn tip(simulation: &Simulation, nodes: usize) -> (Vector3<f64>, Vector3<f64>) {
    let q = &simulation.state().continuous[7 * (nodes - 1)..7 * nodes];
    let turn = UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3]));
    (turn * Vector3::x(), Vector3::new(q[4], q[5], q[6]))
}

/// The moment 2π EI/L leads the tip back to the root, however much the rod stretches and shears under a force.
#[test]
fn every_method_bends_a_rod_to_a_ring() {
    const ELEMENTS: usize = 5;
    // Thick, so that twist is not fast.
    let diagram = cantilever(rod(ELEMENTS, 100.0, 0.2, 0.4), [0.0, 0.0, TAU, 0.0, 0.0, 0.0]);
    let rest = at_rest(&diagram, 0.02, 12.0);
    let pace = Pace { step: 0.02, accuracy: 1e-6, time: 12.0, short: 2e-4, short_time: 0.1 };
    by_every_method(FEATURE, &pace, |options, family, found| {
        let time = pace.time(family);
        // Explicit methods follow what is at rest.
        let simulation = match family {
            Family::EXPLICIT => gone_on(&rest, options, time)?,
            _ => {
                let mut simulation = Simulation::new(&diagram, options).unwrap();
                simulation.advance_to(time)?;
                simulation
            }
        };
        let (along, p) = tip(&simulation, ELEMENTS);
        // As far as they iterate.
        let close = match options.integrator.name {
            "projected-gauss-seidel" => 1e-4,
            "sap" => 1e-7,
            "volume" | "ros2" => 3e-8,
            _ => 1e-9,
        };
        found.near("tip", p.norm(), 0.0, close);
        found.near("turned", (along - Vector3::x()).norm(), 0.0, close);
        Ok(())
    });
}

/// Mattiasson 1981; by shooting to ten digits.
#[test]
fn every_method_holds_the_elastica() {
    const ELEMENTS: usize = 8;
    for (load, w, u, theta) in [(1.0, 0.30172077, 0.05643324, 0.46135195), (10.0, 0.81060902, 0.55499560, 1.43028554)] {
        let diagram = cantilever(rod(ELEMENTS, 2e4, 0.02, 0.0), [0.0, 0.0, 0.0, 0.0, load, 0.0]);
        let rest = at_rest(&diagram, 0.1, 60.0);
        let pace = Pace { step: 0.01, accuracy: 1e-5, time: 0.2, short: 1e-4, short_time: 0.03 };
        by_every_method(FEATURE, &pace, |options, family, found| {
            let simulation = gone_on(&rest, options, pace.time(family))?;
            let (along, p) = tip(&simulation, ELEMENTS);
            found.near("across", p.y, w, 0.01 * w);
            found.near("shortened", 1.0 - p.x, u, 0.01 * u);
            found.near("turned", along.y.atan2(along.x), theta, 0.01 * theta);
            Ok(())
        });
    }
}

/// A fibre across another, both clamped at their ends: the lower one carries its own weight and the force of the
/// contact.
#[test]
fn every_method_shares_the_force_of_crossing_fibres() {
    const ELEMENTS: usize = 4;
    let (mass, length) = (0.1, 0.8);
    let fibre = |name: &str, from: [f64; 3], to: [f64; 3]| {
        let section = Section::Given { stretch: [1e3; 3], bend: [0.02; 3], mass, radius: 0.01 };
        let ends = [FibreEnd::Clamped("world".into()), FibreEnd::Clamped("world".into())];
        Fibre { ends, ..Fibre::new(name, line(from, to), ELEMENTS, section, material(2e-3)) }
    };
    let plant = PlantBuilder::new()
        .fibre(fibre("low", [-0.5 * length, 0.0, 0.0], [0.5 * length, 0.0, 0.0]))
        .fibre(fibre("high", [0.0, -0.5, 0.021], [0.0, 0.5, 0.021]))
        .contact(contact(1e4, 10.0, 0.5));
    let rest = at_rest(&alone(plant), 0.05, 40.0);
    let pace = Pace { step: 0.02, accuracy: 1e-6, time: 0.2, short: 2e-5, short_time: 0.01 };
    by_every_method(FEATURE, &pace, |options, family, found| {
        // Other laws find another balance.
        let other = matches!(family, NEAR_RIGID | RIGID);
        let mut simulation = gone_on(&rest, options, if other { 2.0 } else { pace.time(family) })?;
        let mut force = |element: usize| simulation.channel(&format!("plant.constraints.low.e{element}.fz")).unwrap();
        let carried = (force(0) - force(ELEMENTS - 1)).abs();
        let weight = (ELEMENTS - 1) as f64 * mass * length / ELEMENTS as f64 * 9.81;
        let patches = simulation.contact_results("plant").unwrap().patches();
        let pressed = patches.iter().map(|patch| patch.force[2].abs()).sum::<f64>();
        found.holds("they touch", pressed > 0.1);
        // `sap` to the tolerance of its solver.
        let close = if family == NEAR_RIGID { 1e-6 } else { 1e-8 };
        found.near("carried", carried, weight + pressed, close * carried);
        Ok(())
    });
}
