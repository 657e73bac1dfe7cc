//! Steps of free motion: long where no contact is near, never through a contact, and replaced where something is stiff.

use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::{OfOptions, Options};
use kinegraph::simulate::Simulation;
use kinegraph::systems::convex::PlantPoint;
use kinegraph::systems::geometry::Shape;
use kinegraph::systems::multibody::{Base, Inertia, JointKind, Link, Model, PlantBuilder};
use nalgebra::{Isometry3, Matrix3, Vector3};

const G: f64 = 9.81;

fn ball_and_plate(v: [f64; 3], w: [f64; 3]) -> Diagram {
    let plate = Base::Fixed { X_WR: Isometry3::translation(0.0, 0.0, -0.837) };
    let plant = weightless().contact(contact(1e5, 0.0, 0.0));
    alone(plant.model("plate", cuboid(1.0, [2.0, 2.0, 1e-3]), plate).model(
        "ball",
        ball(0.1, 0.05),
        thrown([0.0; 3], w, v),
    ))
}

#[test]
fn a_fast_ball_does_not_jump_over_a_thin_plate() {
    for speed in [0.9, 3.0, 31.0] {
        for accuracy in [1e-3, 1e-5] {
            for spin in [0.0, 40.0] {
                let diagram = ball_and_plate([0.1, 0.0, -speed], [spin, 0.0, 0.0]);
                let mut simulation = run(&diagram, cenic(accuracy), 1.5 * 0.786 / speed);
                let (z, (_, v)) = (position(&mut simulation, "ball").z, velocity(&mut simulation, "ball"));
                assert!(z > -0.8 && v.z > 0.0, "{speed} {accuracy:e} {spin}: {z}, {}", v.z);
                // How hard the impact is, steps of the lower accuracy do not resolve.
                let kept = v.z / speed;
                assert!(accuracy > 1e-4 || (0.7..1.05).contains(&kept), "{speed} {accuracy:e} {spin}: {kept}");
            }
        }
    }
}

/// The last step before an impact is short. It should not shorten the flight after it, which took five convex steps
/// until free motion was long enough again.
#[test]
fn flights_between_impacts_take_no_solves() {
    let plant = PlantBuilder::new().ground(0.0).contact(contact(1e5, 0.0, 0.0));
    // The ball spins, too: a ball on its centre has no sweep.
    let diagram = alone(plant.model("b", ball(1.0, 0.1), thrown([0.0, 0.0, 1.1], [3.0, -5.0, 2.0], [0.0; 3])));
    let mut simulation = Simulation::new(&diagram, cenic(1e-3)).unwrap();
    let (mut flights, mut solves) = (0, 0);
    // The ball falls for 0.452 s, touches for 10 ms, and flies for 0.903 s to the next impact.
    for (from, to) in [(0.0, 0.4), (0.463, 1.35), (1.376, 2.25), (2.289, 3.15)] {
        simulation.advance_to(from).unwrap();
        let before = simulation.statistics().clone();
        simulation.advance_to(to).unwrap();
        solves += simulation.statistics().solves - before.solves;
        flights += 1;
    }
    assert!(solves <= 3 * flights, "{solves} solves in {flights} flights");
}

/// Past a plate at a distance that is less than the way of a step, and away from it out of a hair's breadth.
#[test]
fn bodies_that_pass_or_separate_move_freely() {
    let along = ball_and_plate([20.0, 0.0, 0.0], [0.0; 3]);
    let plate = Base::Fixed { X_WR: Isometry3::identity() };
    let off = weightless().model("plate", cuboid(1.0, [2.0, 2.0, 0.1]), plate);
    let off = alone(off.model("ball", ball(0.1, 0.05), thrown([0.0, 0.0, 0.15 + 1e-9], [0.0; 3], [0.0, 0.0, 2.0])));
    for (diagram, end) in [(along, Vector3::new(20.0, 0.0, 0.0)), (off, Vector3::new(0.0, 0.0, 2.15))] {
        let mut simulation = run(&diagram, cenic(1e-4), 1.0);
        assert!((position(&mut simulation, "ball") - end).norm() < 1e-8);
        let s = simulation.statistics();
        assert!(s.solves == 0 && s.steps < 15 && s.largest_step == 0.1, "{s:?}");
    }
}

