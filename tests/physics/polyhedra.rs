//! Convex polyhedra in motion: against a reference trajectory, energy, rest, and stacks as of boxes.

#![allow(non_snake_case)]

use crate::common::*;
use crate::reference::*;
use kinegraph::simulate::RunReport;
use kinegraph::systems::geometry::{self, ConvexHull, Points, Shape};
use kinegraph::systems::models::read_urdf;
use kinegraph::systems::multibody::{Base, Model, PlantBuilder};
use nalgebra::{Isometry3, Quaternion, UnitQuaternion, Vector3};
use std::sync::Arc;

const G: f64 = 9.81;

fn run_polyhedra(accuracy: &str, duration: f64) -> (RunReport, Samples, Reference) {
    run_by("cenic", accuracy, duration)
}

fn run_by(integrator: &str, accuracy: &str, duration: f64) -> (RunReport, Samples, Reference) {
    let settings = [
        format!("simulation.integrator={integrator}"),
        format!("simulation.accuracy={accuracy}"),
        format!("simulation.duration={duration}"),
        "record.every=0.05".into(),
    ];
    let (report, samples) = run_scene("polyhedra", &settings.each_ref().map(String::as_str));
    (report, samples, Reference::of("polyhedra"))
}

/// Largest deviation of any coordinate from the reference up to `until`.
fn deviation(samples: &Samples, reference: &Reference, until: f64) -> f64 {
    reference.errors(samples, until).1
}

/// Three bodies of 162, 162 and 42 vertices tumble over the ground. The motion is chaotic: the reference itself is
/// known to within 1e-3 for the first 1.5 s, and an impact shortly before that magnifies every difference. Until then,
/// over many changes of the lowest corner, ours converges to it: the error falls as the root of the accuracy, and is a
/// matter of chance by a factor of two. So the median of five accuracies counts. `dopri5`, which knows the law and no
/// convex step, is within 2e-5 of itself at 1e-12.
#[test]
fn tumbling_follows_the_reference_while_it_can_be_predicted() {
    // In free fall (where the reference, a method of first order, is off by 4e-5), through the first impacts, as far as
    // it goes.
    for (accuracy, bars) in
        [("1e-2", &[(0.3, 0.05), (0.6, 0.12)][..]), ("1e-4", &[(0.3, 1e-4), (0.4, 1e-3), (0.6, 2e-3)])]
    {
        let (_, samples, reference) = run_polyhedra(accuracy, bars[bars.len() - 1].0);
        for &(until, bar) in bars {
            let largest = deviation(&samples, &reference, until);
            assert!(largest < bar, "at {accuracy} until {until}: {largest:.2e}");
        }
    }
    let (_, samples, reference) = run_by("dopri5", "1e-9", 1.4);
    let exact = reference.coordinates_in(&samples);
    let apart = deviation(&samples, &reference, 1.4);
    assert!(apart < 5e-4, "the references are {apart:.2e} apart");
    let runs = ["1.6e-7", "1.3e-7", "1e-7", "8e-8", "6e-8"].map(|accuracy| run_polyhedra(accuracy, 1.4).1);
    for (reference, bars) in
        [(&reference, [(0.3, 1e-4), (0.6, 2e-4), (1.4, 1e-3)]), (&exact, [(0.3, 1e-12), (0.6, 1e-4), (1.2, 1e-3)])]
    {
        for (until, bar) in bars {
            let mut found: Vec<f64> = runs.iter().map(|samples| deviation(samples, reference, until)).collect();
            found.sort_by(f64::total_cmp);
            assert!(found[2] < bar, "until {until}: {found:?}");
        }
    }
}

