//! Loads at which twisted fibres leave their plane or their line: closed forms of Michell (1889), Greenhill (1883) and
//! Zajac (1962), met from both sides.

use kinegraph::diagram::DiagramBuilder;
use kinegraph::integrators::{OfOptions, Options};
use kinegraph::simulate::Simulation;
use kinegraph::systems::models::{LoadOptions, parse_mjcf};
use kinegraph::systems::multibody::fibre::{Curve, Fibre, FibreEnd, FibreMaterial, NaturalShape, Section};
use kinegraph::systems::multibody::{Base, PlantBuilder};
use nalgebra::Vector3;
use std::f64::consts::TAU;

const ELEMENTS: usize = 64;

/// EI = 1 N m², 1 kg/m, hardly any stretch and shear; straight and without twist where nothing loads it.
fn rod(curve: Curve, torsion: f64, twist: f64) -> Fibre {
    let material = FibreMaterial { young: 1.0, shear: 1.0, density: 1.0, damping: 5e-3 };
    let section = Section::Given { stretch: [1e6; 3], bend: [torsion, 1.0, 1.0], mass: 1.0, radius: 1e-3 };
    let fibre = Fibre::new("rod", curve, ELEMENTS, section, material);
    Fibre { natural: NaturalShape::Straight, contact_radius: Some(0.0), twist, ..fibre }
}

/// The largest z of a node at time `end`, while each node is pushed along z by a small force.
fn rise(builder: PlantBuilder, first: usize, nodes: usize, push: impl Fn(usize) -> f64, pull: f64, end: f64) -> f64 {
    let plant = builder.gravity([0.0; 3]).build().unwrap_or_else(|e| panic!("{e}"));
    let mut b = DiagramBuilder::new("stability");
    let plant = b.add("plant", plant);
    let forces = (0..nodes).flat_map(|i| [0.0, 0.0, 0.0, 0.0, 0.0, push(i)]).collect::<Vec<f64>>();
    b.fix(plant.applied_generalized_force("rod"), forces);
    if first > 0 {
        b.fix(plant.applied_generalized_force("slider"), vec![pull]);
    }
    let diagram = b.build().unwrap();
    let mut simulation = Simulation::new(&diagram, Options::icf(0.02)).unwrap();
    simulation.advance_to(end).unwrap_or_else(|e| panic!("{e}"));
    let q = &simulation.state().continuous;
    (0..nodes).map(|i| q[first + 7 * i + 6].abs()).fold(0.0, f64::max)
}

/// A rod that is bent to a ring and closed with a twist of Φ leaves its plane beyond `Φ = 2π√3 EI/GJ` (Michell 1889).
/// One whole turn is beyond that where GJ is more than √3 EI.
#[test]
fn michells_ring_leaves_its_plane() {
    let rise = |ratio: f64| {
        let ring = Curve::Circle { centre: Vector3::zeros(), axis: Vector3::z(), radius: 1.0 };
        let fibre = rod(ring, ratio * 3.0_f64.sqrt(), TAU);
        let push = |i: usize| 1e-9 * (2.0 * TAU * i as f64 / ELEMENTS as f64).cos();
        rise(PlantBuilder::new().fibre(fibre), 0, ELEMENTS, push, 0.0, 25.0)
    };
    let (below, above) = (rise(0.99), rise(1.01));
    assert!(below < 1e-5 && above > 50.0 * below, "{below} below, {above} above");
}

/// A straight rod, clamped at both ends, twisted by a torque M under a tension T, has the complex deflection z with
/// `EI z'''' - i M z''' - T z'' = 0`. It loops where that has a solution that is clamped: at `M = 12.46368 EI/L` for
/// `T = 25 EI/L²` (by the zero of the determinant of `[1, x, exp(s₁ x), exp(s₂ x)]` and slopes at 0 and L); for long
/// rods at `M = 2 √(EI T)` (Greenhill 1883; Zajac 1962).
#[test]
fn a_twisted_cable_loops() {
    let rise = |ratio: f64| {
        let scene = r#"<mujoco><worldbody><body name="end" pos="1 0 0"><joint type="slide" axis="1 0 0" damping="1"/>
            <geom size="0.1" mass="0.1" contype="0" conaffinity="0"/></body></worldbody></mujoco>"#;
        let slider = parse_mjcf(scene, "slider", &LoadOptions::default()).unwrap_or_else(|e| panic!("{e}")).model;
        let line = Curve::Polyline(vec![Vector3::zeros(), Vector3::x()]);
        let fibre = rod(line, 1.0, 12.46368 * ratio);
        let ends = [FibreEnd::Clamped("world".into()), FibreEnd::Clamped("slider/end".into())];
        let builder = PlantBuilder::new().model("slider", slider, Base::fixed()).fibre(Fibre { ends, ..fibre });
        let nodes = ELEMENTS - 1;
        let push = |i: usize| 1e-9 * (0.5 * TAU * (i + 1) as f64 / ELEMENTS as f64).sin();
        rise(builder, 1, nodes, push, 25.0, 8.0)
    };
    let (below, above) = (rise(0.99), rise(1.01));
    assert!(below < 1e-5 && above > 50.0 * below, "{below} below, {above} above");
}

/// A fibre lies across another, both clamped at their ends: the lower one carries its own weight and the force of the
/// contact.
#[test]
fn crossing_fibres_share_a_force() {
    let fibre = |name: &str, from: [f64; 3], to: [f64; 3]| {
        let curve = Curve::Polyline(vec![Vector3::from(from), Vector3::from(to)]);
        let material = FibreMaterial { young: 1.0, shear: 1.0, density: 1.0, damping: 0.1 };
        let section = Section::Given { stretch: [1e4; 3], bend: [0.02; 3], mass: 0.1, radius: 0.01 };
        let ends = [FibreEnd::Clamped("world".into()), FibreEnd::Clamped("world".into())];
        Fibre { ends, ..Fibre::new(name, curve, 8, section, material) }
    };
    let plant = PlantBuilder::new()
        .fibre(fibre("low", [-0.4, 0.0, 0.0], [0.4, 0.0, 0.0]))
        .fibre(fibre("high", [0.0, -0.5, 0.021], [0.0, 0.5, 0.021]))
        .build()
        .unwrap_or_else(|e| panic!("{e}"));
    let mut b = DiagramBuilder::new("crossing");
    b.add("plant", plant);
    let diagram = b.build().unwrap();
    // `sap` to the tolerance of its solver.
    for (options, close) in [(Options::icf(0.02), 1e-8), (Options::sap(0.02), 1e-6), (Options::theta_gamma(0.02), 1e-8)]
    {
        let mut simulation = Simulation::new(&diagram, options).unwrap();
        simulation.advance_to(40.0).unwrap_or_else(|e| panic!("{e}"));
        let mut force = |element: usize| {
            let name = format!("plant.constraints.low.e{element}.fz");
            simulation.channel(&name).unwrap_or_else(|e| panic!("{e}"))
        };
        let carried = (force(0) - force(7)).abs();
        let weight = 7.0 * 0.1 * 0.1 * 9.81;
        let results = simulation.contact_results("plant").unwrap();
        let pressed = results.patches().iter().map(|patch| patch.force[2].abs()).sum::<f64>();
        assert!(pressed > 0.1, "they touch: {pressed}");
        // Of the sum of the elastic reactions.
        let off = carried - weight - pressed;
        assert!(off.abs() < close * carried, "{carried} {weight} {pressed}: {off}, {options:?}");
    }
}
