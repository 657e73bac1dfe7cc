//! A vacuum gripper.

use kinegraph_core::Scalar;
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_geometry::Shape;
use kinegraph_multibody::{Base, Collision, Inertia, Link, Model, MultibodyPlant, PlantBuilder};
use kinegraph_systems::grippers::{Cup, Face, Suction, SuctionLaw, Target, VacuumGripper};
use nalgebra::{Isometry3, Matrix3, Vector3};

fn plant(names: &[&str]) -> MultibodyPlant {
    let inertia = Some(Inertia { mass: 1.0, p_BoBcm: Vector3::zeros(), I_BBcm: Matrix3::identity() });
    let shape = Shape::Sphere { radius: 0.1 };
    let collisions = vec![Collision { name: String::new(), X_BG: Isometry3::identity(), shape, surface: None }];
    let link = Link { name: "body".into(), inertia, collisions, ..Link::default() };
    let model = Model { name: "m".into(), links: vec![link], ..Model::default() };
    let base = Base::floating(Isometry3::identity());
    names.iter().fold(PlantBuilder::new(), |p, name| p.model(*name, model.clone(), base.clone())).build().unwrap()
}

fn cup(link: &str, point: [f64; 3]) -> Cup {
    Cup { link: link.into(), point, reaction: None }
}

fn target(link: &str, face: Face) -> Target {
    Target { link: link.into(), face }
}

const LAW: Suction = Suction::InverseDistance { c: 0.01, d0: 0.001 };
const CEILING: Face = Face::Plane { point: [0.0, 0.0, 0.1], normal: [0.0, 0.0, 1.0] };

#[test]
fn conforms() {
    let plant = plant(&["tool", "a", "b", "c"]);
    let cups = [cup("tool/body", [0.1, 0.2, -0.3]), Cup { reaction: Some("c/body".into()), ..cup("b/body", [0.0; 3]) }];
    let targets = [
        target("a/body", CEILING),
        target("b/body", Face::Sphere { center: [0.1, 0.0, 0.0], radius: 0.05 }),
        target("c/body", Face::Box { center: [0.0; 3], size: [0.2, 0.1, 0.3] }),
    ];
    conformance::check(&VacuumGripper::new(&plant, &cups, &targets, LAW).unwrap());
}

const AT: [f64; 7] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];

/// Two cups over a plate: forces c/(d + d0) along its normal, and no net torque on both together.
#[test]
fn action_is_reaction() {
    let plant = plant(&["tool", "plate"]);
    let cups = [cup("tool/body", [0.1, 0.0, -0.2]), cup("tool/body", [-0.1, 0.0, -0.2])];
    let gripper = VacuumGripper::new(&plant, &cups, &[target("plate/body", CEILING)], LAW).unwrap();
    let mut poses = [AT, AT].concat();
    poses[2] = 0.309; // tips at 0.109, the face at 0.1
    let bench = Bench::new(&gripper).input(gripper.body_poses, &poses);
    let close = |found: &[f64], expected: &[f64]| {
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?} {expected:?}");
    };
    close(&bench.clone().eval(gripper.distance), &[0.009, 0.009]);
    close(&bench.clone().eval(gripper.force), &[1.0, 1.0]);
    close(&bench.clone().eval(gripper.applied_spatial_force), &[0., 0., 0., 0., 0., -2., 0., 0., 0., 0., 0., 2.]);
    let half = bench.clone().input(gripper.on, [0.5]).input(gripper.others, [1.0; 12]);
    close(&half.clone().eval(gripper.applied_spatial_force), &[1., 1., 1., 1., 1., 0., 1., 1., 1., 1., 1., 2.]);
    close(&half.clone().input(gripper.on, [0.0]).eval(gripper.force), &[0.0, 0.0]);
}

#[test]
fn a_cup_sucks_at_the_nearest_target_only() {
    let plant = plant(&["tool", "near", "far"]);
    let ball = Face::Sphere { center: [0.0; 3], radius: 0.1 };
    let targets = [target("far/body", ball), target("near/body", ball)];
    let gripper = VacuumGripper::new(&plant, &[cup("tool/body", [0.0; 3])], &targets, LAW).unwrap();
    let mut poses = [AT, AT, AT].concat();
    (poses[7], poses[14]) = (0.11, -0.15);
    let forces = Bench::new(&gripper).input(gripper.body_poses, &poses).eval(gripper.applied_spatial_force);
    let pull = 0.01 / 0.011;
    assert!((forces[3] - pull).abs() < 1e-12 && (forces[9] + pull).abs() < 1e-12 && forces[15] == 0.0, "{forces:?}");
}

/// A custom force law.
struct Constant;
impl SuctionLaw for Constant {
    fn force<S: Scalar>(&self, _distance: S) -> S {
        S::constant(3.0)
    }
}

#[test]
fn the_law_is_a_parameter() {
    let plant = plant(&["tool", "plate"]);
    let targets = [target("plate/body", CEILING)];
    let gripper = VacuumGripper::with_law(&plant, &[cup("tool/body", [0.0; 3])], &targets, Constant).unwrap();
    assert_eq!(Bench::new(&gripper).input(gripper.body_poses, [AT, AT].concat()).eval(gripper.force), [3.0]);
}

#[test]
fn all_faults_come_together() {
    let plant = plant(&["tool", "plate"]);
    let cups = [cup("tol/body", [f64::NAN, 0.0, 0.0])];
    let targets = [target("plate/body", Face::Sphere { center: [0.0; 3], radius: 0.0 })];
    let law = Suction::Seal { force: -1.0, reach: 0.1 };
    let text = VacuumGripper::new(&plant, &cups, &targets, law).err().unwrap().to_string();
    assert_eq!(
        text.lines().collect::<Vec<_>>(),
        [
            "suction.force is -1, but must be a positive finite number",
            "cups[0].point[0] is NaN, but must be a finite number",
            "the plant has no link `tol/body`; did you mean `tool/body`?",
            "targets[0].radius is 0, but must be a positive finite number",
        ]
    );
    let none = VacuumGripper::new(&plant, &[], &[], LAW).err().unwrap();
    assert_eq!(none.0.len(), 2);
}
