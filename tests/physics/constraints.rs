//! Constraints, joint limits, locks and springs against closed forms and conservation laws.

use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::simulate::Simulation;
use kinegraph::systems::geometry::Shape;
use kinegraph::systems::multibody::plant::{Attachment, Constraint};
use kinegraph::systems::multibody::{Base, JointKind, Link, Mimic, Model, MultibodyPlant, PlantBuilder};
use kinegraph::systems::operators::{Relay, RelayParameters};
use kinegraph::systems::parameter::PerChannel;
use kinegraph::systems::sources::Step;
use nalgebra::{Isometry3, UnitQuaternion, Vector3};

const G: f64 = 9.81;

/// Joint position or velocity.
fn joint_value(simulation: &mut Simulation, path: &str) -> f64 {
    simulation.channel(&format!("plant.{path}")).unwrap()
}

/// The double pendulum with stops.
fn limited_pendulum(lower: [f64; 2], upper: f64) -> Model {
    let mut model = double_pendulum();
    for (joint, lower) in model.joints.iter_mut().zip(lower) {
        joint.kind = JointKind::Revolute;
        joint.limits = (lower, upper);
    }
    model
}

#[test]
fn a_pendulum_comes_to_rest_on_its_stops() {
    let plant = PlantBuilder::new().model("arm", limited_pendulum([0.2, 0.4], 3.0), Base::fixed());
    let plant = plant.initial("arm/j1", 0.5, 0.0).initial("arm/j2", 0.7, 0.0);
    let mut simulation = run(&alone(plant), cenic(1e-3), 1.0);
    for (joint, stop) in [("j1", 0.2), ("j2", 0.4)] {
        let q = joint_value(&mut simulation, &format!("arm.{joint}.q"));
        // Under a load that would accelerate the joint by a, a stop yields by a (beta h/2 pi)² [near-rigid
        // regularization, beta = 2 pi/1000]; steps are up to 0.1 s long, and nothing here accelerates by more than
        // g/l = 20 rad/s². That is far below the accuracy.
        let way = 2.0 * G * (1e-3 * 0.1_f64).powi(2);
        assert!((q - stop).abs() < way, "{joint} at {q:.9}, {way:e} from its stop at most");
    }
}

/// S3: stops of a small tree do not affect a larger tree that is listed before it.
#[test]
fn stops_act_on_their_own_tree_only() {
    let mut chain =
        Model { name: "chain".into(), links: vec![Link { name: "l0".into(), ..Link::default() }], ..Model::default() };
    for i in 1..=7 {
        let axis = if i % 2 == 0 { Vector3::y() } else { Vector3::x() };
        let mut j = joint(&format!("j{i}"), JointKind::Continuous, &format!("l{}", i - 1), &format!("l{i}"), axis);
        j.X_PF = Isometry3::translation(0.0, 0.1, -0.2);
        chain.links.push(link(&format!("l{i}"), 1.0, [0.0, 0.05, -0.1]));
        chain.joints.push(j);
    }
    let plant = |second: bool| {
        let plant = PlantBuilder::new().model("chain", chain.clone(), Base::fixed());
        let limited = limited_pendulum([0.2, 0.4], 3.0);
        alone(if second { plant.model("arm", limited, Base::fixed()) } else { plant })
    };
    let [mut one, mut two] = [false, true].map(|second| run(&plant(second), icf(1e-3), 0.2));
    for i in 1..=7 {
        let path = format!("chain.j{i}.q");
        assert_eq!(joint_value(&mut one, &path), joint_value(&mut two, &path));
    }
    // The second arm starts beyond its stops and returns.
    assert!((joint_value(&mut two, "arm.j2.q") - 0.4).abs() < 1e-4);
}

/// S4: locking the last joint of a chain does not remove the stops of the others.
#[test]
fn a_locked_joint_leaves_the_stops_of_the_others() {
    let plant = PlantBuilder::new().model("arm", limited_pendulum([0.2, 0.4], 3.0), Base::fixed());
    let plant = plant.initial("arm/j1", 0.5, 0.0).initial("arm/j2", 0.7, 0.0).lock("arm/j2", true);
    let mut simulation = run(&alone(plant), cenic(1e-3), 1.0);
    assert_eq!(joint_value(&mut simulation, "arm.j2.q"), 0.7);
    assert!((joint_value(&mut simulation, "arm.j1.q") - 0.2).abs() < 1e-5);
}

