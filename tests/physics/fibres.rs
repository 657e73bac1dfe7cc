//! Fibres against the closed forms of rods: the elastica, a bent ring, the frequency of a cantilever, balances of
//! momentum, contact.

use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::Options;
use kinegraph::simulate::Simulation;
use kinegraph::systems::multibody::PlantBuilder;
use kinegraph::systems::multibody::fibre::{Curve, Fibre, FibreEnd, FibreMaterial, NaturalShape, Section};
use nalgebra::{UnitQuaternion, Vector3};
use std::f64::consts::{PI, TAU};

/// Damped so that it comes to rest soon; its moduli are those of its section.
fn material(damping: f64) -> FibreMaterial {
    FibreMaterial { young: 1.0, shear: 1.0, density: 1.0, damping }
}

/// EI = 1 N m², 1 kg/m, hardly any stretch and shear.
fn section(stretch: f64) -> Section {
    Section::Given { stretch: [stretch; 3], bend: [1.0; 3], mass: 1.0, radius: 1e-3 }
}

fn straight(length: f64) -> Curve {
    Curve::Polyline(vec![Vector3::zeros(), Vector3::x() * length])
}

fn cantilever(elements: usize, stretch: f64, damping: f64) -> Fibre {
    let fibre = Fibre::new("rod", straight(1.0), elements, section(stretch), material(damping));
    Fibre { ends: [FibreEnd::Clamped("world".into()), FibreEnd::Free], contact_radius: Some(0.0), ..fibre }
}

/// The fibre alone, with a load on its last node: torque, force.
fn diagram(fibre: Fibre, gravity: [f64; 3], load: [f64; 6]) -> Diagram {
    let plant = PlantBuilder::new().gravity(gravity).fibre(fibre).build().unwrap_or_else(|e| panic!("{e}"));
    let mut b = DiagramBuilder::new("fibre");
    let plant = b.add("plant", plant);
    let width = plant.structure_velocities();
    let mut forces = vec![0.0; width];
    forces[width - 6..].copy_from_slice(&load);
    b.fix(plant.applied_generalized_force("rod"), forces);
    b.build().unwrap()
}

/// Pose of the last node: quaternion w x y z, place.
fn tip(simulation: &Simulation, nodes: usize) -> (UnitQuaternion<f64>, Vector3<f64>) {
    let q = &simulation.state().continuous[7 * (nodes - 1)..7 * nodes];
    let turn = nalgebra::Quaternion::new(q[0], q[1], q[2], q[3]);
    (UnitQuaternion::from_quaternion(turn), Vector3::new(q[4], q[5], q[6]))
}

fn at_rest(fibre: Fibre, load: [f64; 6], h: f64, end: f64) -> (UnitQuaternion<f64>, Vector3<f64>) {
    let nodes = fibre.elements;
    let diagram = diagram(fibre, [0.0; 3], load);
    let mut simulation = Simulation::new(&diagram, Options::icf(h)).unwrap();
    simulation.advance_to(end).unwrap_or_else(|e| panic!("{e}"));
    let v = &simulation.state().continuous[7 * nodes..];
    let fastest = v.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
    assert!(fastest < 1e-3, "it moves by {fastest}");
    tip(&simulation, nodes)
}

/// Mattiasson 1981; by shooting to ten digits.
#[test]
fn elastica_under_a_tip_load() {
    for (load, w, u, theta) in [(1.0, 0.30172077, 0.05643324, 0.46135195), (10.0, 0.81060902, 0.55499560, 1.43028554)] {
        let (turn, p) = at_rest(cantilever(64, 1e6, 0.05), [0.0, 0.0, 0.0, 0.0, load, 0.0], 0.02, 6.0);
        let found = [p.y, 1.0 - p.x, turn.scaled_axis().z];
        println!("{load}: {found:?}");
        for (found, exact) in found.iter().zip([w, u, theta]) {
            assert!((found / exact - 1.0).abs() < 0.01, "load {load}: {found} instead of {exact}");
        }
    }
}

/// The moment 2π EI/L bends a rod to a circle: its nodes are a regular polygon whatever their number.
#[test]
fn a_moment_bends_a_rod_to_a_ring() {
    let moment = TAU;
    let (turn, p) = at_rest(cantilever(10, 1e6, 0.05), [0.0, 0.0, moment, 0.0, 0.0, 0.0], 0.02, 8.0);
    println!("{p:?} {turn:?}");
    assert!(p.norm() < 1e-3, "{p}");
    assert!(turn.angle() < 1e-2, "{}", turn.angle());
}

/// f = 3.5160 sqrt(EI/(ρA L⁴))/2π.
#[test]
fn frequency_of_a_cantilever() {
    let diagram = diagram(cantilever(16, 1e6, 1e-3), [0.0, 0.01, 0.0], [0.0; 6]);
    let mut simulation = Simulation::new(&diagram, Options::cenic_trapezoid(1e-6)).unwrap();
    let (mut crossings, mut last) = (Vec::new(), (0.0, 0.0));
    for i in 1..=900 {
        let t = 0.01 * i as f64;
        simulation.advance_to(t).unwrap();
        let v = simulation.state().continuous[7 * 16 + 6 * 15 + 4];
        if last.1 < 0.0 && v >= 0.0 && t > 0.5 {
            crossings.push(last.0 - last.1 * (t - last.0) / (v - last.1));
        }
        last = (t, v);
    }
    println!("{crossings:?} {:?}", simulation.statistics());
    let periods = crossings.len() - 1;
    let found = periods as f64 / (crossings[periods] - crossings[0]);
    let exact = 3.516015 / TAU;
    assert!((found / exact - 1.0).abs() < 5e-3, "{found} instead of {exact}");
}
