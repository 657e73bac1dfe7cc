//! Theta-gamma as an integrator: its orders, rebounds, stiction without creep, rolling, stacks.

use crate::common::*;
use kinegraph::diagram::Diagram;
use kinegraph::files::load_str;
use kinegraph::integrators::{Friction, Metric, OfOptions, OptionError, Options, ThetaGammaOptions};
use kinegraph::simulate::Simulation;
use kinegraph::systems::multibody::fibre::{Curve, Fibre, FibreMaterial, Section};
use kinegraph::systems::multibody::plant::{Attachment, Constraint};
use kinegraph::systems::multibody::{Base, PlantBuilder};
use nalgebra::Isometry3;
use std::path::Path;

const G: f64 = 9.81;

fn with(step: f64, change: impl FnOnce(&mut ThetaGammaOptions)) -> Options {
    let mut options = Options::theta_gamma(step);
    options.methods.change(change);
    options
}

fn theta_gamma(step: f64) -> Options {
    with(step, |_| {})
}

fn tilted(tangent: f64, friction: f64) -> (PlantBuilder, f64, f64) {
    let angle = tangent.atan();
    let gravity = [G * angle.sin(), 0.0, -G * angle.cos()];
    let plant = PlantBuilder::new().gravity(gravity).ground(0.0).contact(contact(1e5, 0.0, friction));
    (plant, gravity[0], -gravity[2])
}

/// Orders 2 and 1, with the Coriolis forces of a tree.
#[test]
fn theta_one_half_is_of_second_order_and_one_of_first() {
    let plant = PlantBuilder::new().model("dp", double_pendulum(), Base::fixed());
    let diagram = alone(plant.initial("dp/j1", 1.0, 0.3).initial("dp/j2", -0.4, 0.6));
    let end = |options| run(&diagram, options, 1.0).state().continuous.clone();
    let reference = end(Options::dopri5(1e-11));
    for (theta, order) in [(0.5, 2.0), (1.0, 1.0)] {
        let errors = [4e-3, 2e-3, 1e-3].map(|h| {
            let found = end(with(h, |o| o.theta = theta));
            found.iter().zip(&reference).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        });
        for pair in errors.windows(2) {
            let found = (pair[0] / pair[1]).log2();
            assert!((found - order).abs() < 0.15, "theta {theta}: order {found}, {errors:?}");
        }
    }
}

/// An oscillator keeps its energy at theta 1/2, and loses the factor 1 + w² h² in a step at theta 1.
#[test]
fn energy_loss_of_an_oscillator_follows_from_theta() {
    let (mass, k, h) = (2.0, 300.0, 0.02);
    let rail = weightless().model("rail", slider(mass), Base::fixed()).spring("rail/x", k, 0.0);
    let diagram = alone(rail.initial("rail/x", 0.3, 0.0));
    for theta in [0.5, 1.0] {
        let mut simulation = Simulation::new(&diagram, with(h, |o| o.theta = theta)).unwrap();
        let mut before = 0.5 * k * 0.09;
        for i in 1..=10_000 {
            simulation.advance_to(f64::from(i) * h).unwrap();
            let [q, v] = ["q", "v"].map(|x| simulation.channel(&format!("plant.rail.x.{x}")).unwrap());
            let energy = 0.5 * (k * q * q + mass * v * v);
            let factor = if theta == 1.0 { 1.0 / (1.0 + k / mass * h * h) } else { 1.0 };
            assert!((energy - factor * before).abs() < 1e-12 * before, "{theta}: {energy} after {before}");
            before = energy;
            if theta == 1.0 && i == 50 {
                break;
            }
        }
        assert!(theta == 1.0 || (before / (0.5 * k * 0.09) - 1.0).abs() < 1e-11, "{before}");
    }
}

