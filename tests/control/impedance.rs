//! Cartesian impedance: springs at the end of an arm.

use crate::arms::{HOME, arm, arm_at, numbers, pose, tool_at};
use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::systems::Fixed;
use kinegraph::systems::Out;
use kinegraph::systems::control::{Compensation, EndEffector, ImpedanceController, ImpedanceSettings};
use kinegraph::systems::geometry::Shape;
use kinegraph::systems::multibody::{Base, Collision, PlantBuilder};
use nalgebra::{Isometry3, UnitQuaternion, Vector3};

const GRAVITY: [f64; 3] = [0.0, 0.0, -9.81];

/// The arm at home on its spring, `wrench` (torque, force) on its tool.
fn on_a_spring(
    plant: PlantBuilder,
    settings: ImpedanceSettings,
    goal: &Isometry3<f64>,
    wrench: [f64; 6],
) -> (Diagram, Out<Fixed<7>>) {
    let mut b = DiagramBuilder::new("impedance");
    let controller = b.add("controller", ImpedanceController::new(&arm(), GRAVITY, settings).unwrap());
    let plant = b.add("plant", arm_at(plant, HOME).build().unwrap());
    b.connect(plant.state("arm"), controller.estimated_state);
    b.connect(controller.generalized_force, plant.actuation("arm"));
    b.fix(controller.desired_pose, numbers(goal));
    let mut forces = vec![0.0; 6 * arm().links.len()];
    let tool = arm().links.iter().position(|link| link.name == "tool").unwrap();
    forces[6 * tool..6 * tool + 6].copy_from_slice(&wrench);
    b.fix(plant.applied_spatial_force("arm"), forces);
    (b.build().unwrap(), controller.pose)
}

/// Joint angles are held where the end effector leaves them free.
fn settings(end_effector: EndEffector, stiffness: f64, damping: f64) -> ImpedanceSettings {
    ImpedanceSettings {
        nullspace_stiffness: 10.0.into(),
        nullspace_damping: 5.0.into(),
        posture: HOME.into(),
        ..ImpedanceSettings::new(
            end_effector,
            ([2.0 * stiffness, 0.5 * stiffness, stiffness], damping),
            ([60.0, 30.0, 20.0], 6.0),
        )
    }
}

/// For every arm, and with a posture that pulls elsewhere: stiffnesses along the axes of the desired frame.
#[test]
fn a_constant_force_moves_the_tool_by_force_over_stiffness() {
    // The frame of the tool is another one than that of its link.
    let X_LE = Isometry3::rotation(Vector3::new(0.3, 0.8, -0.4));
    let goal = tool_at(HOME) * X_LE;
    let force = Vector3::new(12.0, -7.0, 20.0);
    let moment = goal.rotation * Vector3::y() * 9.0;
    let wrench = [moment.x, moment.y, moment.z, force.x, force.y, force.z];
    let settings = ImpedanceSettings {
        posture: [0.3, 0.0, -0.2, -1.8, 0.2, 1.6, 0.5].into(),
        ..settings(EndEffector { X_LE, ..EndEffector::new("tool") }, 1000.0, 150.0)
    };
    let (diagram, at) = on_a_spring(PlantBuilder::new(), settings, &goal, wrench);
    let mut simulation = run(&diagram, cenic(1e-3), 30.0);
    let found = goal.inverse() * pose(&mut simulation, at);
    let along = goal.rotation.inverse() * force;
    let expected = along.component_div(&Vector3::new(2000.0, 500.0, 1000.0));
    assert!((found.translation.vector - expected).norm() < 1e-9, "{found} {expected}");
    let turned = found.rotation.scaled_axis() - Vector3::y() * (9.0 / 30.0);
    assert!(turned.norm() < 1e-8, "{turned}");
}

