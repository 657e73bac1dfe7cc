//! A program adds a shape: a torus, by the public interface alone. It touches, is hit by rays, has a mass and is drawn.
#![allow(non_snake_case)]

#[path = "../common/mod.rs"]
mod common;
mod torus;

use common::{alone, at, ball, cenic, contact, cuboid, position, run, thrown, velocity, weightless};
use kinegraph::simulate::Simulation;
use kinegraph::systems::geometry::{
    CollisionShape, Drawing, ExactMesh, MassProperties, Points, Ray, RayHit, Shape, Touch, check_shape, touches,
};
use kinegraph::systems::multibody::plant::{ContactModel, Hydroelastics};
use kinegraph::systems::multibody::proximity::Proximity;
use kinegraph::systems::multibody::{Base, Collision, Inertia, Link, Model, PlantBuilder};
use kinegraph::systems::scene::Geometry;
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;
use torus::Torus;

const G: f64 = 9.81;
const RING: f64 = 0.2;
const TUBE: f64 = 0.05;

fn torus() -> Shape {
    Shape::custom(Torus { ring: RING, tube: TUBE })
}

/// A body `body` of a shape, as dense as makes it this heavy.
fn body(shape: Shape, mass: f64) -> Model {
    let density = mass / shape.mass_properties().unwrap().volume;
    let inertia = Inertia::of_shape(&shape, density, &Isometry3::identity());
    let collisions = vec![Collision { name: "ring".into(), X_BG: Isometry3::identity(), shape, surface: None }];
    let link = Link { name: "body".into(), inertia, collisions, ..Link::default() };
    Model { name: "model".into(), links: vec![link], ..Model::default() }
}

/// A surface that stands still.
fn fixed(shape: Shape) -> Model {
    let collisions = vec![Collision { name: "shape".into(), X_BG: Isometry3::identity(), shape, surface: None }];
    let link = Link { name: "base".into(), collisions, ..Link::default() };
    Model { name: "model".into(), links: vec![link], ..Model::default() }
}

fn upright() -> UnitQuaternion<f64> {
    UnitQuaternion::from_scaled_axis(Vector3::x() * FRAC_PI_2)
}

#[test]
fn the_torus_passes_the_consistency_check_of_shapes() {
    check_shape(&torus()).unwrap();
    check_shape(&Shape::custom(Torus { ring: 3.0, tube: 0.01 })).unwrap();
}

/// The divergence theorem over the triangles that are drawn: inscribed, so a little less.
#[test]
fn the_mass_of_the_torus_agrees_with_its_triangles() {
    let mass = torus().mass_properties().unwrap();
    let Drawing::Triangles { vertices, triangles } = torus().drawing() else { panic!("triangles") };
    let corners = |t: &[u32; 3]| t.map(|i| Vector3::from(vertices[i as usize]));
    let drawn = MassProperties::enclosed(triangles.iter().map(corners));
    assert!((drawn.volume / mass.volume - 1.0).abs() < 0.02, "{} {}", drawn.volume, mass.volume);
    assert!(drawn.p_GoGcm.norm() < 1e-12);
    assert!((drawn.I_GGcm - mass.I_GGcm).norm() < 0.03 * mass.I_GGcm.norm(), "{}", drawn.I_GGcm);
    // Pappus; and I_z = m (R² + 3/4 r²), I_x = m (R²/2 + 5/8 r²).
    let (r, t) = (RING * RING, TUBE * TUBE);
    let inertia = Inertia::of_shape(&torus(), 2.0 / mass.volume, &Isometry3::identity()).unwrap();
    let expected = Vector3::new(r / 2.0 + 0.625 * t, r / 2.0 + 0.625 * t, r + 0.75 * t) * 2.0;
    assert!((inertia.I_BBcm.diagonal() - expected).norm() < 1e-14 && (inertia.mass - 2.0).abs() < 1e-14);
}

