//! Constraints between links and between joints, rigid and compliant, permanent and switched by a signal.

use super::{Case, value};
use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::systems::multibody::plant::{Attachment, Constraint};
use kinegraph::systems::multibody::{Base, JointKind, Link, Mimic, Model, PlantBuilder};
use kinegraph::systems::sources::Pulse;
use nalgebra::{Isometry3, Vector3};

const G: f64 = 9.81;
/// Deflection of a spring of 1 ms under gravity; a little more where several act.
const GIVES: f64 = 1e-6;

fn origin() -> Attachment {
    Attachment::world(Isometry3::identity())
}

fn at_centre() -> Attachment {
    Attachment::at("box/body", [0.0; 3])
}

pub const WELDS: Case = Case {
    feature: "welds",
    diagram: || {
        let plant = PlantBuilder::new().model("box", cuboid(1.0, [0.1; 3]), at(0.0, 0.0, 0.0));
        alone(plant.constraint(Constraint::weld("hold", origin(), at_centre())))
    },
    check: |simulation, found| {
        simulation.advance_to(0.1)?;
        found.near("where it is held", position(simulation, "box").norm(), 0.0, GIVES);
        let force = simulation.integrator().records()[0].multipliers[0];
        found.near("what it carries", force[5].abs(), G, 0.02 * G);
        Ok(())
    },
};

/// The coupler bar of a parallelogram closed by a ball only translates: a pendulum of (I + m l²/4)2 + M l² against
/// (2 m l/2 + M l) g.
const BAR: f64 = 0.8;
const SWING: f64 = 0.1;

fn four_bar() -> Diagram {
    let bar = |name: &str| link(name, 1.0, [0.0, 0.0, -0.5 * BAR]);
    let at_end = |parent: &str, child: &str, name: &str, p: [f64; 3]| {
        let mut j = joint(name, JointKind::Continuous, parent, child, Vector3::y());
        j.X_PF = Isometry3::translation(p[0], p[1], p[2]);
        j
    };
    let base = Link { name: "base".into(), ..Link::default() };
    let model = Model {
        name: "four_bar".into(),
        links: vec![base, bar("left"), bar("right"), link("top", 2.0, [0.5, 0.0, 0.0])],
        joints: vec![
            at_end("base", "left", "a", [0.0; 3]),
            at_end("left", "top", "b", [0.0, 0.0, -BAR]),
            at_end("base", "right", "c", [1.0, 0.0, 0.0]),
        ],
        transmissions: vec![],
        ..Model::default()
    };
    let ends = [Attachment::at("m/right", [0.0, 0.0, -BAR]), Attachment::at("m/top", [1.0, 0.0, 0.0])];
    let [right, top] = ends;
    let plant = PlantBuilder::new().model("m", model, Base::fixed()).constraint(Constraint::ball("close", right, top));
    alone(plant.initial("m/a", SWING, 0.0).initial("m/b", -SWING, 0.0).initial("m/c", SWING, 0.0))
}

pub const CLOSED: Case = Case {
    feature: "ball constraints, closed loops",
    diagram: four_bar,
    check: |simulation, found| {
        let inertia = 2.0 * (0.01 + 0.25 * BAR * BAR) + 2.0 * BAR * BAR;
        let rate = (3.0 * BAR * G / inertia).sqrt() * (1.0 - SWING * SWING / 16.0);
        let time = 0.3;
        simulation.advance_to(time)?;
        let mut get = |joint: &str| value(simulation, &format!("plant.m.{joint}.q"));
        let (a, b, c) = (get("a"), get("b"), get("c"));
        found.near("a", a, SWING * (rate * time).cos(), 1e-3);
        found.near("parallel", a - c, 0.0, 4.0 * GIVES);
        found.near("level", a + b, 0.0, 4.0 * GIVES);
        Ok(())
    },
};

pub const DISTANCES: Case = Case {
    feature: "distances",
    diagram: || {
        let start = at(0.1_f64.sin(), 0.0, -(0.1_f64.cos()));
        let plant = PlantBuilder::new().model("box", cuboid(1.0, [0.1; 3]), start);
        alone(plant.constraint(Constraint::distance("rod", origin(), at_centre(), 1.0)))
    },
    check: |simulation, found| {
        simulation.advance_to(0.7)?;
        let p = position(simulation, "box");
        found.near("the rod", p.norm(), 1.0, GIVES);
        let angle = 0.1 * (G.sqrt() * 0.7 * (1.0 - 0.01 / 16.0)).cos();
        found.near("the swing", p.x, angle.sin(), 1e-3);
        Ok(())
    },
};