/// A ball that touches the ground and strikes it rebounds with `(1 - gamma)/gamma`, or with Newton's restitution.
#[test]
fn restitution_of_impacts_follows_from_gamma() {
    let (h, speed) = (1e-3, 2.0);
    let plant = || weightless().ground(0.0).contact(contact(1e5, 0.0, 0.3));
    let diagram = alone(plant().model("ball", ball(1.0, 0.1), thrown([0.0, 0.0, 0.1], [0.0; 3], [0.0, 0.0, -speed])));
    let back = |options| run(&diagram, options, h).channel("plant.ball.body.velocity.vz").unwrap() / speed;
    for gamma in [0.5, 0.6, 0.75, 1.0] {
        for theta in [0.5, 1.0] {
            let e = back(with(h, |o| (o.theta, o.gamma) = (theta, gamma)));
            assert!((e - (1.0 - gamma) / gamma).abs() < 1e-12, "theta {theta}, gamma {gamma}: {e}");
        }
    }
    let e = back(with(h, |o| o.restitution = 0.7));
    assert!((e - 0.7).abs() < 1e-12, "{e}");
}

#[test]
fn sticking_bodies_do_not_creep_and_sliding_ones_have_the_exact_speed() {
    let (plant, ..) = tilted(0.3, 0.5);
    let diagram = alone(plant.model("block", block(), at(0.0, 0.0, 0.06)));
    // As exactly as sweeps are asked to go on.
    let mut simulation = run(&diagram, with(0.01, |o| o.tolerance = 1e-15), 2.0);
    let [x, v] = ["pose.px", "velocity.vx"].map(|c| simulation.channel(&format!("plant.block.body.{c}")).unwrap());
    assert!(v.abs() < 1e-12 && x.abs() < 1e-12, "{x:e} {v:e}");
    let (plant, along, normal) = tilted(0.6, 0.5);
    let diagram = alone(plant.model("block", block(), at(0.0, 0.0, 0.06)));
    let mut simulation = run(&diagram, with(0.01, |o| o.tolerance = 1e-15), 1.0);
    let v = simulation.channel("plant.block.body.velocity.vx").unwrap();
    assert!((v - (along - 0.5 * normal)).abs() < 1e-10, "{v}");
}

/// The integral of friction until the stop is exact but for half a step.
#[test]
fn sliding_bodies_stop_at_the_exact_distance() {
    let plant = PlantBuilder::new().ground(0.0).contact(contact(1e5, 0.0, 0.3));
    let diagram = alone(plant.model("block", block(), thrown([0.0, 0.0, 0.06], [0.0; 3], [2.0, 0.0, 0.0])));
    let exact = 4.0 / (2.0 * 0.3 * G);
    for h in [1e-2, 5e-3] {
        let mut simulation = run(&diagram, theta_gamma(h), 1.0);
        let [x, v] = ["pose.px", "velocity.vx"].map(|c| simulation.channel(&format!("plant.block.body.{c}")).unwrap());
        assert!((x - exact + h).abs() < 0.05 * h && v.abs() < 1e-9, "{h}: {x} {v}");
    }
}

/// A ball on an incline rolls with 5/7 g sin; one that slides ends at 5/7 of its speed.
#[test]
fn balls_roll() {
    let (plant, along, _) = tilted(0.3, 0.5);
    let diagram = alone(plant.model("ball", ball(1.0, 0.1), at(0.0, 0.0, 0.1)));
    let v = run(&diagram, theta_gamma(5e-3), 1.0).channel("plant.ball.body.velocity.vx").unwrap();
    assert!((v - 5.0 / 7.0 * along).abs() < 1e-6, "{v}");
    let plant = PlantBuilder::new().ground(0.0).contact(contact(1e5, 0.0, 0.2));
    let diagram = alone(plant.model("ball", ball(1.0, 0.1), thrown([0.0, 0.0, 0.1], [0.0; 3], [1.0, 0.0, 0.0])));
    let v = run(&diagram, theta_gamma(1e-2), 0.6).channel("plant.ball.body.velocity.vx").unwrap();
    assert!((v - 5.0 / 7.0).abs() < 1e-9, "{v}");
}