#[test]
fn a_coupler_holds_its_ratio() {
    let coupler = Constraint::coupler("gear", ["arm/j1", "arm/j2"], 0.5, 0.0);
    let plant = PlantBuilder::new().model("arm", double_pendulum(), Base::fixed()).constraint(coupler);
    let plant = plant.initial("arm/j1", 0.5, 0.0).initial("arm/j2", 1.0, 0.0);
    let mut simulation = run(&alone(plant), cenic(1e-3), 1.0);
    let (q1, q2) = (joint_value(&mut simulation, "arm.j1.q"), joint_value(&mut simulation, "arm.j2.q"));
    assert!((q1 - 0.5 * q2).abs() < 1e-6, "{}", q1 - 0.5 * q2);
    assert!((q1 - 0.5).abs() > 0.1, "it moves");
}

/// Two carriages of different trees: (m1 rho² + m2) a2 = (m1 rho + m2) g.
#[test]
fn a_coupler_joins_different_trees() {
    let (m1, m2, rho) = (2.0, 3.0, -0.5);
    let plant = PlantBuilder::new().gravity([G, 0.0, 0.0]);
    let plant = plant.model("a", slider(m1), Base::fixed()).model("b", slider(m2), Base::fixed());
    let plant = plant.constraint(Constraint::coupler("rope", ["a/x", "b/x"], rho, 0.2)).initial("a/x", 0.2, 0.0);
    let mut simulation = run(&alone(plant), icf(1e-3), 1.0);
    let acceleration = (m1 * rho + m2) * G / (m1 * rho * rho + m2);
    // The coupling is exact to its regularization; backward Euler is ahead by half a step.
    let (x1, x2) = (joint_value(&mut simulation, "a.x.q"), joint_value(&mut simulation, "b.x.q"));
    assert!((x1 - rho * x2 - 0.2).abs() < 1e-6);
    assert!((joint_value(&mut simulation, "b.x.v") - acceleration).abs() < 1e-4 * acceleration.abs());
    assert!((x2 - 0.5 * acceleration * 1.001).abs() < 1e-3 * acceleration.abs());
}

fn box_of_one_kilogram() -> Model {
    solid(Shape::Box { half_extents: Vector3::new(0.1, 0.1, 0.1) }, 1.0)
}

/// A box that starts half a metre away from its constraint is there after half a second.
#[test]
fn a_weld_and_a_ball_close_a_gap() {
    let turned = Isometry3::from_parts(
        Vector3::new(0.5, 0.0, 1.0).into(),
        UnitQuaternion::from_scaled_axis(Vector3::new(0.2, -0.3, 0.4)),
    );
    let (world, corner) = (Attachment::world(Isometry3::translation(0.0, 0.0, 1.0)), [0.1, 0.1, 0.1]);
    let weld = Constraint::weld("hold", world.clone(), Attachment::at("box/body", [0.0; 3]));
    let ball = Constraint::ball("hold", Attachment::at("box/body", corner), world);
    for (constraint, point) in [(weld, [0.0; 3]), (ball, corner)] {
        let plant = PlantBuilder::new().model("box", box_of_one_kilogram(), Base::floating(turned));
        let mut simulation = run(&alone(plant.constraint(constraint.clone())), cenic(1e-3), 0.5);
        let p = position(&mut simulation, "box");
        let mut q = |name: &str| simulation.channel(&format!("plant.box.body.pose.{name}")).unwrap();
        let r = nalgebra::Quaternion::new(q("qw"), q("qx"), q("qy"), q("qz"));
        let rotation = UnitQuaternion::from_quaternion(r);
        let held = p + rotation * Vector3::from(point);
        assert!((held - Vector3::z()).norm() < 1e-5, "{}: {held}", constraint.name);
        if point == [0.0; 3] {
            assert!(rotation.angle() < 1e-5, "turned by {}", rotation.angle());
        }
        assert!(attempts(&simulation) < 300, "{}", attempts(&simulation));
    }
}

