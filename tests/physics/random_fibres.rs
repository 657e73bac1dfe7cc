//! Random fibres with every section, curve and support, in contact with bodies: they are refused with a reason, or
//! move, by every method, and values stay finite. Every seventh scene of 200; with `KINEGRAPH_WHOLE=1` all of them, in
//! three minutes. The outcome of each is printed.

#![allow(non_snake_case)] // poses are X_WR

use crate::common::meshes::prism;
use crate::common::*;
use kinegraph::diagram::DiagramBuilder;
use kinegraph::integrators::{METHODS, Options};
use kinegraph::simulate::{RunError, Simulation};
use kinegraph::systems::geometry::{Points, Shape};
use kinegraph::systems::multibody::fibre::{Curve, Fibre, FibreEnd, FibreMaterial, NaturalShape, Section};
use kinegraph::systems::multibody::plant::ContactParameters;
use kinegraph::systems::multibody::{Base, Model, MultibodyPlant, PlantBuilder};
use nalgebra::{Isometry3, UnitQuaternion, Vector3};
use std::sync::Arc;

const SCENES: u64 = 200;
/// Stride without `KINEGRAPH_WHOLE`; it has no common factor with the number of methods.
const STRIDE: usize = 7;
/// Simulated time \[s\].
const TIME: f64 = 0.02;
/// Maximum number of attempts at steps of one scene, after which it is left as slow.
const MAX_ATTEMPTS: usize = 60;

fn vector(random: &mut Random, size: f64) -> Vector3<f64> {
    Vector3::from_fn(|_, _| random.between(-size, size))
}

fn one_of<const N: usize>(random: &mut Random) -> usize {
    (N as f64 * random.part()) as usize
}

/// Across a region of about 0.2 m around the origin; now and then short, or nearly in one point.
fn curve(random: &mut Random) -> Curve {
    let size = if random.part() < 0.1 { random.log(1e-6, 0.1) } else { 0.2 };
    let (centre, axis) = (vector(random, 0.1), vector(random, 1.0));
    match one_of::<4>(random) {
        0 => Curve::Polyline(vec![centre - axis * size, centre + axis * size]),
        1 => {
            let points = 3 + one_of::<4>(random);
            Curve::Polyline((0..points).map(|_| centre + vector(random, size)).collect())
        }
        2 => Curve::Circle { centre, axis, radius: size * random.log(0.01, 1.0) },
        _ => {
            let (radius, pitch) = (size * random.log(0.01, 1.0), size * random.between(-0.5, 0.5));
            Curve::Helix { centre, axis, radius, pitch, turns: random.between(-4.0, 4.0) }
        }
    }
}

fn section(random: &mut Random) -> Section {
    let radius = random.log(1e-4, 2e-2);
    match one_of::<4>(random) {
        0 => Section::Circle { radius },
        1 => Section::Tube { outer: radius, inner: radius * random.between(0.0, 1.0) },
        2 => Section::Rectangle { width: radius, height: radius * random.log(1e-2, 10.0) },
        _ => Section::Given {
            stretch: [0.0; 3].map(|_: f64| random.log(1.0, 1e7)),
            bend: [0.0; 3].map(|_: f64| random.log(1e-7, 10.0)),
            mass: random.log(1e-4, 1.0),
            radius,
        },
    }
}

fn fibre(random: &mut Random, name: &str, links: &[&str]) -> Fibre {
    let material = FibreMaterial {
        damping: if random.part() < 0.3 { 0.0 } else { random.log(1e-6, 0.1) },
        ..FibreMaterial::isotropic(random.log(1e3, 1e12), random.between(0.0, 0.5), random.log(10.0, 2e4))
    };
    let curve = curve(random);
    let elements = 1 + one_of::<40>(random);
    let section = section(random);
    let held = curve.is_closed();
    let mut end = || {
        let link = links[(links.len() as f64 * random.part()) as usize].to_owned();
        match one_of::<4>(random) {
            0 if !held => FibreEnd::Clamped(link),
            1 if !held => FibreEnd::Pinned(link),
            _ => FibreEnd::Free,
        }
    };
    let ends = [end(), end()];
    Fibre {
        natural: if random.part() < 0.3 { NaturalShape::Straight } else { NaturalShape::Start },
        twist: if random.part() < 0.3 { random.between(-6.0, 6.0) } else { 0.0 },
        contact_radius: (random.part() < 0.2).then(|| if random.part() < 0.2 { 0.0 } else { random.log(1e-4, 0.05) }),
        self_contact: random.part() < 0.5,
        smooth_contact: random.part() < 0.3,
        ends,
        ..Fibre::new(name, curve, elements, section, material)
    }
}

/// A ball, a box, a cylinder or, of `kinds` four, an angle that is not convex.
fn obstacle(random: &mut Random, kinds: usize) -> Model {
    let (mass, size) = (random.log(1e-2, 10.0), random.log(1e-2, 0.1));
    match (random.part() * kinds as f64) as usize {
        0 => ball(mass, size),
        1 => cuboid(mass, [0.0; 3].map(|_: f64| size * random.log(0.1, 1.0))),
        2 => solid(Shape::Cylinder { radius: size, half_length: size * random.log(0.1, 3.0) }, mass),
        _ => {
            let outline = [[-1.0, -1.0], [1.0, -1.0], [1.0, -0.4], [-0.4, -0.4], [-0.4, 1.0], [-1.0, 1.0]];
            let caps = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]];
            let mesh = prism(&outline.map(|p| p.map(|x| x * size)), &caps, [-size, size]);
            let mut model = cuboid(mass, [size; 3]);
            model.links[0].collisions[0].shape = Shape::Mesh(Arc::new(mesh));
            model
        }
    }
}