/// Two carriages of different trees on a rope, and an arm whose elbow follows its shoulder.
fn coupled() -> Diagram {
    let mut follower = double_pendulum();
    follower.joints[1].mimic = Some(Mimic { joint: "j1".into(), multiplier: -0.5, offset: 0.2 });
    let plant = PlantBuilder::new()
        .gravity([G, 0.0, 0.0])
        .model("a", slider(2.0), Base::fixed())
        .model("b", slider(3.0), Base::fixed())
        .constraint(Constraint::coupler("rope", ["a/x", "b/x"], -0.5, 0.2))
        .initial("a/x", 0.2, 0.0)
        .model("arm", follower, Base::fixed())
        .initial("arm/j1", 1.0, 0.0);
    alone(plant)
}

pub const COUPLERS: Case = Case {
    feature: "couplers, mimic joints",
    diagram: coupled,
    check: |simulation, found| {
        simulation.advance_to(0.4)?;
        let mut get = |path: &str| value(simulation, &format!("plant.{path}"));
        // (m1 ratio² + m2) a = (m1 ratio + m2) g.
        let acceleration = (3.0 - 0.5 * 2.0) * G / (2.0 * 0.25 + 3.0);
        found.near("b", get("b.x.q"), 0.5 * acceleration * 0.16, 2e-3);
        found.near("its speed", get("b.x.v"), acceleration * 0.4, 1e-3);
        found.near("the rope", get("a.x.q") - 0.2 + 0.5 * get("b.x.q"), 0.0, 4.0 * GIVES);
        found.near("the elbow", get("arm.j2.q") - 0.2 + 0.5 * get("arm.j1.q"), 0.0, 2e-5);
        found.holds("the arm moves", (get("arm.j1.q") - 1.0).abs() > 0.05);
        Ok(())
    },
};

/// A box that drops onto a spring of 200 N/m with a damper of 20 N s/m.
pub const SOFT: Case = Case {
    feature: "compliant constraints",
    diagram: || {
        let rod = Constraint::distance("rod", origin(), at_centre(), 1.0).compliant(200.0, 20.0);
        alone(PlantBuilder::new().model("box", cuboid(1.0, [0.1; 3]), at(0.0, 0.0, -1.0)).constraint(rod))
    },
    check: |simulation, found| {
        for time in [0.1_f64, 0.3] {
            simulation.advance_to(time)?;
            let swing = 1.0 - (-10.0 * time).exp() * ((10.0 * time).cos() + (10.0 * time).sin());
            let length = position(simulation, "box").norm();
            found.near(format!("length at {time}"), length, 1.0 + G / 200.0 * swing, 5e-4);
        }
        Ok(())
    },
};

/// A hand of 1 kg that moves at 1 m/s, and grips a crate of 3 kg from 0.2 s to 0.5 s.
fn gripper() -> Diagram {
    let (palm, crate_) = (Attachment::at("hand/carriage", [0.0; 3]), Attachment::at("crate/body", [0.0; 3]));
    let plant = weightless()
        .model("hand", slider(1.0), Base::fixed())
        .model("crate", cuboid(3.0, [0.1; 3]), at(0.5, 0.1, -0.2))
        .constraint(Constraint::weld("grip", palm, crate_).inactive().capturing())
        .initial("hand/x", 0.0, 1.0);
    let mut b = DiagramBuilder::new("gripper");
    let plant = b.add("plant", plant.build().unwrap());
    let pulse = b.add("pulse", Pulse::new(1, 1.0, 10.0, 0.03, 0.2).unwrap());
    b.connect(pulse.output, plant.constraint_active("grip"));
    b.build().unwrap()
}

pub const GRIPS: Case = Case {
    feature: "constraints that grip on a signal",
    diagram: gripper,
    check: |simulation, found| {
        simulation.advance_to(0.2)?;
        found.near("before", (position(simulation, "crate") - Vector3::new(0.5, 0.1, -0.2)).norm(), 0.0, 0.0);
        simulation.advance_to(0.4)?;
        let hand = value(simulation, "plant.hand.x.q");
        let held = position(simulation, "crate") - Vector3::new(hand + 0.3, 0.1, -0.2);
        found.near("its place in the hand", held.norm(), 0.0, 1e-3);
        let (w, v) = velocity(simulation, "crate");
        found.near("its speed", (v - Vector3::new(0.25, 0.0, 0.0)).norm(), 0.0, 1e-3);
        found.near("its turn", w.norm(), 0.0, 1e-3);
        simulation.advance_to(0.5)?;
        let (_, before) = velocity(simulation, "crate");
        simulation.advance_to(0.7)?;
        let (_, after) = velocity(simulation, "crate");
        found.near("release", (after - before).norm(), 0.0, 1e-9);
        Ok(())
    },
};
