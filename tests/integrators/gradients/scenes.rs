//! Scenes whose runs are differentiated, by lists of numbers.

use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::{ErrorWeights, Options};
use kinegraph::simulate::Simulation;
use kinegraph::simulate::gradient::{By, Gradient, GradientRequest, Of};
use kinegraph::systems::geometry::Shape;
use kinegraph::systems::multibody::plant::{ContactParameters, Material, StopLaw};
use kinegraph::systems::multibody::{Base, Collision, Inertia, JointKind, Link, Model, MultibodyPlant, PlantBuilder};
use nalgebra::{Isometry3, Matrix3, Vector3};

/// A diagram of numbers.
pub trait Scene: Fn(&[f64]) -> Diagram + Clone + Send + Sync + 'static {}

impl<F: Fn(&[f64]) -> Diagram + Clone + Send + Sync + 'static> Scene for F {}

fn diagram(plant: MultibodyPlant) -> Diagram {
    let mut b = DiagramBuilder::new("scene");
    b.add("plant", plant);
    b.build().unwrap()
}

/// A pendulum of 1 kg on 1 m that falls from `start` \[rad\] on a stop at 0.
pub fn pendulum(start: f64, law: StopLaw) -> Diagram {
    let mut hinge = joint("hinge", JointKind::Revolute, "base", "bob", Vector3::y());
    hinge.limits = (0.0, 3.0);
    let inertia = Inertia { mass: 1.0, p_BoBcm: Vector3::new(0.0, 0.0, -1.0), I_BBcm: Matrix3::zeros() };
    let bob = Link { name: "bob".into(), inertia: Some(inertia), ..Link::default() };
    let links = vec![Link { name: "base".into(), ..Link::default() }, bob];
    let model = Model { name: "pendulum".into(), links, joints: vec![hinge], ..Model::default() };
    let builder = PlantBuilder::new().model("p", model, Base::fixed()).stops("p/hinge", law);
    diagram(builder.initial("p/hinge", start, 0.0).build().unwrap())
}

/// A disk of 1 kg and 0.1 m in the plane of x and z over the ground: height, its rate, speed, spin; friction,
/// stiffness, dissipation.
pub fn disk(p: [f64; 7]) -> Diagram {
    diagram(with_disk(PlantBuilder::new(), p).build().unwrap())
}

/// The disk in a plane with a post of 0.05 m there.
pub fn disk_past(p: [f64; 7], post: [f64; 2]) -> Diagram {
    let X_BG = Isometry3::translation(post[0], 0.0, post[1]);
    let post = Collision { name: String::new(), X_BG, shape: Shape::Sphere { radius: 0.05 }, surface: None };
    let links = vec![Link { name: "post".into(), collisions: vec![post], ..Link::default() }];
    let model = Model { name: "post".into(), links, ..Model::default() };
    diagram(with_disk(PlantBuilder::new().model("post", model, Base::fixed()), p).build().unwrap())
}

fn with_disk(builder: PlantBuilder, p: [f64; 7]) -> PlantBuilder {
    let [z0, vz, vx, spin, friction, stiffness, dissipation] = p;
    let inertia = Inertia { mass: 1.0, p_BoBcm: Vector3::zeros(), I_BBcm: Matrix3::identity() * 0.005 };
    let shape = Shape::Sphere { radius: 0.1 };
    let ball = Collision { name: String::new(), X_BG: Isometry3::identity(), shape, surface: None };
    let empty = |name: &str| Link { name: name.into(), ..Link::default() };
    let disk = Link { name: "disk".into(), inertia: Some(inertia), collisions: vec![ball], ..Link::default() };
    let joints = vec![
        joint("x", JointKind::Prismatic, "base", "along", Vector3::x()),
        joint("z", JointKind::Prismatic, "along", "up", Vector3::z()),
        joint("turn", JointKind::Continuous, "up", "disk", Vector3::y()),
    ];
    let links = vec![empty("base"), empty("along"), empty("up"), disk];
    let model = Model { name: "disk".into(), links, joints, ..Model::default() };
    let pair = Material { stiffness, dissipation, static_friction: friction, dynamic_friction: friction };
    let contact = ContactParameters { pair, stiction_tolerance: 1e-3, ..ContactParameters::default() };
    let builder = builder.contact(contact).ground(0.0).model("d", model, Base::fixed());
    builder.initial("d/x", 0.0, vx).initial("d/z", z0, vz).initial("d/turn", 0.0, spin)
}

/// Derivatives of a measure of `scene` at the numbers `p`, by some of them.
pub fn gradient(scene: impl Scene, p: &[f64], by: &[usize], of: &str, until: f64, accuracy: f64) -> Gradient {
    let simulation = Simulation::new(&scene(p), Options::cenic(accuracy)).unwrap();
    let by = by.iter().map(|&i| {
        let (scene, p) = (scene.clone(), p.to_vec());
        By::parameter(format!("p{i}"), "", p[i], move |value| {
            let mut p = p.clone();
            p[i] = value;
            Ok(scene(&p))
        })
    });
    let of: Vec<Of> = vec![of.parse().unwrap()];
    simulation.gradient(&GradientRequest { of, by: by.collect(), until, at: Vec::new(), second_look: true }).unwrap()
}

/// Differences of tight runs of the continuous law: of a channel at the end by a number, with the `step`.
pub fn differences(scene: &impl Scene, p: &[f64], by: usize, channel: &str, until: f64, step: f64) -> f64 {
    differences_of(&tight(), scene, p, by, channel, until, step)
}

/// Options of tight runs.
pub fn tight() -> Options {
    Options { error_weights: ErrorWeights::STATE, ..Options::dopri5(1e-10) }
}

/// Differences of runs with these options.
pub fn differences_of(
    options: &Options,
    scene: &impl Scene,
    p: &[f64],
    by: usize,
    channel: &str,
    until: f64,
    step: f64,
) -> f64 {
    let end = |sign: f64| {
        let mut moved = p.to_vec();
        moved[by] += sign * step;
        let mut simulation = Simulation::new(&scene(&moved), *options).unwrap();
        simulation.advance_to(until).unwrap();
        simulation.channel(channel).unwrap()
    };
    (end(1.0) - end(-1.0)) / (2.0 * step)
}
