//! Without dissipation the energy is constant: losses or gains of a run are the error of the method, of its order in
//! the step.

use crate::common::*;
use kinegraph::diagram::Diagram;
use kinegraph::integrators::{OfOptions, Options};
use kinegraph::simulate::Simulation;
use kinegraph::systems::multibody::plant::ContactParameters;
use kinegraph::systems::multibody::{Base, JointKind, Link, Model, PlantBuilder};
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};

/// A double pendulum that falls from near the horizontal.
fn pendulum() -> Diagram {
    let plant = PlantBuilder::new().model("dp", double_pendulum(), Base::fixed());
    alone(plant.initial("dp/j1", 1.5, 0.0).initial("dp/j2", 0.5, 0.0))
}

/// Change of energy over `time` \[J\].
fn drift(diagram: &Diagram, options: Options, time: f64) -> f64 {
    let mut simulation = Simulation::new(diagram, options).unwrap();
    let start = simulation.energy().unwrap();
    simulation.advance_to(time).unwrap();
    simulation.energy().unwrap() - start
}

#[test]
fn pendulum_energy_drift_halves_with_the_step() {
    let diagram = pendulum();
    let drifts: Vec<f64> = [1e-3, 5e-4, 2.5e-4, 1.25e-4].map(|h| drift(&diagram, icf(h), 0.5).abs()).into();
    for pair in drifts.windows(2) {
        let ratio = pair[0] / pair[1];
        assert!((1.8..2.2).contains(&ratio), "{ratio}: {drifts:?}");
    }
}

#[test]
fn pendulum_energy_error_falls_with_the_accuracy() {
    let diagram = pendulum();
    let errors: Vec<f64> = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5].map(|a| drift(&diagram, cenic(a), 1.0).abs()).into();
    // Per step an error of `accuracy` in position, about 1/sqrt(accuracy) steps.
    assert!(errors.windows(2).all(|e| e[1] < 0.7 * e[0]), "{errors:?}");
    assert!(errors[4] < 0.05 * errors[0] && errors[4] < 0.1, "{errors:?}");
}

/// Relative loss of energy of a ball over one bounce, measured at the same height before and after.
fn loss_per_bounce(accuracy: f64) -> f64 {
    let plant = PlantBuilder::new().ground(0.0).contact(contact(1e5, 0.0, 0.0)).model(
        "ball",
        ball(1.0, 0.1),
        at(0.0, 0.0, 0.6),
    );
    let diagram = alone(plant);
    let fall = (2.0 * 0.5 / 9.81_f64).sqrt();
    // Energy counted from the ground's contact height.
    drift(&diagram, cenic(accuracy), 1.5 * fall).abs() / (9.81 * 0.5)
}

#[test]
fn an_undamped_bounce_loses_less_energy_the_higher_the_accuracy() {
    let losses: Vec<f64> = [1e-3, 1e-4, 1e-5, 1e-6].map(loss_per_bounce).into();
    // The bounce is followed, however short it is.
    assert!(losses.windows(2).all(|l| l[1] < l[0]), "{losses:?}");
    assert!(losses[0] < 1e-3 && losses[3] < 1e-5, "{losses:?}");
}

/// Balls of random stiffness that fall from random heights and rebound without damping: the loss of height in a bounce
/// is below the accuracy, for every accuracy. If a step ended at the turning point, it lost up to thirty times as much.
#[test]
fn an_undamped_bounce_loses_less_height_than_the_accuracy() {
    let mut random = Random(7);
    for _ in 0..12 {
        let (k, height) = (random.log(1e4, 3e6), random.log(0.1, 2.0));
        let plant = PlantBuilder::new().ground(0.0).contact(contact(k, 0.0, 0.0));
        let diagram = alone(plant.model("ball", ball(1.0, 0.1), at(0.0, 0.0, 0.1 + height)));
        let (fall, touches) = ((2.0 * height / 9.81).sqrt(), std::f64::consts::PI / k.sqrt());
        for accuracy in [1e-2, 1e-3, 1e-4, 1e-5] {
            let lost = drift(&diagram, cenic(accuracy), 1.5 * fall + touches).abs() / 9.81;
            assert!(lost < accuracy, "{k:e} N/m from {height} m: {lost:e} m at {accuracy:e}");
        }
    }
}

/// Balls that spring back with damping, slide and spin: a bounce against a tight run of another method.
#[test]
fn a_bounce_that_is_damped_and_rubs_errs_by_a_few_accuracies() {
    let mut random = Random(11);
    let mut errors = Vec::new();
    for _ in 0..16 {
        let (k, speed) = (random.log(1e4, 1e7), random.log(0.3, 3.0));
        let (damping, friction) = (random.log(0.05, 3.0), random.between(0.05, 0.8));
        let law = ContactParameters { stiction_tolerance: 1e-3, ..contact(k, damping / speed, friction) };
        let spin = [0.0, 10.0 * random.between(-speed, speed), 0.0];
        let start = thrown([0.0, 0.0, 0.1 + 0.01 * speed], spin, [random.log(0.1, 3.0), 0.0, -speed]);
        let diagram = alone(PlantBuilder::new().ground(0.0).contact(law).model("ball", ball(1.0, 0.1), start));
        let end = 0.01 + 0.1 * speed;
        let exact = run(&diagram, Options::dopri5(1e-10), end).state().continuous.clone();
        for accuracy in [1e-3, 1e-4] {
            let simulation = run(&diagram, cenic(accuracy), end);
            let apart = simulation.state().continuous.iter().zip(&exact).skip(4).take(3).map(|(x, e)| (x - e).abs());
            errors.push(apart.fold(0.0, f64::max) / accuracy);
        }
    }
    errors.sort_by(f64::total_cmp);
    let [median, most] = [errors[errors.len() / 2], errors[errors.len() - 1]];
    assert!(median < 2.0 && most < 20.0, "{errors:.2?}");
}

