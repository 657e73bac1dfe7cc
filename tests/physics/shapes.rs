//! Ellipsoids, cones, triangle meshes and height fields, and meshes in convex parts: rest, rocking, rolling, energy.
#![allow(non_snake_case)]

use crate::common::*;
use kinegraph::diagram::Diagram;
use kinegraph::simulate::Simulation;
use kinegraph::systems::geometry::{ExactMesh, Shape};
use kinegraph::systems::models::{LoadOptions, MeshCollision, MeshCollisions, read_model};
use kinegraph::systems::multibody::{Base, Collision, Link, Model, PlantBuilder};
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use std::f64::consts::{FRAC_PI_4, TAU};
use std::path::Path;
use std::sync::Arc;

const G: f64 = 9.81;

fn ellipsoid(mass: f64, semi_axes: [f64; 3]) -> Model {
    solid(Shape::Ellipsoid { semi_axes: semi_axes.into() }, mass)
}

/// A rigid mesh that stands still.
fn terrain(mesh: ExactMesh) -> Model {
    let shape = Shape::Mesh(Arc::new(mesh));
    let collisions = vec![Collision { name: String::new(), X_BG: Isometry3::identity(), shape, surface: None }];
    let link = Link { name: "surface".into(), collisions, ..Link::default() };
    Model { name: "terrain".into(), links: vec![link], ..Model::default() }
}

/// The plane z = 0 with a hole far away, so that its triangles are no one polygon: many faces with edges between them.
fn plane_of_faces() -> ExactMesh {
    const N: i32 = 12;
    let at = |i: i32| 0.25 * f64::from(i - 2);
    let points: Vec<Vector3<f64>> =
        (0..N * N).map(|k| Vector3::new(at(k % N) + 0.03 * f64::from(k / N % 3), at(k / N), 0.0)).collect();
    let corner = |i: i32, j: i32| (j * N + i) as u32;
    let mut triangles = Vec::new();
    for (i, j) in (0..(N - 1) * (N - 1)).map(|k| (k % (N - 1), k / (N - 1))) {
        let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
        if (i, j) == (9, 9) || (i, j) == (9, 0) {
            continue;
        }
        triangles.extend(if (i + j) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] });
    }
    let mesh = ExactMesh::new(&points, &triangles).unwrap();
    assert!(mesh.num_faces() > 10, "{}", mesh.num_faces());
    mesh
}

#[test]
fn an_ellipsoid_rests_on_its_shortest_axis_and_spins_on() {
    let (mass, k) = (2.0, 1e5);
    let plant = PlantBuilder::new().ground(0.0).contact(contact(k, 10.0, 0.5)).model(
        "egg",
        ellipsoid(mass, [0.3, 0.2, 0.1]),
        at(0.0, 0.0, 0.1),
    );
    let mut simulation = run(&alone(plant), cenic(1e-5), 3.0);
    let z = position(&mut simulation, "egg").z;
    assert!((z - (0.1 - mass * G / k)).abs() < 1e-6, "{z}");
    // A body of revolution about its upright axis touches in one point of that axis: nothing slows its spin.
    let plant = PlantBuilder::new().ground(0.0).contact(contact(k, 10.0, 0.5)).model(
        "egg",
        ellipsoid(mass, [0.2, 0.2, 0.1]),
        thrown([0.0, 0.0, 0.1 - mass * G / k], [0.0, 0.0, 7.0], [0.0; 3]),
    );
    let mut simulation = run(&alone(plant), cenic(1e-5), 2.0);
    let (w, _) = velocity(&mut simulation, "egg");
    assert!((w - Vector3::new(0.0, 0.0, 7.0)).norm() < 1e-6, "{w}");
}

/// Rocking without slip about the y axis: the centre is c high, the bottom is curved with the radius rho = a²/c, and
/// (I + m c²) θ'' = -m g (rho - c) θ.
#[test]
fn an_ellipsoid_rocks_with_the_period_of_its_gyration_and_curvature() {
    let (a, b, c, mass) = (0.3, 0.2, 0.2, 1.0);
    let inertia = mass * (a * a + c * c) / 5.0;
    let stiffness = mass * G * (a * a / c - c);
    let period = TAU * ((inertia + mass * c * c) / stiffness).sqrt();
    let start = 0.01_f64;
    let height = (a * start.sin()).hypot(c * start.cos());
    let pose = Isometry3::from_parts(
        Translation3::new(0.0, 0.0, height - mass * G / 1e7),
        UnitQuaternion::from_scaled_axis(Vector3::y() * start),
    );
    // The helper's inertia is that of an ellipsoid.
    let plant = PlantBuilder::new().ground(0.0).contact(contact(1e7, 0.0, 1.0));
    let diagram = alone(plant.model("egg", ellipsoid(mass, [a, b, c]), Base::floating(pose)));
    let mut simulation = Simulation::new(&diagram, cenic(1e-7)).unwrap();
    for part in 1..=8 {
        let t = f64::from(part) / 8.0 * period;
        simulation.advance_to(t).unwrap();
        let angle = 2.0 * simulation.channel("plant.egg.body.pose.qy").unwrap();
        let expected = start * (TAU * t / period).cos();
        assert!((angle - expected).abs() < 0.02 * start, "{angle}, not {expected} at {part}/8 of the period");
    }
}

