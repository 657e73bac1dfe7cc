//! No step of any shared scene allocates once memory has its size.
//!
//! Meaning of "once" where contacts open and close: buffers grow up to the largest problem of the run, and the points
//! at both ends of a step change places. So each scene is run twice, set back to its start on the same integrator, and
//! run again: the last run takes the same steps to the last bit, and none of them may allocate but the first, in which
//! the evaluation of signals (made anew with the diagram's state) takes its size.

use kinegraph::files::Override;
use kinegraph::simulate::{Scenario, Simulation};
use std::path::Path;

/// Runs `scene` at `accuracy` until `until` \[s\], twice, and checks the steps of the second run.
fn check(scene: &str, accuracy: f64, until: f64) {
    check_with(scene, &[Override::flag("--accuracy", "simulation.accuracy", &accuracy.to_string())], until);
}

/// Runs `scene` with any overrides until `until` \[s\], twice, and checks the steps of the second run.
fn check_with(scene: &str, overrides: &[Override], until: f64) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/scenes/{scene}/{scene}.yaml"));
    let loaded = kinegraph::files::load(&file, overrides).unwrap();
    let scenario = Scenario::build(&loaded.diagram, &loaded.loader).unwrap();
    let mut simulation = scenario.simulation().unwrap();
    let start = simulation.snapshot();
    run(&mut simulation, until);
    let (steps, end) = (simulation.statistics().steps, simulation.state().clone());
    assert!(steps > 10, "{scene}: {steps} steps");
    simulation.restore(&start).unwrap();
    run(&mut simulation, until);
    simulation.restore(&start).unwrap();
    simulation.step(until).unwrap();
    let allocations = allocation_counter::measure(|| run(&mut simulation, until)).count_total;
    assert_eq!(allocations, 0, "{scene} at {}: {steps} steps", simulation_accuracy(&loaded.diagram));
    assert_eq!(simulation.state(), &end, "{scene}");
}

fn simulation_accuracy(diagram: &kinegraph::files::DiagramFile) -> f64 {
    diagram.simulation.accuracy
}

fn run(simulation: &mut Simulation, until: f64) {
    while simulation.time() < until {
        simulation.step(until).unwrap();
    }
}

/// One test for each scene, at a loose and a tight accuracy, each with its simulated time.
macro_rules! scenes {
    ($($name:ident: $loose:expr, $tight:expr;)*) => {
        $(
            #[test]
            fn $name() {
                check(stringify!($name), 1e-2, $loose);
                check(stringify!($name), 1e-4, $tight);
            }
        )*
    };
}

scenes! {
    bouncing_ball: 3.0, 3.0;
    double_pendulum: 5.0, 5.0;
    arm7: 2.0, 1.0;
    cylinder: 2.0, 1.0;
    cylinder_mp: 2.0, 1.0;
    gripper: 1.0, 1.0;
    gripper_mp: 1.0, 1.0;
    conveyor: 4.0, 2.0;
    franka: 3.5, 2.0;
    vacuum: 3.0, 1.5;
    quadruped: 3.0, 1.0;
    soft_clutter: 2.0, 0.6;
    hard_clutter: 0.8, 0.4;
    hard_clutter_mp: 0.8, 0.4;
    hard_clutter_balls: 2.0, 0.6;
    scale_005: 1.0, 0.4;
    scaleb_005: 1.0, 0.4;
}

/// SAP with every preset, every mode of contact capacity and every mode of weights.
#[test]
fn steps_of_sap() {
    for (scene, until) in [("hard_clutter", 0.6), ("franka", 0.5), ("conveyor", 1.0), ("gripper_mp", 0.5)] {
        for sap in [
            "preset=drake",
            "preset=approx32",
            "contact_weight_mode=block_delassus",
            "on_overflow=drop_shallowest",
            "line_search_variant=armijo_decay",
        ] {
            let overrides = [
                Override::flag("--integrator", "simulation.integrator", "sap"),
                Override::flag("--step", "simulation.step", "2e-3"),
                Override::set(&format!("simulation.sap.{sap}")).unwrap(),
                Override::set("simulation.sap.max_rigid_contact=12").unwrap(),
            ];
            check_with(scene, &overrides, until);
        }
    }
}

/// Theta-gamma in one pass and in two, with either law of friction.
#[test]
fn steps_of_theta_gamma() {
    for (scene, until) in [("hard_clutter", 0.6), ("franka", 0.5), ("conveyor", 1.0), ("gripper_mp", 0.5)] {
        for choice in ["theta=0.5", "friction=contensou"] {
            let overrides = [
                Override::flag("--integrator", "simulation.integrator", "theta-gamma"),
                Override::flag("--step", "simulation.step", "2e-3"),
                Override::set(&format!("simulation.theta_gamma.{choice}")).unwrap(),
            ];
            check_with(scene, &overrides, until);
        }
    }
}
