//! Pairs of shapes that a query leaves out: with their points, which can be queried later, nothing is missing. Points
//! of a few bodies equal those of all, without those of the others.

use kinegraph_systems::convex::{ContactPoint, PlantContacts, PlantDynamics, PlantPoint};
use kinegraph_systems::models::{LoadOptions, parse_mjcf};
use kinegraph_systems::multibody::{Base, MultibodyPlant, PlantBuilder};
use proptest::prelude::*;

/// Cylinders, boxes and a ball, all free.
const FILE: &str = r#"<mujoco><worldbody>
    <body><freejoint/><geom type="cylinder" size="0.1 0.2"/></body>
    <body><freejoint/><geom type="cylinder" size="0.2 0.05"/><geom type="box" pos="0.3 0 0" size="0.1 0.1 0.2"/></body>
    <body><freejoint/><geom type="box" size="0.3 0.1 0.1"/></body>
    <body><freejoint/><geom type="cylinder" size="0.05 0.3" margin="0.01"/></body>
    <body><freejoint/><geom type="sphere" size="0.1"/></body>
</worldbody></mujoco>"#;
const BODIES: usize = 5;

fn plant() -> MultibodyPlant {
    let model = parse_mjcf(FILE, "far.xml", &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}")).model;
    PlantBuilder::new().model("m", model, Base::fixed()).build().unwrap_or_else(|error| panic!("{error}"))
}

/// Position of a body, and a quaternion of any length.
fn place() -> impl Strategy<Value = ([f64; 3], [f64; 4])> {
    (prop::array::uniform3(-0.6..0.6_f64), prop::array::uniform4(-1.0..1.0_f64))
}

/// The plant with its bodies at these places.
fn placed(plant: &MultibodyPlant, places: &[([f64; 3], [f64; 4])]) -> PlantPoint {
    let turned = |r: &[f64; 4]| {
        let length = r.iter().map(|x| x * x).sum::<f64>().sqrt().max(1e-3);
        r.map(|x| x / length)
    };
    // Quaternion first, then the place.
    let q: Vec<f64> = places.iter().flat_map(|(p, r)| turned(r).into_iter().chain(*p)).collect();
    let mut point = PlantPoint::default();
    plant.evaluate(&q, &[0.0; 6 * BODIES], &mut point);
    point
}

/// All numbers of a point that the pair determines, bit by bit, first those by which points are sorted.
fn bits(contact: &ContactPoint) -> Vec<u64> {
    let ContactPoint { body_a, body_b, key, p_WC, normal, depth, stiffness, .. } = *contact;
    let numbers = p_WC.into_iter().chain(normal).chain([depth, stiffness]).map(f64::to_bits);
    [body_a as u64, body_b as u64, key].into_iter().chain(numbers).collect()
}

proptest! {
    #[test]
    fn nothing_is_missing_with_the_points_of_pairs_left_out(
        places in prop::collection::vec(place(), BODIES),
        margin in 0.0..0.3_f64,
        share in 0.0..1.2_f64,
    ) {
        let plant = plant();
        let mut point = placed(&plant, &places);
        plant.contacts(margin, &mut point);
        prop_assert!(point.far.is_empty());
        let all: Vec<Vec<u64>> = point.contacts.iter().map(bits).collect();
        let near = share * margin;
        plant.near_contacts(margin, &|_, beyond| if beyond < 0.5 * margin { f64::NAN } else { near }, &mut point);
        let mut found = point.contacts.clone();
        for pair in std::mem::take(&mut point.far) {
            prop_assert!(pair.gap >= near && pair.gap < margin);
            let mut of_pair = Vec::new();
            plant.contacts_of_far(&pair, margin, &mut point, &mut of_pair);
            for contact in &of_pair {
                let mut bodies = pair.bodies;
                bodies.sort_unstable();
                prop_assert_eq!(bodies, [contact.body_a, contact.body_b]);
                prop_assert!(contact.depth <= -pair.gap + 1e-9, "{} for {}", contact.depth, pair.gap);
            }
            found.extend(of_pair);
        }
        found.sort_unstable_by_key(|contact| (contact.body_a, contact.body_b, contact.key));
        prop_assert_eq!(&found.iter().map(bits).collect::<Vec<_>>(), &all);
        // What is asked for by no gap is not left out.
        plant.near_contacts(margin, &|_, _| f64::INFINITY, &mut point);
        prop_assert!(point.far.is_empty());
        prop_assert_eq!(&point.contacts.iter().map(bits).collect::<Vec<_>>(), &all);
    }

    #[test]
    fn points_of_some_bodies_are_those_of_all_without_the_others(
        places in prop::collection::vec(place(), BODIES),
        margin in 0.0..0.3_f64,
        of in prop::array::uniform5(any::<bool>()),
    ) {
        let plant = plant();
        let mut point = placed(&plant, &places);
        let mut wanted = vec![false; plant.structure().bodies.len()];
        let first = wanted.len() - BODIES;
        wanted[first..].copy_from_slice(&of);
        plant.contacts(margin, &mut point);
        let is_wanted = |contact: &&ContactPoint| wanted[contact.body_a] || wanted[contact.body_b];
        let expected: Vec<Vec<u64>> = point.contacts.iter().filter(is_wanted).map(bits).collect();
        plant.contacts_of(&wanted, margin, &mut point);
        prop_assert_eq!(point.contacts.iter().map(bits).collect::<Vec<_>>(), expected);
    }
}
