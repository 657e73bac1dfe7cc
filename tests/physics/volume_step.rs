//! The integrator `volume`: rest, sliding, tipping, towers, edges, and elements besides volumes.
#![allow(non_snake_case)] // poses are X_WB

use crate::common::*;
use kinegraph::integrators::{Kinetic, OfOptions, Options, VolumeOptions};
use kinegraph::simulate::Simulation;
use kinegraph::systems::multibody::plant::{ContactModel, ContactParameters, Hydroelastics, Material};
use kinegraph::systems::multibody::{Base, PlantBuilder};
use nalgebra::{Isometry3, Vector3};

const G: f64 = 9.8;
const H: f64 = 1e-3;

fn plant(static_friction: f64, dynamic_friction: f64) -> PlantBuilder {
    let pair = Material { stiffness: 1e5, dissipation: 10.0, static_friction, dynamic_friction };
    let hydroelastics = Hydroelastics { model: ContactModel::Volume, ..Hydroelastics::default() };
    let contact = ContactParameters { pair, ..ContactParameters::default() };
    PlantBuilder::new().ground(0.0).gravity([0.0, 0.0, -G]).contact(contact).hydroelastics(hydroelastics)
}

fn cube(base: Base) -> PlantBuilder {
    plant(0.5, 0.3).model("cube", cuboid(0.5, [0.05; 3]), base)
}

/// Overlap at rest, for a body of any mass.
const SUNK: f64 = 2.0 * 1e-3 * G * H * H;

fn with(options: VolumeOptions) -> Options {
    let mut all = Options::volume(H);
    all.methods.set(options);
    all
}

#[test]
fn a_cube_at_rest_sinks_by_the_relaxation_and_does_not_chatter() {
    for mass in [0.05, 0.5, 500.0] {
        let built = plant(0.5, 0.3).model("cube", cuboid(mass, [0.05; 3]), at(0.0, 0.0, 0.05));
        let mut simulation = run(&alone(built), Options::volume(H), 0.3);
        let depth = 0.05 - position(&mut simulation, "cube").z;
        assert!((depth / SUNK - 1.0).abs() < 0.01, "{mass} {depth} {SUNK}");
        let mut forces = Vec::new();
        for i in 0..100 {
            simulation.advance_to(0.3 + H * f64::from(i)).unwrap();
            forces.push(simulation.contact_results("plant").unwrap().force_on("cube/body")[2]);
        }
        let spread = forces.iter().fold(0.0_f64, |most, f| most.max((f / (mass * G) - 1.0).abs()));
        assert!(spread < 1e-6, "{spread}");
    }
}

#[test]
fn a_pushed_cube_holds_up_to_its_limit_and_slides_beyond() {
    for (part, options) in [
        (0.90, VolumeOptions::default()),
        (0.98, VolumeOptions::default()),
        (0.995, VolumeOptions::default()),
        (1.005, VolumeOptions::default()),
        (0.83, VolumeOptions { phase: 0.5, ..VolumeOptions::default() }),
        (0.94, VolumeOptions { phase: 0.5, ..VolumeOptions::default() }),
    ] {
        let limit = if options.phase == 0.5 { (std::f64::consts::PI / 8.0).cos() } else { 1.0 };
        let push = 0.5 * G * part;
        let built = cube(at(0.0, 0.0, 0.05 - SUNK)).gravity([push, 0.0, -G]);
        let mut simulation = run(&alone(built), with(options), 0.2);
        let (_, v) = velocity(&mut simulation, "cube");
        if part < limit {
            // The cube creeps only by the relaxation.
            assert!(v.x.abs() < 2e-2 * push * H && v.y.abs() < 1e-9, "{part} {v}");
        } else {
            assert!((v.x - 0.2 * (push - 0.3 * G)).abs() < 0.03 * v.x, "{part} {v}");
        }
    }
}

#[test]
fn sliding_and_spinning_are_braked_as_by_the_pressure() {
    for kinetic in [Kinetic::LeastSquares, Kinetic::LinearProgram] {
        let options = with(VolumeOptions { kinetic, ..VolumeOptions::default() });
        let base = thrown([0.0, 0.0, 0.05 - SUNK], [0.0; 3], [1.0, 0.0, 0.0]);
        let low = plant(0.5, 0.3).model(
            "cube",
            cuboid(0.5, [0.05, 0.05, 0.01]),
            thrown([0.0, 0.0, 0.01 - SUNK], [0.0; 3], [1.0, 0.0, 0.0]),
        );
        let mut last = 1.0;
        let mut simulation = Simulation::new(&alone(low), options).unwrap();
        for i in 1..=20 {
            simulation.advance_to(0.01 * f64::from(i)).unwrap();
            let v = velocity(&mut simulation, "cube").1.x;
            assert!((last - v - 0.01 * 0.3 * G).abs() < 2e-3 * 0.01 * 0.3 * G, "{i} {v}");
            last = v;
        }
        // A cube as high as wide does not tip.
        let mut simulation = run(&alone(cube(base)), options, 1.0);
        assert!(velocity(&mut simulation, "cube").1.norm() < 1e-3);
        assert!((position(&mut simulation, "cube").x - 1.0 / (2.0 * 0.3 * G)).abs() < 2e-3);
        let base = thrown([0.0, 0.0, 0.05 - SUNK], [0.0, 0.0, 10.0], [0.0; 3]);
        let mut simulation = run(&alone(cube(base)), options, 0.05);
        let inertia = 0.5 * 2.0 * 0.0025 / 3.0;
        let torque = inertia * (10.0 - velocity(&mut simulation, "cube").0.z) / 0.05;
        assert!((torque / (0.3 * 0.5 * G * 0.05 * 0.7652) - 1.0).abs() < 0.01, "{torque}");
    }
}