#[test]
fn a_cone_stands_on_its_base() {
    let (mass, k) = (1.0, 1e5);
    let cone = solid(Shape::Cone { radius: 0.2, half_length: 0.25 }, mass);
    let pose = Isometry3::from_parts(
        Translation3::new(0.0, 0.0, 0.28),
        UnitQuaternion::from_scaled_axis(Vector3::new(0.05, -0.03, 0.4)),
    );
    let plant =
        PlantBuilder::new().ground(0.0).contact(contact(k, 20.0, 0.5)).model("cone", cone, Base::floating(pose));
    let mut simulation = run(&alone(plant), cenic(1e-4), 3.0);
    let (z, w) = (position(&mut simulation, "cone").z, velocity(&mut simulation, "cone").0);
    assert!((z - (0.25 - mass * G / k)).abs() < 1e-5 && w.norm() < 1e-4, "{z} {w}");
}

/// Tilted gravity on a plane: as a half-space, and as a mesh of many faces whose edges the ball rolls over.
#[test]
fn a_ball_rolls_over_the_edges_of_a_plane_of_triangles_as_over_none() {
    let (radius, tilt) = (0.1, 0.1_f64);
    let gravity = [G * tilt.sin(), 0.3, -G * tilt.cos()];
    let start = [0.0, 0.0, radius - G / 1e5];
    let scene = |plant: PlantBuilder| {
        let plant = plant.gravity(gravity).contact(contact(1e5, 5.0, 0.6));
        alone(plant.model("ball", ball(1.0, radius), thrown(start, [0.0, 3.0, 0.0], [0.3, 0.0, 0.0])))
    };
    let ground = scene(PlantBuilder::new().ground(0.0));
    let mesh = scene(PlantBuilder::new().model("terrain", terrain(plane_of_faces()), Base::fixed()));
    for accuracy in [1e-3, 1e-6] {
        let ends = [&ground, &mesh].map(|diagram| {
            let mut simulation = run(diagram, cenic(accuracy), 1.2);
            let (w, v) = velocity(&mut simulation, "ball");
            (position(&mut simulation, "ball"), w, v)
        });
        let [(p, w, v), (q, u, r)] = ends;
        assert!(p.x > 0.7, "{p}");
        assert!((p - q).norm() < 1e-6 && (w - u).norm() < 1e-5 && (v - r).norm() < 1e-6, "at {accuracy}: {p} {q}");
    }
}

/// A ball in a groove of two slopes of 45 degrees: each carries m g / (2 cos), with the corresponding depth.
#[test]
fn a_ball_rests_in_the_groove_of_a_height_field() {
    let (radius, mass, k) = (0.1, 1.0, 1e5);
    let field = ExactMesh::height_field(&[1.0, 0.0, 1.0, 1.0, 0.0, 1.0], 3, 2, [1.0, 1.0]).unwrap();
    let plant = PlantBuilder::new()
        .contact(contact(k, 20.0, 0.5))
        .model("terrain", terrain(field), Base::fixed())
        .model("ball", ball(mass, radius), at(0.01, 0.2, 0.16));
    let mut simulation = run(&alone(plant), cenic(1e-5), 3.0);
    let depth = mass * G / (2.0 * FRAC_PI_4.cos()) / k;
    let p = position(&mut simulation, "ball");
    assert!((p.z - (radius - depth) / FRAC_PI_4.cos()).abs() < 1e-6 && p.x.abs() < 1e-4, "{p}");
}

/// A box lies on a plane of many faces as deep as on the ground: they share the stiffness.
#[test]
fn a_box_on_many_faces_is_carried_as_by_one() {
    let (mass, k) = (3.0, 1e5);
    let plant = PlantBuilder::new()
        .contact(contact(k, 20.0, 0.5))
        .model("terrain", terrain(plane_of_faces()), Base::fixed())
        .model("box", cuboid(mass, [0.4, 0.3, 0.1]), at(0.5, 0.5, 0.11));
    let mut simulation = run(&alone(plant), cenic(1e-4), 3.0);
    let (z, w) = (position(&mut simulation, "box").z, velocity(&mut simulation, "box").0);
    assert!((z - (0.1 - mass * G / k)).abs() < 3e-5 && w.norm() < 1e-4, "{z} {w}");
}

