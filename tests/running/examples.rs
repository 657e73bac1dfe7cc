//! The examples behave as their READMEs say.

#[path = "../../examples/own_block.rs"]
mod own_block;

pub mod bend_45;
pub mod cable_routing;
pub mod capstan;
pub mod cart_pole;
pub mod clutter;
pub mod cylinder;
pub mod elastic_ball;
pub mod fitted;
pub mod funnel;
pub mod gears;
pub mod gripper;
pub mod high_gain;
pub mod hoop;
pub mod identified_pendulum;
pub mod knot;
pub mod payload;
pub mod peg_in_hole;
pub mod pendulum_wave;
pub mod plate_rack;
pub mod push_and_turn;
pub mod quadruped;
pub mod rope;
pub mod rover;
pub mod set_on_edge;
pub mod six_axes;
pub mod skate;
pub mod steel_strip;
pub mod stick_slip;
pub mod strip_through_ring;
pub mod three_meshes;
pub mod thrown_cube;
pub mod tuned_franka;

use crate::reference::{Samples, run_file};
use kinegraph::cli::{self, Console};
use kinegraph::files::{Catalog, load};
use kinegraph::simulate::{FileSimulator, RunReport, Scenario, Simulation, check_block_type};
use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};

fn open(file: &str) -> (Scenario, Simulation) {
    let scenario = Scenario::open(file).unwrap_or_else(|error| panic!("{error}"));
    let simulation = scenario.simulation().expect("an integrator");
    (scenario, simulation)
}

/// A run of an example, with settings like `simulation.accuracy=1e-3`, to its end.
fn run(name: &str, settings: &[&str]) -> (RunReport, Samples) {
    run_file(format!("examples/{name}/{name}.yaml").as_ref(), settings)
}

/// A run of an example at an accuracy, with settings, to its end.
fn run_at(name: &str, accuracy: &str, settings: &[&str]) -> (RunReport, Samples) {
    let accuracy = format!("simulation.accuracy={accuracy}");
    run(name, &[&[accuracy.as_str()], settings].concat())
}

/// Steps and rejected attempts, as tables print them.
fn steps(report: &RunReport) -> String {
    format!("{} ({})", report.statistics.steps, report.statistics.rejected_steps)
}

fn channel(simulation: &mut Simulation, name: &str) -> f64 {
    simulation.channel(name).unwrap_or_else(|error| panic!("{error}"))
}

/// The pose of a link in the world.
fn pose(simulation: &mut Simulation, link: &str) -> Isometry3<f64> {
    let [x, y, z, qw, qx, qy, qz] =
        ["px", "py", "pz", "qw", "qx", "qy", "qz"].map(|c| channel(simulation, &format!("plant.{link}.pose.{c}")));
    let rotation = UnitQuaternion::from_quaternion(Quaternion::new(qw, qx, qy, qz));
    Isometry3::from_parts(Translation3::new(x, y, z), rotation)
}

/// The pose of the box in the hand.
fn grasp(simulation: &mut Simulation) -> Isometry3<f64> {
    pose(simulation, "hand.hand").inverse() * pose(simulation, "crate.crate")
}

#[test]
fn franka_keeps_the_box_and_reaches_its_goal() {
    let (scenario, mut simulation) = open("examples/franka/franka.yaml");
    let start = grasp(&mut simulation);
    simulation.advance_to(1.75).expect("half way");
    assert!(pose(&mut simulation, "crate.crate").translation.y > 0.3, "the box was not carried anywhere");
    simulation.advance_to(scenario.duration).expect("the end");

    let moved = start.inverse() * grasp(&mut simulation);
    let (shift, turn) = (moved.translation.vector.norm(), moved.rotation.angle());
    assert!(shift < 5e-3 && turn < 0.02, "the box slipped by {shift} m and {turn} rad in the hand");
    for i in 0..7 {
        let goal = channel(&mut simulation, &format!("goal.state[{i}]"));
        let error = channel(&mut simulation, &format!("plant.arm.joint{}.q", i + 1)) - goal;
        assert!(error.abs() < 1e-3, "joint {} ends {error} rad from its goal", i + 1);
    }
}