/// One or two fibres among two or three bodies, over a floor; now and then pulled.
fn scene(seed: u64) -> Result<DiagramBuilder, String> {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let random = &mut random;
    let pair = contact(random.log(1e2, 1e7), random.log(0.1, 100.0), random.between(0.0, 1.5));
    let points = if random.part() < 0.2 { Points::LocalMinima } else { Points::Manifold };
    let mut plant =
        PlantBuilder::new().contact(ContactParameters { points, ..pair }).gravity(vector(random, 20.0).into());
    if random.part() < 0.5 {
        plant = plant.ground(-0.1);
    }
    let mut links = vec!["world"];
    for (name, link, kinds) in [("b0", "b0/body", 4), ("b1", "b1/body", 3)] {
        let turn = UnitQuaternion::from_scaled_axis(vector(random, 3.0));
        let X_WR = Isometry3::from_parts(vector(random, 0.15).into(), turn);
        let (w_WR, v_WR) = (vector(random, 5.0), vector(random, 1.0));
        let base = if random.part() < 0.3 { Base::Fixed { X_WR } } else { Base::Floating { X_WR, w_WR, v_WR } };
        plant = plant.model(name, obstacle(random, kinds), base);
        links.push(link);
    }
    let names = &["f0", "f1"][..1 + usize::from(random.part() < 0.3)];
    for name in names {
        plant = plant.fibre(fibre(random, name, &links));
    }
    let plant: MultibodyPlant = plant.build().map_err(|error| error.to_string())?;
    let mut builder = DiagramBuilder::new("fibres");
    let pull = (random.part() < 0.3).then(|| random.log(1e-3, 10.0));
    let first = plant.tree().models().iter().find(|part| part.name == "f0").map_or(0, |part| part.velocities.len());
    let plant = builder.add("plant", plant);
    if let Some(pull) = pull {
        let forces = (0..first).map(|_| random.between(-pull, pull) * if random.part() < 0.1 { 1.0 } else { 0.0 });
        builder.fix(plant.applied_generalized_force("f0"), forces.collect::<Vec<f64>>());
    }
    Ok(builder)
}

/// Outcome of a scene.
enum End {
    /// No plant, for this reason.
    Refused(String),
    /// At the end of its time; `touched` if there was contact.
    Done { touched: bool },
    /// Still running after the maximum number of attempts.
    Slow,
    /// Stopped, for this reason.
    Stopped(RunError),
}

fn run_scene(seed: u64, options: Options) -> End {
    let diagram = match scene(seed) {
        Ok(builder) => builder.build().unwrap_or_else(|error| panic!("{seed}: {error}")),
        Err(reason) => return End::Refused(reason),
    };
    let mut simulation = Simulation::new(&diagram, options).unwrap_or_else(|error| panic!("{seed}: {error}"));
    while simulation.time() < TIME {
        if attempts(&simulation) > MAX_ATTEMPTS {
            return End::Slow;
        }
        let stepped = simulation.step(TIME);
        let state = &simulation.state().continuous;
        assert!(state.iter().all(|x| x.is_finite()), "{seed}, {}: {state:?}", options.integrator.name);
        if let Err(error) = stepped {
            return End::Stopped(error);
        }
    }
    End::Done { touched: simulation.statistics().max_contacts > 0 }
}

#[test]
fn random_fibres_stay_numbers() {
    let is_whole = std::env::var_os("KINEGRAPH_WHOLE").is_some();
    let (mut refused, mut done, mut touching, mut slow) = (0, 0, 0, 0);
    let mut stopped = Vec::new();
    for seed in (0..SCENES).step_by(if is_whole { 1 } else { STRIDE }) {
        let method = METHODS[seed as usize % METHODS.len()];
        let end = run_scene(seed, Options::from(method));
        let what = match &end {
            End::Refused(reason) => format!("refused: {reason}"),
            End::Done { touched } => format!("done, touched: {touched}"),
            End::Slow => format!("goes on after {MAX_ATTEMPTS} attempts"),
            End::Stopped(error) => format!("stopped: {error}"),
        };
        println!("{seed} {}: {what}", method.name);
        match end {
            End::Refused(reason) => {
                refused += 1;
                assert!(reason.contains("f0") || reason.contains("f1"), "{seed} names the fibre: {reason}");
            }
            End::Done { touched } => (done, touching) = (done + 1, touching + usize::from(touched)),
            End::Slow => slow += 1,
            End::Stopped(error) => stopped.push((seed, method.name, error)),
        }
    }
    println!("{done} done, {touching} of them touched, {slow} slow, {refused} refused, {} stopped", stopped.len());
    // A fibre that is bent too far for its elements, and steps of fixed length that are too long, say so.
    let unclear = stopped.iter().filter(|(_, _, error)| {
        !matches!(error, RunError::Integrator(_) | RunError::NoEnd { .. } | RunError::Overbent { .. })
    });
    assert_eq!(unclear.count(), 0, "{stopped:#?}");
    assert!(done > 5 && touching > 0, "{done} {touching}");
}