/// A spring that the step resolves keeps its energy; one that it does not resolve is stable, and does not disturb the
/// bodies on it.
#[test]
fn springs_swing_in_short_steps_and_settle_in_long_ones() {
    let diagram = |stiffness: f64| {
        let plant = weightless().model("s", slider(1.0), Base::fixed()).initial("s/x", 0.1, 0.0);
        alone(plant.spring("s/x", stiffness, 0.0))
    };
    // 0.6 rad per step, for 30 periods. The energy swings by h w/2 of itself within a period.
    let slow = diagram(36.0);
    let start = 0.5 * 36.0 * 0.01;
    assert!(drift(&slow, icf(0.1), 30.0).abs() < 0.35 * start, "{}", drift(&slow, icf(0.1), 30.0));
    // 1000 rad per step: an explicit force would throw the carriage away.
    let simulation = run(&diagram(1e8), icf(0.1), 1.0);
    let [x, v] = simulation.state().continuous[..] else { panic!("two states") };
    assert!(x.abs() < 1e-6 && v.abs() < 1e-4, "{x} {v}");
}

/// A ball of 0.5 kg on a rod of 0.6 m that swings about y.
fn ball_on_a_rod() -> Model {
    let mut swing = joint("swing", JointKind::Continuous, "base", "ball", Vector3::y());
    swing.X_BM = Isometry3::translation(0.0, 0.0, 0.6);
    let mut ball = ball(0.5, 0.05).links.remove(0);
    ball.name = "ball".into();
    let links = vec![Link { name: "base".into(), ..Link::default() }, ball];
    Model { name: "pendulum".into(), links, joints: vec![swing], ..Model::default() }
}

/// The balls of a cradle can only move along the normal of their contacts. Their mobility along the surface is zero,
/// and does not affect how stiff a contact is against a step.
#[test]
fn knocking_pendulums_gain_no_energy_from_steps_that_do_not_follow_their_contacts() {
    let mut plant = PlantBuilder::new().contact(contact(1e6, 0.0, 0.0)).initial("p0/swing", 0.5, 0.0);
    for i in 0..2 {
        let hanger = Base::Fixed { X_WR: Isometry3::translation(0.1 * f64::from(i), 0.0, 1.0) };
        plant = plant.model(format!("p{i}"), ball_on_a_rod(), hanger);
    }
    let diagram = alone(plant);
    let swing = 0.5 * 9.81 * 0.6 * (1.0 - 0.5_f64.cos());
    for options in [Options::cenic_trapezoid as fn(f64) -> Options, cenic] {
        for accuracy in [3e-3, 1e-3, 3e-4] {
            let gain = drift(&diagram, options(accuracy), 4.0);
            assert!(gain < 0.01 * swing && gain > -0.8 * swing, "{accuracy}: {gain} of {swing}");
        }
    }
    // Steps that follow them keep it.
    let gain = drift(&diagram, cenic(1e-5), 4.0);
    assert!(gain.abs() < 0.01 * swing, "{gain} of {swing}");
}

/// A box falls on ground as hard as diamond: a contact that closes within a step is left to the convex step, since an
/// explicit refinement would diverge.
#[test]
fn landing_on_hard_ground_makes_no_energy_and_few_steps() {
    for stiffness in [1e9, 1e12, 1e15] {
        let pose =
            Isometry3::from_parts(Translation3::new(0.0, 0.0, 0.3), UnitQuaternion::from_euler_angles(0.2, 0.1, 0.0));
        let plant = PlantBuilder::new().ground(0.0).contact(contact(stiffness, 10.0, 0.5));
        let diagram = alone(plant.model("box", cuboid(1.0, [0.1, 0.05, 0.1]), Base::floating(pose)));
        for accuracy in [1e-3, 1e-4] {
            let attempts = |extrapolate: bool| {
                let options = Options { extrapolate, ..Options::cenic(accuracy) };
                let mut simulation = Simulation::new(&diagram, options).unwrap();
                let start = simulation.energy().unwrap();
                while simulation.time() < 2.0 {
                    simulation.step(2.0).unwrap();
                    let energy = simulation.energy().unwrap();
                    assert!(energy < start + 1e-3, "{stiffness:e} {accuracy}: {energy} at {}", simulation.time());
                }
                let counts = simulation.statistics();
                counts.steps + counts.rejected_steps
            };
            let (plain, refined) = (attempts(false), attempts(true));
            assert!(refined < 5 * plain, "{stiffness:e} {accuracy}: {refined} attempts, {plain} without extrapolation");
        }
    }
}