/// If the step equals that of the file's accuracy, one step has at most that error; the error of the energy is their
/// sum.
#[test]
fn double_pendulum_keeps_its_energy_as_the_accuracy_asks() {
    let drift = |accuracy: f64| {
        let (mut scenario, _) = open("examples/double_pendulum/double_pendulum.yaml");
        scenario.options.accuracy = accuracy;
        let mut simulation = scenario.simulation().expect("an integrator");
        let start = simulation.energy().expect("a plant");
        simulation.advance_to(scenario.duration).expect("the end");
        (simulation.energy().expect("a plant") - start).abs() / start
    };
    let (coarse, fine) = (drift(1e-3), drift(1e-5));
    assert!(fine < 0.005, "energy changed by {fine} of itself");
    assert!(fine < 0.5 * coarse, "{fine} is not below half of {coarse}");
}

#[test]
fn clutter_comes_to_rest_in_the_bin() {
    let (scenario, mut simulation) = open("examples/clutter/clutter.yaml");
    let start = simulation.energy().expect("a plant");
    simulation.advance_to(scenario.duration).expect("the end");
    let radius = 0.05;
    for i in 0..20 {
        let p = pose(&mut simulation, &format!("ball{i}.ball")).translation;
        let inside = |x: f64| x.abs() < 0.2 - radius + 1e-3;
        assert!(inside(p.x) && inside(p.y) && p.z > radius - 1e-3 && p.z < 0.6, "ball {i} is at {p}");
    }
    assert!(simulation.energy().expect("a plant") < 0.25 * start, "the balls still move");
    // Where many balls meet, steps that err by the accuracy each may push one that much deeper, a few times over.
    let deepest = simulation.statistics().max_penetration;
    assert!(deepest < 5e-3, "a ball went {deepest} m deep");
}

#[test]
fn conveyor_keeps_one_parcel_and_lets_the_other_slip() {
    let (scenario, mut simulation) = open("examples/conveyor/conveyor.yaml");
    let place = |simulation: &mut Simulation, name: &str| channel(simulation, &format!("plant.{name}.parcel.x"));
    simulation.advance_to(1.0).expect("at full speed");
    let kept = 1.0 + place(&mut simulation, "kept");
    let travel = channel(&mut simulation, "gentle_drive.travel");
    assert!((kept - travel).abs() < 1e-3, "the parcel has come {kept} m on a belt that has run {travel} m");
    // From rest at mu_d g up to 0.8 m/s the other parcel loses v²/(2 mu_d g) against one that starts at full speed.
    let (v, mu) = (0.8, 0.4);
    let expected = v * 0.8 - v * v / (2.0 * mu * 9.81);
    let slipped = 1.0 + place(&mut simulation, "slipped");
    assert!((slipped - expected).abs() < 0.01 * expected, "it has come {slipped} m instead of {expected} m");
    for name in ["kept", "slipped"] {
        let speed = channel(&mut simulation, &format!("plant.{name}.parcel.vx"));
        assert!((speed - v).abs() < 1e-3, "{name}: {speed} m/s");
    }
    simulation.advance_to(scenario.duration).expect("the end");
    for name in ["kept", "slipped"] {
        assert!(channel(&mut simulation, &format!("plant.{name}.parcel.vx")).abs() < 1e-4, "{name} still moves");
    }
}

#[test]
fn vacuum_gripper_lifts_holds_and_releases_at_every_accuracy() {
    for accuracy in [1e-1, 1e-2, 1e-3, 1e-4] {
        let (mut scenario, _) = open("examples/vacuum/vacuum.yaml");
        scenario.options.accuracy = accuracy;
        let mut simulation = scenario.simulation().expect("an integrator");
        simulation.advance_to(2.9).expect("before the release");
        let held = channel(&mut simulation, "plant.crate.crate.z");
        // The pad stands at 0.4 m and the cups 0.08 m below; the crate hangs on them.
        assert!((held - 0.264).abs() < 4e-3, "{accuracy:e}: the crate hangs at {held} m");
        let lift = channel(&mut simulation, "plant.gripper.lift.effort");
        assert!((lift - (1.08 + 2.0) * 9.81).abs() < 0.5, "{accuracy:e}: the lift holds {lift} N");
        simulation.advance_to(scenario.duration).expect("the end");
        let fallen = channel(&mut simulation, "plant.crate.crate.z");
        assert!((fallen - 0.05).abs() < 1e-3, "{accuracy:e}: the crate is at {fallen} m");
        let deepest = simulation.statistics().max_penetration;
        assert!(deepest < 5e-3, "{accuracy:e}: {deepest} m deep");
    }
}

