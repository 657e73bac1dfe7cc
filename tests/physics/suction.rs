//! Vacuum grippers against mechanics: action and reaction, several targets, several grippers, fixed and controlled
//! steps.

use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder, State};
use kinegraph::integrators::Options;
use kinegraph::simulate::Simulation;
use kinegraph::systems::grippers::{Cup, Face, Suction, Target, VacuumGripper};
use kinegraph::systems::multibody::{Base, PlantBuilder};
use kinegraph::systems::sources::Constant;
use nalgebra::Vector3;

fn cup(link: &str, point: [f64; 3]) -> Cup {
    Cup { link: link.into(), point, reaction: None }
}

fn target(link: &str, face: Face) -> Target {
    Target { link: link.into(), face }
}

const BALL: Face = Face::Sphere { center: [0.0; 3], radius: 0.1 };

/// A plant with one gripper on it.
fn gripped(plant: PlantBuilder, cups: &[Cup], targets: &[Target], law: Suction) -> Diagram {
    let mut b = DiagramBuilder::new("gripped");
    let plant = b.add("plant", plant.build().unwrap());
    let gripper = b.add("gripper", VacuumGripper::new(&*plant, cups, targets, law).unwrap());
    b.connect(plant.body_poses(), gripper.body_poses);
    b.connect(gripper.applied_spatial_force, plant.applied_spatial_force_on_all());
    b.build().unwrap()
}

/// Linear momentum of free bodies of these masses.
fn momentum(state: &State, masses: &[f64]) -> Vector3<f64> {
    let velocities = state.continuous[7 * masses.len()..].chunks_exact(6);
    velocities.zip(masses).map(|(v, m)| Vector3::from_column_slice(&v[3..6]) * *m).sum()
}

/// Two free bodies with suction between them, off centre, turning: forces are equal and opposite for any part of them
/// that the step takes implicitly.
#[test]
fn suction_keeps_the_momentum() {
    let plant = weightless()
        .contact(contact(1e4, 10.0, 0.5))
        .model("tool", ball(1.0, 0.1), thrown([0.0, 0.0, 0.25], [0.5, 0.2, 0.0], [0.1, 0.0, -0.1]))
        .model("load", cuboid(2.0, [0.1; 3]), thrown([0.0, 0.03, 0.0], [0.0, 0.1, 0.4], [0.0, -0.1, 0.0]));
    let cups = [cup("tool/body", [0.0, 0.0, -0.1]), cup("tool/body", [0.02, 0.0, -0.099])];
    let face = Face::Box { center: [0.0; 3], size: [0.2; 3] };
    let law = Suction::InverseDistance { c: 0.05, d0: 0.01 };
    let diagram = gripped(plant, &cups, &[target("load/body", face)], law);
    let masses = [1.0, 2.0];
    let start = momentum(&diagram.initial_state(), &masses);
    for options in [icf(2e-3), cenic(1e-3), cenic(1e-5)] {
        let simulation = run(&diagram, options, 1.0);
        let (end, contacts) = (momentum(simulation.state(), &masses), simulation.statistics().max_contacts);
        assert!((end - start).norm() < 1e-9, "{start} -> {end}, {:?}", options.integrator);
        assert!(contacts > 0, "the bodies never met");
    }
}

/// Without contact and dissipation, the work of c/(d + d0) is c ln((d1 + d0)/(d2 + d0)).
#[test]
fn suction_does_the_work_of_its_law() {
    let (c, d0) = (0.1, 0.01);
    let plant =
        weightless().model("load", ball(2.0, 0.1), at(0.0, 0.0, 0.3)).model("tool", ball(1.0, 0.02), at(0.0, 0.0, 0.0));
    let cups = [cup("tool/body", [0.0; 3])];
    let diagram = gripped(plant, &cups, &[target("load/body", BALL)], Suction::InverseDistance { c, d0 });
    let mut simulation = run(&diagram, cenic(1e-6), 0.5);
    let distance = simulation.channel("gripper.distance").unwrap();
    assert!(distance < 0.17 && distance > 0.02, "{distance}");
    let (gained, work) = (simulation.energy().unwrap(), c * ((0.2 + d0) / (distance + d0)).ln());
    assert!((gained - work).abs() < 0.01 * work, "{gained} J, not {work} J");
}

/// A fixed cup holds the near ball and not the far one; both hang in weightlessness. Two cups at once take one each.
#[test]
fn each_cup_holds_its_own_target() {
    let tool = || {
        let mut model = slider(1.0);
        model.joints[0].limits = (0.0, 0.0);
        model
    };
    let law = Suction::Seal { force: 5.0, reach: 0.05 };
    let scene = |cups: &[Cup]| {
        let plant = weightless().contact(contact(1e4, 10.0, 0.5)).model("tool", tool(), Base::fixed());
        let plant =
            plant.model("near", ball(1.0, 0.1), at(0.11, 0.0, 0.0)).model("far", ball(1.0, 0.1), at(-0.14, 0.0, 0.0));
        gripped(plant, cups, &[target("far/body", BALL), target("near/body", BALL)], law)
    };
    let x = |simulation: &mut Simulation, name: &str| position(simulation, name).x;
    let mut one = run(&scene(&[cup("tool/base", [0.0; 3])]), cenic(1e-3), 0.05);
    assert!(x(&mut one, "near") < 0.109 && x(&mut one, "far") == -0.14);
    let mut two = run(&scene(&[cup("tool/base", [0.0; 3]), cup("tool/base", [-0.02, 0.0, 0.0])]), cenic(1e-3), 0.05);
    assert!(x(&mut two, "near") < 0.109 && x(&mut two, "far") > -0.139);
}

/// A second gripper adds its forces to those of the first, each with a valve of its own.
#[test]
fn two_grippers_share_a_plant() {
    let diagram = |first: f64, second: f64| {
        let mut b = DiagramBuilder::new("two");
        let plant = weightless().model("tool", ball(1.0, 0.02), at(0.0, 0.0, 0.0)).model(
            "load",
            ball(1.0, 0.1),
            at(0.0, 0.0, 0.2),
        );
        let plant = b.add("plant", plant.build().unwrap());
        let law = Suction::InverseDistance { c: 0.01, d0: 0.01 };
        let mut gripper = |name: &str, on: f64| {
            let gripper = VacuumGripper::new(&*plant, &[cup("tool/body", [0.0; 3])], &[target("load/body", BALL)], law);
            let gripper = b.add(name, gripper.unwrap());
            let valve = b.add(format!("{name}_valve"), Constant::new([on]).unwrap());
            b.connect(plant.body_poses(), gripper.body_poses);
            b.connect(valve.output, gripper.on);
            gripper
        };
        let (one, two) = (gripper("one", first), gripper("two", second));
        b.connect(one.applied_spatial_force, two.others);
        b.connect(two.applied_spatial_force, plant.applied_spatial_force_on_all());
        b.build().unwrap()
    };
    let speed = |first, second, options: Options| {
        let mut simulation = run(&diagram(first, second), options, 1e-3);
        velocity(&mut simulation, "tool").1.z
    };
    for options in [icf(1e-3), cenic(1e-3)] {
        let alone = speed(1.0, 0.0, options);
        assert!((alone - 1e-3 * 0.01 / 0.11).abs() < 1e-6 * 0.1, "{alone}");
        assert!((speed(1.0, 1.0, options) - 2.0 * alone).abs() < 1e-4 * alone);
        assert!((speed(0.0, 0.5, options) - 0.5 * alone).abs() < 1e-4 * alone);
        assert_eq!(speed(0.0, 0.0, options), 0.0);
    }
}
