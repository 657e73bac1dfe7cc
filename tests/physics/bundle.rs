//! A bundle of fibres that is pushed through a funnel into a square hole, which it fills to two thirds.

use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::{OfOptions, Options};
use kinegraph::simulate::Simulation;
use kinegraph::systems::geometry::Shape;
use kinegraph::systems::multibody::fibre::{Curve, Fibre, FibreMaterial, Section};
use kinegraph::systems::multibody::{Base, Collision, Link, Model, PlantBuilder};
use nalgebra::{Isometry3, Quaternion, UnitQuaternion, Vector3};
use std::f64::consts::{FRAC_PI_2, PI};

const COUNT: usize = 4;
const NODES: usize = 20;
const LENGTH: f64 = 0.1;
const RADIUS: f64 = 5e-4;
const DENSITY: f64 = 1200.0;
/// Force on the upper end of each \[N\].
const PUSH: f64 = 2e-3;
/// Half angle of the funnel \[rad\].
const LEAN: f64 = 10.0 * PI / 180.0;
const H: f64 = 2e-4;

/// Half the width of a hole that the fibres fill to two thirds: 10 mm for 84 of them.
fn half() -> f64 {
    0.005 * (COUNT as f64 / 84.0).sqrt()
}

/// Four plates that lean, above four walls of the hole: boxes 2 mm thick.
fn funnel() -> Model {
    let (long, deep, thick) = (0.09, 0.03, 0.002);
    let wall = |x: f64, z: f64, lean: f64, yaw: f64, size: [f64; 3]| {
        let turn = UnitQuaternion::from_euler_angles(0.0, 0.0, yaw);
        let place = turn * Vector3::new(x, 0.0, z);
        let turn = turn * UnitQuaternion::from_euler_angles(0.0, lean, 0.0);
        let shape = Shape::Box { half_extents: Vector3::from(size) * 0.5 };
        Collision { name: String::new(), X_BG: Isometry3::from_parts(place.into(), turn), shape, surface: None }
    };
    let (sin, cos) = LEAN.sin_cos();
    let wide = 2.0 * (half() + long * sin) + 0.01;
    let plate = (half() + 0.5 * thick * cos + 0.5 * long * sin, 0.5 * long * cos - 0.5 * thick * sin);
    let collisions = (0..4).map(|side| f64::from(side) * FRAC_PI_2).flat_map(|yaw| {
        let upper = wall(plate.0, plate.1, LEAN, yaw, [thick, wide, long]);
        let lower = wall(half() + 0.5 * thick, -0.5 * deep, 0.0, yaw, [thick, 2.0 * (half() + thick), deep]);
        [upper, lower]
    });
    let link = Link { name: "funnel".into(), collisions: collisions.collect(), ..Link::default() };
    Model { name: "funnel".into(), links: vec![link], ..Model::default() }
}

/// The inner fibres are ahead.
fn bundle() -> Diagram {
    let row = (COUNT as f64).sqrt().ceil() as usize;
    let pitch = 2.2 * 2.0 * half() / row as f64;
    let middle = 0.5 * (row as f64 - 1.0);
    let mut places: Vec<(f64, f64)> =
        (0..row * row).map(|i| (((i / row) as f64 - middle) * pitch, ((i % row) as f64 - middle) * pitch)).collect();
    places.sort_by(|a, b| a.0.hypot(a.1).total_cmp(&b.0.hypot(b.1)));
    let far = places[COUNT - 1].0.hypot(places[COUNT - 1].1);
    let top = (far + 2.0 * RADIUS - half()) / LEAN.tan();
    let material = FibreMaterial { damping: 1e-4, ..FibreMaterial::isotropic(3e9, 0.35, DENSITY) };
    let mut plant = PlantBuilder::new().contact(contact(1e4, 10.0, 0.2)).model("funnel", funnel(), Base::fixed());
    for (k, (x, y)) in places[..COUNT].iter().enumerate() {
        let z = top + RADIUS * k as f64;
        let line = [z, z + LENGTH].map(|z| Vector3::new(*x, *y, z)).to_vec();
        let section = Section::Circle { radius: RADIUS };
        plant = plant.fibre(Fibre::new(format!("f{k}"), Curve::Polyline(line), NODES - 1, section, material));
    }
    let mut b = DiagramBuilder::new("bundle");
    let plant = b.add("plant", plant.build().unwrap_or_else(|e| panic!("{e}")));
    let mut force = vec![0.0; 6 * NODES];
    force[6 * NODES - 1] = -PUSH;
    (0..COUNT).for_each(|k| b.fix(plant.applied_generalized_force(&format!("f{k}")), force.clone()));
    b.build().unwrap()
}

/// Force along z that the motion from one state to the next requires \[N\]: pieces at the ends have their centre of
/// mass beside their node, in the direction that the step predicts.
fn asked(before: &[f64], after: &[f64]) -> f64 {
    let total = COUNT * NODES;
    let piece = DENSITY * PI * RADIUS * RADIUS * LENGTH / (NODES - 1) as f64;
    let arm = 0.25 * LENGTH / (NODES - 1) as f64;
    let of_node = |node: usize| {
        let (mass, at) = match node % NODES {
            0 => (0.5, arm),
            last if last == NODES - 1 => (0.5, -arm),
            _ => (1.0, 0.0),
        };
        let q = &before[7 * node..];
        let motion = |x: &[f64]| {
            let v = &x[7 * total + 6 * node..][..6];
            (Vector3::from_column_slice(&v[..3]), Vector3::from_column_slice(&v[3..]))
        };
        let ((w0, u0), (w1, u1)) = (motion(before), motion(after));
        let turn = UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3]));
        let centre = UnitQuaternion::from_scaled_axis(w0 * H) * (turn * Vector3::x() * at);
        mass * piece * ((u1 - u0 + (w1 - w0).cross(&centre)) / H + w0.cross(&w0.cross(&centre))).z
    };
    (0..total).map(of_node).sum()
}

#[test]
fn a_bundle_passes_its_hole_in_balance() {
    let mut simulation = Simulation::new(&bundle(), Options::theta_gamma(H)).unwrap();
    let weight = 9.81 * COUNT as f64 * DENSITY * PI * RADIUS * RADIUS * LENGTH;
    let (mut most, mut off, mut before) = (0.0_f64, 0.0_f64, simulation.state().continuous.clone());
    for i in 1..=450 {
        simulation.advance_to(H * f64::from(i)).unwrap_or_else(|e| panic!("{e}"));
        let now = simulation.state().continuous.clone();
        let results = simulation.contact_results("plant").unwrap();
        let on_funnel = results.force_on("funnel/funnel")[2];
        let missing = -PUSH * COUNT as f64 - weight - on_funnel - asked(&before, &now);
        off = off.max(missing.abs());
        most = results.patches().iter().map(|patch| Vector3::from(patch.force).norm()).fold(most, f64::max);
        before = now;
    }
    let s = simulation.statistics();
    let pushes = PUSH * COUNT as f64;
    assert!(off < 1e-6 * pushes, "out of balance by {off} N");
    assert!(s.max_residual < 1e-6 * most, "{} N of {most} N", s.max_residual);
    assert!(s.max_penetration < 0.05 * RADIUS && s.max_contacts > 100, "{s:?}");
    assert!(most > 2.0 * PUSH, "they press on the funnel: {most} N");
    let lowest = (0..COUNT).map(|k| before[7 * NODES * k + 6]).fold(f64::NEG_INFINITY, f64::max);
    assert!(lowest < 0.0, "all are in the hole: {lowest}");
}
