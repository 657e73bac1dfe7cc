//! Contact against closed forms: equilibrium depth, stiction, sliding, rolling, stacks, stops, and the pairs that
//! touch.

use crate::common::*;
use kinegraph::diagram::DiagramBuilder;
use kinegraph::simulate::Simulation;
use kinegraph::systems::convex::{PlantContacts, PlantDynamics, PlantPoint};
use kinegraph::systems::geometry::Shape;
use kinegraph::systems::multibody::plant::{Actuated, Collisions, ExcludedPairs, PlantModel};
use kinegraph::systems::multibody::{Base, Collision, JointKind, Link, Model, PlantBuilder};
use nalgebra::{Isometry3, Vector3};

const G: f64 = 9.81;

#[test]
fn a_ball_at_rest_sinks_by_its_weight_over_the_stiffness() {
    for (mass, stiffness) in [(1.0, 1e4), (0.01, 1e3), (50.0, 1e6)] {
        let plant = PlantBuilder::new().ground(0.2).contact(contact(stiffness, 20.0, 0.5));
        let diagram = alone(plant.model("ball", ball(mass, 0.1), at(0.0, 0.0, 0.301)));
        let depth = mass * G / stiffness;
        for options in [icf(1e-3), cenic(1e-3)] {
            let mut simulation = run(&diagram, options, 3.0);
            let z = position(&mut simulation, "ball").z;
            assert!((z - (0.3 - depth)).abs() < 1e-3 * depth, "{z}, depth {depth}, {:?}", options.integrator);
        }
    }
}

/// The block on a slope of the given tangent (gravity is tilted, the ground is level), with its static depth from the
/// start.
fn on_slope(tangent: f64, friction: f64, v: f64) -> Simulation {
    let angle = tangent.atan();
    let stiffness = 1e5;
    let depth = G * angle.cos() / (4.0 * stiffness);
    let plant = PlantBuilder::new()
        .gravity([G * angle.sin(), 0.0, -G * angle.cos()])
        .ground(0.0)
        .contact(contact(stiffness, 10.0, friction))
        .model("block", block(), thrown([0.0, 0.0, 0.06 - depth], [0.0; 3], [v, 0.0, 0.0]));
    Simulation::new(&alone(plant), icf(1e-3)).unwrap()
}

#[test]
fn a_block_sticks_below_the_friction_angle_and_creeps_as_the_regularization_says() {
    let (tangent, friction, tolerance) = (0.45, 0.5, 1e-4);
    let mut simulation = on_slope(tangent, friction, 0.0);
    simulation.advance_to(1.0).unwrap();
    let (_, v) = velocity(&mut simulation, "block");
    // mu N v/sqrt(v² + eps²) = N tan: v = eps s/sqrt(1 - s²), s = tan/mu.
    let s = tangent / friction;
    let creep = tolerance * s / (1.0_f64 - s * s).sqrt();
    assert!((v.x - creep).abs() < 0.01 * creep, "{} instead of {creep}", v.x);
    assert!(position(&mut simulation, "block").x < 1.5 * creep);
}

#[test]
fn a_block_slides_above_the_friction_angle() {
    let (tangent, friction) = (0.55_f64, 0.5);
    let mut simulation = on_slope(tangent, friction, 0.0);
    simulation.advance_to(1.0).unwrap();
    let (_, v) = velocity(&mut simulation, "block");
    let expected = G * tangent.atan().cos() * (tangent - friction);
    assert!((v.x - expected).abs() < 0.01 * expected, "{} instead of {expected}", v.x);
}

#[test]
fn sliding_friction_decelerates_by_mu_g() {
    for friction in [0.2, 0.5] {
        let mut simulation = on_slope(0.0, friction, 2.0);
        simulation.advance_to(0.3).unwrap();
        let (_, v) = velocity(&mut simulation, "block");
        let lost = friction * G * 0.3;
        assert!((2.0 - v.x - lost).abs() < 0.01 * lost, "{}", v.x);
    }
}

