//! SAP as an integrator: its discretization, its options one by one, and beside the convex step.

use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::files::{Override, load, load_str};
use kinegraph::integrators::{
    ContactPointMode, IntegratorError, OfOptions, Options, Overflow, PositionIntegration, Preset, SapOptions,
    StepFailure, WarmStart,
};
use kinegraph::simulate::{Scenario, Simulation};
use kinegraph::solvers::sap::{Digits, LineSearch, WeightMode};
use kinegraph::systems::control::{InverseDynamicsController, Pid};
use kinegraph::systems::models::read_urdf;
use kinegraph::systems::multibody::{Base, PlantBuilder};
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use std::path::Path;

const G: f64 = 9.81;

fn sap(step: f64) -> Options {
    Options::sap(step)
}

fn with(step: f64, change: impl FnOnce(&mut SapOptions)) -> Options {
    let mut options = sap(step);
    options.methods.change(change);
    options
}

fn distance(a: &Simulation, b: &Simulation) -> f64 {
    let pairs = a.state().continuous.iter().zip(&b.state().continuous);
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// A block that sticks on an incline is held by the same forces as under the convex step, which balance its weight.
#[test]
fn sticking_forces_equal_those_of_the_convex_step() {
    let incline = 0.2_f64;
    let gravity = [G * incline.sin(), 0.0, -G * incline.cos()];
    let plant = PlantBuilder::new().gravity(gravity).ground(0.0).contact(contact(1e5, 0.0, 0.5));
    let diagram = alone(plant.model("block", block(), at(0.0, 0.0, 0.06)));
    let forces = [sap(1e-2), icf(1e-2)].map(|options| {
        let mut simulation = run(&diagram, options, 10.0);
        ["fx", "fy", "fz"].map(|f| simulation.channel(&format!("plant.block.body.contact.{f}")).unwrap())
    });
    for ((sap, icf), weight) in forces[0].iter().zip(&forces[1]).zip(gravity) {
        assert!((sap + weight).abs() < 1e-6 * G && (sap - icf).abs() < 1e-6 * G, "{forces:?}");
    }
}

/// Two hundred balls that touch the ground a little deeper each.
fn many() -> Diagram {
    let mut plant = weightless().ground(0.0).contact(contact(1e4, 0.0, 0.3));
    for i in 0..200 {
        let (x, y) = ((i % 20) as f64, (i / 20) as f64);
        let name = format!("b{i}");
        plant = plant.model(&name, ball(1.0, 0.1), at(x, y, 0.1 - 1e-6 * (i + 1) as f64));
    }
    alone(plant)
}

#[test]
fn contacts_beyond_the_capacity_are_left_out_the_shallowest_first_and_counted() {
    let diagram = many();
    let step = |on_overflow, max_rigid_contact| {
        let mut simulation = Simulation::new(
            &diagram,
            with(1e-3, |o| {
                o.capacity.on_overflow = on_overflow;
                o.capacity.max_rigid_contact = max_rigid_contact;
            }),
        )
        .unwrap();
        simulation.step(1e-3).map(|_| simulation)
    };
    let pushed = |simulation: &mut Simulation, i: usize| {
        simulation.channel(&format!("plant.b{i}.body.contact.fz")).unwrap() > 0.0
    };
    let mut simulation = step(Overflow::DropShallowest, 128).unwrap();
    let s = simulation.statistics().clone();
    assert_eq!((s.truncated_contacts, s.max_truncated_contacts, s.max_contacts), (72, 72, 128));
    for i in 0..200 {
        assert_eq!(pushed(&mut simulation, i), i >= 72, "ball {i}");
    }
    let mut simulation = step(Overflow::Grow, 128).unwrap();
    assert_eq!((simulation.statistics().truncated_contacts, simulation.statistics().max_contacts), (0, 200));
    assert!(pushed(&mut simulation, 0));
    let error = step(Overflow::Error, 128).map(drop).unwrap_err().to_string();
    assert!(error.contains("200 contact points") && error.contains("128"), "{error}");
    let direct = with(1e-3, |o| o.capacity.on_overflow = Overflow::Error)
        .build(&diagram)
        .unwrap()
        .advance(&mut diagram.initial_state(), 1e-3);
    let most = matches!(
        direct,
        Err(IntegratorError::FixedStepFailed { failure: StepFailure::TooManyContacts { found: 200, most: 128 }, .. })
    );
    assert!(most, "{direct:?}");
}

/// Free motion: by the mean of both velocities a parabola is exact, and so is a turn about a fixed axis.
#[test]
fn positions_follow_the_mean_of_velocities_exactly_where_that_is_constant() {
    let (h, w, v) = (0.05, [0.0, 0.0, 7.0], [1.0, 0.0, 3.0]);
    let diagram = alone(PlantBuilder::new().model("ball", ball(1.0, 0.1), thrown([0.0, 0.0, 1.0], w, v)));
    for positions in [PositionIntegration::EndVelocity, PositionIntegration::Chord, PositionIntegration::Midpoint] {
        let mut simulation = Simulation::new(&diagram, with(h, |o| o.positions = positions)).unwrap();
        simulation.advance_to(10.0 * h).unwrap();
        let t = simulation.time();
        let z = simulation.channel("plant.ball.body.z").unwrap();
        let turn = 2.0 * simulation.channel("plant.ball.body.qz").unwrap().asin();
        let (fall, angle) = (1.0 + v[2] * t - 0.5 * G * t * t, w[2] * t);
        let angle = angle.sin().atan2(angle.cos()).abs();
        let off = ((z - fall).abs(), (turn.abs() - angle).abs().min((turn.abs() + angle).abs()));
        match positions {
            PositionIntegration::Midpoint => assert!(off.0 < 1e-12 && off.1 < 1e-9, "{off:?}"),
            PositionIntegration::EndVelocity => {
                assert!((off.0 - 0.5 * G * h * t).abs() < 1e-12 && off.1 < 1e-9, "{off:?}");
            }
            // The first order: half a step of gravity, and a chord for an arc.
            PositionIntegration::Chord => {
                assert!((off.0 - 0.5 * G * h * t).abs() < 1e-12 && off.1 > 1e-4, "{off:?}");
            }
        }
    }
}

#[test]
fn damping_acts_with_the_velocity_at_either_end() {
    let (h, d, mass, speed) = (0.01, 3.0, 2.0, 1.0);
    let mut model = slider(mass);
    model.joints[0].damping = d;
    let plant = weightless().model("rail", model, Base::fixed()).initial("rail/x", 0.0, speed);
    let diagram = alone(plant);
    for (implicit, expected) in [(true, speed / (1.0 + h * d / mass)), (false, speed * (1.0 - h * d / mass))] {
        let mut simulation = run(&diagram, with(h, |o| o.implicit_damping = implicit), h);
        let v = simulation.channel("plant.rail.x.v").unwrap();
        assert!((v - expected).abs() < 1e-14, "{implicit}: {v} and {expected}");
    }
}

/// Gains too stiff for any step act at its end.
#[test]
fn stiff_control_is_stable_and_tracks() {
    for kp in [1e4, 1e8, 1e12] {
        let mut b = DiagramBuilder::new("stiff");
        let plant = PlantBuilder::new().model("dp", double_pendulum(), Base::fixed()).initial("dp/j1", 0.3, 0.0);
        let plant = b.add("plant", plant.build().unwrap());
        let control = InverseDynamicsController::new(&double_pendulum(), [0.0, 0.0, -G], kp, 0.0, 2.0 * kp.sqrt());
        let control = b.add("control", control.unwrap());
        b.connect(plant.state("dp"), control.estimated_state);
        b.connect(control.generalized_force, plant.actuation("dp"));
        b.fix(control.desired_state, [0.5, -0.2, 0.0, 0.0]);
        let mut simulation = run(&b.build().unwrap(), sap(1e-2), 1.0);
        for (joint, desired) in [("j1", 0.5), ("j2", -0.2)] {
            let q = simulation.channel(&format!("plant.dp.{joint}.q")).unwrap();
            assert!((q - desired).abs() < 1e-6, "kp {kp:e}: {joint} at {q}");
        }
    }
}

/// The steady-state error of a drive is its load over its gain, with gains up to those too stiff for any step: they act
/// at its end, and need no bound. It is reached without oscillation.
#[test]
fn a_drive_yields_by_its_load_over_its_gain() {
    let (mass, pull) = (2.0, 3.0);
    for kp in [1e2, 1e4, 1e6, 1e8, 1e12] {
        let mut b = DiagramBuilder::new("drive");
        let plant = PlantBuilder::new().gravity([pull, 0.0, 0.0]).model("rail", slider(mass), Base::fixed());
        let plant = b.add("plant", plant.build().unwrap());
        let control = b.add("control", Pid::new(1, kp, 0.0, 2.0 * (kp * mass).sqrt()).unwrap());
        b.connect(plant.state("rail"), control.measured);
        b.connect(control.effort, plant.actuation("rail"));
        b.fix(control.desired, [0.5, 0.0]);
        let diagram = b.build().unwrap();
        let mut simulation = Simulation::new(&diagram, sap(1e-2)).unwrap();
        let mut highest: f64 = 0.0;
        while simulation.time() < 3.0 {
            simulation.step(3.0).unwrap();
            highest = highest.max(simulation.channel("plant.rail.x.q").unwrap());
        }
        let q = simulation.channel("plant.rail.x.q").unwrap();
        let error = pull * mass / kp;
        assert!((q - 0.5 - error).abs() < 1e-6 * error + 1e-14, "kp {kp:e}: {:e} for {error:e}", q - 0.5);
        assert!(highest < 0.5 + error + 1e-6, "kp {kp:e}: {highest}");
    }
}

/// An arm by every preset: single precision changes little, the model more.
#[test]
fn presets_differ_by_their_digits_and_by_their_model() {
    let scenario = Scenario::open("examples/franka/franka.yaml").unwrap();
    let end = |sap| {
        let mut simulation = Simulation::new(&scenario.diagram, with(2e-3, |o| *o = sap)).unwrap();
        simulation.advance_to(0.2).unwrap();
        simulation
    };
    let [drake, double, single] = [Preset::Drake, Preset::Approx64, Preset::Approx32].map(SapOptions::preset);
    let exact_poses = SapOptions { poses: Digits::Double, ..single };
    let [drake, double, single, exact_poses] = [drake, double, single, exact_poses].map(end);
    let precision = distance(&double, &exact_poses);
    assert!(precision > 0.0 && precision < 1e-6, "{precision:e}");
    // Rounded poses break the tie of corners that lie flat: other points touch.
    for other in [&drake, &single] {
        let model = distance(other, &double);
        assert!(model > 1e-6 && model < 2e-2, "{model:e}");
    }
}

/// An arm of seven joints over five blocks of four contact points each: the effect of single precision within a step is
/// of its rounding, times the condition of the factored matrix.
#[test]
fn single_precision_is_felt_by_its_digits() {
    let arm = read_urdf("tests/data/scenes/arm7/arm.urdf").unwrap().model;
    let mut plant = PlantBuilder::new().ground(0.0).contact(contact(1e5, 0.0, 0.5));
    plant = plant.model("arm", arm, Base::Fixed { X_WR: Isometry3::translation(0.0, 0.0, 3.0) });
    for i in 0..5 {
        let base = thrown([f64::from(i), 0.0, 0.0599], [0.0; 3], [0.1, 0.02 * f64::from(i), -0.05]);
        plant = plant.model(format!("block{i}"), block(), base);
    }
    let diagram = alone(plant);
    let end = |sap| run(&diagram, with(2e-3, |o| *o = sap), 2e-3);
    let [drake, double, single] = [Preset::Drake, Preset::Approx64, Preset::Approx32].map(SapOptions::preset);
    let [drake, double, exact_poses] = [drake, double, SapOptions { poses: Digits::Double, ..single }].map(end);
    assert!(double.statistics().max_contacts >= 20);
    let (precision, model) = (distance(&double, &exact_poses), distance(&drake, &double));
    assert!(precision > 1e-12 && precision < 1e-5, "{precision:e}");
    assert!(model > 10.0 * precision, "{model:e} {precision:e}");
}

/// With rigid contact, a contact at rest removes its depth in a step; with mean velocities, half of it.
#[test]
fn positions_by_the_mean_of_velocities_correct_half_of_a_depth() {
    let plant = weightless().ground(0.0).contact(contact(1e12, 0.0, 0.5));
    let (depth, h) = (1e-3, 1e-2);
    let diagram = alone(plant.model("ball", ball(1.0, 0.1), at(0.0, 0.0, 0.1 - depth)));
    for (positions, left) in [(PositionIntegration::Chord, 0.0), (PositionIntegration::Midpoint, 0.5)] {
        let options = with(h, |o| {
            o.positions = positions;
            (o.solver.beta, o.solver.relaxation_time) = (1e-3, Some(0.0));
        });
        let mut simulation = run(&diagram, options, h);
        let z = simulation.channel("plant.ball.body.z").unwrap();
        assert!((0.1 - z - left * depth).abs() < 1e-5 * depth, "{positions:?}: {:e}", 0.1 - z);
    }
}

fn file_options(sap: &str) -> SapOptions {
    let text = format!(
        "kinegraph: 1\nsystems:\n  a: {{type: constant, value: 1}}\nsimulation: {{integrator: sap, step: 0.01, duration: 0, sap: {sap}}}\n"
    );
    load_str(Path::new("file.yaml"), &text, &[]).map_err(|e| e.to_string()).unwrap().diagram.simulation.methods.get()
}

/// A key in a file changes one option of the preset, and no other.
#[test]
fn every_key_changes_the_option_of_its_name_alone() {
    assert_eq!(file_options("{}"), SapOptions::default());
    assert_eq!(file_options("{preset: approx-32}"), SapOptions::preset(Preset::Approx32));
    assert_eq!(file_options("{preset: approx_64}"), SapOptions::preset(Preset::Approx64));
    type Change = (&'static str, fn(&mut SapOptions));
    let changes: &[Change] = &[
        ("contact_weight_mode: block_delassus", |o| o.solver.weights = WeightMode::BlockDelassus),
        ("contact_point_mode: contact_midpoint", |o| o.points = ContactPointMode::ContactMidpoint),
        ("position_integration: sap_euler", |o| o.positions = PositionIntegration::Chord),
        ("boundary_pose_precision: f32", |o| o.poses = Digits::Single),
        ("free_motion_solve_precision: fp32", |o| o.solver.precision.free_motion = Digits::Single),
        ("contact_weight_precision: f32", |o| o.solver.precision.weights = Digits::Single),
        ("contact_linear_solve_precision: f32", |o| o.solver.precision.linear = Digits::Single),
        ("line_search_variant: armijo_decay", |o| o.solver.line_search = LineSearch::ArmijoDecay),
        ("line_search_max_iterations: 7", |o| o.solver.line_search_max_iterations = Some(7)),
        ("armijo_c: 0.25", |o| o.solver.armijo_c = 0.25),
        ("rho: 0.5", |o| o.solver.rho = 0.5),
        ("line_search_relative_slop: 0.125", |o| o.solver.line_search_relative_slop = Some(0.125)),
        ("cost_abs_tol: 0.5", |o| o.solver.cost_abs_tol = Some(0.5)),
        ("cost_rel_tol: 0.5", |o| o.solver.cost_rel_tol = Some(0.5)),
        ("absolute_tolerance: 0.005", |o| o.solver.absolute_tolerance = 0.005),
        ("relative_tolerance: 0.005", |o| o.solver.relative_tolerance = 0.005),
        ("max_iterations: 5", |o| o.solver.max_iterations = 5),
        ("beta: 0.5", |o| o.solver.beta = 0.5),
        ("sigma: 0.5", |o| o.solver.sigma = 0.5),
        ("relaxation_time: 0.5", |o| o.solver.relaxation_time = Some(0.5)),
        ("max_rigid_contact: 9", |o| o.capacity.max_rigid_contact = 9),
        ("on_overflow: error", |o| o.capacity.on_overflow = Overflow::Error),
        ("implicit_damping: false", |o| o.implicit_damping = false),
        ("anticipate_contact: true", |o| o.anticipate_contact = true),
        ("warm_start: previous", |o| o.warm_start = WarmStart::Previous),
    ];
    for (key, change) in changes {
        let mut expected = SapOptions::preset(Preset::Approx64);
        change(&mut expected);
        assert_ne!(expected, SapOptions::preset(Preset::Approx64), "{key} changes something");
        assert_eq!(file_options(&format!("{{preset: approx64, {key}}}")), expected, "{key}");
    }
}

#[test]
fn faults_name_the_key_of_the_option() {
    for (sap, what) in [
        ("{preset: newton}", "simulation.sap.preset"),
        ("{beta: -1}", "simulation.sap.beta"),
        ("{gamma: 1}", "gamma"),
        ("{max_rigid_contact: 0}", "simulation.sap.max_rigid_contact"),
        ("{on_overflow: explode}", "drop_shallowest"),
    ] {
        let text = format!(
            "kinegraph: 1\nsystems:\n  a: {{type: constant, value: 1}}\nsimulation: {{integrator: sap, step: 0.01, duration: 0, sap: {sap}}}\n"
        );
        let faults = load_str(Path::new("file.yaml"), &text, &[]).map(drop).expect_err(sap).to_string();
        assert!(faults.contains(what), "{sap}: {faults}");
    }
}

/// A pile of boxes at rest stays at rest with every choice.
#[test]
fn every_choice_holds_a_stack() {
    let plant = PlantBuilder::new().ground(0.0).contact(contact(1e6, 0.0, 0.5));
    let turned = |z: f64, angle: f64| {
        let turn = UnitQuaternion::from_scaled_axis(Vector3::z() * angle);
        Base::floating(Isometry3::from_parts(Translation3::new(0.0, 0.0, z), turn))
    };
    let plant = plant.model("low", cuboid(2.0, [0.2, 0.2, 0.1]), turned(0.1, 0.1));
    let diagram = alone(plant.model("high", cuboid(1.0, [0.1, 0.15, 0.1]), turned(0.3, 0.7)));
    for preset in [Preset::Drake, Preset::Approx64, Preset::Approx32] {
        for weights in [WeightMode::BodyInertia, WeightMode::DiagDelassus, WeightMode::BlockDelassus] {
            for points in [ContactPointMode::WitnessPoint, ContactPointMode::ContactMidpoint] {
                for line_search in [LineSearch::ExactRoot, LineSearch::ArmijoDecay] {
                    let mut options = sap(5e-3);
                    let mut chosen = SapOptions { points, ..SapOptions::preset(preset) };
                    (chosen.solver.weights, chosen.solver.line_search) = (weights, line_search);
                    options.methods.set(chosen);
                    let mut simulation = run(&diagram, options, 1.0);
                    let p = position(&mut simulation, "high");
                    assert!((p - Vector3::new(0.0, 0.0, 0.3)).norm() < 1e-3, "{chosen:?}: {p}");
                    // By the mean of velocities what rests may tremble.
                    let fz = simulation.channel("plant.high.body.contact.fz").unwrap();
                    let rests = preset == Preset::Drake;
                    assert!(!rests || (fz - G).abs() < 1e-2 * G, "{chosen:?}: {fz}");
                }
            }
        }
    }
}

/// Features of diagrams besides contact: belts, suction, constraints, stops, sampled control.
#[test]
fn every_example_runs_under_sap() {
    let mut examples: Vec<_> = std::fs::read_dir("examples").unwrap().map(|entry| entry.unwrap().path()).collect();
    examples.sort();
    let mut count = 0;
    for folder in examples {
        let file = folder.join(folder.file_name().unwrap()).with_extension("yaml");
        if !file.exists() {
            continue;
        }
        let overrides = [
            Override::flag("--integrator", "simulation.integrator", "sap"),
            Override::flag("--step", "simulation.step", "1e-3"),
        ];
        let loaded = load(&file, &overrides).map_err(|e| e.to_string()).unwrap();
        let scenario = Scenario::build(&loaded.diagram, &loaded.loader).unwrap();
        let mut simulation = scenario.simulation().unwrap();
        let until = scenario.duration.min(0.1);
        simulation.advance_to(until).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert!(simulation.state().continuous.iter().all(|x| x.is_finite()), "{}", file.display());
        count += 1;
    }
    assert!(count > 10, "{count} examples");
}

/// If nothing changes the state between steps, the last velocities are those of the state.
#[test]
fn a_warm_start_changes_nothing_where_nothing_interferes() {
    let plant = PlantBuilder::new().ground(0.0).contact(contact(1e4, 0.0, 0.5));
    let diagram = alone(plant.model("block", block(), thrown([0.0, 0.0, 0.1], [0.5, 0.0, 0.0], [1.0, 0.0, 0.0])));
    let cold = run(&diagram, sap(5e-3), 0.5);
    let warm = run(&diagram, with(5e-3, |o| o.warm_start = WarmStart::Previous), 0.5);
    assert_eq!(cold.state().continuous, warm.state().continuous);
}