#[test]
fn a_rod_keeps_its_length_and_a_spring_carries_the_weight() {
    let (length, stiffness) = (1.0, 200.0);
    let origin = || Attachment::world(Isometry3::identity());
    let on_box = || Attachment::at("box/body", [0.0; 3]);
    let rigid = Constraint::distance("rod", origin(), on_box(), length);
    let soft = Constraint::distance("rod", origin(), on_box(), length).compliant(stiffness, 20.0);
    let from = |z: f64| at(0.0, 0.0, z);
    for (constraint, base, expected) in [
        (rigid.clone(), from(-1.5), length),
        (soft, from(-1.0), length + G / stiffness),
        // From the origin itself the rod pushes the box out along some direction.
        (rigid, from(0.0), length),
    ] {
        let plant = PlantBuilder::new().model("box", box_of_one_kilogram(), base).constraint(constraint);
        let mut simulation = run(&alone(plant), cenic(1e-3), 1.0);
        let distance = position(&mut simulation, "box").norm();
        assert!((distance - expected).abs() < 1e-3, "{distance} instead of {expected}");
    }
}

/// A box on a rigid lever l that a torsional spring k holds level deflects by the angle where
/// `k angle = m g l cos angle`.
#[test]
fn a_weld_that_yields_in_rotation_droops_until_the_spring_carries_the_weight() {
    let (lever, stiffness) = (0.5, 20.0);
    let on_box = Attachment::at("box/body", [-lever, 0.0, 0.0]);
    let weld = Constraint::weld("clamp", Attachment::world(Isometry3::identity()), on_box);
    let plant = PlantBuilder::new().model("box", box_of_one_kilogram(), at(lever, 0.0, 0.0));
    let mut simulation = run(&alone(plant.constraint(weld.compliant_rotation(stiffness, 3.0))), cenic(1e-4), 3.0);
    let angle = (0..100).fold(0.0_f64, |angle, _| G * lever / stiffness * angle.cos());
    let (p, expected) = (position(&mut simulation, "box"), lever * Vector3::new(angle.cos(), 0.0, -angle.sin()));
    assert!((p - expected).norm() < 1e-4, "{p} instead of {expected}");
}

/// S10: a mechanism that begins far off its constraints returns without being thrown.
#[test]
fn a_large_initial_violation_injects_no_energy() {
    let from = |weight: f64, time: f64| {
        let plant = PlantBuilder::new().gravity([0.0, 0.0, -weight]).model("arm", double_pendulum(), Base::fixed());
        let plant = plant.constraint(Constraint::coupler("gear", ["arm/j1", "arm/j2"], 0.5, 0.0));
        let mut simulation =
            run(&alone(plant.initial("arm/j1", 0.6, 0.0).initial("arm/j2", 1.0, 0.0)), cenic(1e-3), time);
        let (q1, q2) = (joint_value(&mut simulation, "arm.j1.q"), joint_value(&mut simulation, "arm.j2.q"));
        assert!((q1 - 0.5 * q2).abs() < 1e-5, "{}", q1 - 0.5 * q2);
        assert!(attempts(&simulation) <= 150, "{} attempts", attempts(&simulation));
        (q1, q2, simulation.energy().unwrap())
    };
    // Without weight all energy is what the correction leaves behind: little of the 1 J that 2 rad/s hold.
    let (_, _, left) = from(0.0, 1.0);
    assert!(left < 1e-3, "{left} J");
    // With weight the correction lifts the lower link; what it leaves behind is at most that.
    let (q1, q2, _) = from(0.0, 0.2);
    let lifted = -G * (1.5 * q1.cos() + 0.5 * (q1 + q2).cos());
    let (_, _, corrected) = from(G, 0.2);
    assert!(corrected <= lifted, "{corrected} J after a lift to {lifted} J");
    from(G, 1.0);
}

/// Joints that start far beyond their stops come to rest on them.
#[test]
fn joints_far_beyond_their_stops_return_to_them() {
    let plant = PlantBuilder::new().model("arm", limited_pendulum([0.7, 0.9], 3.0), Base::fixed());
    let mut simulation = run(&alone(plant), cenic(1e-3), 2.0);
    for (joint, stop) in [("j1", 0.7), ("j2", 0.9)] {
        let q = joint_value(&mut simulation, &format!("arm.{joint}.q"));
        // Stops yield in proportion to the square of the step, here up to 0.1 s.
        assert!((q - stop).abs() < 2e-5, "{joint} at {q}");
        let v = joint_value(&mut simulation, &format!("arm.{joint}.v"));
        assert!(v.abs() < 1e-3, "{joint} moves at {v}");
    }
    assert!(attempts(&simulation) <= 150, "{} attempts", attempts(&simulation));
}