/// A blade that turns half a turn in three steps of the largest length meets a small ball with its far end, and two
/// balls meet in flight.
#[test]
fn turning_or_approaching_bodies_do_not_miss_each_other() {
    let blade = thrown([0.0; 3], [0.0, 0.0, 10.0], [0.0; 3]);
    let plant = weightless().contact(contact(1e5, 0.0, 0.0)).model("blade", cuboid(10.0, [1.0, 0.02, 0.02]), blade);
    let diagram = alone(plant.model("ball", ball(0.1, 0.02), thrown([0.0, 0.9, 0.0], [0.0; 3], [0.0; 3])));
    let hit = |accuracy: f64| velocity(&mut run(&diagram, cenic(accuracy), 0.25), "ball").1.norm();
    for accuracy in [1e-3, 1e-4, 1e-5] {
        // An elastic impact of a body much heavier: about twice the speed of the blade at that point, 9 m/s.
        assert!((14.0..19.0).contains(&hit(accuracy)), "{accuracy:e}: {}", hit(accuracy));
    }
    let of = |x: f64, v: f64| thrown([x, 0.0, 1.0], [0.0; 3], [v, 0.0, 0.0]);
    let plant = PlantBuilder::new().contact(contact(1e5, 0.0, 0.0)).model("a", ball(1.0, 0.05), of(-1.0, 15.0));
    let diagram = alone(plant.model("b", ball(1.0, 0.05), of(1.0, -15.0)));
    let mut simulation = run(&diagram, cenic(1e-4), 0.2);
    let (a, b) = (velocity(&mut simulation, "a").1.x, velocity(&mut simulation, "b").1.x);
    assert!((a + 15.0).abs() < 0.5 && (b - 15.0).abs() < 0.5, "{a} {b}");
}

/// A rod of 1 m and 6 mm on a hinge, along z and turning about x, meets a ball that rests within its reach: at every
/// speed and phase, with steps of fixed length too. The nearest points of the two move across, and a hinge at constant
/// speed has no error that shortens steps.
#[test]
fn a_blade_on_a_hinge_misses_nothing() {
    let mut blade = solid(Shape::Capsule { radius: 0.003, half_length: 0.5 }, 1.0);
    blade.links.insert(0, Link { name: "hub".into(), ..Link::default() });
    blade.joints = vec![joint("hinge", JointKind::Continuous, "hub", "body", Vector3::x())];
    let options = [cenic(1e-2), cenic(1e-4), Options::cenic_trapezoid(1e-3), icf(0.01)];
    for (case, w) in [20.0, 50.0, 100.0, 1000.0].into_iter().enumerate() {
        for phase in 0..8 {
            let (distance, angle) = (0.1 + 0.045 * f64::from(phase), 0.4 + 2.39 * f64::from(phase) + case as f64);
            // Not where the blade begins.
            let angle = if angle.sin().abs() * distance < 0.03 { 1.0 } else { angle };
            let start = at(0.0, distance * angle.sin(), distance * angle.cos());
            let plant = weightless().contact(contact(1e6, 10.0, 0.5)).model("blade", blade.clone(), Base::fixed());
            let plant = plant.initial("blade/hinge", 0.0, w).model("ball", ball(0.01, 0.01), start);
            let diagram = alone(plant);
            for options in &options {
                let mut simulation = Simulation::new(&diagram, *options).unwrap();
                let struck = (0..20).any(|i| {
                    simulation.advance_to(std::f64::consts::PI / w * 1.1 * f64::from(i + 1) / 20.0).unwrap();
                    velocity(&mut simulation, "ball").1.norm() > 0.2 * w * distance
                });
                assert!(struck, "{w} 1/s, {distance} m, {angle}: {}", options.integrator.name);
            }
        }
    }
}

/// Bodies that cannot meet cost nothing: a fan in open air takes the steps that it takes alone, and so does a wheel on
/// its hinge between two cheeks.
#[test]
fn bodies_turning_in_place_keep_their_step_length() {
    let hinged = |shape: Shape| {
        let mut model = solid(shape, 1.0);
        model.links.insert(0, Link { name: "hub".into(), ..Link::default() });
        model.joints = vec![joint("hinge", JointKind::Continuous, "hub", "body", Vector3::z())];
        model
    };
    let wheel = Shape::Cylinder { radius: 0.3, half_length: 0.05 };
    let fan = Shape::Capsule { radius: 0.003, half_length: 0.3 };
    let cheek = |z: f64| Base::Fixed { X_WR: Isometry3::translation(0.0, 0.0, z) };
    for (shape, height) in [(fan, 3.0), (wheel, 0.1)] {
        let steps = |plant: PlantBuilder, w: f64| {
            let plant = plant.model("turns", hinged(shape.clone()), Base::fixed()).initial("turns/hinge", 0.0, w);
            run(&alone(plant), icf(0.01), 0.5).statistics().steps
        };
        let cheeks = || {
            let plant = weightless().model("above", cuboid(1.0, [0.4, 0.4, 0.02]), cheek(height));
            plant.model("below", cuboid(1.0, [0.4, 0.4, 0.02]), cheek(-height))
        };
        assert_eq!(steps(cheeks(), 50.0), steps(weightless(), 50.0), "{shape:?}");
    }
}