/// `(x² + y² + z² + R² - r²)² = 4 R² (x² + y²)` along the ray is a quartic in the distance.
fn quartic(ray: &Ray) -> [f64; 5] {
    let (p, d) = (ray.origin(), ray.direction());
    // |p + t d|² + R² - r² = t² + 2 b t + c
    let (b, c) = (p.dot(&d), p.norm_squared() + RING * RING - TUBE * TUBE);
    let four = 4.0 * RING * RING;
    let (e, f, g) = (d.xy().norm_squared(), p.xy().dot(&d.xy()), p.xy().norm_squared());
    [1.0, 4.0 * b, 4.0 * b * b + 2.0 * c - four * e, 4.0 * b * c - 2.0 * four * f, c * c - four * g]
}

/// The least root that is not negative, by sign changes on a fine grid and bisection; `None` without one.
fn first_root(q: &[f64; 5], limit: f64) -> Option<f64> {
    let at = |t: f64| q.iter().fold(0.0, |sum, c| sum * t + c);
    let steps = 20_000;
    let grid = |i: usize| limit * i as f64 / steps as f64;
    let i = (0..steps).find(|&i| (at(grid(i)) > 0.0) != (at(grid(i + 1)) > 0.0))?;
    let (mut low, mut high) = (grid(i), grid(i + 1));
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if (at(middle) > 0.0) == (at(low) > 0.0) { low = middle } else { high = middle }
    }
    Some(0.5 * (low + high))
}

#[test]
fn rays_hit_the_torus_at_the_first_root_of_the_quartic() {
    let shape = torus();
    let (mut hits, mut misses, mut inside, mut through) = (0, 0, 0, 0);
    let mut state = 11_u64;
    let mut number = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    let mut vector = || Vector3::new(number(), number(), number());
    for _ in 0..4000 {
        let origin = vector() * 0.3;
        let Some(ray) = Ray::new(origin, vector() * 0.25 - origin) else { continue };
        let expected = first_root(&quartic(&ray), 2.0);
        match (shape.cast_ray(&Isometry3::identity(), &ray), expected) {
            (Some(hit), Some(distance)) => {
                assert!((hit.distance - distance).abs() < 1e-9, "{ray:?}: {hit:?}, not {distance}");
                // The gradient of the implicit equation.
                let p = ray.at(hit.distance);
                let k = p.norm_squared() - RING * RING - TUBE * TUBE;
                let gradient = Vector3::new(p.x * k, p.y * k, p.z * (k + 2.0 * RING * RING));
                assert!((gradient.normalize() - hit.normal).norm() < 1e-7, "{ray:?}");
                hits += 1;
                inside += usize::from(hit.is_from_inside(&ray));
                // Through the hole or past the tube before it.
                through += usize::from(hit.normal.xy().dot(&p.xy()) < 0.0);
            }
            (None, None) => misses += 1,
            // Grazing: two roots between points of the grid.
            (hit, expected) => {
                let hit = hit.map(|hit: RayHit| hit.normal.dot(&ray.direction()).abs());
                assert!(expected.is_none() && hit.is_some_and(|slope| slope < 0.02), "{ray:?}: {hit:?} {expected:?}");
            }
        }
    }
    assert!(hits > 1000 && misses > 50 && inside > 50 && through > 100, "{hits} {misses} {inside} {through}");
}

#[test]
fn the_torus_rests_at_the_depth_of_its_weight_over_its_stiffness() {
    let (mass, k) = (2.0, 1e5);
    let tilted = Isometry3::from_parts(
        Translation3::new(0.0, 0.0, 0.08),
        UnitQuaternion::from_scaled_axis(Vector3::new(0.05, -0.08, 0.3)),
    );
    let plant = PlantBuilder::new().ground(0.0).contact(contact(k, 20.0, 0.5));
    let diagram = alone(plant.model("torus", body(torus(), mass), Base::floating(tilted)));
    let mut simulation = run(&diagram, cenic(1e-4), 3.0);
    let (z, (w, v)) = (position(&mut simulation, "torus").z, velocity(&mut simulation, "torus"));
    assert!((z - (TUBE - mass * G / k)).abs() < 1e-6, "{z}");
    assert!(w.norm() < 1e-4 && v.norm() < 1e-4, "{w} {v}");
}