/// The two-bar pendulum with its elbow welded, as one link chain.
fn welded_elbow(angle: f64) -> Model {
    let mut model = double_pendulum();
    let elbow = &mut model.joints[1];
    elbow.kind = JointKind::Fixed;
    elbow.X_PF *= UnitQuaternion::from_axis_angle(&Vector3::y_axis(), angle);
    model
}

#[test]
fn a_locked_elbow_is_a_welded_elbow() {
    let locked = PlantBuilder::new().model("arm", double_pendulum(), Base::fixed());
    let locked = alone(locked.lock("arm/j2", true).initial("arm/j1", 1.0, 0.0).initial("arm/j2", 0.3, 0.0));
    let welded = PlantBuilder::new().model("arm", welded_elbow(0.3), Base::fixed());
    let welded = alone(welded.initial("arm/j1", 1.0, 0.0));
    // Without refinement, which leaves locked motion to the convex step.
    let options = kinegraph::integrators::Options { extrapolate: false, ..cenic(1e-3) };
    let (mut a, mut b) = (Simulation::new(&locked, options).unwrap(), Simulation::new(&welded, options).unwrap());
    for k in 1..=10 {
        a.advance_to(f64::from(k) * 0.01).unwrap();
        b.advance_to(f64::from(k) * 0.01).unwrap();
        for quantity in ["q", "v"] {
            let path = format!("arm.j1.{quantity}");
            let (x, y) = (joint_value(&mut a, &path), joint_value(&mut b, &path));
            assert!((x - y).abs() <= 100.0 * f64::EPSILON, "{quantity} at step {k}: {x} and {y}");
        }
        assert_eq!((joint_value(&mut a, "arm.j2.q"), joint_value(&mut a, "arm.j2.v")), (0.3, 0.0));
    }
    assert!((joint_value(&mut a, "arm.j1.q") - 1.0).abs() > 1e-2);
}

#[test]
fn locked_joints_keep_every_bit() {
    let pose = Isometry3::from_parts(
        Vector3::new(0.1, 0.2, 0.05).into(),
        UnitQuaternion::from_scaled_axis(Vector3::new(0.3, 0.5, -0.7)),
    );
    let plant = PlantBuilder::new().ground(0.0).model("box", box_of_one_kilogram(), Base::floating(pose));
    let plant = plant.model("ball", ball(1.0, 0.1), at(0.1, 0.2, 0.4)).lock("box/body", true);
    let diagram = alone(plant);
    for options in [icf(1e-3), cenic(1e-3)] {
        let start = diagram.initial_state();
        let simulation = run(&diagram, options, 0.5);
        assert_eq!(simulation.state().continuous[..7], start.continuous[..7]);
        assert_eq!(simulation.state().continuous[14..20], [0.0; 6]);
        assert_eq!(simulation.time(), 0.5);
    }
}

/// A flywheel on a free body, braked at once by a lock: angular momentum is conserved, and the wheel turns with the
/// body.
#[test]
fn a_lock_conserves_momentum() {
    let mut model = cuboid(1.0, [0.3, 0.2, 0.1]);
    model.links.push(link("wheel", 0.5, [0.0; 3]));
    model.joints.push(joint("spin", JointKind::Continuous, "body", "wheel", Vector3::z()));
    let plant: MultibodyPlant = weightless()
        .model("craft", model, at(0.0, 0.0, 0.0))
        .initial("craft/spin", 0.0, 50.0)
        .lock("craft/spin", false)
        .build()
        .unwrap();
    let mut builder = DiagramBuilder::new("craft");
    let plant = builder.add("plant", plant);
    let brake = builder.add("brake", Step::new(1, 0.1, 0.0, 1.0).unwrap());
    builder.connect(brake.output, plant.joint_lock("craft/spin"));
    let diagram = builder.build().unwrap();
    let mut simulation = run(&diagram, cenic(1e-4), 0.1);
    let (body, wheel) = (1.0 / 3.0 * (0.09 + 0.04), 0.005);
    let moment = |s: &mut Simulation| {
        let (w, spin) = (s.channel("plant.craft.body.velocity.wz").unwrap(), joint_value(s, "craft.spin.v"));
        (body * w + wheel * (w + spin), spin)
    };
    let (before, spin) = moment(&mut simulation);
    assert!((spin - 50.0).abs() < 1e-9);
    simulation.advance_to(0.2).unwrap();
    let (after, spin) = moment(&mut simulation);
    assert_eq!(spin, 0.0);
    assert!((before - wheel * 50.0).abs() < 1e-9 && (after - before).abs() < 1e-9, "{before} and {after}");
}

