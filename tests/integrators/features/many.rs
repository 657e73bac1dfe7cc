//! Fibres, and contact in many points and by volume.
#![allow(non_snake_case)] // poses are X_BG

use super::contact::{push, pushed_along};
use super::{Case, family, value};
use crate::common::meshes::{of_mesh, prism};
use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::{NEAR_RIGID, RIGID};
use kinegraph::systems::geometry::{ExactMesh, Points, Shape};
use kinegraph::systems::multibody::fibre::{Curve, Fibre, FibreEnd, FibreMaterial, Section};
use kinegraph::systems::multibody::plant::{ContactModel, ContactParameters, Hydroelastics};
use kinegraph::systems::multibody::proximity::Proximity;
use kinegraph::systems::multibody::{Base, Collision, Model, PlantBuilder};
use nalgebra::{Isometry3, UnitQuaternion, Vector3};
use std::f64::consts::FRAC_PI_2;

const G: f64 = 9.81;

/// Number of elements of a fibre of 1 m and 1 kg, its stiffnesses \[N m²; N\], and the load on its tip \[N\].
const ELEMENTS: usize = 3;
const BENDING: f64 = 30.0;
const STRETCH: f64 = 1e3;
const LOAD: f64 = 1.0;

/// A clamped fibre, thick enough that its twist is slow, and damped so that its first mode has decayed after a second.
fn cantilever() -> Diagram {
    let section = Section::Given { stretch: [STRETCH; 3], bend: [BENDING; 3], mass: 1.0, radius: 0.2 };
    let material = FibreMaterial { young: 1.0, shear: 1.0, density: 1.0, damping: 0.03 };
    let line = Curve::Polyline(vec![Vector3::zeros(), Vector3::x()]);
    let ends = [FibreEnd::Clamped("world".into()), FibreEnd::Free];
    let fibre = Fibre { ends, contact_radius: Some(0.0), ..Fibre::new("rod", line, ELEMENTS, section, material) };
    let mut b = DiagramBuilder::new("cantilever");
    let plant = b.add("plant", PlantBuilder::new().gravity([0.0; 3]).fibre(fibre).build().unwrap());
    let mut load = vec![0.0; 6 * ELEMENTS];
    load[6 * ELEMENTS - 2] = LOAD;
    b.fix(plant.applied_generalized_force("rod"), load);
    b.build().unwrap()
}

pub const FIBRES: Case = Case {
    feature: "fibres",
    diagram: cantilever,
    check: |simulation, found| {
        simulation.advance_to(1.0)?;
        // Each element has the curvature of its middle, and the direction of its middle.
        let length = 1.0 / ELEMENTS as f64;
        let curvature = |e: usize| LOAD * (1.0 - (e as f64 + 0.5) * length) / BENDING;
        let direction = |e: usize| length * ((0..e).map(curvature).sum::<f64>() + 0.5 * curvature(e));
        let tip: f64 = (0..ELEMENTS).map(|e| length * direction(e)).sum::<f64>() + LOAD / STRETCH;
        let last = format!("plant.rod.n{ELEMENTS}");
        found.near("deflection", value(simulation, &format!("{last}.pose.py")), tip, 0.01 * tip);
        found.near("shortening", value(simulation, &format!("{last}.pose.px")), 1.0, tip * tip);
        found.near("carried at the clamp", value(simulation, "plant.constraints.rod.e0.fy").abs(), LOAD, 0.02 * LOAD);
        Ok(())
    },
};

/// Plates on each other, each on four balls under it: statically indeterminate.
const PLATES: usize = 2;
const BALLS: usize = 4;
const STIFFNESS: f64 = 1e4;
const RADIUS: f64 = 0.01;
const THICKNESS: f64 = 0.02;

fn plate() -> Model {
    let mut model = cuboid(1.0, [0.12, 0.12, 0.5 * THICKNESS]);
    let body = &mut model.links[0];
    body.collisions.extend((0..BALLS).map(|i| {
        let [x, y] = [i / 2, i % 2].map(|k| 0.2 * (k as f64 - 0.5));
        let X_BG = Isometry3::translation(x, y, -0.5 * THICKNESS);
        Collision { name: String::new(), X_BG, shape: Shape::Sphere { radius: RADIUS }, surface: None }
    }));
    model
}

/// Depth to which plate `i` and those below sink \[m\].
fn sunk(i: usize) -> f64 {
    (0..=i).map(|k| (PLATES - k) as f64 * G / (BALLS as f64 * STIFFNESS)).sum()
}

fn height(i: usize) -> f64 {
    i as f64 * (THICKNESS + RADIUS) + RADIUS + 0.5 * THICKNESS
}

fn column() -> Diagram {
    let mut plant = PlantBuilder::new().ground(0.0).contact(contact(STIFFNESS, 20.0, 0.5));
    for i in 0..PLATES {
        plant = plant.model(format!("p{i}"), plate(), at(0.0, 0.0, height(i) - 0.98 * sunk(i)));
    }
    alone(plant)
}

pub const MANY: Case = Case {
    feature: "contact in more points than determine its forces",
    diagram: column,
    check: |simulation, found| {
        simulation.advance_to(0.2)?;
        for i in 0..PLATES {
            let name = format!("p{i}");
            let [.., fz] = simulation.contact_results("plant").unwrap().force_on(&format!("{name}/body"));
            found.near(format!("the weight of {name}"), fz, G, 0.02 * G);
            let (expected, tolerance) = match family(simulation) {
                RIGID => (height(i), 1e-4),
                _ => (height(i) - sunk(i), 0.02 * sunk(i)),
            };
            let p = position(simulation, &name);
            found.near(format!("height of {name}"), p.z, expected, tolerance);
            found.near(format!("{name} aside"), p.xy().norm(), 0.0, 1e-4);
        }
        let patches = simulation.contact_results("plant").unwrap().patches().len();
        found.near("pairs", patches as f64, (PLATES * BALLS) as f64, 0.0);
        Ok(())
    },
};