fn stack(masses: &[f64]) -> Diagram {
    let mut plant = PlantBuilder::new().ground(0.0).contact(contact(1e6, 0.0, 0.5));
    for (i, mass) in masses.iter().enumerate() {
        plant = plant.model(format!("b{i}"), cuboid(*mass, [0.1; 3]), at(0.0, 0.0, 0.1 + 0.2 * i as f64));
    }
    alone(plant)
}

/// Stacks stand, and the ground carries their weight; so does a light box that carries a heavier one.
#[test]
fn stacks_rest() {
    for masses in [&[1.0, 1.0, 1.0][..], &[1.0, 3.0], &[5.0, 1.0]] {
        let mut simulation = run(&stack(masses), theta_gamma(5e-3), 1.0);
        for i in 0..masses.len() {
            let p = position(&mut simulation, &format!("b{i}"));
            let off = (p - nalgebra::Vector3::new(0.0, 0.0, 0.1 + 0.2 * i as f64)).norm();
            assert!(off < 1e-3, "{masses:?}: box {i} is {off:e} off");
        }
        let top = masses.len() - 1;
        let fz = simulation.channel(&format!("plant.b{top}.body.contact.fz")).unwrap();
        assert!((fz - masses[top] * G).abs() < 1e-2 * masses[top] * G, "{masses:?}: {fz}");
    }
}

/// Ten boxes, each twice as heavy as the one below it or a thousand times the weight on top, lie as they were put; for
/// sweeps alone that is too much.
#[test]
fn high_stacks_and_large_ratios_of_masses_stand() {
    let even = [1.0; 10];
    let growing: Vec<f64> = (0..10).map(|i| 10_f64.powf(f64::from(i) / 3.0)).collect();
    let mut top = even;
    top[9] = 1000.0;
    for masses in [&even[..], &growing, &top] {
        let mut simulation = run(&stack(masses), theta_gamma(5e-3), 1.0);
        let statistics = simulation.statistics();
        assert_eq!(statistics.unsettled_solves, 0, "{masses:?}");
        for i in 0..masses.len() {
            let p = position(&mut simulation, &format!("b{i}"));
            let off = (p - nalgebra::Vector3::new(0.0, 0.0, 0.1 + 0.2 * i as f64)).norm();
            assert!(off < 1e-3, "{masses:?}: box {i} is {off:e} off");
        }
        let fz = simulation.channel("plant.b0.body.contact.fz").unwrap();
        assert!((fz - masses[0] * G).abs() < 1e-3 * masses.iter().sum::<f64>() * G, "{masses:?}: {fz}");
        let alone = run(&stack(masses), with(5e-3, |o| o.rounds = 0), 0.1);
        assert!(alone.statistics().unsettled_solves > 0, "{masses:?}");
    }
}

/// Columns that fall apart, each on its own, a rail at its stop, and fibres across each other: several islands.
fn islands() -> Diagram {
    let mut rail = slider(2.0);
    rail.joints[0].limits = (-0.5, 0.01);
    let mut plant = PlantBuilder::new().gravity([1.0, 0.0, -G]).ground(0.0).contact(contact(1e6, 0.0, 0.4));
    plant = plant.model("rail", rail, Base::fixed());
    for column in 0..5 {
        for i in 0..3 {
            let (x, aside) = (2.0 * f64::from(column), 0.03 * f64::from(i * (column + 1)));
            let base = at(x, aside, 0.101 + 0.203 * f64::from(i));
            plant = plant.model(format!("b{column}{i}"), cuboid(1.0 + 0.5 * f64::from(i), [0.1; 3]), base);
        }
        let line = [-0.3, 0.3].map(|y| nalgebra::Vector3::new(2.0 * f64::from(column) + 1.0, y, 0.02)).to_vec();
        let section = Section::Circle { radius: 0.01 };
        let rope = FibreMaterial::isotropic(1e6, 0.3, 1e3);
        plant = plant.fibre(Fibre::new(format!("f{column}"), Curve::Polyline(line), 6, section, rope));
    }
    alone(plant)
}