/// A parallelogram of three bars, closed by a ball: the coupler bar only translates, so that the linkage is a pendulum
/// of (I + m l²/4)2 + M l² against (2 m l/2 + M l) g.
#[test]
fn a_four_bar_linkage_swings_with_the_period_of_its_closed_form() {
    let l = 0.8;
    let bar = |name: &str| link(name, 1.0, [0.0, 0.0, -0.5 * l]);
    let at_end = |parent: &str, child: &str, name: &str, p: [f64; 3]| {
        let mut j = joint(name, JointKind::Continuous, parent, child, Vector3::y());
        j.X_PF = Isometry3::translation(p[0], p[1], p[2]);
        j
    };
    let model = Model {
        name: "four_bar".into(),
        links: vec![
            Link { name: "base".into(), ..Link::default() },
            bar("left"),
            bar("right"),
            link("top", 2.0, [0.5, 0.0, 0.0]),
        ],
        joints: vec![
            at_end("base", "left", "a", [0.0; 3]),
            at_end("left", "top", "b", [0.0, 0.0, -l]),
            at_end("base", "right", "c", [1.0, 0.0, 0.0]),
        ],
        ..Model::default()
    };
    let close =
        Constraint::ball("close", Attachment::at("m/right", [0.0, 0.0, -l]), Attachment::at("m/top", [1.0, 0.0, 0.0]));
    let angle = 0.1;
    let plant = PlantBuilder::new().model("m", model, Base::fixed()).constraint(close);
    let plant = plant.initial("m/a", angle, 0.0).initial("m/b", -angle, 0.0).initial("m/c", angle, 0.0);
    let inertia = 2.0 * (0.01 + 0.25 * l * l) + 2.0 * l * l;
    let restoring = (l + 2.0 * l) * G;
    // To second order in the amplitude.
    let period = 2.0 * std::f64::consts::PI * (inertia / restoring).sqrt() * (1.0 + angle * angle / 16.0);
    let mut simulation = run(&alone(plant), icf(1e-4), 0.25 * period);
    let (a, c) = (joint_value(&mut simulation, "m.a.q"), joint_value(&mut simulation, "m.c.q"));
    assert!(a.abs() < 2e-3 * angle, "{a} at a quarter of the period");
    assert!((a - c).abs() < 1e-6 && (a + joint_value(&mut simulation, "m.b.q")).abs() < 1e-6);
}

/// A hand that moves over a crate, and a weld that a signal activates.
fn gripper(grip: Constraint, signal: impl FnOnce(&mut DiagramBuilder, &MultibodyPlant)) -> Diagram {
    let mut hand = slider(1.0);
    hand.joints[0].damping = 0.0;
    let plant: MultibodyPlant = weightless()
        .model("hand", hand, Base::fixed())
        .model("crate", cuboid(3.0, [0.1, 0.1, 0.1]), at(0.5, 0.1, -0.2))
        .constraint(grip)
        .initial("hand/x", 0.0, 1.0)
        .build()
        .unwrap();
    let mut builder = DiagramBuilder::new("gripper");
    let plant = builder.add("plant", plant);
    signal(&mut builder, &plant);
    builder.build().unwrap()
}

#[test]
fn a_switched_weld_grips_where_the_bodies_are_and_releases() {
    use kinegraph::systems::sources::Pulse;
    let (palm, crate_) = (Attachment::at("hand/carriage", [0.0; 3]), Attachment::at("crate/body", [0.0; 3]));
    let grip = Constraint::weld("grip", palm, crate_).inactive().capturing();
    let diagram = gripper(grip, |builder, plant| {
        // On from 0.2 s to 0.5 s.
        let pulse = builder.add("pulse", Pulse::new(1, 1.0, 10.0, 0.03, 0.2).unwrap());
        builder.connect(pulse.output, plant.constraint_active("grip"));
    });
    let mut simulation = run(&diagram, cenic(1e-4), 0.2);
    assert_eq!(position(&mut simulation, "crate"), Vector3::new(0.5, 0.1, -0.2));
    simulation.advance_to(0.4).unwrap();
    let held = position(&mut simulation, "crate");
    let hand = joint_value(&mut simulation, "hand.x.q");
    // 1 kg at 1 m/s takes 3 kg along: 1/4 m/s. The crate keeps its place in the hand, (0.3, 0.1, -0.2).
    assert!((held - Vector3::new(hand + 0.3, 0.1, -0.2)).norm() < 2e-4, "{held}, hand at {hand}");
    let (w, v) = velocity(&mut simulation, "crate");
    assert!((v - Vector3::new(0.25, 0.0, 0.0)).norm() < 1e-3 && w.norm() < 1e-3, "{v} {w}");
    simulation.advance_to(0.5).unwrap();
    let (_, v) = velocity(&mut simulation, "crate");
    simulation.advance_to(0.7).unwrap();
    let (_, after) = velocity(&mut simulation, "crate");
    assert!((v - after).norm() < 1e-12, "a released crate keeps its velocity");
}

