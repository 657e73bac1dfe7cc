//! Joints: springs, friction, stops, locks.

use super::{Case, value};
use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::systems::multibody::plant::StopLaw;
use kinegraph::systems::multibody::{Base, JointKind, PlantBuilder};
use kinegraph::systems::sources::Step;
use nalgebra::Vector3;

const G: f64 = 9.81;

/// A carriage of 2 kg on a spring of 50 N/m with a damper of 4 N s/m.
fn spring() -> Diagram {
    let mut model = slider(2.0);
    model.joints[0].damping = 4.0;
    let plant = weightless().model("s", model, Base::fixed()).spring("s/x", 50.0, 0.1);
    alone(plant.initial("s/x", 0.3, 0.0))
}

pub const SPRINGS: Case = Case {
    feature: "springs and dampers of joints",
    diagram: spring,
    check: |simulation, found| {
        let (decay, rate) = (1.0, 24.0_f64.sqrt());
        for time in [0.2, 0.5, 1.0] {
            simulation.advance_to(time)?;
            let swing = (rate * time).cos() + decay / rate * (rate * time).sin();
            let x = 0.1 + 0.2 * (-decay * time).exp() * swing;
            found.near(format!("x at {time}"), value(simulation, "plant.s.x.q"), x, 2e-3);
        }
        Ok(())
    },
};

/// A carriage of 2 kg that slides at 1 m/s against a dry friction of 3 N.
fn rubbing() -> Diagram {
    let mut model = slider(2.0);
    model.joints[0].friction = 3.0;
    alone(weightless().model("s", model, Base::fixed()).initial("s/x", 0.0, 1.0))
}

pub const FRICTION: Case = Case {
    feature: "dry friction of joints",
    diagram: rubbing,
    check: |simulation, found| {
        simulation.advance_to(0.5)?;
        found.near("v while it slides", value(simulation, "plant.s.x.v"), 0.25, 2e-3);
        simulation.advance_to(0.75)?;
        // m v²/2 = f d.
        found.near("way", value(simulation, "plant.s.x.q"), 1.0 / 3.0, 2e-3);
        found.near("v at rest", value(simulation, "plant.s.x.v"), 0.0, 1e-4);
        Ok(())
    },
};

/// A carriage of 2 kg that falls on the lower stop of an upright rail.
fn falling(law: StopLaw) -> Diagram {
    let mut model = slider(2.0);
    (model.joints[0].axis, model.joints[0].limits) = (Vector3::z(), (0.0, 100.0));
    alone(PlantBuilder::new().model("s", model, Base::fixed()).initial("s/x", 0.1, 0.0).stops("s/x", law))
}

pub const STOPS: Case = Case {
    feature: "joint stops",
    diagram: || falling(StopLaw::giving_back(0.0)),
    check: |simulation, found| {
        simulation.advance_to(0.5)?;
        // Steps of 0.1 s let it sink in by 25 μm; shorter ones bring it back within 10 ms.
        found.near("x", value(simulation, "plant.s.x.q"), 0.0, 3e-5);
        found.near("v", value(simulation, "plant.s.x.v"), 0.0, 3e-3);
        let record = &simulation.integrator().records()[0];
        let gained = (record.velocity[0] - record.v[0]) / record.length;
        found.near("what it carries", record.stops[0], 2.0 * (G + gained), 0.05);
        Ok(())
    },
};

pub const RESTITUTION: Case = Case {
    feature: "stops with restitution",
    diagram: || falling(StopLaw::giving_back(0.5)),
    check: |simulation, found| {
        let fall = (0.2 / G).sqrt();
        simulation.advance_to(1.5 * fall)?;
        // At the top of the first bounce, the square of the restitution lower.
        found.near("x", value(simulation, "plant.s.x.q"), 0.025, 3e-3);
        simulation.advance_to(1.0)?;
        found.near("x at rest", value(simulation, "plant.s.x.q"), 0.0, 1e-4);
        Ok(())
    },
};

pub const SOFT_STOPS: Case = Case {
    feature: "compliant stops",
    diagram: || falling(StopLaw::compliant(800.0, 5.0)),
    check: |simulation, found| {
        simulation.advance_to(4.0)?;
        found.near("x", value(simulation, "plant.s.x.q"), -2.0 * G / 800.0, 5e-4);
        Ok(())
    },
};

/// A double pendulum whose elbow is locked, beside one whose elbow is welded.
fn locked() -> Diagram {
    let mut welded = double_pendulum();
    welded.joints[1].kind = JointKind::Fixed;
    welded.joints[1].X_PF *= nalgebra::UnitQuaternion::from_axis_angle(&Vector3::y_axis(), 0.3);
    let plant = PlantBuilder::new()
        .model("arm", double_pendulum(), Base::fixed())
        .lock("arm/j2", true)
        .initial("arm/j1", 1.0, 0.0)
        .initial("arm/j2", 0.3, 0.0)
        .model("welded", welded, Base::fixed())
        .initial("welded/j1", 1.0, 0.0);
    alone(plant)
}

pub const LOCKED: Case = Case {
    feature: "locked joints",
    diagram: locked,
    check: |simulation, found| {
        simulation.advance_to(0.5)?;
        found.near("the elbow", value(simulation, "plant.arm.j2.q"), 0.3, 0.0);
        found.near("its speed", value(simulation, "plant.arm.j2.v"), 0.0, 0.0);
        let welded = value(simulation, "plant.welded.j1.q");
        found.near("the shoulder", value(simulation, "plant.arm.j1.q"), welded, 1e-3);
        found.holds("it moves", welded < 0.5);
        Ok(())
    },
};

/// A flywheel on a free body, braked at once at 0.1 s.
fn braked() -> Diagram {
    let mut model = cuboid(1.0, [0.3, 0.2, 0.1]);
    model.links.push(link("wheel", 0.5, [0.0; 3]));
    model.joints.push(joint("spin", JointKind::Continuous, "body", "wheel", Vector3::z()));
    let plant = weightless().model("craft", model, at(0.0, 0.0, 0.0)).initial("craft/spin", 0.0, 50.0);
    let mut b = DiagramBuilder::new("craft");
    let plant = b.add("plant", plant.lock("craft/spin", false).build().unwrap());
    let brake = b.add("brake", Step::new(1, 0.1, 0.0, 1.0).unwrap());
    b.connect(brake.output, plant.joint_lock("craft/spin"));
    b.build().unwrap()
}

pub const LOCKS: Case = Case {
    feature: "locks switched in motion",
    diagram: braked,
    check: |simulation, found| {
        simulation.advance_to(0.1)?;
        found.near("before", value(simulation, "plant.craft.spin.v"), 50.0, 1e-9);
        simulation.advance_to(0.2)?;
        found.near("after", value(simulation, "plant.craft.spin.v"), 0.0, 0.0);
        // Angular momentum stays: the wheel turns with the body.
        let (body, wheel) = (1.0 / 3.0 * (0.09 + 0.04), 0.005);
        let w = value(simulation, "plant.craft.body.velocity.wz");
        found.near("the body", w, wheel * 50.0 / (body + wheel), 1e-4);
        Ok(())
    },
};
