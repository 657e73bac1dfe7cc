//! Rigid constraints in scenes with contact, so that convex steps are taken.

use crate::common::*;
use crate::constrained_motion::closed_in;
use kinegraph::diagram::Diagram;
use kinegraph::integrators::{OfOptions, Options};
use kinegraph::simulate::Simulation;
use kinegraph::systems::multibody::plant::{Attachment, Constraint};
use kinegraph::systems::multibody::{Base, PlantBuilder};
use nalgebra::{Isometry3, Vector3};

const G: f64 = 9.81;

/// A box of 2 kg that is held up by a weld at the end of a lever, or by its base; one of 1 kg stands on it.
fn shelf(welded: bool) -> Diagram {
    let place = Isometry3::translation(0.3, 0.0, 1.0);
    let plant = PlantBuilder::new().contact(contact(1e5, 10.0, 0.5));
    let weld = Constraint::weld(
        "hold",
        Attachment::world(Isometry3::translation(0.0, 0.0, 1.0)),
        Attachment::at("shelf/body", [-0.3, 0.0, 0.0]),
    );
    let shelf = cuboid(2.0, [0.1; 3]);
    let plant = if welded {
        plant.model("shelf", shelf, Base::floating(place)).constraint(weld)
    } else {
        plant.model("shelf", shelf, Base::Fixed { X_WR: place })
    };
    // Off the middle, so that the shelf is loaded by a moment as well.
    alone(plant.model("box", cuboid(1.0, [0.05; 3]), at(0.33, 0.0, 1.15)))
}

#[test]
fn a_loaded_weld_does_not_shorten_steps() {
    let methods = [cenic as fn(f64) -> Options, Options::cenic_trapezoid];
    for (trapezoid, method) in methods.into_iter().enumerate() {
        for (accuracy, most) in [(1e-2, 20), (1e-3, 30), (1e-6, 250)] {
            let [welded, fixed] = [true, false].map(|welded| run(&shelf(welded), method(accuracy), 1.0));
            let (taken, own) = (attempts(&welded), attempts(&fixed));
            assert!(taken <= own + own / 5 + 5 && taken <= most, "{trapezoid} at {accuracy:e}: {taken}, without {own}");
        }
    }
}

/// A box held by a weld stays at rest, and the weld reports its load.
#[test]
fn a_loaded_weld_is_at_rest() {
    for options in [cenic(1e-2), cenic(1e-3), cenic(1e-6), Options::cenic_trapezoid(1e-3), icf(1e-2)] {
        let mut simulation = run(&shelf(true), options, 2.0);
        let (w, v) = velocity(&mut simulation, "shelf");
        assert!(v.norm() < 1e-9 && w.norm() < 1e-9, "{v} {w}");
        let p = position(&mut simulation, "shelf");
        assert!((p - Vector3::new(0.3, 0.0, 1.0)).norm() < 1e-6, "{p}");
        let (w, v) = velocity(&mut simulation, "box");
        assert!(v.norm() < 2e-6 && w.norm() < 2e-5, "{v} {w}");
        let reported = simulation.step_record("plant").unwrap().unwrap().multipliers[0];
        // Of the weld's frame at the origin: both weights, and their moments about y.
        assert!((reported[5] - 3.0 * G).abs() < 1e-3, "{reported:?}");
    }
}

/// A closed chain has the same motion with and without a box beside it.
#[test]
fn chains_beside_contact_go_the_way_of_chains_alone() {
    let beside = |seed: u64, speed: f64| {
        let plant = PlantBuilder::new().ground(-5.0).contact(contact(1e4, 10.0, 0.5));
        alone(closed_in(plant, seed, speed).model("box", cuboid(1.0, [0.1; 3]), at(0.0, 9.0, -4.9 - 2e-4)))
    };
    let width = |seed: u64| 4 + (seed % 3) as usize;
    // From rest, or from velocities that the constraints stop at once.
    for (seed, speed) in (0..4).flat_map(|seed| [(seed, 0.0), (seed, 1.0)]) {
        let joints = |diagram: &Diagram, options: Options| {
            let simulation = run(diagram, options, 1.0);
            (simulation.state().continuous[..width(seed)].to_vec(), simulation.statistics().solves)
        };
        let (truth, _) = joints(&alone(closed_in(PlantBuilder::new(), seed, speed)), cenic(1e-9));
        let check = |options: Options, most: f64| {
            let (q, solves) = joints(&beside(seed, speed), options);
            assert!(solves > 0, "no convex step");
            let apart = q.iter().zip(&truth).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(apart < most, "{seed} {speed}: {apart:e} apart, at most {most:e}");
        };
        for accuracy in [1e-3, 1e-4] {
            check(cenic(accuracy), accuracy);
            check(Options::cenic_trapezoid(accuracy), 50.0 * accuracy);
        }
        check(icf(1e-3), 0.02);
    }
}