#[test]
fn without_friction_nothing_decelerates() {
    let mut simulation = on_slope(0.0, 0.0, 2.0);
    simulation.advance_to(0.3).unwrap();
    let (w, v) = velocity(&mut simulation, "block");
    assert!((v.x - 2.0).abs() < 1e-12 && w.norm() < 1e-12, "{v} {w}");
}

#[test]
fn a_sliding_ball_ends_rolling_without_slip() {
    // Angular momentum about the contact: m r v0 = (m r² + 2/5 m r²) w, so that v = 5/7 v0, whatever the friction.
    let (radius, v0) = (0.1, 1.0);
    for friction in [0.2, 0.6] {
        let depth = G / 1e6;
        let base = thrown([0.0, 0.0, radius - depth], [0.0; 3], [v0, 0.0, 0.0]);
        let plant = PlantBuilder::new().ground(0.0).contact(contact(1e6, 10.0, friction)).model(
            "ball",
            ball(1.0, radius),
            base,
        );
        let mut simulation = run(&alone(plant), icf(1e-3), 1.0);
        let (w, v) = velocity(&mut simulation, "ball");
        assert!((v.x - 5.0 / 7.0 * v0).abs() < 1e-3, "{}", v.x);
        assert!((w.y * radius - v.x).abs() < 1e-3, "{} and {}", w.y * radius, v.x);
    }
}

#[test]
fn boxes_rest_on_each_other() {
    let half = 0.1;
    let (k, ma, mb) = (1e5, 2.0, 1.0);
    let plant = PlantBuilder::new()
        .ground(0.0)
        .contact(contact(k, 10.0, 0.5))
        .model("a", cuboid(ma, [half; 3]), at(0.0, 0.0, half))
        .model("b", cuboid(mb, [half; 3]), at(0.01, 0.02, 3.0 * half));
    let mut simulation = run(&alone(plant), cenic(1e-3), 2.0);
    let (a, b) = (position(&mut simulation, "a"), position(&mut simulation, "b"));
    // The points of a pair share its stiffness. The upper box is not quite centred.
    let depth = (ma + mb) * G / k;
    assert!((a.z - (half - depth)).abs() < 0.1 * depth, "{a}");
    let between = mb * G / k;
    assert!((b.z - a.z - (2.0 * half - between)).abs() < 0.1 * between, "{}", b - a);
    for name in ["a", "b"] {
        let (w, v) = velocity(&mut simulation, name);
        assert!(w.norm() < 1e-4 && v.norm() < 1e-4, "{name}: {w} {v}");
    }
}

#[test]
fn solids_keep_their_height_on_the_ground() {
    let turned = |base: [f64; 3]| {
        Base::floating(Isometry3::new(Vector3::from(base), Vector3::x() * std::f64::consts::FRAC_PI_2))
    };
    let cylinder = || solid(Shape::Cylinder { radius: 0.1, half_length: 0.2 }, 1.0);
    let capsule = || solid(Shape::Capsule { radius: 0.1, half_length: 0.2 }, 1.0);
    let cases: [(&str, Model, Base, f64); 5] = [
        ("standing cylinder", cylinder(), at(0.0, 0.0, 0.2), 0.2),
        ("lying cylinder", cylinder(), turned([0.0, 0.0, 0.1]), 0.1),
        ("lying capsule", capsule(), turned([0.0, 0.0, 0.1]), 0.1),
        ("box", cuboid(1.0, [0.1, 0.2, 0.3]), at(0.0, 0.0, 0.3), 0.3),
        ("ball", ball(1.0, 0.1), at(0.0, 0.0, 0.1), 0.1),
    ];
    for (what, model, base, height) in cases {
        for options in [cenic(1e-3), icf(1e-3)] {
            let plant = PlantBuilder::new().ground(0.0).contact(contact(1e5, 10.0, 0.5)).model(
                "s",
                model.clone(),
                base.clone(),
            );
            let mut simulation = run(&alone(plant), options, 1.0);
            let p = position(&mut simulation, "s");
            let (w, v) = velocity(&mut simulation, "s");
            assert!((p.z - height).abs() < 2e-4 && p.xy().norm() < 1e-3, "{what}: {p}");
            assert!(w.norm() < 1e-3 && v.norm() < 1e-3, "{what}: {w} {v}");
        }
    }
}

