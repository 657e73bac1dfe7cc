//! The trapezoid scheme on plants: of second order in free motion and in contact, and at rest where nothing moves.

use crate::common::*;
use kinegraph::diagram::Diagram;
use kinegraph::integrators::Options;
use kinegraph::simulate::Simulation;
use kinegraph::systems::multibody::{Base, PlantBuilder};
use nalgebra::Vector3;

/// Steps of one length under an accuracy too loose to shorten them.
fn steps(h: f64) -> Options {
    Options { max_step: h, initial_step: Some(h), ..Options::cenic_trapezoid(0.9) }
}

fn doubled(h: f64) -> Options {
    Options { max_step: h, initial_step: Some(h), extrapolate: false, ..Options::cenic(5e-3) }
}

/// Root mean square of the energy error after one bounce \[J\] of balls dropped from about 1 m on ground of about 1e4
/// N/m: touch-down and lift-off fall on all parts of a step.
fn bounce_error(options: Options) -> f64 {
    let squares = (1..=32).map(|i| {
        let (time, stretch) = ((f64::from(i) * 0.618_034) % 1.0, (f64::from(i) * 0.414_214) % 1.0);
        let height = 0.5 * 9.81 * (0.45 + 0.004 * time).powi(2);
        let stiffness = 1e4 * (0.8 + 0.4 * stretch);
        let plant = PlantBuilder::new().ground(0.0).contact(contact(stiffness, 0.0, 0.0));
        let diagram = alone(plant.model("ball", ball(1.0, 0.1), at(0.0, 0.0, 0.1 + height)));
        let mut simulation = Simulation::new(&diagram, options).unwrap();
        let start = simulation.energy().unwrap();
        simulation.advance_to(0.6).unwrap();
        (simulation.energy().unwrap() - start).powi(2)
    });
    (squares.sum::<f64>() / 32.0).sqrt()
}

fn ratios(errors: &[f64]) -> Vec<f64> {
    errors.windows(2).map(|pair| pair[0] / pair[1]).collect()
}

#[test]
fn energy_error_of_a_bounce_is_of_second_order() {
    let h = [2e-3, 1e-3, 5e-4];
    let first: Vec<f64> = h.map(|h| bounce_error(doubled(h))).into();
    let second: Vec<f64> = h.map(|h| bounce_error(steps(h))).into();
    assert!(ratios(&first).iter().all(|r| (1.7..2.3).contains(r)), "{:?} {first:?}", ratios(&first));
    assert!(ratios(&second).iter().all(|r| (3.3..4.9).contains(r)), "{:?} {second:?}", ratios(&second));
    assert!(second.iter().zip(&first).all(|(second, first)| *second < 0.05 * first), "{second:?} {first:?}");
}

fn order(diagram: &Diagram, end: f64, longest: f64) -> f64 {
    let fine = run(diagram, steps(longest / 64.0), end);
    let error = |h: f64| {
        let coarse = run(diagram, steps(h), end);
        let difference = coarse.state().continuous.iter().zip(&fine.state().continuous).map(|(a, b)| (a - b).abs());
        difference.fold(0.0, f64::max)
    };
    (error(longest) / error(longest / 2.0)).log2()
}

#[test]
fn free_motion_is_of_second_order() {
    let plant = PlantBuilder::new().model("dp", double_pendulum(), Base::fixed());
    let pendulum = alone(plant.initial("dp/j1", 1.5, 0.0).initial("dp/j2", 0.5, 0.0));
    let base = thrown([0.0; 3], [1.0, 3.0, -2.0], [0.3, 0.2, 2.0]);
    let tumbling = alone(PlantBuilder::new().model("box", cuboid(1.0, [0.1, 0.2, 0.3]), base));
    for diagram in [pendulum, tumbling] {
        let order = order(&diagram, 0.5, 2.5e-3);
        assert!((order - 2.0).abs() < 0.2, "{order}");
    }
}

/// A ball that slides and begins to roll on the ground, pressed in to where it rests.
#[test]
fn sliding_is_of_second_order() {
    let plant = PlantBuilder::new().ground(0.0).contact(contact(1e4, 0.5, 0.3));
    let base = thrown([0.0, 0.0, 0.1 - 9.81e-4], [0.0, 0.0, 0.0], [3.0, 0.5, 0.0]);
    let diagram = alone(plant.model("ball", ball(1.0, 0.1), base));
    let order = order(&diagram, 0.1, 2e-3);
    assert!((order - 2.0).abs() < 0.2, "{order}");
}

/// Set down, not pressed in: it sinks in by 25 µm.
#[test]
fn a_resting_box_stays_at_rest() {
    let plant = PlantBuilder::new().ground(0.0).contact(contact(1e5, 1.0, 0.5));
    let diagram = alone(plant.model("box", cuboid(1.0, [0.1; 3]), at(0.0, 0.0, 0.1)));
    for accuracy in [1e-1, 1e-2, 1e-3, 1e-4] {
        let mut simulation = run(&diagram, Options::cenic_trapezoid(accuracy), 1.0);
        let (p, (w, v)) = (position(&mut simulation, "box"), velocity(&mut simulation, "box"));
        assert!((p - Vector3::new(0.0, 0.0, 0.1)).norm() < 5e-5, "{p}");
        assert!(v.norm() < 1e-3 && w.norm() < 1e-3, "{v} {w}");
        assert!(simulation.statistics().steps < 50, "{:?}", simulation.statistics());
    }
}

#[test]
fn a_block_with_friction_sticks_on_a_slope() {
    let angle = 0.3_f64;
    for accuracy in [1e-2, 1e-3, 1e-4, 1e-5] {
        let plant = PlantBuilder::new()
            .gravity([9.81 * angle.sin(), 0.0, -9.81 * angle.cos()])
            .ground(0.0)
            .contact(contact(1e5, 1.0, 0.6));
        let sunk = 9.81 * angle.cos() / 4e5;
        let diagram = alone(plant.model("box", cuboid(1.0, [0.1; 3]), at(0.0, 0.0, 0.1 - sunk)));
        let mut simulation = run(&diagram, Options::cenic_trapezoid(accuracy), 1.0);
        let (p, (_, v)) = (position(&mut simulation, "box"), velocity(&mut simulation, "box"));
        assert!(p.x.abs() < 5e-4 && v.norm() < 1e-3, "{p} {v}");
    }
}

/// A carriage falls onto its stop and stays there.
#[test]
fn a_stop_holds() {
    let mut model = slider(1.0);
    model.joints[0].limits = (-1.0, 0.5);
    let plant = PlantBuilder::new().gravity([9.81, 0.0, 0.0]).model("cart", model, Base::fixed());
    let diagram = alone(plant);
    for accuracy in [1e-2, 1e-4] {
        let simulation = run(&diagram, Options::cenic_trapezoid(accuracy), 2.0);
        let [x, v] = simulation.state().continuous[..] else { panic!("one coordinate") };
        assert!((x - 0.5).abs() < 2.0 * accuracy && v.abs() < 10.0 * accuracy, "{x} {v}");
    }
}