/// Steps of fixed length drift off a constraint by no more than a single step does.
#[test]
fn steps_of_fixed_length_do_not_drift() {
    for h in [4e-3, 2e-3, 1e-3] {
        let rod = Constraint::distance(
            "rod",
            Attachment::world(Isometry3::identity()),
            Attachment::at("box/body", [0.0; 3]),
            1.0,
        );
        let plant =
            PlantBuilder::new().model("box", cuboid(1.0, [0.1; 3]), thrown([1.0, 0.0, 0.0], [0.0; 3], [0.0, 2.0, 0.0]));
        let mut simulation = Simulation::new(&alone(plant.constraint(rod)), icf(h)).unwrap();
        let mut fastest = 0.0_f64;
        while simulation.time() < 3.0 {
            simulation.step(3.0).unwrap();
            fastest = fastest.max(velocity(&mut simulation, "box").1.norm());
            let off = (position(&mut simulation, "box").norm() - 1.0).abs();
            // Distance by which a step along the tangent leaves a circle of 1 m.
            assert!(off < 0.6 * (h * fastest).powi(2) + 1e-9, "{off:e} at {}", simulation.time());
        }
    }
}

/// 50 mm off a weld, with a box in contact beside it: the violation is removed at the same speed at every accuracy, and
/// no speed remains.
#[test]
fn violations_are_corrected_without_momentum() {
    let weld = Constraint::weld("hold", Attachment::world(Isometry3::identity()), Attachment::at("b/body", [0.0; 3]));
    let plant = PlantBuilder::new().ground(-1.0).correction_speed(0.2).constraint(weld);
    let plant = plant.model("b", cuboid(1.0, [0.1; 3]), at(0.05, 0.0, 0.0));
    let diagram = alone(plant.model("box", cuboid(1.0, [0.1; 3]), at(3.0, 0.0, -0.9)));
    for options in [cenic(1e-2), cenic(1e-3), cenic(1e-5), Options::cenic_trapezoid(1e-3), icf(1e-3)] {
        let mut simulation = Simulation::new(&diagram, options).unwrap();
        for i in 1..=8 {
            let time = 0.03 * f64::from(i);
            simulation.advance_to(time).unwrap();
            let (p, (w, v)) = (position(&mut simulation, "b"), velocity(&mut simulation, "b"));
            assert!((p.x - 0.05 + 0.2 * time).abs() < 5e-4, "{} at {time}", p.x);
            assert!(v.norm() < 1e-6 && w.norm() < 1e-6, "{v} {w}");
        }
        simulation.advance_to(1.0).unwrap();
        assert!(position(&mut simulation, "b").norm() < 1e-7);
        assert!(simulation.statistics().steps < 80 || options.step.is_some(), "{}", simulation.statistics().steps);
    }
}

/// A body on two that a ball joins strikes them: momentum stays, energy does not grow.
#[test]
fn impact_on_a_mechanism_keep_its_momentum() {
    let pin =
        Constraint::ball("pin", Attachment::at("a/body", [0.2, 0.0, 0.0]), Attachment::at("b/body", [-0.2, 0.0, 0.0]));
    let plant = weightless().contact(contact(1e4, 0.1, 0.5)).constraint(pin);
    let plant = plant.model("a", cuboid(2.0, [0.15, 0.1, 0.1]), at(-0.2, 0.0, 0.0));
    let plant = plant.model("b", cuboid(1.0, [0.15, 0.1, 0.1]), at(0.2, 0.0, 0.0));
    let plant = plant.model("c", ball(1.5, 0.1), thrown([0.25, 0.03, 0.5], [0.0; 3], [0.1, 0.0, -2.0]));
    let masses = [("a", 2.0), ("b", 1.0), ("c", 1.5)];
    let diagram = alone(plant);
    for options in [cenic(1e-2), cenic(1e-3), cenic(1e-5), Options::cenic_trapezoid(1e-3), icf(1e-3)] {
        let mut simulation = Simulation::new(&diagram, options).unwrap();
        let momentum =
            |s: &mut Simulation| masses.iter().map(|(name, m)| velocity(s, name).1 * *m).sum::<Vector3<f64>>();
        let (start, energy) = (momentum(&mut simulation), simulation.energy().unwrap());
        while simulation.time() < 1.0 {
            simulation.step(1.0).unwrap();
            let apart = (momentum(&mut simulation) - start).norm();
            assert!(apart < 1e-8, "{apart:e} at {}", simulation.time());
            let gained = simulation.energy().unwrap() - energy;
            assert!(gained < 1e-3 * energy, "{gained:e} of {energy} J at {}", simulation.time());
        }
        assert!(velocity(&mut simulation, "a").0.norm() > 0.1, "it was struck");
    }
}
