//! Hydroelastic contact: equilibrium, energy, friction, refusals.

use crate::common::*;
use kinegraph::simulate::Simulation;
use kinegraph::systems::convex::{ContactPoint, PlantContacts, PlantDynamics, PlantPoint};
use kinegraph::systems::geometry::Shape;
use kinegraph::systems::multibody::plant::{ContactModel, Hydroelastics, PlantError};
use kinegraph::systems::multibody::proximity::{Hydroelastic, Proximity};
use kinegraph::systems::multibody::{AssemblyWarning, Base, Model, MultibodyPlant, PlantBuilder};
use nalgebra::{Isometry3, Vector3};

const G: f64 = 9.81;
const E: f64 = 1e6;
const HYDROELASTIC: ContactModel = ContactModel::Hydroelastic;

fn pressing(model: ContactModel) -> Hydroelastics {
    Hydroelastics { model, bodies: Proximity::compliant(E), ..Hydroelastics::default() }
}

fn on_ground(model: Model, base: Base, dissipation: f64, friction: f64) -> PlantBuilder {
    let plant = PlantBuilder::new().ground(0.0).contact(contact(1e5, dissipation, friction));
    plant.hydroelastics(pressing(ContactModel::Hydroelastic)).model("body", model, base)
}

/// The depth at which a box with these half sizes carries a force on its lower side.
fn box_depth(h: [f64; 3], force: f64) -> f64 {
    let least = h[0].min(h[1]).min(h[2]);
    let [a, b, _] = h;
    let mut d = force * least / (4.0 * E * a * b);
    for _ in 0..20 {
        let found = E / least * (4.0 * a * b * d - 2.0 * (a + b) * d * d + 4.0 / 3.0 * d.powi(3));
        d -= (found - force) / (E / least * (4.0 * a * b - 4.0 * (a + b) * d + 4.0 * d * d));
    }
    d
}

#[test]
fn a_box_at_rest_sinks_as_deep_as_its_pressure_field_carries_it() {
    let h = [0.1, 0.15, 0.2];
    for mass in [1.0, 30.0, 500.0] {
        let depth = box_depth(h, mass * G);
        let diagram = alone(on_ground(cuboid(mass, h), at(0.3, 0.0, 0.2 + 1e-4), 20.0, 0.5));
        let z = position(&mut run(&diagram, cenic(1e-5), 4.0), "body").z;
        assert!((0.2 - z - depth).abs() < 1e-6 * depth, "{} instead of {depth} m", 0.2 - z);
    }
}

#[test]
fn a_stack_at_rest_is_carried_surface_by_surface() {
    let h = [0.1, 0.1, 0.1];
    let plant =
        on_ground(cuboid(10.0, h), at(0.0, 0.0, 0.1), 20.0, 0.5).model("upper", cuboid(10.0, h), at(0.0, 0.0, 0.3));
    let mut simulation = run(&alone(plant), cenic(1e-5), 4.0);
    let (lower, upper) = (position(&mut simulation, "body").z, position(&mut simulation, "upper").z);
    // Far within the accuracy.
    assert!((0.1 - lower - box_depth(h, 20.0 * G)).abs() < 1e-7);
    // Two equal ones in a row.
    let sunk = [0.1 - lower, lower + 0.2 - upper];
    // Error that the error control accepts: half its accuracy.
    assert!((sunk[1] - 2.0 * box_depth(h, 10.0 * G)).abs() < 5e-6, "{sunk:?}, not {}", 2.0 * box_depth(h, 10.0 * G));
}

/// Without dissipation, a falling body rises to its initial height.
#[test]
fn without_dissipation_bodies_rebound_to_their_height_within_the_accuracy() {
    let shapes = [(cuboid(8.0, [0.1; 3]), 0.1), (ball(4.0, 0.1), 0.1)];
    for (model, height) in shapes {
        let mut worst = Vec::new();
        for accuracy in [1e-3, 1e-5] {
            let diagram = alone(on_ground(model.clone(), at(0.0, 0.0, height + 0.02), 0.0, 0.0));
            let mut simulation = Simulation::new(&diagram, cenic(accuracy)).unwrap();
            // After the first impact, before the second.
            let fall = (2.0 * 0.02_f64 / G).sqrt();
            simulation.advance_to(1.9 * fall).unwrap();
            let (_, v) = velocity(&mut simulation, "body");
            let z = position(&mut simulation, "body").z;
            let energy = 0.5 * v.norm_squared() + G * (z - height);
            worst.push((energy / (G * 0.02) - 1.0).abs());
        }
        assert!(worst[0] < 0.5 && worst[1] < 0.02 && worst[1] < 0.6 * worst[0], "{worst:?}");
    }
}

