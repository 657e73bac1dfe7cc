//! Operational-space control: tasks with linear, decoupled errors.

use crate::arms::{HOME, arm, arm_at, numbers, pose, tool_at};
use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::simulate::Simulation;
use kinegraph::systems::control::{EndEffector, OperationalSpaceController, OperationalSpaceSettings, Task};
use kinegraph::systems::multibody::PlantBuilder;
use kinegraph::systems::sources::PiecewisePolynomial;
use kinegraph::systems::{Fixed, Out};
use nalgebra::{Isometry3, UnitQuaternion, Vector3};

const GRAVITY: [f64; 3] = [0.0, 0.0, -9.81];

fn settings(kp: f64, kd: f64) -> OperationalSpaceSettings {
    OperationalSpaceSettings {
        nullspace_kp: 25.0.into(),
        nullspace_kd: 10.0.into(),
        posture: HOME.into(),
        ..OperationalSpaceSettings::new(EndEffector::new("tool"), kp, kd)
    }
}

/// The arm with a fixed goal.
fn towards(goal: &Isometry3<f64>, start: [f64; 7], settings: OperationalSpaceSettings) -> (Diagram, Out<Fixed<7>>) {
    let mut b = DiagramBuilder::new("task");
    let controller = b.add("controller", OperationalSpaceController::new(&arm(), GRAVITY, settings).unwrap());
    let plant = b.add("plant", arm_at(PlantBuilder::new(), start).build().unwrap());
    b.connect(plant.state("arm"), controller.estimated_state);
    b.connect(controller.generalized_force, plant.actuation("arm"));
    b.fix(controller.desired_pose, numbers(goal));
    (b.build().unwrap(), controller.pose)
}

/// e(t) = e(0) (1 + 10 t) exp(-10 t) along every axis, and about the one it turns about, while the posture changes.
#[test]
fn every_axis_of_the_error_decays_on_its_own() {
    let home = tool_at(HOME);
    let (shift, turn) = (Vector3::new(0.1, -0.2, 0.05), Vector3::new(0.3, 0.2, -0.4));
    let goal = Isometry3::from_parts(
        (home.translation.vector + shift).into(),
        UnitQuaternion::from_scaled_axis(turn) * home.rotation,
    );
    let posture = [0.3, 0.0, -0.4, -1.8, 0.2, 1.6, 0.5];
    let settings = OperationalSpaceSettings { posture: posture.into(), ..settings(100.0, 20.0) };
    let (diagram, at) = towards(&goal, HOME, settings);
    let mut simulation = Simulation::new(&diagram, cenic(1e-6)).unwrap();
    for time in [0.05, 0.1, 0.2, 0.4, 0.8] {
        simulation.advance_to(time).unwrap();
        let found = pose(&mut simulation, at);
        let left = (1.0 + 10.0 * time) * (-10.0 * time).exp();
        let e = goal.translation.vector - found.translation.vector;
        let phi = (goal.rotation * found.rotation.inverse()).scaled_axis();
        assert!((e - shift * left).norm() < 1e-5, "at {time}: {e}");
        assert!((phi - turn * left).norm() < 1e-5, "at {time}: {phi}");
    }
}