#[test]
fn a_stop_holds_a_joint_against_its_weight() {
    for (upper, force) in [(0.2, G), (0.0, 2.0), (-0.3, 1.0)] {
        let mut model = slider(1.0);
        model.joints[0].limits = (-1.0, upper);
        let mut b = DiagramBuilder::new("stop");
        let plant = PlantBuilder::new().model("s", model, Base::fixed()).initial("s/x", -0.5, 0.0);
        let plant = b.add("plant", plant.build().unwrap());
        b.fix(plant.applied_generalized_force("s"), [force]);
        let diagram = b.build().unwrap();
        for options in [cenic(1e-3), icf(1e-2)] {
            let simulation = run(&diagram, options, 4.0);
            let [q, v] = simulation.state().continuous[..] else { panic!("two states") };
            assert!((q - upper).abs() < 1e-5 && v.abs() < 1e-4, "{q} at {upper}, v = {v}");
        }
    }
}

/// Three links in a row on two joints, each with a ball that overlaps both others.
fn chain(middle: JointKind) -> Model {
    let link = |name: &str| Link {
        collisions: vec![Collision {
            name: String::new(),
            X_BG: Isometry3::identity(),
            shape: Shape::Sphere { radius: 0.1 },
            surface: None,
        }],
        ..link(name, 1.0, [0.0; 3])
    };
    Model {
        name: "chain".into(),
        links: vec![link("a"), link("b"), link("c")],
        joints: vec![
            joint("ab", middle, "a", "b", Vector3::x()),
            joint("bc", JointKind::Continuous, "b", "c", Vector3::y()),
        ],
        ..Model::default()
    }
}

/// Names of the pairs of links that touch at the start.
fn touching(plant: PlantBuilder) -> Vec<String> {
    let plant = plant.build().unwrap();
    let mut point = PlantPoint::default();
    plant.evaluate(plant.tree().initial_positions(), plant.tree().initial_velocities(), &mut point);
    plant.contacts(0.0, &mut point);
    let bodies = &plant.structure().bodies;
    let mut pairs: Vec<String> =
        point.contacts.iter().map(|c| format!("{} {}", bodies[c.body_a].name, bodies[c.body_b].name)).collect();
    pairs.dedup();
    pairs
}

fn with(name: &str, collisions: Collisions) -> PlantModel {
    let (model, base) = (ball(1.0, 0.1), at(0.0, 0.0, 0.05));
    PlantModel {
        name: name.into(),
        model,
        base,
        actuated: Actuated::Default,
        collisions,
        excluded: Default::default(),
        start: None,
    }
}

#[test]
fn links_joined_by_a_joint_do_not_touch() {
    assert_eq!(touching(chained(JointKind::Continuous, &[], false)), ["m/a m/c"]);
}

fn chained(middle: JointKind, links: &[[&str; 2]], touching_at_start: bool) -> PlantBuilder {
    let links = links.iter().map(|pair| pair.map(String::from)).collect();
    let excluded = ExcludedPairs { links, touching_at_start };
    let (model, base) = (chain(middle), at(0.0, 0.0, 1.0));
    let (actuated, collisions) = (Actuated::Default, Collisions::All);
    PlantBuilder::new().add(PlantModel { name: "m".into(), model, base, actuated, collisions, excluded, start: None })
}

