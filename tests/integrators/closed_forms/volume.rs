//! Contact by volume: a cube that spins, two that collide, one on an edge.

use super::{Pace, at_rest, by_every_method, gone_on};
use crate::common::*;
use kinegraph::integrators::{Family, NEAR_RIGID, OfOptions, Options, RIGID};
use kinegraph::simulate::Simulation;
use kinegraph::systems::multibody::plant::{ContactModel, Hydroelastics};
use kinegraph::systems::multibody::proximity::Proximity;
use kinegraph::systems::multibody::{Base, PlantBuilder};
use nalgebra::{Isometry3, Vector3};

pub(super) const FEATURE: &str = "contact by volume";
pub(super) const G: f64 = 9.81;
/// Modulus \[Pa\] and half the width of cubes \[m\].
pub(super) const E: f64 = 1e6;
/// For collisions and spins.
const PACE: Pace = Pace { step: 1e-3, accuracy: 1e-5, time: 0.05, short: 2e-4, short_time: 0.05 };
pub(super) const HALF: f64 = 0.05;

pub(super) fn plant(modulus: f64, friction: f64) -> PlantBuilder {
    let model = ContactModel::Volume;
    let hydroelastics = Hydroelastics { model, bodies: Proximity::compliant(modulus), ..Hydroelastics::default() };
    PlantBuilder::new().contact(contact(1e5, 20.0, friction)).hydroelastics(hydroelastics)
}

/// Depth to which a side sinks under `mass`.
pub(super) fn sunk(mass: f64) -> f64 {
    mass * G * HALF / (E * 4.0 * HALF * HALF)
}

/// A spinning square is braked by `0.7652 μ N a` under even pressure, and under `sap` as its law spreads the pressure.
/// Rigid methods have the friction of a patch in its points, which miss even pressure by 4 %.
#[test]
fn every_method_brakes_a_spin_by_volume() {
    let (friction, mass) = (0.3, MASS);
    let base = thrown([0.0, 0.0, HALF - sunk(mass)], [0.0, 0.0, 20.0], [0.0; 3]);
    let diagram = alone(plant(E, friction).ground(0.0).model("cube", cuboid(mass, [HALF; 3]), base));
    by_every_method(FEATURE, &PACE, |options, family, found| {
        let in_points = family == RIGID && options.integrator.name != "volume";
        let mut simulation = Simulation::new(&diagram, options).unwrap();
        simulation.advance_to(PACE.time(family))?;
        let torque = INERTIA * MASS * (20.0 - velocity(&mut simulation, "cube").0.z)
            / PACE.time(family)
            / (friction * mass * G * HALF);
        let (expected, within) = match family {
            NEAR_RIGID => (braked_on_a_gap(PACE.step, friction), 0.12),
            _ if in_points => (0.7652, 0.05),
            _ => (0.7652, 0.01),
        };
        found.near("torque", torque, expected, within * expected);
        Ok(())
    });
}

/// For the cube that spins: mass \[kg\], and inertia about its axis over that \[m²\].
const MASS: f64 = 0.5;
const INERTIA: f64 = 2.0 * HALF * HALF / 3.0;

/// The torque over `μ N a` that brakes a square by the law of SAP in steps of `h`, over 50 ms. What slides at the speed
/// s is carried on a gap of `2 h μ s`, so that a point at the radius r presses with `h k (d - 2 h v + 2 h μ ω r)`, d
/// its depth and v the speed upwards, or with nothing: the corners, which are fastest, press most, and the cube hops.
fn braked_on_a_gap(h: f64, friction: f64) -> f64 {
    const SIDE: usize = 12;
    let place = |i: usize| (i as f64 + 0.5) / SIDE as f64 * HALF;
    let radii: Vec<f64> = (0..SIDE * SIDE).map(|i| place(i % SIDE).hypot(place(i / SIDE))).collect();
    let stiffness = E * 4.0 * HALF / radii.len() as f64;
    let (mut depth, mut up, mut spin) = (sunk(MASS), 0.0, 20.0);
    for _ in 0..(PACE.time / h).round() as usize {
        let mut impulses = (0.0, 0.0);
        let mut end = up - G * h;
        if depth > 0.0 {
            let mut braked = spin;
            // The force falls with the speed upwards: by halves, and the spin at the end of the step by iteration.
            for _ in 0..3 {
                let (mut low, mut high) = (up - G * h, up + 20.0);
                for _ in 0..50 {
                    end = 0.5 * (low + high);
                    let of = |r: f64| h * stiffness * (depth - 2.0 * h * (end - friction * braked * r)).max(0.0);
                    impulses = radii.iter().fold((0.0, 0.0), |(n, t), &r| (n + of(r), t + r * of(r)));
                    if MASS * (end - up + G * h) < impulses.0 { low = end } else { high = end }
                }
                braked = spin - friction * impulses.1 / (MASS * INERTIA);
            }
            spin = braked;
        }
        up = end;
        depth -= h * up;
    }
    MASS * INERTIA * (20.0 - spin) / PACE.time / (friction * MASS * G * HALF)
}