/// Islands that are solved at the same time have the same bits as one after the other.
#[test]
fn any_number_of_threads_has_the_same_bits() {
    let diagram = islands();
    let bits = |threads: usize| {
        let simulation = run(&diagram, Options { threads, ..theta_gamma(5e-3) }, 0.3);
        let state: Vec<u64> = simulation.state().continuous.iter().map(|x| x.to_bits()).collect();
        let patches = simulation.contact_results("plant").unwrap().patches();
        let forces: Vec<u64> = patches.iter().flat_map(|patch| patch.force.map(f64::to_bits)).collect();
        let s = simulation.statistics();
        (state, forces, s.solver_iterations, s.unsettled_solves, s.max_residual.to_bits())
    };
    let alone = bits(1);
    assert!(alone.1.len() > 100, "{} forces", alone.1.len());
    for threads in [2, 3, 8] {
        assert!(bits(threads) == alone, "{threads} threads");
    }
}

/// A ball that slides and spins about its normal: translation and spin end together.
#[test]
fn contensou_ends_spin_and_sliding_together() {
    // With moments in this measure of the radius friction works on sliding and spinning alike.
    let (mass, radius, mu) = (1.0, 0.1, 0.3);
    let plant = PlantBuilder::new().ground(0.0).contact(contact(1e6, 0.0, mu));
    let mut model = ball(mass, radius);
    // The disc does not roll: the inertia about other axes is that of a plate.
    let inertia = 0.5 * mass * radius * radius;
    if let Some(i) = &mut model.links[0].inertia {
        i.I_BBcm = nalgebra::Matrix3::from_diagonal(&nalgebra::Vector3::new(1e6, 1e6, inertia));
    }
    let (v0, w0) = (1.0, 20.0);
    let scene = plant.model("disc", model, thrown([0.0, 0.0, radius], [0.0, 0.0, w0], [v0, 0.0, 0.0]));
    let diagram = alone(scene);
    let rho = (inertia / mass).sqrt();
    let h = 1e-3;
    let options = with(h, |o| o.friction = Friction::Contensou { radius: rho });
    let stop = (v0 * v0 + rho * rho * w0 * w0).sqrt() / (mu * G);
    let mut simulation = run(&diagram, options, 0.5 * stop);
    let [v, w] = ["vx", "wz"].map(|c| simulation.channel(&format!("plant.disc.body.velocity.{c}")).unwrap());
    assert!((v / v0 - 0.5).abs() < 5e-3 && (w / w0 - 0.5).abs() < 5e-3, "{v} {w}");
    simulation.advance_to(stop + 2.0 * h).unwrap();
    let [v, w] = ["vx", "wz"].map(|c| simulation.channel(&format!("plant.disc.body.velocity.{c}")).unwrap());
    assert!(v.abs() < 1e-6 && w.abs() < 1e-5, "{v} {w}");
    // With another radius the slower of both ends as a power of the other.
    let rho = 2.0 * radius / 3.0;
    let options = with(1e-4, |o| o.friction = Friction::Contensou { radius: rho });
    let mut simulation = run(&diagram, options, 0.3);
    let [v, w] = ["vx", "wz"].map(|c| simulation.channel(&format!("plant.disc.body.velocity.{c}")).unwrap());
    let expected = (v / v0).powf(mass * rho * rho / inertia);
    assert!((w / w0 - expected).abs() < 1e-3 && v < 0.9 * v0, "{v} {w}");
    // Coulomb's law knows no spin (and heavy as it is, the disc tips a little).
    let mut simulation = run(&diagram, theta_gamma(h), stop);
    let w = simulation.channel("plant.disc.body.velocity.wz").unwrap();
    assert!((w - w0).abs() < 1e-7, "{w}");
}

/// A joint held by its stop rests on it, and an impact on a stop has no compliance.
#[test]
fn a_stop_holds() {
    let mut model = slider(2.0);
    model.joints[0].limits = (-0.5, 0.2);
    let plant = PlantBuilder::new().gravity([3.0, 0.0, 0.0]).model("rail", model, Base::fixed());
    let diagram = alone(plant);
    for theta in [0.5, 1.0] {
        let mut simulation = run(&diagram, with(1e-2, |o| o.theta = theta), 2.0);
        let [q, v] = ["q", "v"].map(|x| simulation.channel(&format!("plant.rail.x.{x}")).unwrap());
        assert!((q - 0.2).abs() < 1e-3 && v.abs() < 1e-6, "{q} {v}");
    }
}