/// Boxes that tumble: a face lands in one step beside the edge that touches, which is the whole surface so far.
#[test]
fn a_face_that_lands_beside_an_edge_gains_no_energy() {
    for seed in 0..16 {
        let mut random = Random(seed);
        let half = [(); 3].map(|()| random.between(0.02, 0.2));
        let mass = random.log(0.3, 10.0);
        let model = Hydroelastics { bodies: Proximity::compliant(random.log(1e6, 1e8)), ..pressing(HYDROELASTIC) };
        let tilt = random.between(-0.3, 0.3);
        let turned = Vector3::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0), 0.0);
        let height = Vector3::from(half).norm() + random.between(0.0, 0.2);
        let base = Base::floating(Isometry3::new(Vector3::new(0.0, 0.0, height), turned));
        let plant = PlantBuilder::new()
            .ground(0.0)
            .gravity([G * tilt.sin(), 0.0, -G * tilt.cos()])
            .contact(contact(1e6, if random.part() < 0.5 { 0.0 } else { 0.1 }, 0.5))
            .hydroelastics(model)
            .model("body", cuboid(mass, half), base);
        let diagram = alone(plant);
        for accuracy in [1e-2, 3e-3] {
            let mut simulation = Simulation::new(&diagram, cenic(accuracy)).unwrap();
            let start = simulation.energy().unwrap();
            simulation.advance_to(1.0).unwrap();
            let end = simulation.energy().unwrap();
            assert!(end < 1.02 * start, "{seed} at {accuracy}: {start} J became {end} J");
        }
    }
}

#[test]
fn friction_of_a_surface_is_that_of_its_pressure() {
    // A box slides: mu G of deceleration, whatever the pressures are.
    let base = thrown([0.0, 0.0, 0.05 - box_depth([0.2, 0.2, 0.05], G)], [0.0; 3], [2.0, 0.0, 0.0]);
    let diagram = alone(on_ground(cuboid(1.0, [0.2, 0.2, 0.05]), base, 20.0, 0.3));
    let mut simulation = run(&diagram, cenic(1e-5), 0.4);
    let (_, v) = velocity(&mut simulation, "body");
    assert!((v.x - (2.0 - 0.3 * G * 0.4)).abs() < 1e-4, "{v}");
}

#[test]
fn a_pair_without_surface_is_a_fault_or_touches_in_points() {
    let plant = |model| {
        let named = vec![
            ("rigid".to_owned(), Proximity::rigid()),
            ("plain/body".to_owned(), Proximity { hydroelastic: Some(Hydroelastic::None), ..Proximity::default() }),
        ];
        PlantBuilder::new()
            .ground(0.0)
            .hydroelastics(Hydroelastics { named, ..pressing(model) })
            .model("rigid", ball(1.0, 0.1), at(0.0, 0.0, 0.099))
            .model("plain", ball(1.0, 0.1), at(1.0, 0.0, 0.099))
            .model("soft", ball(1.0, 0.1), at(2.0, 0.0, 0.099))
    };
    let errors = plant(ContactModel::Hydroelastic).build().err().unwrap().0;
    let names: Vec<_> = errors
        .iter()
        .map(|error| match error {
            PlantError::NoContactSurface { shapes: [a, b], .. } => format!("{a} {b}"),
            other => panic!("{other}"),
        })
        .collect();
    assert_eq!(names, ["ground rigid/body", "ground plain/body", "rigid/body plain/body", "plain/body soft/body"]);
    let (plant, warnings) = plant(ContactModel::HydroelasticWithFallback).build_with_warnings().unwrap();
    assert!(warnings.iter().any(|warning| matches!(warning, AssemblyWarning::TouchInPoints { pairs: 4, .. })));
    let contacts = |body: usize| touching(&plant).into_iter().filter(|c| c.body_b == body).count();
    assert_eq!([contacts(1), contacts(2)], [1, 1]);
    assert!(contacts(3) > 3);
}

fn touching(plant: &MultibodyPlant) -> Vec<ContactPoint> {
    let q = [1.0, 0.0, 0.0, 0.0];
    let q: Vec<f64> = (0..3).flat_map(|i| q.into_iter().chain([f64::from(i), 0.0, 0.099])).collect();
    PlantPoint::touching(plant, &q, &[0.0; 18]).contacts
}

#[test]
fn unknown_names_and_missing_pressure_fields_are_faults() {
    let named = vec![("bdy".to_owned(), Proximity::rigid()), ("ground".to_owned(), Proximity::compliant(1e6))];
    let hydroelastics = Hydroelastics { named, ..pressing(ContactModel::Hydroelastic) };
    let plant =
        PlantBuilder::new().ground(0.0).hydroelastics(hydroelastics).model("body", ball(1.0, 0.1), at(0.0, 0.0, 1.0));
    let message = plant.build().err().unwrap().to_string();
    assert!(message.contains("no model, link or shape `bdy`") && message.contains("`body`"), "{message}");
    assert!(message.contains("`ground` has no pressure field") && message.contains("slab_thickness"), "{message}");
}