/// On a carriage of 3 kg: 3 ẍ + 12 ẋ + 300 x = 0.
#[test]
fn a_carriage_swings_as_a_spring_and_a_damper_let_it() {
    let model = slider(3.0);
    let mut b = DiagramBuilder::new("carriage");
    let settings = ImpedanceSettings::new(EndEffector::new("carriage"), (300.0, 12.0), (0.0, 0.0));
    let controller = b.add("controller", ImpedanceController::new(&model, GRAVITY, settings).unwrap());
    let plant = PlantBuilder::new().model("slider", model, Base::fixed()).initial("slider/x", 0.2, 0.0);
    let plant = b.add("plant", plant.build().unwrap());
    b.connect(plant.state("slider"), controller.estimated_state);
    b.connect(controller.generalized_force, plant.actuation("slider"));
    b.fix(controller.desired_pose, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    let diagram = b.build().unwrap();
    let w = (100.0_f64 - 4.0).sqrt();
    for time in [0.1, 0.37, 0.9, 1.5] {
        let found = run(&diagram, cenic(1e-6), time).state().continuous[0];
        let expected = 0.2 * (-2.0 * time).exp() * ((w * time).cos() + 2.0 / w * (w * time).sin());
        assert!((found - expected).abs() < 1e-5, "at {time}: {found} instead of {expected}");
    }
}

/// Up to a thousand times the stiffness of a hand, step lengths follow the motion, not the time constants of the
/// spring.
#[test]
fn stiff_springs_run_with_steps_as_long_as_the_motion_lets_them() {
    let home = tool_at(HOME);
    for (stiffness, shift, options, most) in [
        (1e4, 1.0, cenic(1e-3), 200),
        (1e6, 1.0, cenic(1e-3), 200),
        // A step of fixed length cannot shorten where forces of 50 kN turn with the arm.
        (1e4, 1.0, icf(0.01), 1000),
        (1e6, 0.1, icf(0.01), 1000),
    ] {
        let goal = Isometry3::from_parts(
            (home.translation.vector + Vector3::new(0.02, -0.05, 0.03) * shift).into(),
            UnitQuaternion::from_scaled_axis(Vector3::new(0.1, 0.05, -0.1) * shift) * home.rotation,
        );
        // Critical for about 4 kg.
        let settings = settings(EndEffector::new("tool"), stiffness, 2.0 * (4.0 * stiffness).sqrt());
        let (diagram, at) = on_a_spring(PlantBuilder::new(), settings, &goal, [0.0; 6]);
        let mut simulation = run(&diagram, options, 10.0);
        let left = goal.inverse() * pose(&mut simulation, at);
        let statistics = simulation.statistics();
        let attempts = statistics.steps + statistics.rejected_steps;
        let error = left.translation.vector.norm() + left.rotation.angle();
        assert!(error < 1e-10 && attempts <= most, "{stiffness} N/m: {error:e} left after {attempts} steps");
    }
}

/// The rest position of the spring is 2 cm below the ground: in equilibrium, the contact force equals the force of the
/// spring.
#[test]
fn a_tool_presses_on_the_ground_with_the_force_of_its_spring() {
    let home = tool_at(HOME);
    let ground = home.translation.z - 0.05;
    let goal = Isometry3::from_parts((home.translation.vector - Vector3::z() * 0.07).into(), home.rotation);
    let mut model = arm();
    let tool = model.links.iter_mut().find(|link| link.name == "tool").unwrap();
    let shape = Shape::Sphere { radius: 0.02 };
    tool.collisions = vec![Collision { name: String::new(), X_BG: Isometry3::identity(), shape, surface: None }];
    let mut b = DiagramBuilder::new("press");
    let settings =
        ImpedanceSettings { compensation: Compensation::Bias, ..settings(EndEffector::new("tool"), 1e3, 120.0) };
    let controller = b.add("controller", ImpedanceController::new(&arm(), GRAVITY, settings).unwrap());
    let place = |plant: PlantBuilder, (i, q)| plant.initial(format!("arm/joint{}", i + 1), q, 0.0);
    let plant = PlantBuilder::new().ground(ground).contact(contact(1e5, 10.0, 0.5)).model("arm", model, Base::fixed());
    let plant = b.add("plant", HOME.into_iter().enumerate().fold(plant, place).build().unwrap());
    b.connect(plant.state("arm"), controller.estimated_state);
    b.connect(controller.generalized_force, plant.actuation("arm"));
    b.fix(controller.desired_pose, numbers(&goal));
    let mut simulation = run(&b.build().unwrap(), cenic(1e-4), 6.0);
    let shift = pose(&mut simulation, controller.pose).translation.vector - goal.translation.vector;
    // Stiffnesses along the axes of the goal; the ground holds the tool by friction, too.
    let spring = goal.rotation * (goal.rotation.inverse() * shift).component_mul(&Vector3::new(2000.0, 500.0, 1000.0));
    let pushed = Vector3::from(simulation.contact_results("plant").unwrap().force_on("arm/tool"));
    assert!(pushed.z > 15.0, "{pushed}");
    assert!((pushed - spring).norm() < 1e-2, "{pushed} instead of {spring}");
}