/// The shorter the steps of SAP, the smaller its gap, and the nearer its friction is to that of even pressure.
#[test]
fn sap_brakes_a_spin_as_its_gap_says() {
    let friction = 0.3;
    let base = thrown([0.0, 0.0, HALF - sunk(MASS)], [0.0, 0.0, 20.0], [0.0; 3]);
    let diagram = alone(plant(E, friction).ground(0.0).model("cube", cuboid(MASS, [HALF; 3]), base));
    let [long, short] = [1e-3, 1e-4].map(|step| {
        let mut simulation = run(&diagram, Options::sap(step), PACE.time);
        let slowed = 20.0 - velocity(&mut simulation, "cube").0.z;
        let torque = MASS * INERTIA * slowed / PACE.time / (friction * MASS * G * HALF);
        let law = braked_on_a_gap(step, friction);
        assert!((torque - law).abs() < 0.12 * law, "{torque}, {law} with steps of {step} s");
        torque
    });
    assert!(short < 0.9 * long, "{short} {long}");
}

/// Impulses on two bodies are opposite, and the energy does not grow.
#[test]
fn every_method_keeps_the_momentum_of_bodies_that_meet_by_volume() {
    let turned = Isometry3::new(Vector3::new(0.02, 0.01, 1.13), Vector3::new(0.5, 0.3, 0.2));
    let falls = Base::Floating { X_WR: turned, w_WR: Vector3::new(0.5, -1.0, 0.3), v_WR: -Vector3::z() };
    let pair = plant(E, 0.3).gravity([0.0; 3]).model("a", cuboid(1.0, [HALF; 3]), at(0.0, 0.0, 1.0)).model(
        "b",
        cuboid(1.0, [HALF; 3]),
        falls,
    );
    let diagram = alone(pair);
    by_every_method(FEATURE, &PACE, |options, family, found| {
        let mut simulation = Simulation::new(&diagram, options).unwrap();
        let of = |s: &mut Simulation| {
            let [(wa, va), (wb, vb)] = ["a", "b"].map(|name| velocity(s, name));
            let inertia = 2.0 * HALF * HALF / 3.0;
            let spin = inertia * (wa.norm_squared() + wb.norm_squared());
            (va + vb, 0.5 * (va.norm_squared() + vb.norm_squared() + spin))
        };
        let (momentum, energy) = of(&mut simulation);
        simulation.advance_to(PACE.time(family) + 0.05)?;
        let (now, left) = of(&mut simulation);
        found.near("momentum", (now - momentum).norm(), 0.0, 1e-9);
        found.holds("they met", left < 0.95 * energy);
        Ok(())
    });
}

/// A cube that is set on the edge of a table falls if its centre is outside, and stays if it is inside.
#[test]
fn every_method_sets_a_cube_on_an_edge_by_volume() {
    let on_edge = |offset: f64| {
        let fixed = Base::Fixed { X_WR: Isometry3::translation(0.0, 0.0, 0.1) };
        let plant = plant(1e7, 0.5).model("table", cuboid(10.0, [0.1; 3]), fixed);
        alone(plant.model("cube", cuboid(0.2, [0.03; 3]), at(0.1 + offset, 0.0, 0.23)))
    };
    for offset in [-0.01, 0.01] {
        // A cube that falls has begun to lean.
        let start = at_rest(&on_edge(offset), 2e-3, if offset > 0.0 { 0.2 } else { 0.5 });
        let pace = Pace { step: 2e-3, accuracy: 1e-4, time: 0.3, short: 2e-4, short_time: 0.3 };
        by_every_method(FEATURE, &pace, |options, family, found| {
            let mut simulation = gone_on(&start, options, pace.time(family))?;
            let z = position(&mut simulation, "cube").z;
            if offset > 0.0 {
                found.holds(format!("it falls: {z}"), z < 0.2);
            } else {
                found.near("it stays", z, 0.23, 1e-3);
                let turns = if family == Family::EXPLICIT { 5e-2 } else { 1e-2 };
                found.near("at rest", velocity(&mut simulation, "cube").0.norm(), 0.0, turns);
            }
            Ok(())
        });
    }
}