/// For all combinations of falling body and ground, the energy does not grow.
#[test]
fn energy_does_not_grow() {
    let hills: Vec<f64> = (0..81).map(|i| 0.1 * f64::from((i * 13) % 7) / 7.0).collect();
    let hills = || terrain(ExactMesh::height_field(&hills, 9, 9, [2.0, 2.0]).unwrap());
    let bodies = [
        ellipsoid(1.0, [0.3, 0.2, 0.1]),
        solid(Shape::Cone { radius: 0.2, half_length: 0.2 }, 1.0),
        ball(1.0, 0.15),
        cuboid(1.0, [0.2, 0.15, 0.1]),
        solid(Shape::Capsule { radius: 0.1, half_length: 0.2 }, 1.0),
        solid(Shape::Cylinder { radius: 0.1, half_length: 0.2 }, 1.0),
    ];
    for (i, body) in bodies.iter().enumerate() {
        for on_hills in [false, true] {
            let plant = PlantBuilder::new().contact(contact(1e4, 1.0, 0.5));
            let plant = if on_hills { plant.model("terrain", hills(), Base::fixed()) } else { plant.ground(0.0) };
            let turned = UnitQuaternion::from_scaled_axis(Vector3::new(0.3, 0.5, 0.1));
            let X_WR = Isometry3::from_parts(Translation3::new(0.1, 0.05, 0.6), turned);
            let base = Base::Floating { X_WR, w_WR: Vector3::new(1.0, 2.0, 0.5), v_WR: Vector3::new(0.3, 0.1, 0.0) };
            let diagram: Diagram = alone(plant.model("body", body.clone(), base));
            for accuracy in [1e-3, 1e-5] {
                let mut simulation = Simulation::new(&diagram, cenic(accuracy)).unwrap();
                let start = simulation.energy().unwrap();
                for _ in 0..15 {
                    let t = simulation.time() + 0.1;
                    simulation.advance_to(t).unwrap();
                    let gain = simulation.energy().unwrap() - start;
                    assert!(gain < 3.0 * accuracy * G, "body {i}, hills {on_hills}, {accuracy}: {gain} J at {t}");
                }
                let p = position(&mut simulation, "body");
                assert!(p.z > 0.03, "body {i}, hills {on_hills}, {accuracy}: fell to {p}");
            }
        }
    }
}

/// A square cup as a mesh file: a ball falls into its convex parts, and stays on its hull.
#[test]
fn a_ball_falls_into_a_cup_of_convex_parts() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cup");
    std::fs::create_dir_all(&folder).unwrap();
    // Outer and inner square at the top, the same at the bottom of each.
    let mut text = String::new();
    for (half, z) in [(0.2, 0.0), (0.2, 0.3), (0.15, 0.3), (0.15, 0.05)] {
        for (x, y) in [(-1, -1), (1, -1), (1, 1), (-1, 1)] {
            text += &format!("v {} {} {z}\n", half * f64::from(x), half * f64::from(y));
        }
    }
    text += "f 4 3 2 1\nf 13 14 15 16\n";
    for ring in 0..3 {
        for i in 0..4 {
            let (a, b) = (4 * ring + i + 1, 4 * ring + (i + 1) % 4 + 1);
            text += &format!("f {a} {b} {} {}\n", b + 4, a + 4);
        }
    }
    std::fs::write(folder.join("cup.obj"), text).unwrap();
    let cup =
        "<robot name='cup'><link name='cup'><collision name='side'><geometry><mesh filename='cup.obj'/></geometry>
        </collision></link></robot>";
    std::fs::write(folder.join("cup.urdf"), cup).unwrap();
    let rests_at = |how: MeshCollision| {
        let named = [("cup/side".to_owned(), how)].into();
        let options = LoadOptions { meshes: MeshCollisions { named, ..Default::default() }, ..LoadOptions::default() };
        let loaded = read_model(&folder.join("cup.urdf"), &options).unwrap();
        println!("{:?}", loaded.notes); // `--nocapture` prints it, to be read as a user would
        let plant = PlantBuilder::new()
            .contact(contact(1e5, 20.0, 0.5))
            .model("cup", loaded.model, Base::fixed())
            .model("ball", ball(0.1, 0.05), at(0.02, 0.01, 0.4));
        position(&mut run(&alone(plant), cenic(1e-4), 3.0), "ball").z
    };
    assert!((rests_at(MeshCollision::Hull) - 0.35).abs() < 1e-3);
    assert!((rests_at(MeshCollision::Exact) - 0.1).abs() < 1e-3);
    // The bottom of the parts is that of the mesh to the size of a voxel.
    assert!((rests_at(MeshCollision::Decomposed) - 0.1).abs() < 0.015);
}