/// Of built-in shapes it touches a box, a mesh and a ball by its hull, and lies on a box along its whole circle.
#[test]
fn the_torus_rests_on_a_box_and_on_terrain_and_carries_a_ball() {
    let (mass, k) = (2.0, 1e5);
    let deep = mass * G / k;
    let grid = ExactMesh::height_field(&[0.0; 16], 4, 4, [1.0, 1.0]).unwrap();
    let slab = Shape::Box { half_extents: Vector3::new(1.0, 1.0, 0.1) };
    for (below, top) in [(slab, 0.1), (Shape::Mesh(Arc::new(grid)), 0.0)] {
        let kind = below.kind();
        let plant = PlantBuilder::new()
            .contact(contact(k, 20.0, 0.5))
            .model("below", fixed(below), Base::fixed())
            .model("torus", body(torus(), mass), at(0.03, 0.01, top + TUBE + 0.01));
        let mut simulation = run(&alone(plant), cenic(1e-4), 2.0);
        let (z, w) = (position(&mut simulation, "torus").z, velocity(&mut simulation, "torus").0);
        assert!((z - (top + TUBE - deep)).abs() < 5e-6 && w.norm() < 1e-3, "{kind}: {z} {w}");
    }
    // The ball lies on the hull, whose lid is as high as the tube.
    let plant = PlantBuilder::new()
        .ground(0.0)
        .contact(contact(k, 20.0, 0.5))
        .model("torus", body(torus(), mass), at(0.0, 0.0, TUBE - deep))
        .model("ball", ball(1.0, 0.06), at(0.0, 0.0, 2.0 * TUBE + 0.061));
    let mut simulation = run(&alone(plant), cenic(1e-4), 2.0);
    let z = position(&mut simulation, "ball").z;
    let expected = 2.0 * TUBE + 0.06 - (mass + 1.0) * G / k - G / k;
    assert!((z - expected).abs() < 1e-5, "{z}, not {expected}");
}

#[test]
fn the_torus_rolls_and_spins_without_loss() {
    let (mass, k) = (1.0, 1e6);
    let deep = mass * G / k;
    let (speed, height) = (0.8, RING + TUBE - deep);
    // Upright in the plane x z, so that it rolls along x; a wheel in balance rolls straight for a while.
    let pose = Isometry3::from_parts(Translation3::new(0.0, 0.0, height), upright());
    let base = Base::Floating { X_WR: pose, w_WR: Vector3::y() * (speed / height), v_WR: Vector3::x() * speed };
    let plant = PlantBuilder::new().ground(0.0).contact(contact(k, 0.0, 0.8));
    let mut simulation = run(&alone(plant.model("torus", body(torus(), mass), base)), cenic(1e-6), 1.0);
    let ((w, v), p) = (velocity(&mut simulation, "torus"), position(&mut simulation, "torus"));
    assert!((v - Vector3::x() * speed).norm() < 1e-4 && (w.y - speed / height).abs() < 1e-3, "{w} {v}");
    assert!((p.x - speed).abs() < 1e-4 && (p.z - height).abs() < 1e-5, "{p}");
    // Lying on a ground without friction nothing slows its spin.
    let plant = PlantBuilder::new().ground(0.0).contact(contact(k, 10.0, 0.0));
    let base = thrown([0.0, 0.0, TUBE - deep], [0.0, 0.0, 9.0], [0.0; 3]);
    let mut simulation = run(&alone(plant.model("torus", body(torus(), mass), base)), cenic(1e-6), 1.0);
    let (w, _) = velocity(&mut simulation, "torus");
    assert!((w - Vector3::z() * 9.0).norm() < 1e-6, "{w}");
}