#[test]
fn tumbling_ends_as_high_and_with_as_much_energy_as_the_reference() {
    for accuracy in ["1e-2", "1e-3"] {
        let (report, samples, reference) = run_polyhedra(accuracy, 10.0);
        let (_, end) = samples.rows.last().unwrap();
        for (name, [.., z]) in &reference.final_positions {
            let ours = end[samples.column(&format!("{}_z", name.replace('/', "_")))];
            // They rock about their resting places still.
            assert!((ours - z).abs() < 0.015, "at {accuracy}: {name} at {ours}, not {z}");
        }
        let (energy, expected) = (report.energy_end.unwrap(), reference.aggregate["energy_end"]);
        assert!((energy - expected).abs() < 0.02 * expected, "at {accuracy}: {energy} J, not {expected} J");
        let (depth, expected) = (report.statistics.max_penetration, reference.aggregate["max_sampled_penetration"]);
        // How hard the last impacts are is chance (near 1e-2 from 0.018 to 0.06 m deep), and a step may err by the
        // accuracy.
        let bar = 2.0 * (expected + accuracy.parse::<f64>().unwrap());
        assert!(depth < bar, "at {accuracy}: {depth}, not {expected}");
    }
}

fn polyhedron(points: &[[f64; 3]]) -> Shape {
    Shape::Convex(Arc::new(ConvexHull::new(&points.iter().map(|p| (*p).into()).collect::<Vec<_>>()).unwrap()))
}

/// The first body of the scene: 162 vertices, 36.6 kg.
fn tumbler() -> (Model, Shape, f64) {
    let model = read_urdf(data().join("scenes/polyhedra/poly0.urdf")).unwrap().model;
    let (shape, mass) = (model.links[0].collisions[0].shape.clone(), model.links[0].inertia.unwrap().mass);
    (model, shape, mass)
}

#[test]
fn energy_never_grows_and_the_body_comes_to_rest_where_its_weight_is_carried() {
    let (model, shape, mass) = tumbler();
    let (stiffness, accuracy) = (1e5, 1e-6);
    let start = Base::Floating {
        X_WR: Isometry3::from_parts(
            Vector3::new(0.0, 0.0, 0.8).into(),
            UnitQuaternion::new(Vector3::new(0.4, 1.0, -0.2)),
        ),
        w_WR: [1.0, -2.0, 0.5].into(),
        v_WR: [0.5, 0.0, 0.0].into(),
    };
    // Much dissipation, so that it is at rest soon.
    let parameters = kinegraph::systems::multibody::plant::ContactParameters {
        points: Points::Deepest,
        ..contact(stiffness, 10.0, 0.8)
    };
    let plant = PlantBuilder::new().ground(0.0).contact(parameters).model("body", model, start);
    let mut simulation = kinegraph::simulate::Simulation::new(&alone(plant), cenic(accuracy)).unwrap();
    let inertia = tumbler().0.links[0].inertia.unwrap();
    // Kinetic and potential energy, and that of the spring between body and ground.
    let energy = |simulation: &mut kinegraph::simulate::Simulation| {
        let mut get = |name: &str| simulation.channel(&format!("plant.body.poly0.{name}")).unwrap();
        let q = UnitQuaternion::from_quaternion(Quaternion::new(
            get("pose.qw"),
            get("pose.qx"),
            get("pose.qy"),
            get("pose.qz"),
        ));
        let p = Vector3::new(get("pose.px"), get("pose.py"), get("pose.pz"));
        let w = q.inverse() * Vector3::new(get("velocity.wx"), get("velocity.wy"), get("velocity.wz"));
        let v = Vector3::new(get("velocity.vx"), get("velocity.vy"), get("velocity.vz"));
        let mut touches = Vec::new();
        let pose = Isometry3::from_parts(p.into(), q);
        geometry::touches(&Shape::HalfSpace, &Isometry3::identity(), &shape, &pose, Points::Deepest, 0.0, &mut touches);
        let depth = touches.first().map_or(0.0, |t| t.depth);
        let kinetic = 0.5 * mass * v.norm_squared() + 0.5 * w.dot(&(inertia.I_BBcm * w));
        (kinetic + mass * G * p.z + 0.5 * stiffness * depth * depth, depth)
    };
    let (first, _) = energy(&mut simulation);
    let (mut last, mut depths) = (first, Vec::new());
    for i in 1..=1000 {
        simulation.advance_to(i as f64 * 0.01).unwrap();
        let (now, depth) = energy(&mut simulation);
        // Extrapolated steps dissipate to within their accuracy only: 1e-6 m under the 1e4 N of an impact is 1e-2 J a
        // step.
        assert!(now < last + 5e-4 * first, "at {} s: {last} J, then {now} J", simulation.time());
        depths.push(depth);
        last = now;
    }
    assert!(last < 0.6 * first, "{last} of {first} J");
    // The body rocks a little at the end. Over time the ground carries the weight: dissipation adds
    // `d depth (d depth)'`, which averages to zero.
    let expected = mass * G / stiffness;
    let end = &depths[700..];
    let mean = end.iter().sum::<f64>() / end.len() as f64;
    assert!((mean - expected).abs() < 0.03 * expected, "{mean} m deep on the whole, {expected} by its weight");
    assert!(end.iter().all(|d| *d < 2.0 * expected), "{end:?}");
}