#[test]
fn a_tall_box_tips_where_its_weight_leaves_its_side() {
    // On a slope: over the edge where the tangent of its angle is half its width over half its height.
    for (slope, tips) in [(0.22, false), (0.28, true)] {
        let built = plant(0.5, 0.5).model("box", cuboid(1.0, [0.05, 0.05, 0.2]), at(0.0, 0.0, 0.2 - SUNK)).gravity([
            slope * G,
            0.0,
            -G,
        ]);
        let mut simulation = run(&alone(built), Options::volume(H), 1.5);
        let w = position(&mut simulation, "box").z;
        assert_eq!(w < 0.15, tips, "{slope} {w}");
    }
}

#[test]
fn a_cube_on_an_edge_falls_or_stays() {
    for offset in [-0.01, -0.005, -0.001, 0.001, 0.005, 0.01] {
        let fixed = Base::Fixed { X_WR: Isometry3::translation(0.0, 0.0, 0.1) };
        let built = plant(0.5, 0.3).model("table", cuboid(10.0, [0.1; 3]), fixed).model(
            "cube",
            cuboid(0.2, [0.03; 3]),
            at(0.1 + offset, 0.0, 0.23),
        );
        let mut simulation = run(&alone(built), Options::volume(H), 2.0);
        let z = position(&mut simulation, "cube").z;
        assert!(if offset > 0.0 { z < 0.2 } else { (z - 0.23).abs() < 1e-3 }, "{offset} {z}");
    }
}

#[test]
fn a_tower_stands_and_a_tumbling_cube_comes_to_lie_flat() {
    let mut built = plant(0.5, 0.3);
    for i in 0..10 {
        built = built.model(format!("box{i}"), cuboid(0.5, [0.05; 3]), at(0.0, 0.0, 0.05 + 0.1 * f64::from(i)));
    }
    let mut simulation = run(&alone(built), Options::volume(H), 0.5);
    for i in 0..10 {
        let name = format!("box{i}");
        let p = position(&mut simulation, &name);
        assert!((p.z - 0.05 - 0.1 * f64::from(i)).abs() < 5e-4 && p.xy().norm() < 1e-4, "{i} {p}");
        assert!(velocity(&mut simulation, &name).1.norm() < 1e-3);
    }
    let tilted = Base::floating(Isometry3::new(Vector3::new(0.0, 0.0, 0.12), Vector3::new(0.52, 0.1, 0.3)));
    let mut simulation = run(&alone(cube(tilted)), Options::volume(H), 2.0);
    let (w, v) = velocity(&mut simulation, "cube");
    let z = position(&mut simulation, "cube").z;
    assert!(w.norm() < 5e-3 && v.norm() < 5e-4 && (z - 0.05).abs() < 1e-6, "{z} {w} {v}");
}

/// Two bodies in free space: the impulses on them are opposite, and a step gains no more energy than the correction of
/// the overlap supplies, and without correction no more than the relaxation of the program leaves.
#[test]
fn impulses_conserve_momentum_and_create_no_energy() {
    opposite_impulses(1.0, 1e-3);
    // Of 400 random pairs seven exceed 1e-5, and none 2.4e-4.
    opposite_impulses(1e-9, 3e-4);
}

/// `most` is the fraction by which the energy after a step may exceed the one before.
fn opposite_impulses(correction: f64, most: f64) {
    let mut random = Random(4);
    for _ in 0..20 {
        let mut triple = |size: f64| Vector3::from_fn(|_, _| random.between(-size, size));
        let (turn, w, v) = (triple(1.0), triple(2.0), triple(0.5));
        let other = Base::Floating {
            X_WR: Isometry3::new(Vector3::new(0.02, 0.01, 0.15), turn),
            w_WR: w,
            v_WR: v - Vector3::z(),
        };
        let pair = plant(0.5, 0.3);
        let built = PlantBuilder::gravity(pair, [0.0; 3]).model("a", cuboid(1.0, [0.05; 3]), at(0.0, 0.0, 1.0)).model(
            "b",
            cuboid(1.0, [0.05; 3]),
            match other {
                Base::Floating { mut X_WR, w_WR, v_WR } => {
                    X_WR.translation.vector.z += 1.0;
                    Base::Floating { X_WR, w_WR, v_WR }
                }
                fixed => fixed,
            },
        );
        let options = with(VolumeOptions { correction, ..VolumeOptions::default() });
        let mut simulation = Simulation::new(&alone(built), options).unwrap();
        let of = |s: &mut Simulation| {
            let [(wa, va), (wb, vb)] = ["a", "b"].map(|name| velocity(s, name));
            let inertia = 2.0 * 0.0025 / 3.0;
            (va + vb, 0.5 * (va.norm_squared() + vb.norm_squared() + inertia * (wa.norm_squared() + wb.norm_squared())))
        };
        let (momentum, mut energy) = of(&mut simulation);
        let mut touched = false;
        for i in 1..=50 {
            simulation.advance_to(2.0 * H * f64::from(i)).unwrap();
            let (now, left) = of(&mut simulation);
            assert!((now - momentum).norm() < 1e-12, "{now} {momentum}");
            assert!(left < energy * (1.0 + most), "{left} {energy}");
            touched |= left < energy * (1.0 - 1e-6);
            energy = left;
        }
        assert!(touched);
    }
}
