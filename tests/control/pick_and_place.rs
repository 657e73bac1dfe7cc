//! An arm picks up a box with two fingers, carries it aside, sets it down and releases it: contact by volume.

use crate::arms::{HOME, arm, arm_at, numbers, tool_at};
use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::simulate::Simulation;
use kinegraph::systems::control::{EndEffector, OperationalSpaceController, OperationalSpaceSettings};
use kinegraph::systems::geometry::Shape;
use kinegraph::systems::multibody::plant::{ContactModel, ContactParameters, Hydroelastics};
use kinegraph::systems::multibody::proximity::Proximity;
use kinegraph::systems::multibody::{Base, Collision, JointKind, Mimic, Model, PlantBuilder};
use kinegraph::systems::sources::{Pulse, Trajectory};
use nalgebra::{Isometry3, Quaternion, UnitQuaternion, Vector3};

const GRAVITY: [f64; 3] = [0.0, 0.0, -9.81];
/// Half the width of the box, its mass \[kg\], how far it is lifted and carried \[m\].
const HALF: f64 = 0.03;
const MASS: f64 = 0.2;
const LIFT: f64 = 0.1;
const ASIDE: f64 = 0.25;
/// From the frame of the tool to the middle of the pads, along its z axis \[m\].
const REACH: f64 = 0.09;
/// Force that closes a finger \[N\], and its times.
const GRIP: f64 = 25.0;
const CLOSES: f64 = 0.8;
const OPENS: f64 = 3.9;

/// Two fingers on slides, held open by springs.
fn hand() -> Model {
    let pad = |side: f64| Collision {
        name: String::new(),
        X_BG: Isometry3::translation(0.0, 0.004 * side, 0.0),
        shape: Shape::Box { half_extents: Vector3::new(0.01, 0.004, 0.02) },
        surface: None,
    };
    let mut links = vec![link("palm", 0.01, [0.0; 3])];
    let mut joints = Vec::new();
    for (name, side) in [("left", 1.0), ("right", -1.0)] {
        let mut finger = link(name, 0.03, [0.0; 3]);
        finger.collisions = vec![pad(side)];
        links.push(finger);
        let mut slide = joint(&format!("{name}_slide"), JointKind::Prismatic, "palm", name, Vector3::y() * side);
        slide.X_PF = Isometry3::translation(0.0, 0.0, REACH);
        slide.damping = 10.0;
        // Both fingers on one gear: the box stays in the middle.
        slide.mimic = (side < 0.0).then(|| Mimic { joint: "left_slide".into(), multiplier: 1.0, offset: 0.0 });
        joints.push(slide);
    }
    Model { name: "hand".into(), links, joints, ..Model::default() }
}

/// Positions of the tool, and their times.
fn path(home: &Vector3<f64>) -> (Vec<f64>, Vec<Vector3<f64>>) {
    let (low, aside) = (home - Vector3::z() * LIFT, Vector3::y() * ASIDE);
    let way = [
        (0.0, *home),
        (0.7, low),
        (1.2, low),
        (1.8, *home),
        (2.6, home + aside),
        (3.0, home + aside),
        (3.6, low + aside),
        (4.2, low + aside),
        (4.8, home + aside),
        (5.2, home + aside),
    ];
    way.into_iter().unzip()
}