/// 40 cm along a line in 1 s and to rest, accelerations fed forward: x = 10 u³ - 15 u⁴ + 6 u⁵.
#[test]
fn the_tool_follows_a_straight_line() {
    let home = tool_at(HOME);
    let way = Vector3::new(0.1, 0.35, -0.15);
    let path = |scale: f64| [0.0, 0.0, 0.0, 10.0, -15.0, 6.0].map(|c| c * scale).to_vec();
    // Angular coordinates, and the quaternion, stay.
    let linear = |first: Vec<Vec<f64>>| [first, way.iter().map(|&x| path(x)).collect()].concat();
    let rates = linear(vec![vec![0.0]; 3]);
    let mut poses: Vec<Vec<f64>> = way.iter().map(|&x| path(x)).collect();
    for (channel, start) in poses.iter_mut().zip(home.translation.vector.iter()) {
        channel[0] = *start;
    }
    poses.extend(numbers(&home)[3..].iter().map(|&x| vec![x]));
    let mut b = DiagramBuilder::new("line");
    let controller =
        b.add("controller", OperationalSpaceController::new(&arm(), GRAVITY, settings(400.0, 40.0)).unwrap());
    let plant = b.add("plant", arm_at(PlantBuilder::new(), HOME).build().unwrap());
    let goal = b.add("goal", PiecewisePolynomial::new(vec![0.0, 1.0], vec![poses]).unwrap());
    let rate = b.add("rate", PiecewisePolynomial::new(vec![0.0, 1.0], vec![rates]).unwrap());
    b.connect(plant.state("arm"), controller.estimated_state);
    b.connect(controller.generalized_force, plant.actuation("arm"));
    b.connect(goal.position, controller.desired_pose);
    b.connect(rate.velocity, controller.desired_velocity);
    b.connect(rate.acceleration, controller.desired_acceleration);
    let mut simulation = Simulation::new(&b.build().unwrap(), cenic(1e-5)).unwrap();
    for i in 1..=24 {
        let time = 0.05 * i as f64;
        simulation.advance_to(time).unwrap();
        let (u, found) = (time.min(1.0), pose(&mut simulation, controller.pose));
        let expected = home.translation.vector + way * (u.powi(3) * (10.0 - 15.0 * u + 6.0 * u * u));
        let apart = (found.translation.vector - expected).norm();
        assert!(apart < 5e-5, "at {time}: {apart:e} m off the line");
        assert!(found.rotation.angle_to(&home.rotation) < 5e-5, "at {time}");
    }
}

/// In the nullspace the joints go to the posture, 0.4 rad away, as far as the tool lets them.
#[test]
fn the_posture_changes_behind_a_tool_at_rest() {
    let home = tool_at(HOME);
    let mut posture = HOME;
    posture[2] = 0.8;
    let (diagram, at) =
        towards(&home, HOME, OperationalSpaceSettings { posture: posture.into(), ..settings(100.0, 20.0) });
    let mut simulation = Simulation::new(&diagram, cenic(1e-6)).unwrap();
    let mut most = 0.0_f64;
    for i in 1..=40 {
        simulation.advance_to(0.1 * i as f64).unwrap();
        let found = home.inverse() * pose(&mut simulation, at);
        most = most.max(found.translation.vector.norm() + found.rotation.angle());
    }
    let turned = simulation.state().continuous[2];
    assert!(turned > 0.2 && most < 1e-4, "joint 3 at {turned}, the tool off by {most:e}");
}

/// The goal is out of reach, nearly straight up: the arm stretches towards it and comes to rest, where Λ would be
/// infinite.
#[test]
fn an_arm_out_of_reach_of_its_goal_comes_to_rest() {
    let goal = Isometry3::translation(0.3, 0.0, 2.0);
    let task = OperationalSpaceSettings { task: Task::Position, ..settings(100.0, 20.0) };
    let (diagram, at) = towards(&goal, HOME, task);
    let mut simulation = Simulation::new(&diagram, cenic(1e-3)).unwrap();
    simulation.advance_to(4.0).unwrap();
    let statistics = simulation.statistics();
    let attempts = statistics.steps + statistics.rejected_steps;
    let fastest = simulation.state().continuous[7..].iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    // From the shoulder, 33 cm above the ground; the arm is 85.5 cm long.
    let reach = (pose(&mut simulation, at).translation.vector - Vector3::z() * 0.333).norm();
    assert!(fastest < 0.05 && reach > 0.83, "{fastest} rad/s at {reach} m");
    // Most of them without a convex problem, which was tried three times in each before.
    assert!(attempts < 1800, "{attempts}");
}
