//! Constraints and joint stops in free motion: no error of their own at any accuracy.

use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::simulate::Simulation;
use kinegraph::systems::convex::PlantPoint;
use kinegraph::systems::multibody::plant::{Attachment, Constraint};
use kinegraph::systems::multibody::{Base, Inertia, JointKind, Link, Model, PlantBuilder};
use kinegraph::systems::sources::Step;
use nalgebra::{Isometry3, Matrix3, UnitQuaternion, Vector3};

const G: f64 = 9.81;

/// Pseudorandom numbers between -1 and 1, which depend on the seed alone.
fn noise(seed: u64) -> impl FnMut() -> f64 {
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// A chain of links on hinges of any direction.
fn chain(links: usize, r: &mut impl FnMut() -> f64) -> Model {
    let mut model =
        Model { name: "chain".into(), links: vec![Link { name: "l0".into(), ..Link::default() }], ..Model::default() };
    for i in 1..=links {
        let axis = Vector3::new(r(), r(), r()).normalize();
        let mut j = joint(&format!("j{i}"), JointKind::Revolute, &format!("l{}", i - 1), &format!("l{i}"), axis);
        j.X_PF = Isometry3::translation(0.0, 0.1 * r(), if i == 1 { 0.0 } else { -0.3 });
        j.limits = (f64::NEG_INFINITY, f64::INFINITY);
        model.links.push(link(&format!("l{i}"), 1.0 + 0.5 * r(), [0.05 * r(), 0.05, -0.15]));
        model.joints.push(j);
    }
    model
}

/// Random chains, loose or closed: a rod, a ball, a coupler, and a ball held twice.
fn closed(seed: u64) -> Diagram {
    alone(closed_in(PlantBuilder::new(), seed, 1.0))
}

/// The chains in a given plant, with joints that start at up to `speed`.
pub fn closed_in(plant: PlantBuilder, seed: u64, speed: f64) -> PlantBuilder {
    let mut r = noise(seed + 1);
    let model = chain(4 + (seed % 3) as usize, &mut r);
    let end = || Attachment::at(format!("c/l{}", 4 + seed % 3), [0.0, 0.0, -0.3]);
    let world = || Attachment::world(Isometry3::translation(0.1, 0.2, -0.3));
    let mut plant = plant.model("c", model.clone(), Base::fixed());
    plant = match seed % 4 {
        0 => plant.constraint(Constraint::distance("rod", world(), end(), 0.7).capturing()),
        1 => plant.constraint(Constraint::ball("ball", world(), end()).capturing()),
        2 => plant.constraint(Constraint::coupler("gear", ["c/j1", "c/j3"], -0.7, 0.0).capturing()),
        _ => plant
            .constraint(Constraint::ball("one", world(), end()).capturing())
            .constraint(Constraint::ball("two", world(), end()).capturing()),
    };
    for i in 1..=model.joints.len() {
        plant = plant.initial(format!("c/j{i}"), 0.5 * r(), speed * r());
    }
    plant
}

#[test]
fn closed_chains_keep_their_energy_and_go_the_same_way_at_every_accuracy() {
    for seed in 0..8 {
        let diagram = closed(seed);
        let end = |accuracy: f64| {
            // Constraints capture at the start; then the impulse of the constraint.
            let mut simulation = run(&diagram, cenic(accuracy), 1e-6);
            let before = simulation.energy().unwrap();
            simulation.advance_to(1.5).unwrap();
            assert_eq!(simulation.statistics().solves, 0, "{seed}");
            let change = (simulation.energy().unwrap() - before).abs() / (1.0 + before.abs());
            assert!(change < 0.1 * accuracy, "{seed} at {accuracy:e}: energy changes by {change:e}");
            simulation.state().continuous.clone()
        };
        let truth = end(1e-9);
        for accuracy in [1e-2, 1e-3, 1e-5] {
            let apart = end(accuracy).iter().zip(&truth).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(apart < accuracy, "{seed} at {accuracy:e}: {apart:e} apart");
        }
    }
}

/// A heavy top on a ball, nutating at 16 Hz, where the convex step gains energy.
#[test]
fn a_top_on_a_ball_constraint_keeps_its_energy_and_its_spin() {
    let moments = Matrix3::from_diagonal(&Vector3::new(2e-3, 2e-3, 1e-3));
    let inertia = Inertia { mass: 1.0, p_BoBcm: Vector3::new(0.0, 0.0, 0.1), I_BBcm: moments };
    let body = Link { name: "body".into(), inertia: Some(inertia), ..Link::default() };
    let model = Model { name: "top".into(), links: vec![body], ..Model::default() };
    let lean = UnitQuaternion::from_scaled_axis(Vector3::new(0.5, 0.0, 0.0));
    let leaning = Isometry3::from_parts(Vector3::zeros().into(), lean);
    let base = Base::Floating { X_WR: leaning, w_WR: lean * Vector3::new(0.0, 0.0, 100.0), v_WR: Vector3::zeros() };
    let tip = Constraint::ball("tip", Attachment::world(Isometry3::identity()), Attachment::at("top/body", [0.0; 3]));
    let diagram = alone(PlantBuilder::new().model("top", model, base).constraint(tip));
    for (accuracy, part) in [(1e-2, 1e-4), (1e-4, 1e-7)] {
        let mut simulation = Simulation::new(&diagram, cenic(accuracy)).unwrap();
        let start = simulation.energy().unwrap();
        simulation.advance_to(2.0).unwrap();
        let change = (simulation.energy().unwrap() - start).abs() / start;
        assert!(change < part, "{accuracy:e}: {change:e}");
        let (p, (w, _)) = (position(&mut simulation, "top"), velocity(&mut simulation, "top"));
        assert!(p.norm() < 0.01 * accuracy, "the tip moves by {:e}", p.norm());
        let mut q = |name: &str| simulation.channel(&format!("plant.top.body.pose.{name}")).unwrap();
        let r = nalgebra::Quaternion::new(q("qw"), q("qx"), q("qy"), q("qz"));
        let spin = w.dot(&(UnitQuaternion::from_quaternion(r) * Vector3::z()));
        assert!((spin - 100.0).abs() < 100.0 * part, "{accuracy:e}: spins at {spin}");
    }
}

/// Chains that fall on their stops: energy never grows, no joint is beyond its stop, and all accuracies find the same
/// impacts.
#[test]
fn chains_fall_on_their_stops_and_stay() {
    for seed in 0..6 {
        let mut r = noise(seed + 40);
        let mut model = chain(2 + (seed % 3) as usize, &mut r);
        for j in &mut model.joints {
            j.limits = (-0.3 + 0.2 * r(), 0.3 + 0.2 * r());
        }
        let limits: Vec<_> = model.joints.iter().map(|j| j.limits).collect();
        let plant = PlantBuilder::new().gravity([G, 0.0, 0.0]);
        let diagram = alone(plant.model("c", model, Base::fixed()));
        let samples = |accuracy: f64| {
            let (mut samples, mut energy) = (Vec::new(), f64::INFINITY);
            let mut simulation = Simulation::new(&diagram, cenic(accuracy)).unwrap();
            for i in 1..=20 {
                simulation.advance_to(0.05 * f64::from(i)).unwrap();
                let now = simulation.energy().unwrap();
                assert!(now < energy + accuracy, "{seed} at {accuracy:e}: {energy} to {now}");
                energy = now;
                let q = &simulation.state().continuous[..limits.len()];
                for (q, (lower, upper)) in q.iter().zip(&limits) {
                    assert!(
                        lower - 1e-9 < *q && *q < upper + 1e-9,
                        "{seed} at {accuracy:e}, {} s: {q} of {lower} {upper}, {:?}",
                        0.05 * f64::from(i),
                        simulation.statistics()
                    );
                }
                samples.extend_from_slice(q);
            }
            // Two stops struck in turn come to rest in a finite time, after ever so many impacts.
            assert!(simulation.statistics().steps < 300, "{seed}: {:?}", simulation.statistics());
            samples
        };
        let truth = samples(1e-8);
        for accuracy in [1e-3, 1e-4, 1e-6] {
            let apart = samples(accuracy).iter().zip(&truth).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(apart < 5.0 * accuracy, "{seed} at {accuracy:e}: {apart:e}");
        }
    }
}

/// A loaded carriage on its stop that a reversed load releases moves as if it had never been held.
#[test]
fn a_joint_rests_on_its_stop_until_the_load_turns() {
    let mut model = slider(2.0);
    (model.joints[0].limits, model.joints[0].kind) = ((-1.0, 0.7), JointKind::Prismatic);
    let plant = weightless().model("s", model, Base::fixed()).initial("s/x", 0.7, 0.0);
    let mut b = DiagramBuilder::new("rest");
    let plant = b.add("plant", plant.build().unwrap());
    let load = b.add("load", Step::new(1, 5.0, [3.0], [-4.0]).unwrap());
    b.connect(load.output, plant.actuation("s"));
    let diagram = b.build().unwrap();
    for accuracy in [1e-2, 1e-3, 1e-6] {
        let mut simulation = run(&diagram, cenic(accuracy), 5.0);
        let (state, record) = (simulation.state().continuous.clone(), simulation.step_record("plant").unwrap());
        assert!((record.unwrap().stops[0] + 3.0).abs() < 1e-14);
        assert!((state[0] - 0.7).abs() < 1e-12 && state[1] == 0.0, "{state:?}");
        assert!(simulation.statistics().steps < 60, "{}", simulation.statistics().steps);
        simulation.advance_to(6.0).unwrap();
        let x = simulation.state().continuous[0];
        // Looser than 1e-3, what is free takes convex steps of the first order.
        let within = if accuracy > 1e-3 { 5.0 * accuracy } else { 1e-9 };
        assert!((x - (0.7 - 0.5 * 2.0)).abs() < within, "{accuracy:e}: {x}");
    }
}

/// 1 mm beyond a stop, and 50 mm off a weld: the violation is removed at the same speed at every accuracy, and no speed
/// remains.
#[test]
fn violations_are_corrected_at_the_set_speed_without_momentum() {
    let mut model = slider(1.0);
    (model.joints[0].limits, model.joints[0].kind) = ((-1.0, 1.0), JointKind::Prismatic);
    let stop = weightless().correction_speed(0.2).model("s", model, Base::fixed()).initial("s/x", 1.001, 0.0);
    let weld = Constraint::weld("hold", Attachment::world(Isometry3::identity()), Attachment::at("box/body", [0.0; 3]));
    let off = PlantBuilder::new().correction_speed(0.2).constraint(weld);
    let off = off.model("box", cuboid(1.0, [0.1; 3]), at(0.05, 0.0, 0.0));
    for (diagram, entry, place, way, v) in [(alone(stop), 0, 1.0, 1e-3, 1..2), (alone(off), 4, 0.0, 0.05, 7..13)] {
        for accuracy in [1e-2, 1e-3, 1e-5] {
            let mut simulation = Simulation::new(&diagram, cenic(accuracy)).unwrap();
            for i in 1..=10 {
                let time = 0.15 * f64::from(i) * way / 0.2;
                simulation.advance_to(time).unwrap();
                let x = &simulation.state().continuous;
                let left = (way - 0.2 * time).max(0.0);
                assert!((x[entry] - place - left).abs() < 0.011 * way, "{accuracy:e} at {time}: {}", x[entry]);
                assert!(x[v.clone()].iter().all(|v| v.abs() < 1e-6), "{accuracy:e} at {time}: {x:?}");
            }
            simulation.advance_to(2.0).unwrap();
            assert!((simulation.state().continuous[entry] - place).abs() < 1e-7);
        }
    }
}

/// A box held at two places 1 mm apart: in the middle, at rest.
#[test]
fn conflicting_constraints_meet_in_the_middle() {
    let hold = |name: &str, x: f64| {
        Constraint::ball(
            name,
            Attachment::world(Isometry3::translation(x, 0.0, 0.0)),
            Attachment::at("b/body", [0.0; 3]),
        )
    };
    let plant = PlantBuilder::new().constraint(hold("one", 0.0)).constraint(hold("two", 1e-3));
    let diagram = alone(plant.model("b", cuboid(1.0, [0.1; 3]), at(0.0, 0.0, 0.0)));
    for accuracy in [1e-2, 1e-4] {
        let mut simulation = run(&diagram, cenic(accuracy), 1.0);
        let (w, v) = velocity(&mut simulation, "b");
        let p = position(&mut simulation, "b");
        assert!((p - Vector3::new(5e-4, 0.0, 0.0)).norm() < 1e-6, "{p}");
        assert!(v.norm() < 1e-9 && w.norm() < 1e-9 && simulation.statistics().steps < 40);
    }
}

/// The forces that the plant reports at the end of a step balance momentum there, and a loaded weld reports the weight.
#[test]
fn constraint_forces_balance() {
    for seed in 0..4 {
        let diagram = closed(seed);
        let system = diagram.blocks()[diagram.find_block("plant").unwrap()].system.clone();
        let mut simulation = Simulation::new(&diagram, cenic(1e-3)).unwrap();
        let mut point = PlantPoint::default();
        while simulation.time() < 0.5 {
            simulation.step(0.5).unwrap();
            let record = simulation.step_record("plant").unwrap().unwrap().clone();
            system.as_plant().unwrap().evaluate(&record.q, &record.v, &mut point);
            let n = record.v.len();
            for i in 0..n {
                let inertial: f64 = (0..n)
                    .map(|j| point.mass_matrix[j * n + i] * (record.velocity[j] - record.v[j]) / record.length)
                    .sum();
                let left = inertial + point.bias[i] - record.constraints[i];
                assert!(left.abs() < 1e-8 * (1.0 + point.bias[i].abs()), "{seed}: {left:e}");
            }
            assert!(record.constraints.iter().any(|force| force.abs() > 1e-6));
        }
    }
    let weld = Constraint::weld("hold", Attachment::world(Isometry3::identity()), Attachment::at("box/body", [0.0; 3]));
    let diagram = alone(PlantBuilder::new().constraint(weld).model("box", cuboid(3.0, [0.1; 3]), at(0.0, 0.0, 0.0)));
    for accuracy in [1e-2, 1e-5, 1e-8] {
        let simulation = run(&diagram, cenic(accuracy), 1.0);
        let reported = simulation.step_record("plant").unwrap().unwrap().multipliers[0];
        assert!((reported[5] - 3.0 * G).abs() < 1e-6 && reported[..5].iter().all(|x| x.abs() < 1e-9), "{reported:?}");
        assert!(simulation.statistics().steps < 20, "{}", simulation.statistics().steps);
    }
}