/// A bridge on two feet, and the floor under it: half width and half height \[m\]. The feet are the outer fifths.
const WIDE: f64 = 0.2;
const HIGH: f64 = 0.02;
const FLOOR: f64 = 0.5;

/// A surface along y over an outline in the x-z plane.
fn along_y(outline: &[[f64; 2]], caps: &[[u32; 3]], half: f64) -> (ExactMesh, Isometry3<f64>) {
    let turn = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), FRAC_PI_2);
    (prism(outline, caps, [-half, half]), Isometry3::from_parts(Vector3::zeros().into(), turn))
}

fn bridge() -> Model {
    let (w, h, foot) = (WIDE, HIGH, 0.6 * WIDE);
    let outline = [[-w, -h], [-foot, -h], [-foot, 0.0], [foot, 0.0], [foot, -h], [w, -h], [w, h], [-w, h]];
    let caps = [[0, 1, 2], [0, 2, 7], [2, 3, 7], [3, 6, 7], [3, 4, 5], [3, 5, 6]];
    let (mesh, X_BG) = along_y(&outline, &caps, WIDE);
    of_mesh(mesh, X_BG, 1.0, Vector3::new(0.02, 0.02, 0.03))
}

fn floor() -> Model {
    let outline = [[-2.0, -FLOOR], [2.0, -FLOOR], [2.0, 0.0], [-2.0, 0.0]];
    let (mesh, X_BG) = along_y(&outline, &[[0, 1, 2], [0, 2, 3]], 3.0);
    of_mesh(mesh, X_BG, 1.0, Vector3::repeat(1.0))
}

/// Stiffness of a bridge's foot \[N/m\], and the depth to which it sinks.
const FEET: f64 = 1e5;
const SETTLED: f64 = G / FEET;
/// Force that pushes it \[N\], and its friction.
const PUSH: f64 = 0.8 * G;
const RUBS: f64 = 0.5;

fn bridges() -> Diagram {
    let contact = ContactParameters { points: Points::LocalMinima, ..contact(FEET, 20.0, RUBS) };
    let plant = PlantBuilder::new().contact(contact).model("floor", floor(), Base::fixed());
    let mut b = DiagramBuilder::new("bridge");
    let plant = b.add("plant", plant.model("bridge", bridge(), at(0.0, 0.0, HIGH - SETTLED)).build().unwrap());
    // With the moment of friction about its middle taken off, it does not lean.
    b.fix(plant.applied_spatial_force("bridge"), [0.0, -HIGH * RUBS * G, 0.0, PUSH, 0.0, 0.0]);
    b.build().unwrap()
}

pub const MINIMA: Case = Case {
    feature: "contact in local minima of the distance",
    diagram: bridges,
    check: |simulation, found| {
        simulation.advance_to(0.05)?;
        let before = velocity(simulation, "bridge").1.x;
        simulation.advance_to(0.1)?;
        let after = velocity(simulation, "bridge").1.x;
        // By the law of SAP what slides hops.
        let off = if family(simulation) == NEAR_RIGID { 0.03 * G } else { 0.01 * G };
        found.near("acceleration", (after - before) / 0.05, PUSH - RUBS * G, off);
        if family(simulation) == NEAR_RIGID {
            return Ok(());
        }
        let (expected, tolerance) = match family(simulation) {
            RIGID => (HIGH, SETTLED),
            _ => (HIGH - SETTLED, 0.02 * SETTLED),
        };
        found.near("depth", position(simulation, "bridge").z, expected, tolerance);
        let [.., fz] = simulation.contact_results("plant").unwrap().force_on("bridge/body");
        found.near("the weight", fz, G, 0.01 * G);
        Ok(())
    },
};

/// For contact by volume: modulus over the half width of the boxes is their stiffness \[N/m³\].
const MODULUS: f64 = 1e5;
const HALF: [f64; 3] = [0.1, 0.1, 0.02];

/// Two flat boxes.
fn by_volume() -> Diagram {
    let model = ContactModel::Volume;
    let hydroelastics = Hydroelastics { model, bodies: Proximity::compliant(MODULUS), ..Hydroelastics::default() };
    let resting = HALF[2] - depth();
    let plant = PlantBuilder::new()
        .ground(0.0)
        .contact(contact(1e4, 20.0, 0.5))
        .hydroelastics(hydroelastics)
        .model("held", cuboid(1.0, HALF), at(0.0, 0.0, resting))
        .model("slides", cuboid(1.0, HALF), at(0.0, 1.0, resting));
    pushed_along(plant)
}

fn depth() -> f64 {
    G * HALF[2] / (MODULUS * 4.0 * HALF[0] * HALF[1])
}

pub const VOLUME: Case = Case {
    feature: "contact by volume",
    diagram: by_volume,
    check: |simulation, found| {
        // By the law of SAP what slides hops.
        let off = if family(simulation) == NEAR_RIGID { 0.03 * G } else { 0.01 * G };
        push(simulation, found, off)?;
        let (expected, tolerance) = match family(simulation) {
            RIGID => (HALF[2], 2e-5),
            _ => (HALF[2] - depth(), 0.05 * depth()),
        };
        found.near("depth", position(simulation, "held").z, expected, tolerance);
        let [.., fz] = simulation.contact_results("plant").unwrap().force_on("held/body");
        found.near("the weight", fz, G, 0.01 * G);
        Ok(())
    },
};