#[test]
fn a_relay_switches_a_capturing_weld_in_the_middle_of_a_step() {
    let (palm, crate_) = (Attachment::at("hand/carriage", [0.0; 3]), Attachment::at("crate/body", [0.0; 3]));
    let grip = Constraint::weld("grip", palm, crate_).inactive().capturing();
    let diagram = gripper(grip, |builder, plant| {
        // Grips when the hand has passed x = 0.3; the state is position and velocity.
        let [rise_at, fall_at, high, low] = [vec![0.3, 9.0], vec![0.1, 8.0], vec![1.0], vec![0.0]].map(|mut x| {
            x.resize(2, x[0]);
            PerChannel::from(x)
        });
        let relay = Relay::new(2, RelayParameters { rise_at, fall_at, high, low, starts_high: false }).unwrap();
        let relay = builder.add("relay", relay);
        let parts = builder.add("parts", kinegraph::systems::operators::Demultiplexer::new(&[1, 1]).unwrap());
        builder.connect(plant.state("hand"), relay.input);
        builder.connect(relay.output, parts.input);
        builder.connect(parts.outputs[0], plant.constraint_active("grip"));
    });
    let mut simulation = run(&diagram, cenic(1e-4), 0.6);
    let (hand, held) = (joint_value(&mut simulation, "hand.x.q"), position(&mut simulation, "crate"));
    // Caught at hand = 0.3: the crate is 0.2 ahead, and both go on at a quarter of the speed.
    assert!((hand - (0.3 + 0.25 * 0.3)).abs() < 2e-3, "{hand}");
    assert!((held - Vector3::new(hand + 0.2, 0.1, -0.2)).norm() < 2e-4, "{held}, hand at {hand}");
}

/// Every kind of constraint captures the values at the start.
#[test]
fn capture_holds_the_start() {
    let (a, b) = (Attachment::at("one/body", [0.1, 0.0, 0.0]), Attachment::at("two/body", [0.0, 0.2, 0.0]));
    for constraint in [
        Constraint::weld("c", a.clone(), b.clone()),
        Constraint::ball("c", a.clone(), b.clone()),
        Constraint::distance("c", a, b, 7.0),
        Constraint::coupler("c", ["left/x", "right/x"], 2.0, 3.0),
    ] {
        let turned = Isometry3::from_parts(
            Vector3::new(1.0, 0.5, 0.2).into(),
            UnitQuaternion::from_scaled_axis(Vector3::new(0.3, 0.5, -0.7)),
        );
        let plant = weightless()
            .model("one", ball(1.0, 0.1), at(0.0, 0.0, 0.0))
            .model("two", cuboid(2.0, [0.1, 0.2, 0.3]), Base::floating(turned))
            .model("left", slider(1.0), Base::fixed())
            .model("right", slider(1.0), Base::fixed())
            .initial("left/x", 0.4, 0.0)
            .constraint(constraint.clone().capturing());
        let diagram = alone(plant);
        let start = diagram.initial_state().continuous;
        let simulation = run(&diagram, cenic(1e-3), 0.1);
        let change = simulation.state().continuous.iter().zip(&start).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(change < 1e-12, "{constraint:?} moved by {change}");
    }
}

#[test]
fn a_mimic_joint_follows() {
    let mut model = double_pendulum();
    model.joints[1].mimic = Some(Mimic { joint: "j1".into(), multiplier: -0.5, offset: 0.2 });
    let plant = PlantBuilder::new().model("arm", model, Base::fixed()).initial("arm/j1", 1.0, 0.0);
    let diagram = alone(plant);
    let mut simulation = Simulation::new(&diagram, cenic(1e-3)).unwrap();
    assert_eq!(joint_value(&mut simulation, "arm.j2.q"), -0.3);
    simulation.advance_to(1.0).unwrap();
    let (q1, q2) = (joint_value(&mut simulation, "arm.j1.q"), joint_value(&mut simulation, "arm.j2.q"));
    assert!((q2 - (-0.5 * q1 + 0.2)).abs() < 1e-5 && (q1 - 1.0).abs() > 0.1, "{q1} {q2}");
}