/// Two rings and a box meet in free space, off centre, with friction.
#[test]
fn momentum_is_conserved_when_rings_collide() {
    let bodies = [("a", body(torus(), 1.0)), ("b", body(torus(), 2.0)), ("c", cuboid(1.5, [0.1, 0.2, 0.15]))];
    let starts = [
        Isometry3::identity(),
        Isometry3::from_parts(
            Translation3::new(0.48, 0.1, 0.05),
            UnitQuaternion::from_scaled_axis(Vector3::new(0.4, 0.9, 0.2)),
        ),
        Isometry3::from_parts(
            Translation3::new(0.1, 0.0, 0.6),
            UnitQuaternion::from_scaled_axis(Vector3::new(0.2, 0.3, 0.5)),
        ),
    ];
    let speeds = [[1.0, 0.0, 0.3], [-1.0, 0.0, 0.2], [0.0, 0.1, -1.5]].map(Vector3::from);
    let mut plant = weightless().contact(contact(1e4, 0.1, 0.4));
    for ((name, model), (X_WR, v_WR)) in bodies.iter().zip(starts.into_iter().zip(speeds)) {
        let w_WR = Vector3::new(0.5, -1.0, 2.0);
        plant = plant.model(*name, model.clone(), Base::Floating { X_WR, w_WR, v_WR });
    }
    let diagram = alone(plant);
    let mut simulation = Simulation::new(&diagram, cenic(1e-5)).unwrap();
    let momenta = |simulation: &mut Simulation| {
        bodies.iter().fold((Vector3::zeros(), Vector3::zeros()), |(linear, angular), (name, model)| {
            let inertia = model.links[0].inertia.unwrap();
            let mut get = |axis: &str| simulation.channel(&format!("plant.{name}.body.pose.{axis}")).unwrap();
            let [w, x, y, z] = ["qw", "qx", "qy", "qz"].map(&mut get);
            let R = UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(w, x, y, z)).to_rotation_matrix();
            let p = position(simulation, name);
            let (spin, v) = velocity(simulation, name);
            let own = R.matrix() * inertia.I_BBcm * R.matrix().transpose() * spin;
            (linear + v * inertia.mass, angular + p.cross(&(v * inertia.mass)) + own)
        })
    };
    let (linear, angular) = momenta(&mut simulation);
    simulation.advance_to(0.8).unwrap();
    let (after, turning) = momenta(&mut simulation);
    let (_, v) = velocity(&mut simulation, "a");
    assert!((v - speeds[0]).norm() > 0.1, "they have not met: {v}");
    assert!((after - linear).norm() < 1e-9, "{linear} {after}");
    assert!((turning - angular).norm() < 1e-3, "{angular} {turning}");
}

/// With a pressure field it lies as deep as the field says; the hull of the ring is a disc with a round rim.
#[test]
fn the_torus_has_hydroelastic_contact() {
    let bodies = Proximity { dissipation: Some(20.0), ..Proximity::compliant(1e6) };
    let hydroelastics = Hydroelastics { model: ContactModel::Hydroelastic, bodies, ..Hydroelastics::default() };
    let plant = PlantBuilder::new().ground(0.0).hydroelastics(hydroelastics);
    let diagram = alone(plant.model("torus", body(torus(), 2.0), at(0.0, 0.0, TUBE + 0.002)));
    let mut simulation = run(&diagram, cenic(1e-4), 5.0);
    let (z, w) = (position(&mut simulation, "torus").z, velocity(&mut simulation, "torus").0);
    // It still rocks a little on the sides of the polyhedron, whose damping is weak at this depth: by less than the
    // accuracy, at some hundred radians a second.
    assert!(z < TUBE && z > TUBE - 0.004 && w.norm() < 0.1, "{z} {w}");
}

#[test]
fn the_torus_is_drawn_as_triangles() {
    let diagram = alone(weightless().model("torus", body(torus(), 1.0), at(0.0, 0.0, 0.0)));
    let (block, plant) = diagram.plants().next().unwrap();
    let scene = plant.scene(&block.name);
    let shape = &scene.bodies[1].collisions[0];
    let Geometry::Triangles { vertices, triangles } = &shape.geometry else { panic!("{shape:?}") };
    assert_eq!((shape.name.as_str(), vertices.len(), triangles.len()), ("ring", 48 * 24, 2 * 48 * 24));
    assert!(shape.geometry.is_finite());
}

#[test]
fn the_same_question_gives_the_same_bits() {
    let shape = torus();
    let place = |x: f64| Isometry3::from_parts(Translation3::new(x, 0.05, 0.08), upright());
    let other = Shape::Box { half_extents: Vector3::new(0.3, 0.2, 0.1) };
    let ask = |x: f64| {
        let mut found: Vec<Touch> = Vec::new();
        touches(&shape, &place(x), &other, &Isometry3::identity(), Points::Manifold, 0.01, &mut found);
        found
    };
    let first: Vec<_> = (0..40).map(|i| ask(0.01 * f64::from(i))).collect();
    let again: Vec<_> = (0..40).rev().map(|i| ask(0.01 * f64::from(i))).collect();
    assert!(first.iter().any(|found| !found.is_empty()));
    assert!(first.iter().eq(again.iter().rev()));
}

