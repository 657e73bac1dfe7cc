//! N separate copies of a scene move as one does, to the last bit, and cost N times as much work.

use kinegraph::files::{Override, load_str};
use kinegraph::simulate::{Scenario, Simulation};
use std::path::Path;

/// Shared scenes in one diagram, each a diagram of its own inside, run with these settings of `simulation` until
/// `until` \[s\].
pub fn run_together(scenes: &[&str], settings: &[(&str, &str)], until: f64) -> Simulation {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/scenes/copies.yaml");
    let line = |(i, scene): (usize, &&str)| format!("  copy{i}: {{type: diagram, file: {scene}/{scene}.yaml}}\n");
    let copies: String = scenes.iter().enumerate().map(line).collect();
    let text =
        format!("kinegraph: 1\nname: copies\nsystems:\n{copies}simulation: {{accuracy: 1e-3, duration: {until}}}\n");
    let set = |(key, value): &(&str, &str)| Override::set(&format!("simulation.{key}={value}")).unwrap();
    let overrides: Vec<Override> = settings.iter().map(set).collect();
    let loaded = load_str(&file, &text, &overrides).unwrap_or_else(|error| panic!("{error:?}"));
    let mut simulation = Scenario::build(&loaded.diagram, &loaded.loader).unwrap().simulation().unwrap();
    simulation.advance_to(until).unwrap();
    simulation
}

/// `n` copies of a scene, run by `integrator`.
fn run(scene: &str, n: usize, integrator: &str, until: f64) -> Simulation {
    let mut settings = vec![("integrator", integrator)];
    if integrator == "icf" {
        settings.push(("step", "2e-3"));
    }
    run_together(&vec![scene; n], &settings, until)
}

/// The continuous state of each copy, as bits.
fn states(simulation: &Simulation, n: usize) -> Vec<Vec<u64>> {
    let numbers = &simulation.state().continuous;
    assert_eq!(numbers.len() % n, 0);
    numbers.chunks(numbers.len() / n).map(|copy| copy.iter().map(|x| x.to_bits()).collect()).collect()
}

fn check(scene: &str, until: f64) {
    const N: usize = 5;
    for integrator in ["icf", "cenic"] {
        let (one, many) = (run(scene, 1, integrator, until), run(scene, N, integrator, until));
        let alone = &states(&one, 1)[0];
        for (copy, state) in states(&many, N).iter().enumerate() {
            assert_eq!(state, alone, "{integrator}: copy {copy} of {scene}");
        }
        // The steps and solves are the same; the work of a solve is that of its islands, of which there are N times as
        // many.
        let (one, many) = (one.statistics(), many.statistics());
        let of_steps =
            |s: &kinegraph::integrators::Statistics| (s.steps, s.rejected_steps, s.solves, s.geometry_queries);
        assert_eq!(of_steps(one), of_steps(many), "{integrator}: {scene}");
        assert_eq!(one.solver_iterations, many.solver_iterations, "iterations of the slowest island");
        assert_eq!(N * one.factorizations, many.factorizations);
        assert_eq!(N * one.linesearch_evaluations, many.linesearch_evaluations);
        assert_eq!(N * one.max_contacts, many.max_contacts);
    }
}

#[test]
fn of_balls_in_a_bin() {
    check("scaleb_005", 0.4);
}

#[test]
fn of_boxes_in_a_bin() {
    check("scale_005", 0.4);
}

#[test]
fn of_an_arm_under_computed_torque_that_grasps_a_box() {
    check("franka", 1.0);
}

#[test]
fn of_a_quadruped_that_falls() {
    check("quadruped", 0.5);
}

#[test]
fn of_a_vacuum_gripper_and_its_controller() {
    check("vacuum", 0.5);
}