/// All three links of the chain are in one place: the ends are in contact unless they are excluded, by name or because
/// they overlap at the start. An overlap at the start is reported, excluded or not.
#[test]
fn links_that_overlap_at_the_start_do_not_touch_unless_that_is_wanted() {
    let joint = JointKind::Continuous;
    assert!(touching(chained(joint, &[["a", "c"]], false)).is_empty());
    assert!(touching(chained(joint, &[["c", "a"], ["a", "no such link"]], false)).is_empty());
    assert!(touching(chained(joint, &[], true)).is_empty());
    assert!(touching(PlantBuilder::new().model("m", chain(joint), at(0.0, 0.0, 1.0))).is_empty());
    for excluded in [false, true] {
        let (_, warnings) = chained(joint, &[], excluded).build_with_warnings().unwrap();
        let [warning] = warnings.as_slice() else { panic!("{warnings:?}") };
        assert!(warning.to_string().contains("links `m/a` and `m/c` overlap by 2.00e-1 m"), "{warning}");
    }
    // Two models are two things: they touch.
    let two = PlantBuilder::new().model("m", ball(1.0, 0.1), at(0.0, 0.0, 1.0));
    assert_eq!(touching(two.model("n", ball(1.0, 0.1), at(0.0, 0.0, 1.05))), ["m/body n/body"]);
}

/// A hand welded to the last link of an arm does not touch the link before it, as that last link does not.
#[test]
fn a_welded_link_does_not_touch_the_parent_of_its_carrier() {
    let mut model = chain(JointKind::Continuous);
    model.joints[1].kind = JointKind::Fixed;
    let excluded = ExcludedPairs { touching_at_start: false, ..ExcludedPairs::default() };
    let (base, actuated, collisions) = (at(0.0, 0.0, 1.0), Actuated::Default, Collisions::All);
    let arm = PlantModel { name: "m".into(), model, base, actuated, collisions, excluded, start: None };
    assert!(touching(PlantBuilder::new().add(arm)).is_empty());
}

#[test]
fn links_welded_together_do_not_touch() {
    // a and b are one body; c hangs on it by a joint.
    let pairs = touching(PlantBuilder::new().model("m", chain(JointKind::Fixed), at(0.0, 0.0, 1.0)));
    assert!(!pairs.contains(&"m/a m/b".to_string()) && !pairs.contains(&"m/b m/c".to_string()), "{pairs:?}");
}

#[test]
fn models_choose_what_they_touch() {
    let builder = || PlantBuilder::new().ground(0.0);
    let pairs = |a, b| touching(builder().add(with("a", a)).add(with("b", b)));
    use Collisions::{All, GroundOnly};
    assert_eq!(pairs(All, All), ["world a/body", "world b/body", "a/body b/body"]);
    assert_eq!(pairs(All, GroundOnly), ["world a/body", "world b/body"]);
    assert_eq!(pairs(GroundOnly, GroundOnly), ["world a/body", "world b/body"]);
    assert_eq!(pairs(All, Collisions::None), ["world a/body"]);
    assert!(pairs(Collisions::None, Collisions::None).is_empty());
}

/// The law of dissipation bounds the separation speed by 1/d, for any impact speed.
#[test]
fn a_bullet_leaves_a_wall_no_faster_than_its_dissipation_allows() {
    let dissipation = 10.0;
    let wall = Base::Fixed { X_WR: Isometry3::translation(5.0, 0.0, 0.0) };
    let plant =
        weightless().contact(contact(1e5, dissipation, 0.5)).model("wall", cuboid(1.0, [0.005, 1.0, 1.0]), wall);
    let diagram = alone(plant.model("bullet", ball(0.01, 0.01), thrown([0.0; 3], [0.0; 3], [100.0, 0.0, 0.0])));
    for accuracy in [1e-1, 1e-2, 1e-3, 1e-4, 1e-5] {
        let mut simulation = run(&diagram, cenic(accuracy), 1.0);
        let (_, v) = velocity(&mut simulation, "bullet");
        assert!(v.x < 0.0 && v.norm() < 1.5 / dissipation, "{accuracy}: {v}");
    }
}