/// A shape without a support mapping.
#[derive(Debug)]
struct Fog;

impl CollisionShape for Fog {
    fn name(&self) -> &'static str {
        "patch of fog"
    }
    fn support(&self, _direction: &Vector3<f64>) -> Option<Vector3<f64>> {
        None
    }
    fn half_thickness(&self) -> f64 {
        0.0
    }
    fn mass_properties(&self) -> Option<MassProperties> {
        None
    }
    fn cast_ray(&self, _ray: &Ray) -> Option<RayHit> {
        None
    }
    fn drawing(&self) -> Drawing {
        Drawing::Triangles { vertices: Vec::new(), triangles: Vec::new() }
    }
}

#[test]
fn a_plant_whose_shapes_cannot_touch_is_refused() {
    let plant = |shape: Shape| PlantBuilder::new().ground(0.0).model("ring", fixed_to(shape), at(0.0, 0.0, 1.0));
    let faults = plant(Shape::custom(Fog)).build().err().expect("a fault").to_string();
    let expected = "the patch of fog `ring` of `ring/body`";
    assert!(faults.contains(expected) && faults.contains("cannot touch"), "{faults}");
    assert!(plant(torus()).build().is_ok());
    // Equality is that of the object.
    let one = torus();
    assert!(one == one.clone() && one != torus());
}

/// A body with the inertia of a torus and another shape.
fn fixed_to(shape: Shape) -> Model {
    let mut model = body(torus(), 1.0);
    model.links[0].collisions[0].shape = shape;
    model
}

/// Rays through a scene with the ring and built-in shapes.
#[test]
fn rays_through_a_scene_meet_the_nearest_shape_of_the_bodies_asked_for() {
    let plant = weightless()
        .ground(0.0)
        .model("torus", body(torus(), 1.0), at(0.0, 0.0, 1.0))
        .model("ball", ball(1.0, 0.1), at(0.0, 0.0, 0.5))
        .build()
        .unwrap();
    let mut query = plant.scene_query();
    let (ring, marble) = (plant.tree().body("torus/body").unwrap(), plant.tree().body("ball/body").unwrap());
    let poses = [[0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0]].concat();
    query.place(&poses).unwrap();
    let down = |x: f64| Ray::new(Vector3::new(x, 0.0, 3.0), -Vector3::z()).unwrap();
    // Through the hole onto the ball; through the ring; past both.
    let hit = query.cast_ray(&down(0.0), 10.0, &[]).unwrap();
    assert!(hit.body == marble && (hit.distance - 2.4).abs() < 1e-12 && hit.shape.is_empty());
    let hit = query.cast_ray(&down(RING), 10.0, &[]).unwrap();
    assert!(hit.body == ring && (hit.distance - (2.0 - TUBE)).abs() < 1e-12 && hit.shape == "ring", "{hit:?}");
    let hit = query.cast_ray(&down(RING), 10.0, &[ring]).unwrap();
    assert!(hit.body == 0 && hit.shape == "ground" && (hit.p_WC.z).abs() < 1e-12 && hit.normal == Vector3::z());
    assert_eq!(query.cast_ray(&down(RING), 1.0, &[]), None);
    assert!(query.place(&poses[1..]).is_err());
}

/// The code in the guide stands here or in the file of the torus, but for the indentation.
#[test]
fn the_code_of_the_guide_to_shapes_is_that_of_this_test() {
    let trimmed = |text: &str| text.lines().map(|line| line.trim().to_owned() + "\n").collect::<String>();
    let files = [include_str!("torus.rs"), include_str!("main.rs")].map(trimmed);
    let guide = include_str!("../../docs/write-a-shape.md");
    let printed: Vec<&str> = guide.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(printed.len() >= 8, "{} blocks", printed.len());
    // A block shows methods one after the other; others may stand between them.
    for part in printed.iter().flat_map(|code| code.split("\n\n")) {
        let part = trimmed(part);
        assert!(files.iter().any(|file| file.contains(&part)), "not compiled:\n{part}");
    }
}
