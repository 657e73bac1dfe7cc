//! The trapezoid scheme on plants: of second order in contact, of fourth where nothing touches, at rest where nothing
//! moves, and without energy from nowhere.

use crate::common::*;
use kinegraph::diagram::Diagram;
use kinegraph::integrators::{OfOptions, Options};
use kinegraph::simulate::Simulation;
use kinegraph::systems::multibody::{Base, Inertia, JointKind, Link, Model, PlantBuilder};
use nalgebra::{Isometry3, Matrix3, Translation3, UnitQuaternion, Vector3};

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
fn free_motion_is_of_fourth_order() {
    let plant = PlantBuilder::new().model("dp", double_pendulum(), Base::fixed());
    let pendulum = alone(plant.initial("dp/j1", 1.5, 0.0).initial("dp/j2", 0.5, 0.0));
    let base = thrown([0.0; 3], [1.0, 3.0, -2.0], [0.3, 0.2, 2.0]);
    let tumbling = alone(PlantBuilder::new().model("box", cuboid(1.0, [0.1, 0.2, 0.3]), base));
    for diagram in [pendulum, tumbling] {
        let order = order(&diagram, 0.5, 1e-2);
        assert!((order - 4.0).abs() < 0.3, "{order}");
    }
}

/// Links of 0.1 m and 0.1 kg whose axes alternate, from a bent start: fast modes far below the accuracy.
#[test]
fn a_long_chain_keeps_its_energy() {
    let mut model =
        Model { name: "chain".into(), links: vec![Link { name: "l0".into(), ..Link::default() }], ..Model::default() };
    for i in 1..=60 {
        let inertia = Inertia {
            mass: 0.1,
            p_BoBcm: Vector3::new(0.0, 0.0, -0.05),
            I_BBcm: Matrix3::from_diagonal(&Vector3::new(8.3e-5, 8.3e-5, 1e-5)),
        };
        model.links.push(Link { name: format!("l{i}"), inertia: Some(inertia), ..Link::default() });
        let axis = if i % 2 == 0 { Vector3::x() } else { Vector3::y() };
        let (parent, child) = (format!("l{}", i - 1), format!("l{i}"));
        let mut joint = joint(&format!("j{i}"), JointKind::Continuous, &parent, &child, axis);
        joint.X_PF = Isometry3::translation(0.0, 0.0, if i == 1 { 0.0 } else { -0.1 });
        model.joints.push(joint);
    }
    let plant = PlantBuilder::new().model("c", model, Base::fixed());
    let diagram = alone(plant.initial("c/j1", 1.2, 0.0).initial("c/j2", 0.3, 0.0));
    let mut simulation = Simulation::new(&diagram, Options::cenic_trapezoid(1e-2)).unwrap();
    let start = simulation.energy().unwrap();
    simulation.advance_to(0.6).unwrap();
    let change = simulation.energy().unwrap() - start;
    assert!(change.abs() < 0.05, "{change}");
}

/// Drops of all kinds: stiff and soft, elastic and damped, light and heavy, of balls and of boxes on a corner.
#[test]
fn no_drop_gains_energy() {
    let mut state = 1_u64;
    let mut uniform = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut worst = f64::NEG_INFINITY;
    for i in 0..100 {
        let (stiffness, mass) = (10f64.powf(3.0 + 5.0 * uniform()), 10f64.powf(2.0 * uniform() - 1.0));
        let dissipation = [0.05, 0.5, 2.0, 5.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0][i % 10];
        let accuracy = [1e-2, 1e-3, 1e-4][i / 10 % 3];
        let model = if i % 4 == 0 {
            cuboid(mass, [0.1 + 0.1 * uniform(), 0.1, 0.05 + 0.05 * uniform()])
        } else {
            ball(mass, 0.1)
        };
        let turn = UnitQuaternion::from_euler_angles(uniform(), uniform(), 0.0);
        let start = Isometry3::from_parts(Translation3::new(0.0, 0.0, 0.4 + uniform()), turn);
        let plant = PlantBuilder::new().ground(0.0).contact(contact(stiffness, dissipation, 0.3 * uniform()));
        let diagram = alone(plant.model("b", model, Base::floating(start)));
        let mut simulation = Simulation::new(&diagram, Options::cenic_trapezoid(accuracy)).unwrap();
        let energy = simulation.energy().unwrap();
        simulation.advance_to(0.8).unwrap();
        worst = worst.max(simulation.energy().unwrap() / energy - 1.0);
    }
    assert!(worst < 0.01, "{worst}");
}

/// A ball that slides and begins to roll on the ground, pressed in to where it rests. It spins about the normal, so
/// that its axis turns: about a fixed axis the scheme is exact.
#[test]
fn sliding_is_of_second_order() {
    let plant = PlantBuilder::new().ground(0.0).contact(contact(1e4, 0.5, 0.3));
    let base = thrown([0.0, 0.0, 0.1 - 9.81e-4], [0.0, 0.0, 20.0], [3.0, 0.5, 0.0]);
    let diagram = alone(plant.model("ball", ball(1.0, 0.1), base));
    let order = order(&diagram, 0.1, 2e-3);
    assert!((order - 2.0).abs() < 0.2, "{order}");
}

/// Set down, not pressed in: it sinks in by its weight over the stiffness of the pair, 98 µm.
#[test]
fn a_resting_box_stays_at_rest() {
    let plant = PlantBuilder::new().ground(0.0).contact(contact(1e5, 1.0, 0.5));
    let diagram = alone(plant.model("box", cuboid(1.0, [0.1; 3]), at(0.0, 0.0, 0.1)));
    for accuracy in [1e-1, 1e-2, 1e-3, 1e-4] {
        let mut simulation = run(&diagram, Options::cenic_trapezoid(accuracy), 1.0);
        let (p, (w, v)) = (position(&mut simulation, "box"), velocity(&mut simulation, "box"));
        assert!((p - Vector3::new(0.0, 0.0, 0.1)).norm() < 1.5e-4, "{p}");
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

/// A joint rests on its stop for steps of up to 0.1 s, which let it sink in; the short one before a limit leaves it
/// there.
#[test]
fn a_short_step_after_long_ones_throws_nothing_off_its_stop() {
    let mut model = slider(2.0);
    (model.joints[0].axis, model.joints[0].limits) = (nalgebra::Vector3::z(), (0.0, 100.0));
    let diagram = alone(PlantBuilder::new().model("s", model, Base::fixed()).initial("s/x", 0.1, 0.0));
    for options in [Options::cenic_trapezoid(1e-5), Options::cenic_trapezoid(1e-3), Options::icf(0.1)] {
        for beyond in [1e-5, 3e-4, 5e-3] {
            let mut simulation = run(&diagram, options, 2.0);
            simulation.advance_to(2.0 + beyond).unwrap();
            let [x, v] = simulation.state().continuous[..] else { panic!("a carriage") };
            assert!(x < 1e-6 && v.abs() < 5e-3, "{}: {x:e} {v:e}", options.integrator.name);
        }
    }
}