#[test]
fn pick_and_place_carries_the_crate_and_lets_it_go() {
    let (scenario, mut simulation) = open("examples/pick_and_place/pick_and_place.yaml");
    let crate_pose = |s: &mut Simulation| pose(s, "crate.box");
    simulation.advance_to(1.2).unwrap();
    let start = crate_pose(&mut simulation);
    assert!((start.translation.vector - nalgebra::Vector3::new(0.02, 0.01, 0.1)).norm() < 1e-3);
    let grip = |s: &mut Simulation| pose(s, "gantry.hand").inverse() * crate_pose(s);
    let held = grip(&mut simulation);
    for time in [1.5, 2.0, 2.5, 3.0, 3.5, 4.2] {
        simulation.advance_to(time).unwrap();
        let slip = held.inverse() * grip(&mut simulation);
        assert!(slip.translation.vector.norm() < 1e-4 && slip.rotation.angle() < 1e-3, "{slip} at {time} s");
    }
    simulation.advance_to(scenario.duration).unwrap();
    let end = crate_pose(&mut simulation);
    let moved = end.translation.vector - start.translation.vector;
    assert!((moved - nalgebra::Vector3::x()).norm() < 5e-3, "moved by {moved}");
    assert!(channel(&mut simulation, "plant.gantry.z.q") > 0.55, "the hand leaves without it");
}

/// A spring of 400 N/m that is held back exerts its stretch, at rest; friction stretches the one along the table.
#[test]
fn impedance_presses_as_its_stiffness_says() {
    let (scenario, mut simulation) = open("examples/impedance/impedance.yaml");
    let force =
        |simulation: &mut Simulation, axis: &str| channel(simulation, &format!("plant.table.top.contact.f{axis}"));
    let stretch = |simulation: &mut Simulation, i: usize| {
        channel(simulation, &format!("controller.pose[{i}]")) - channel(simulation, &format!("point.position[{i}]"))
    };
    simulation.advance_to(1.5).expect("it rests on the table");
    let (pressure, spring) = (-force(&mut simulation, "z"), 400.0 * stretch(&mut simulation, 2));
    assert!((pressure - spring).abs() < 0.02 && (pressure - 9.96).abs() < 0.05, "{pressure} N, {spring} N");
    simulation.advance_to(3.0).expect("it slides");
    let (pressure, friction) = (-force(&mut simulation, "z"), force(&mut simulation, "y"));
    assert!((friction - 0.3 * pressure).abs() < 0.02 * pressure, "{friction} N of {pressure} N");
    let spring = -1000.0 * stretch(&mut simulation, 1);
    assert!((spring - friction).abs() < 0.2 * friction, "{spring} N hold {friction} N");
    simulation.advance_to(scenario.duration).expect("the end");
    assert_eq!(force(&mut simulation, "z"), 0.0);
}

/// The program checks its result itself.
#[test]
fn a_block_of_a_program_runs_from_a_file_that_names_it() {
    own_block::main().unwrap_or_else(|error| panic!("{error}"));
    let catalog = Catalog::standard().with(own_block::quadratic_drag::TYPE).expect("a new name");
    check_block_type(&own_block::quadratic_drag::TYPE, &catalog).unwrap_or_else(|error| panic!("{error}"));
}

/// Without its entry in the catalog the name is unknown; with it the whole command line knows the block.
#[test]
fn the_command_line_works_over_the_catalog_of_a_program() {
    let file = "examples/own_block/skydiver.yaml";
    let fault = load(std::path::Path::new(file), &[]).expect_err("an unknown type").to_string();
    assert!(fault.contains("unknown block type `quadratic_drag`"), "{fault}");

    let catalog = Catalog::standard().with(own_block::quadratic_drag::TYPE).expect("a new name");
    for (args, expected) in [
        (&["check", file][..], "no faults"),
        (&["systems"], "\nblocks of this program:\n  quadratic_drag "),
        (&["systems", "quadratic_drag"], "force over the square of the speed [N s²/m²] (required)"),
        (&["run", file, "--until", "0.1"], "skydiver: done"),
        (&["graph", file], "QuadraticDrag"),
    ] {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut console = Console { out: &mut out, err: &mut err, interactive: false };
        let args_with_program = std::iter::once("kinegraph").chain(args.iter().copied());
        let code = cli::run(args_with_program, &catalog, &FileSimulator, &mut console);
        let (out, err) = (String::from_utf8_lossy(&out), String::from_utf8_lossy(&err));
        assert_eq!((code, err.as_ref()), (0, ""), "{args:?}");
        assert!(out.contains(expected), "{args:?}: {out}");
    }
}