#[test]
fn a_prism_rests_on_all_its_corners_by_its_weight() {
    // Six corners share the weight of an upright prism and the stiffness; on a table as on the ground.
    let rim = |i: usize| (i as f64 * std::f64::consts::FRAC_PI_3).sin_cos();
    let points: Vec<_> = (0..12).map(|i| [0.1 * rim(i).0, 0.1 * rim(i).1, if i < 6 { 0.05 } else { -0.05 }]).collect();
    let stiffness = 1e4;
    let depth = G / stiffness;
    let slab = polyhedron(
        &[-1.0, 1.0]
            .map(|z| [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| [x, y, 0.1 * z]))
            .concat(),
    );
    for ground in [true, false] {
        let plant = PlantBuilder::new().contact(contact(stiffness, 20.0, 0.5));
        let plant = match ground {
            true => plant.ground(0.1),
            false => plant.model("slab", solid(slab.clone(), 1.0), Base::fixed()),
        };
        let model = solid(polyhedron(&points), 1.0);
        let diagram = alone(plant.model("prism", model, thrown([0.2, 0.3, 0.151], [0.0, 0.0, 1.0], [0.0; 3])));
        let mut simulation = run(&diagram, cenic(1e-3), 3.0);
        let z = position(&mut simulation, "prism").z;
        assert!((z - (0.15 - depth)).abs() < 1e-3 * depth, "{z}, depth {depth}");
        assert!(velocity(&mut simulation, "prism").0.norm() < 1e-4);
    }
}

#[test]
fn cubes_as_polyhedra_stack_like_boxes() {
    let heights = |cube: Shape| {
        let mut plant = PlantBuilder::new().ground(0.0).contact(contact(1e4, 20.0, 0.5));
        for i in 0..3 {
            let turn = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), 0.3 * i as f64);
            let X_WR = Isometry3::from_parts(Vector3::new(0.01 * i as f64, 0.0, 0.1 + 0.201 * i as f64).into(), turn);
            plant = plant.model(format!("c{i}"), solid(cube.clone(), 1.0), Base::floating(X_WR));
        }
        let mut simulation = run(&alone(plant), cenic(1e-3), 0.5);
        (0..3).map(|i| position(&mut simulation, &format!("c{i}"))).collect::<Vec<_>>()
    };
    let corners: Vec<_> = (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|b| 0.2 * b as f64 - 0.1)).collect();
    let (boxes, hulls) = (heights(Shape::Box { half_extents: Vector3::repeat(0.1) }), heights(polyhedron(&corners)));
    for (one, two) in boxes.iter().zip(&hulls) {
        // Tilted on the ground, corners of a box have a quarter each; those of a hull share with the faces beside.
        assert!((one - two).norm() < 2e-4, "{boxes:?} {hulls:?}");
    }
}
