//! Contact that lasts: a third solution makes long steps accurate, and leaves impacts as they are.

use crate::common::*;
use kinegraph::diagram::Diagram;
use kinegraph::integrators::{Options, Rule, RuleSwitches};
use kinegraph::simulate::Simulation;
use kinegraph::systems::multibody::PlantBuilder;
use nalgebra::{Quaternion, UnitQuaternion};

/// A ball that rolls down a ramp, and turns about the normal at 20 rad/s.
fn on_a_ramp() -> Diagram {
    let (radius, k, slope) = (0.1, 1e5, 0.3_f64);
    let gravity = [9.81 * slope.sin(), 0.0, -9.81 * slope.cos()];
    let depth = -gravity[2] / k;
    let base = thrown([0.0, 0.0, radius - depth], [0.0, 10.0, 20.0], [10.0 * (radius - 0.5 * depth), 0.0, 0.0]);
    let plant = PlantBuilder::new().gravity(gravity).ground(0.0).contact(contact(k, 10.0, 0.6));
    alone(plant.model("b", ball(1.0, radius), base))
}

fn without(accuracy: f64) -> Options {
    Options { rules: RuleSwitches::ALL.without(Rule::ThirdSolution), ..cenic(accuracy) }
}

/// By how much two ends of that differ: the farthest coordinate, and half the angle.
fn apart(a: &Simulation, b: &Simulation) -> f64 {
    let (a, b) = (&a.state().continuous, &b.state().continuous);
    let turned = |x: &[f64]| UnitQuaternion::from_quaternion(Quaternion::new(x[0], x[1], x[2], x[3]));
    let places = a[4..7].iter().zip(&b[4..7]).map(|(a, b)| (a - b).abs());
    places.fold(0.5 * turned(a).angle_to(&turned(b)), f64::max)
}

#[test]
fn a_ball_rolls_down_a_ramp_in_few_steps_to_the_accuracy() {
    let diagram = on_a_ramp();
    let exact = run(&diagram, Options::dopri5(1e-10), 1.0);
    for (accuracy, part) in [(1e-4, 0.5), (1e-5, 0.3), (1e-6, 0.2)] {
        let (with, plain) = (run(&diagram, cenic(accuracy), 1.0), run(&diagram, without(accuracy), 1.0));
        let error = apart(&with, &exact) / accuracy;
        let (steps, before) = (attempts(&with) as f64, attempts(&plain) as f64);
        let (solves, solves_before) = (with.statistics().solves, plain.statistics().solves);
        assert!(error < 1.0, "{accuracy}: {error} accuracies");
        assert!(steps < part * before, "{accuracy}: {steps} steps, {before} without");
        assert!(solves < solves_before, "{accuracy}: {solves} solves, {solves_before} without");
    }
}

#[test]
fn impacts_take_the_same_steps() {
    let plant = || PlantBuilder::new().ground(0.0);
    let bounces = alone(plant().contact(contact(1e5, 0.1, 0.5)).model("b", ball(1.0, 0.1), at(0.0, 0.0, 0.5)));
    let tumbles = thrown([0.0, 0.0, 0.4], [3.0, 1.0, 2.0], [1.0, 0.0, 0.0]);
    let cuboid = cuboid(1.0, [0.1, 0.15, 0.2]);
    let lands = alone(plant().contact(contact(1e6, 5.0, 0.5)).model("b", cuboid, tumbles));
    for (diagram, time) in [(&bounces, 1.5), (&lands, 0.4)] {
        let (with, plain) = (run(diagram, cenic(1e-3), time), run(diagram, without(1e-3), time));
        assert_eq!(with.state().continuous, plain.state().continuous);
        assert_eq!(with.statistics().solves, plain.statistics().solves);
    }
}

/// What is remembered of lasting contact belongs to a snapshot.
#[test]
fn a_run_goes_on_from_a_snapshot_in_lasting_contact() {
    let diagram = on_a_ramp();
    let mut simulation = run(&diagram, cenic(1e-5), 0.4);
    let mut copy = Simulation::new(&diagram, cenic(1e-5)).unwrap();
    copy.restore(&simulation.snapshot()).unwrap();
    simulation.advance_to(1.0).unwrap();
    copy.advance_to(1.0).unwrap();
    assert_eq!(simulation.state(), copy.state());
}