fn scene() -> Diagram {
    let home = tool_at(HOME);
    let at_start = home.translation.vector + home.rotation * Vector3::z() * REACH - Vector3::z() * LIFT;
    let table = at_start.z - HALF;
    let hydroelastics =
        Hydroelastics { model: ContactModel::Volume, bodies: Proximity::compliant(1e8), ..Hydroelastics::default() };
    let base = Base::Welded { model: "arm".into(), link: "tool".into(), X_LR: Isometry3::identity() };
    let facing = UnitQuaternion::from_rotation_matrix(&home.rotation.to_rotation_matrix());
    let plant = PlantBuilder::new()
        .gravity(GRAVITY)
        .ground(table)
        .contact(ContactParameters { stiction_tolerance: 1e-4, ..contact(1e5, 20.0, 0.5) })
        .hydroelastics(hydroelastics);
    let plant = arm_at(plant, HOME).model("hand", hand(), base).model(
        "box",
        cuboid(MASS, [HALF; 3]),
        Base::floating(Isometry3::from_parts(at_start.into(), facing)),
    );
    let open = HALF + 0.015;
    let plant = ["left", "right"].into_iter().fold(plant, |plant, side| {
        let slide = format!("hand/{side}_slide");
        plant.spring(slide.clone(), 200.0, open).initial(slide, open, 0.0)
    });
    let settings = OperationalSpaceSettings {
        nullspace_kp: 25.0.into(),
        nullspace_kd: 10.0.into(),
        posture: HOME.into(),
        ..OperationalSpaceSettings::new(EndEffector::new("tool"), 1e4, 200.0)
    };
    let mut b = DiagramBuilder::new("pick_and_place");
    let controller = b.add("controller", OperationalSpaceController::new(&arm(), GRAVITY, settings).unwrap());
    let plant = b.add("plant", plant.build().unwrap_or_else(|e| panic!("{e}")));
    let (times, places) = path(&home.translation.vector);
    let turned = numbers(&home)[3..].to_vec();
    let poses = places.iter().map(|p| [p.as_slice(), &turned].concat()).collect();
    let shifts = places.iter().map(|p| [&[0.0; 3], p.as_slice()].concat()).collect();
    let goal = b.add("goal", Trajectory::new(times.clone(), poses).unwrap());
    let rate = b.add("rate", Trajectory::new(times, shifts).unwrap());
    let grip = b.add("grip", Pulse::new(2, -GRIP, 100.0, (OPENS - CLOSES) / 100.0, CLOSES).unwrap());
    b.connect(plant.state("arm"), controller.estimated_state);
    b.connect(controller.generalized_force, plant.actuation("arm"));
    b.connect(goal.position, controller.desired_pose);
    b.connect(rate.velocity, controller.desired_velocity);
    b.connect(grip.output, plant.applied_generalized_force("hand"));
    b.build().unwrap()
}

fn pose_of(simulation: &mut Simulation, link: &str) -> Isometry3<f64> {
    let mut get = |c: &str| simulation.channel(&format!("plant.{link}.pose.{c}")).unwrap();
    let p = ["px", "py", "pz"].map(&mut get);
    let [w, x, y, z] = ["qw", "qx", "qy", "qz"].map(&mut get);
    Isometry3::from_parts(Vector3::from(p).into(), UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z)))
}

/// While it is carried the box stays in the hand within 1 mm. At rest, in the hand and on the table, forces are steady.
#[test]
fn a_box_is_picked_carried_and_set_down() {
    for options in [cenic(1e-3), icf(4e-3)] {
        let mut simulation = Simulation::new(&scene(), options).unwrap();
        let (mut held, mut last) = (None, None);
        let (mut slipped, mut jump) = (0.0_f64, 0.0_f64);
        for i in 1..=520 {
            let time = 0.01 * f64::from(i);
            simulation.advance_to(time).unwrap_or_else(|e| panic!("{e}"));
            let (tool, body) = (pose_of(&mut simulation, "arm.tool"), pose_of(&mut simulation, "box.body"));
            if time > CLOSES + 0.2 && time < 3.4 {
                let place = tool.inverse_transform_point(&body.translation.vector.into());
                let first = *held.get_or_insert(place);
                slipped = slipped.max((place - first).norm());
            }
            let results = simulation.contact_results("plant").unwrap();
            let force: f64 = results.patches().iter().map(|patch| Vector3::from(patch.force).norm()).sum();
            let rests = time > 2.75 && time < 2.99 || time > 4.4;
            if let (true, Some(before)) = (rests, last) {
                jump = jump.max(f64::abs(force / before - 1.0));
            }
            last = rests.then_some(force);
        }
        let home = tool_at(HOME);
        let goal = home.translation.vector + home.rotation * Vector3::z() * REACH - Vector3::z() * LIFT;
        let goal = goal + Vector3::y() * ASIDE;
        let body = pose_of(&mut simulation, "box.body");
        assert!(slipped < 1e-3, "{slipped} m in the hand");
        assert!(jump < 0.2, "forces at rest jump by {jump}");
        assert!((body.translation.vector - goal).norm() < 2e-3, "{} {goal}", body.translation.vector);
        assert!((body.rotation * Vector3::z()).z.abs() > 0.999, "it stands upright");
    }
}