#[test]
fn a_bounce_costs_only_the_solves_of_its_contact() {
    let plant =
        PlantBuilder::new().ground(0.0).contact(contact(1e4, 0.0, 0.0)).model("b", ball(1.0, 0.1), at(0.0, 0.0, 1.1));
    let diagram = alone(plant);
    let fall = (2.0 / G).sqrt();
    let [ours, plain] = [cenic(1e-4), plain_cenic(1e-4)].map(|options| {
        let simulation = run(&diagram, options, 1.9 * fall);
        let s = simulation.statistics();
        // m v²/2 = k x²/2, and the weight.
        assert!((s.max_penetration - (2.0 * G / 1e4_f64).sqrt()).abs() < 3e-3, "{}", s.max_penetration);
        s.solves
    });
    assert!(3 * ours < 2 * plain && ours > 0, "{ours}, plain {plain}");
}

/// A carriage thrown at its stop, with all speeds and lengths of step.
#[test]
fn a_stop_is_met() {
    for speed in [0.5, 8.0, 60.0] {
        let mut model = slider(1.0);
        (model.joints[0].limits, model.joints[0].kind) = ((-1.0, 0.73), JointKind::Prismatic);
        let diagram = alone(weightless().model("s", model, Base::fixed()).initial("s/x", 0.0, speed));
        let mut simulation = Simulation::new(&diagram, cenic(1e-4)).unwrap();
        let mut farthest = 0.0_f64;
        simulation.advance_sampling(2.0, 1e-3, |state| farthest = farthest.max(state.continuous[0])).unwrap();
        assert!(farthest < 0.73 + 1e-9, "{speed}: {farthest}");
        let s = simulation.statistics();
        assert!(simulation.state().continuous[1] == 0.0 && s.solves == 0 && s.steps < 45, "{s:?}");
    }
}

/// `v' = -d v`: an explicit step of stable length would be 1e5 times shorter than the run.
#[test]
fn stiff_damping_is_left_to_convex_steps() {
    let mut model = slider(1.0);
    model.joints[0].damping = 1e5;
    let diagram = alone(weightless().model("s", model, Base::fixed()).initial("s/x", 0.0, 1.0));
    let simulation = run(&diagram, cenic(1e-4), 1.0);
    let s = simulation.statistics();
    assert!((simulation.state().continuous[0] - 1e-5).abs() < 1e-6, "{:?}", simulation.state());
    assert!(s.solves > 0 && s.steps + s.rejected_steps < 40 && s.derivative_evaluations < 40, "{s:?}");
}

fn pendulum(limit: f64) -> Model {
    let mut model = double_pendulum();
    (model.joints[0].damping, model.joints[1].armature, model.joints[1].effort) = (0.3, 0.05, limit);
    model
}

/// The forces that the plant reports of a free step balance momentum at its end, and the force of the pivot is that of
/// the closed form.
#[test]
fn read_outs_of_free_steps_are_those_of_their_end() {
    use kinegraph::diagram::DiagramBuilder;
    let mut b = DiagramBuilder::new("arm");
    let plant = PlantBuilder::new().model("p", pendulum(2.0), Base::fixed());
    let plant = plant.initial("p/j1", 1.0, 0.5).spring("p/j1", 7.0, 0.1);
    let plant = b.add("plant", plant.build().unwrap());
    b.fix(plant.actuation("p"), [2.0, -3.0]);
    let diagram = b.build().unwrap();
    let system = diagram.blocks()[diagram.find_block("plant").unwrap()].system.clone();
    let mut simulation = Simulation::new(&diagram, cenic(1e-4)).unwrap();
    let mut point = PlantPoint::default();
    while simulation.time() < 1.0 {
        simulation.step(1.0).unwrap();
        let record = simulation.step_record("plant").unwrap().unwrap().clone();
        assert!(record.end == simulation.time() && record.q == simulation.state().continuous[..2]);
        system.as_plant().unwrap().evaluate(&record.q, &record.v, &mut point);
        assert_eq!(record.actuation, [2.0, -2.0]);
        let v_dot = [0, 1].map(|i| (record.velocity[i] - record.v[i]) / record.length);
        for i in 0..2 {
            let inertial = point.mass_matrix[i] * v_dot[0] + point.mass_matrix[2 + i] * v_dot[1];
            let left = inertial + point.bias[i] - record.actuation[i];
            assert!(left.abs() < 1e-9 * inertial.abs().max(1.0), "{left:e}");
        }
        let mut axis = |link: &str| simulation.channel(&format!("plant.p.{link}.reaction.ty")).unwrap();
        let first = 2.0 - 7.0 * (record.q[0] - 0.1) - 0.3 * record.v[0];
        assert!((axis("upper") - first).abs() < 1e-9, "{} {first}", axis("upper"));
        assert!((axis("lower") - (-2.0 - 0.05 * v_dot[1])).abs() < 1e-9, "{}", axis("lower"));
    }
    assert!(simulation.statistics().solves == 0 && simulation.statistics().steps < 70);
}