/// Stops and constraints hold as under the convex step.
#[test]
fn stops_and_constraints_rest_as_under_the_convex_step() {
    let mut model = slider(2.0);
    model.joints[0].limits = (-0.5, 0.2);
    let rail = alone(PlantBuilder::new().gravity([3.0, 0.0, 0.0]).model("rail", model, Base::fixed()));
    let body = Attachment::at("box/body", [0.1, 0.0, 0.0]);
    let weld = Constraint::weld("hold", Attachment::world(Isometry3::translation(0.1, 0.0, 1.0)), body);
    let held = PlantBuilder::new().model("box", cuboid(1.0, [0.1; 3]), at(0.0, 0.0, 1.0)).constraint(weld);
    let held = alone(held);
    let h = 1e-3;
    for (diagram, channel) in [(&rail, "plant.rail.x.q"), (&held, "plant.box.body.z")] {
        let [a, b] = [theta_gamma(h), icf(h)].map(|options| run(diagram, options, 2.0).channel(channel).unwrap());
        assert!((a - b).abs() < 1e-6, "{channel}: {a} and {b}");
    }
}

#[test]
fn options_of_files_are_set_and_faults_have_remedies() {
    let file = |text: &str| {
        let text = format!(
            "kinegraph: 1\nsystems:\n  a: {{type: constant, value: 1}}\nsimulation: {{integrator: theta-gamma, step: 0.01, duration: 0, theta_gamma: {text}}}\n"
        );
        load_str(Path::new("file.yaml"), &text, &[])
            .map(|l| l.diagram.simulation.methods.get::<ThetaGammaOptions>())
            .map_err(|e| e.to_string())
    };
    assert_eq!(file("{}").unwrap(), ThetaGammaOptions::default());
    type Change = (&'static str, fn(&mut ThetaGammaOptions));
    let changes: &[Change] = &[
        ("theta: 0.5", |o| o.theta = 0.5),
        ("gamma: 0.75", |o| o.gamma = 0.75),
        ("friction: contensou, contact_radius: 0.02", |o| o.friction = Friction::Contensou { radius: 0.02 }),
        ("restitution: 0.5", |o| o.restitution = 0.5),
        ("passes: 3", |o| o.passes = Some(3)),
        ("correction: 0.5", |o| o.correction = 0.5),
        ("slop: 0", |o| o.slop = 0.0),
        ("correction_speed: 2", |o| o.correction_speed = 2.0),
        ("tolerance: 1e-6", |o| o.tolerance = 1e-6),
        ("sweeps: 50", |o| o.max_sweeps = 50),
        ("metric: diagonal", |o| o.metric = Metric::Diagonal),
        ("solver: sweeps", |o| o.rounds = 0),
        ("warm_start: false", |o| o.warm_start = false),
    ];
    for (key, change) in changes {
        let mut expected = ThetaGammaOptions::default();
        change(&mut expected);
        assert_ne!(expected, ThetaGammaOptions::default());
        assert_eq!(file(&format!("{{{key}}}")).unwrap(), expected, "{key}");
    }
    for (text, what) in [("{theta: 0.4}", "theta_gamma.theta"), ("{gamma: 0.5, restitution: 0.5}", "gamma: 1")] {
        let fault = file(text).unwrap_err();
        assert!(fault.contains(what), "{fault}");
    }
    let diagram = stack(&[1.0]);
    let both = with(0.01, |o| (o.gamma, o.restitution) = (0.5, 0.5)).build(&diagram).map(drop).unwrap_err();
    assert!(both.to_string().contains("gamma: 1"), "{both}");
    let range = with(0.01, |o| o.theta = 1.5).check().unwrap_err();
    assert!(matches!(range, OptionError::OutOfRange { name: "theta_gamma.theta", .. }), "{range}");
}