/// A spring a thousand times stiffer than the motion it carries costs no steps, and comes to rest at its static
/// deflection.
#[test]
fn stiff_springs_are_implicit() {
    let (mass, stiffness) = (1.0, 1e6);
    let mut model = slider(mass);
    model.joints[0].damping = 100.0;
    let plant = PlantBuilder::new().gravity([G, 0.0, 0.0]).model("cart", model, Base::fixed());
    let plant = plant.spring("cart/x", stiffness, 0.1).initial("cart/x", 0.1, 0.0);
    let mut simulation = run(&alone(plant), cenic(1e-3), 2.0);
    let x = joint_value(&mut simulation, "cart.x.q");
    assert!((x - (0.1 + mass * G / stiffness)).abs() < 1e-8, "{x}");
    assert!(attempts(&simulation) < 40, "{} attempts", attempts(&simulation));
}

#[test]
fn faults_of_constraints_name_what_is_wrong() {
    let arm = || PlantBuilder::new().model("arm", double_pendulum(), Base::fixed());
    let end = || Attachment::at("arm/lower", [0.0; 3]);
    let faults = arm()
        .constraint(Constraint::weld("a", Attachment::at("arm/lowr", [0.0; 3]), end()))
        .constraint(Constraint::ball(
            "b",
            Attachment::at("arm/base", [0.0; 3]),
            Attachment::world(Isometry3::identity()),
        ))
        .constraint(Constraint::coupler("c", ["arm/j1", "arm/j1"], 1.0, 0.0))
        .constraint(
            Constraint::distance("a", end(), Attachment::world(Isometry3::identity()), -1.0).compliant(-1.0, 0.0),
        )
        .lock("arm/j3", true)
        .lock("arm/j1", true)
        .lock("arm/j1", false)
        .correction_speed(0.0)
        .build()
        .err()
        .unwrap()
        .to_string();
    for part in [
        "there is no link `arm/lowr` in this plant; did you mean `arm/lower`?",
        "constraint `b` joins `arm/base` and `world`, which cannot move relative to each other",
        "coupler `c` names joint `arm/j1` twice",
        "more than one constraint `a`",
        "length of constraint `a` is -1",
        "stiffness of constraint `a` is -1",
        "there is no joint `arm/j3` in this plant; did you mean",
        "more than one lock of joint `arm/j1`",
        "correction speed is 0",
    ] {
        assert!(faults.contains(part), "`{part}` is not in:\n{faults}");
    }
}

/// Switched constraints and locks from a diagram file: a pendulum on a locked shoulder that a signal releases, a crate
/// on a rope, and a gripping weld.
#[test]
fn a_diagram_file_switches_constraints_and_locks() {
    use kinegraph::files::load_str;
    use kinegraph::simulate::Scenario;
    let text = "
kinegraph: 1
systems:
  plant:
    type: multibody_plant
    models:
      - {name: arm, file: double_pendulum/double_pendulum.urdf, base: fixed}
      - {name: crate, file: clutter/ball.urdf, base: floating, pose: {xyz: [1, 0, -1]}}
    initial: {arm: {j1: {q: 0.5}, j2: {q: 0.2}}}
    constraints:
      - {name: rope, type: distance, a: {link: crate/ball}, b: {link: world, pose: {xyz: [1, 0, 0]}}, length: 1}
      - {name: hook, type: weld, a: {link: arm/lower, pose: {xyz: [0, 0, -1]}}, b: {link: crate/ball}, active: false, capture: true}
    locked: [arm/j1]
    lockable: [arm/j2]
  release: {type: step, time: 0.1, initial: 1, final: 0}
  hold: {type: step, time: 0.2, final: 1}
connections:
  - release.output -> plant.arm.j1.lock
  - hold.output -> plant.arm.j2.lock
  - hold.output -> plant.constraints.hook.active
simulation: {integrator: cenic, accuracy: 1.0e-4, duration: 1}
";
    let loaded = load_str(std::path::Path::new("examples/constrained.yaml"), text.trim_start(), &[]).unwrap();
    let scenario = Scenario::build(&loaded.diagram, &loaded.loader).expect("no faults");
    let mut simulation = scenario.simulation().unwrap();
    simulation.advance_to(0.1).unwrap();
    assert_eq!(joint_value(&mut simulation, "arm.j1.q"), 0.5);
    let j2 = joint_value(&mut simulation, "arm.j2.q");
    assert!((j2 - 0.2).abs() > 1e-3, "{j2}");
    simulation.advance_to(0.2).unwrap();
    assert!((joint_value(&mut simulation, "arm.j1.q") - 0.5).abs() > 1e-3);
    let z = simulation.channel("plant.crate.ball.pose.pz").unwrap();
    assert!((z + 1.0).abs() < 1e-5, "the rope holds: {z}");
    let held = joint_value(&mut simulation, "arm.j2.q");
    let distance = |s: &mut Simulation| {
        let [a, b] = ["arm.lower", "crate.ball"].map(|body| {
            Vector3::from(["px", "py", "pz"].map(|c| s.channel(&format!("plant.{body}.pose.{c}")).unwrap()))
        });
        (a - b).norm()
    };
    let apart = distance(&mut simulation);
    simulation.advance_to(1.0).unwrap();
    assert_eq!(joint_value(&mut simulation, "arm.j2.q"), held);
    assert!((distance(&mut simulation) - apart).abs() < 1e-4);
}

