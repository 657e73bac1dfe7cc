//! Plants that methods for differential equations move, and common checks of these methods.

use crate::common::*;
use kinegraph::diagram::Diagram;
use kinegraph::integrators::{IntegratorError, Options, StepFailure};
use kinegraph::simulate::{RunError, Scenario, Simulation};
use kinegraph::systems::multibody::plant::{Attachment, Constraint};
use kinegraph::systems::multibody::{Base, PlantBuilder};
use nalgebra::Isometry3;
use std::f64::consts::TAU;

pub const G: f64 = 9.81;
/// Deflection under gravity of the springs that replace rigid constraints.
pub const SAG: f64 = G / (TAU / 1e-3 * TAU / 1e-3);

/// A ball of radius 0.1 m over soft ground, its centre at the height `z`.
pub fn ball_over_ground(z: f64, dissipation: f64) -> Diagram {
    let plant = PlantBuilder::new().ground(0.0).model("ball", ball(1.0, 0.1), at(0.0, 0.0, z));
    alone(plant.contact(contact(1e4, dissipation, 0.5)))
}

/// The height of the ball.
pub fn height(diagram: &Diagram, options: Options, time: f64) -> f64 {
    position(&mut run(diagram, options, time), "ball").z
}

/// A double pendulum that swings freely.
pub fn swinging() -> Diagram {
    let plant = PlantBuilder::new().model("dp", double_pendulum(), Base::fixed());
    alone(plant.initial("dp/j1", 2.0, 0.0).initial("dp/j2", 0.5, 0.0))
}

/// A box that a weld holds, 1 m over the origin.
pub fn hanging() -> Diagram {
    let body = Attachment::at("box/body", [0.0; 3]);
    let weld = Constraint::weld("hold", Attachment::world(Isometry3::translation(0.0, 0.0, 1.0)), body);
    let plant = PlantBuilder::new().model("box", cuboid(1.0, [0.1; 3]), at(0.0, 0.0, 1.0));
    alone(plant.constraint(weld))
}

/// The box hangs within its sag, and its weight is reported.
pub fn assert_hangs(simulation: &mut Simulation) {
    let sag = 1.0 - position(simulation, "box").z;
    assert!((sag - SAG).abs() < 1e-2 * SAG, "{}: {sag:e} for {SAG:e}", simulation.integrator().name());
    let force = simulation.integrator().records()[0].multipliers[0];
    assert!((force[5].abs() - G).abs() < 1e-2 * G, "{force:?}");
}

/// The longest fixed step with which these options move the box; longer ones are refused.
pub fn longest_that_hangs(options: Options) -> (f64, RunError) {
    let error = Simulation::new(&hanging(), options).unwrap().advance_to(0.1).unwrap_err();
    let RunError::Integrator(IntegratorError::FixedStepFailed { failure, .. }) = &error else { panic!("{error}") };
    let StepFailure::TooStiff { longest, .. } = failure else { panic!("{failure}") };
    (*longest, error)
}

/// A run with contact that is interrupted and continued from a snapshot is the same, bit for bit.
pub fn assert_goes_on_from_a_snapshot(options: impl IntoIterator<Item = Options>) {
    let plant = PlantBuilder::new()
        .ground(0.0)
        .model("ball", ball(1.0, 0.1), thrown([0.0, 0.0, 0.15], [0.0, 5.0, 0.0], [0.3, 0.1, -0.2]))
        .model("dp", double_pendulum(), Base::fixed())
        .initial("dp/j1", 0.4, 0.3);
    let diagram = alone(plant);
    for options in options {
        let mut simulation = run(&diagram, options, 0.15);
        let snapshot = simulation.snapshot();
        simulation.advance_to(0.3).unwrap();
        let mut other = Simulation::new(&diagram, options).unwrap();
        other.restore(&snapshot).unwrap();
        other.advance_to(0.3).unwrap();
        assert_eq!(simulation.state(), other.state());
        assert_eq!(simulation.integrator().records(), other.integrator().records());
        assert!(!simulation.integrator().records()[0].contacts.is_empty());
    }
}

/// An arm that lifts a box by suction (controllers, switched constraints, friction, a box at rest) ends with the energy
/// that the convex step has.
pub fn assert_lifts_a_box(options: impl IntoIterator<Item = Options>) {
    let scene = Scenario::open("examples/vacuum/vacuum.yaml").unwrap();
    let energy = |options| run(&scene.diagram, options, 1.0).energy().unwrap();
    let expected = energy(cenic(1e-6));
    for options in options {
        let found = energy(options);
        assert!((found - expected).abs() < 2e-3 * expected, "{:?}: {found} for {expected}", options.integrator);
    }
}