/// Positions and velocities inside long steps are as good as at their ends.
#[test]
fn dense_output_follows_free_motion() {
    let diagram = alone(PlantBuilder::new().model("p", pendulum(1.0), Base::fixed()).initial("p/j1", 1.0, 0.5));
    let samples = |accuracy: f64| {
        let (mut samples, mut simulation) = (Vec::new(), Simulation::new(&diagram, cenic(accuracy)).unwrap());
        simulation.advance_sampling(2.0, 0.0173, |state| samples.extend_from_slice(&state.continuous)).unwrap();
        (samples, simulation.statistics().steps)
    };
    let ((coarse, steps), (fine, _)) = (samples(1e-4), samples(1e-9));
    let worst = coarse.iter().zip(&fine).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(worst < 1e-5 && steps < 150, "{worst:e} in {steps} steps");
}

/// A ball without extent on two hinges that both move it sideways, and nothing if they turn against each other: with
/// velocities `u = J v`, `J = (-b, a)`, and dampers d on both, `u' = g - d u / (m J J')`. The mass matrix is singular,
/// so that the dampers are stiff whatever the step, though each hinge by itself has inertia.
#[test]
fn dampers_of_hinges_that_turn_against_each_other_are_stiff() {
    let (mass, damping, [a, b], push) = (1.0, 0.1, [0.1, 0.1], 1e-2);
    let (mut first, mut second) = (
        joint("roll", JointKind::Continuous, "base", "ring", Vector3::x()),
        joint("yaw", JointKind::Continuous, "ring", "ball", Vector3::z()),
    );
    (first.damping, second.damping) = (damping, damping);
    let point = |name: &str, mass: f64, at: [f64; 3]| {
        let inertia = Some(Inertia { mass, p_BoBcm: at.into(), I_BBcm: Matrix3::zeros() });
        Link { name: name.into(), inertia, ..Link::default() }
    };
    let links = vec![
        Link { name: "base".into(), ..Link::default() },
        point("ring", 0.1, [0.0; 3]),
        point("ball", mass, [a, 0.0, b]),
    ];
    let model = Model { name: "head".into(), links, joints: vec![first, second], ..Model::default() };
    let diagram = alone(PlantBuilder::new().gravity([0.0, push, 0.0]).model("head", model, Base::fixed()));
    for accuracy in [1e-3, 1e-5] {
        for until in [0.05, 0.5] {
            let mut simulation = run(&diagram, cenic(accuracy), until);
            let mut rate = |joint: &str| simulation.channel(&format!("plant.head.{joint}.v")).unwrap();
            let (roll, yaw) = (rate("roll"), rate("yaw"));
            let decay = damping / (mass * (a * a + b * b));
            let sideways = push / decay * (1.0 - (-decay * until).exp());
            assert!((a * yaw - b * roll - sideways).abs() < 0.1 * sideways, "{accuracy:e} {until}: {roll} {yaw}");
            // A torque on one hinge acts on the other.
            assert!((roll * a + yaw * b).abs() < 0.05 * (roll.abs() + yaw.abs()) * a, "{roll} {yaw}");
        }
    }
}

/// Only the poses of bodies with applied forces are computed.
#[test]
fn a_force_on_one_model_is_that_force_among_all_bodies() {
    let model = double_pendulum();
    let bodies = model.links.len();
    let pushed = |by_model: bool| {
        let mut b = DiagramBuilder::new("pushed");
        let base = |x| Base::Fixed { X_WR: Isometry3::translation(x, 0.0, 0.0) };
        let plant = PlantBuilder::new().model("a", double_pendulum(), base(0.0)).model("b", model.clone(), base(3.0));
        let plant = b.add("plant", plant.build().unwrap());
        let push = |count: usize| [vec![0.0; 6 * (count - 1)], vec![0.0, 2.0, 0.0, 4.0, 0.0, 1.0]].concat();
        match by_model {
            true => b.fix(plant.applied_spatial_force("b"), push(bodies)),
            false => b.fix(plant.applied_spatial_force_on_all(), push(2 * bodies)),
        }
        run(&b.build().unwrap(), cenic(1e-4), 1.0).state().continuous.clone()
    };
    let state = pushed(true);
    assert!(state[2].abs() > 0.1, "{state:?}");
    assert_eq!(state, pushed(false));
}