/// Bodies apart have the points of the surface that they would have in contact, at their true distances.
#[test]
fn separate_bodies_report_potential_contact_points() {
    let plant = on_ground(cuboid(1.0, [0.1; 3]), at(0.0, 0.0, 1.0), 20.0, 0.5).build().unwrap();
    let contacts = |height: f64, margin: f64| {
        let mut point = PlantPoint::default();
        plant.evaluate(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, height], &[0.0; 6], &mut point);
        plant.contacts(margin, &mut point);
        point.contacts
    };
    assert!(contacts(0.105, 0.0).is_empty() && contacts(0.105, 0.004).is_empty());
    let near = contacts(0.105, 0.006);
    // All on the lower side, at the distance of 5 mm; but for the slant parts at its edges, which are farther.
    assert!(near.iter().all(|c| c.depth < -0.005 + 1e-12 && c.normal[2] > 0.999_999));
    let stiffness: f64 = near.iter().map(|c| c.stiffness).sum();
    let whole = E * 0.04 / 0.1;
    assert!((stiffness / whole - 1.0).abs() < 0.1, "{stiffness} {whole}");
    // The keys are different.
    let mut keys: Vec<u64> = near.iter().map(|c| c.key).collect();
    keys.dedup();
    assert_eq!(keys.len(), near.len());
}

/// For two bodies with surface contact and point contact, all points are in the order of their keys.
#[test]
fn points_beside_a_surface_stand_in_the_order_of_their_keys() {
    let mut model = cuboid(1.0, [0.1; 3]);
    let mut hard = model.links[0].collisions[0].clone();
    (hard.name, hard.X_BG) = ("hard".into(), Isometry3::translation(0.3, 0.0, 0.0));
    model.links[0].collisions[0].name = "soft".into();
    model.links[0].collisions.push(hard);
    let named = vec![("body/body/hard".to_owned(), Proximity::rigid()), ("ground".to_owned(), Proximity::rigid())];
    let hydroelastics = Hydroelastics { named, ..pressing(ContactModel::HydroelasticWithFallback) };
    let plant = PlantBuilder::new().ground(0.0).hydroelastics(hydroelastics).model("body", model, at(0.0, 0.0, 1.0));
    let plant = plant.build().unwrap();
    let contacts = PlantPoint::touching(&plant, &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.099], &[0.0; 6]).contacts;
    let is_hard = |c: &ContactPoint| c.p_WC[0] > 0.15;
    assert!(contacts.iter().any(is_hard) && !contacts.iter().all(is_hard), "{contacts:?}");
    assert!(contacts.is_sorted_by_key(|c| (c.body_a, c.body_b, c.key)), "{contacts:?}");
}

#[test]
fn surfaces_can_be_drawn() {
    let diagram = alone(on_ground(cuboid(1.0, [0.1; 3]), at(0.0, 0.0, 0.099), 20.0, 0.5));
    let plant = diagram.blocks()[0].system.as_plant().unwrap();
    let mut point = PlantPoint::default();
    plant.poses(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.099], &mut point);
    let surfaces = plant.contact_surfaces(&point);
    assert_eq!(surfaces.len(), 1);
    let surface = &surfaces[0];
    assert_eq!(surface.bodies, [0, 1]);
    assert_eq!(surface.polygons.iter().sum::<usize>(), surface.corners.len());
    assert_eq!(surface.pressures.len(), surface.corners.len());
    let highest = surface.pressures.iter().fold(0.0_f64, |most, p| most.max(*p));
    assert!((highest - E * 0.001 / 0.1).abs() < 1e-6 * highest, "{highest}");
    assert!(surface.corners.iter().all(|p| p[2].abs() < 1e-12));
}

/// A cylinder that lies rolls on its facets and comes to rest; momentum along the ground is that of friction alone.
#[test]
fn a_cylinder_comes_to_rest_on_its_end() {
    let model = solid(Shape::Cylinder { radius: 0.1, half_length: 0.1 }, 6.3);
    let base = Base::floating(Isometry3::new(Vector3::new(0.0, 0.0, 0.13), Vector3::new(0.2, 0.1, 0.0)));
    let mut simulation = run(&alone(on_ground(model, base, 20.0, 0.5)), cenic(1e-4), 3.0);
    let (w, v) = velocity(&mut simulation, "body");
    assert!(w.norm() < 1e-2 && v.norm() < 1e-3, "{w} {v}");
    let z = position(&mut simulation, "body").z;
    assert!((0.099..0.1).contains(&z), "{z}");
}
