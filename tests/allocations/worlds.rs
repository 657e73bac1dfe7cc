//! Data that depend on the diagram alone are built once: a second world of a plan takes a small part of the work of the
//! first.

use crate::common::cenic;
use allocation_counter::measure;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::{OfOptions, Options};
use kinegraph::simulate::{Plan, Scenario, Simulation};
use kinegraph::systems::control::InverseDynamicsController;
use kinegraph::systems::models::read_urdf;
use kinegraph::systems::multibody::{Base, PlantBuilder};
use std::path::Path;
use std::sync::Arc;

/// `n` robots of seven joints, each under a controller of its own.
fn robots(n: usize) -> Diagram {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/scenes/arm7/arm.urdf");
    let model = read_urdf(&file).unwrap().model;
    let mut b = DiagramBuilder::new("robots");
    for i in 0..n {
        let plant = PlantBuilder::new().model("arm", model.clone(), Base::fixed()).build().unwrap();
        let control = InverseDynamicsController::new(&model, [0.0, 0.0, -9.81], 400.0, 10.0, 40.0).unwrap();
        let (plant, control) = (b.add(format!("plant{i}"), plant), b.add(format!("control{i}"), control));
        b.fix(control.desired_state, vec![0.1; 14]);
        b.connect(plant.state("arm"), control.estimated_state);
        b.connect(control.generalized_force, plant.actuation("arm"));
    }
    b.build().unwrap()
}

/// Allocations of making a plan, and of one more world of it.
fn counts(n: usize, options: Options) -> (u64, u64) {
    let diagram = robots(n);
    let mut plan = None;
    let first = measure(|| plan = Some(Arc::new(Plan::new(&diagram, options).unwrap()))).count_total;
    let plan = plan.expect("a plan");
    let mut world = None;
    let second = measure(|| world = Some(Simulation::of(&plan))).count_total;
    assert!(Arc::ptr_eq(world.expect("a world").plan(), &plan));
    (first, second)
}

/// Schedules, colouring, groups and names grow with the diagram, and with them the work of a plan. A world has a fixed
/// number of lists of numbers, however large the diagram is.
#[test]
fn a_second_world_rebuilds_nothing_of_the_plan() {
    for options in [cenic(1e-3), Options::cenic_trapezoid(1e-3), Options::icf(1e-2)] {
        let [(small, one), (large, other)] = [2, 36].map(|n| counts(n, options));
        assert_eq!(one, other, "{:?}: a world of a large diagram", options.integrator);
        assert!(large > 3 * small, "{:?}: {small} and {large} allocations of a plan", options.integrator);
        assert!(20 * other < large, "{:?}: {other} of a world, {large} of its plan", options.integrator);
    }
}

/// Setting a world to a state creates it anew from its plan, and rebuilds nothing of the plan.
#[test]
fn setting_the_state_rebuilds_nothing_of_the_plan() {
    let diagram = robots(8);
    let mut simulation = None;
    let first = measure(|| simulation = Some(Simulation::new(&diagram, cenic(1e-3)).unwrap())).count_total;
    let mut simulation = simulation.expect("a simulation");
    simulation.advance_to(0.01).unwrap();
    let start = diagram.initial_state();
    let again = measure(|| simulation.set_state(start).unwrap()).count_total;
    assert!(20 * again < first, "{again} and {first}");
}

/// Memory that a world has for itself, after some steps [bytes], as stated in benches/FIGURES.md.
#[test]
fn a_world_takes_as_little_memory_as_is_said() {
    for (file, most) in [
        ("examples/double_pendulum/double_pendulum.yaml", 80_000),
        ("tests/data/scenes/arm7/arm7.yaml", 140_000),
        ("examples/franka/franka.yaml", 450_000),
        ("examples/clutter/clutter.yaml", 1_100_000),
    ] {
        let scenario = Scenario::open(file).unwrap();
        let mut plan = None;
        let shared = measure(|| plan = Some(Arc::new(Plan::new(&scenario.diagram, scenario.options).unwrap())));
        let plan = plan.expect("a plan");
        // Allocations of the first run that are shared are not counted for a world.
        Simulation::of(&plan).advance_to(0.2).unwrap();
        let mut worlds = Vec::with_capacity(20);
        let mut a_world = |until: f64| {
            let held = measure(|| {
                for _ in 0..10 {
                    let mut world = Simulation::of(&plan);
                    if until > 0.0 {
                        world.advance_to(until).unwrap();
                    }
                    worlds.push(world);
                }
            });
            held.bytes_current / 10
        };
        let (fresh, bytes) = (a_world(0.0), a_world(0.2));
        println!("{file}: {} bytes of the plan, {fresh} a fresh world, {bytes} after 0.2 s", shared.bytes_current);
        assert!(bytes < most, "{file}: {bytes} bytes a world");
    }
}