/// Constraints and locks of a second plant act on that plant.
#[test]
fn every_plant_has_its_own_constraints_and_locks() {
    let arm = |locked: bool| {
        let plant = PlantBuilder::new().model("arm", double_pendulum(), Base::fixed());
        let plant = plant.constraint(Constraint::coupler("gear", ["arm/j1", "arm/j2"], 0.5, 0.0));
        let plant = plant.model("extra", double_pendulum(), Base::fixed()).lock("extra/j1", locked);
        plant.initial("arm/j1", 0.5, 0.0).initial("arm/j2", 1.0, 0.0).initial("extra/j2", 0.3, 0.0).build().unwrap()
    };
    let mut builder = DiagramBuilder::new("two");
    builder.add("first", arm(false));
    builder.add("second", arm(true));
    let mut both = run(&builder.build().unwrap(), icf(1e-3), 0.3);
    for (block, locked) in [("first", false), ("second", true)] {
        let mut builder = DiagramBuilder::new("one");
        builder.add("plant", arm(locked));
        let mut one = run(&builder.build().unwrap(), icf(1e-3), 0.3);
        for joint in ["arm.j1", "arm.j2", "extra.j1", "extra.j2"] {
            let found = both.channel(&format!("{block}.{joint}.q")).unwrap();
            assert_eq!(found, joint_value(&mut one, &format!("{joint}.q")), "{block}.{joint}");
        }
        assert_eq!(joint_value(&mut one, "extra.j1.v") == 0.0, locked);
    }
}

/// Constraints that are redundant with locks or with each other cause no fault.
#[test]
fn redundant_constraints_are_no_trouble() {
    let (upper, lower) = (|| Attachment::at("arm/upper", [0.0, 0.0, -1.0]), || Attachment::at("arm/lower", [0.0; 3]));
    let plant = PlantBuilder::new().model("arm", double_pendulum(), Base::fixed());
    let plant = plant
        .constraint(Constraint::weld("weld", upper(), lower()))
        .constraint(Constraint::weld("again", upper(), lower()))
        .constraint(Constraint::ball("met", upper(), lower()))
        .constraint(Constraint::distance(
            "none",
            Attachment::world(Isometry3::identity()),
            Attachment::at("arm/upper", [0.0; 3]),
            0.0,
        ))
        .initial("arm/j1", 1.0, 0.0)
        .initial("arm/j2", 0.0, 0.0);
    let mut simulation = run(&alone(plant.clone()), cenic(1e-3), 0.5);
    assert!(joint_value(&mut simulation, "arm.j2.q").abs() < 1e-5);
    assert!((joint_value(&mut simulation, "arm.j1.q") - 1.0).abs() > 0.1);
    let mut simulation = run(&alone(plant.lock("arm/j1", true).lock("arm/j2", true)), cenic(1e-3), 0.5);
    assert_eq!((joint_value(&mut simulation, "arm.j1.q"), joint_value(&mut simulation, "arm.j2.q")), (1.0, 0.0));
}
