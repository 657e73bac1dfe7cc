//! Bodies in contact, or about to be: rest, friction, impacts, belts, suction.

use super::{Case, Findings, family, value};
use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::{NEAR_RIGID, RIGID};
use kinegraph::simulate::{RunError, Simulation};
use kinegraph::systems::grippers::{Cup, Face, Suction, Target, VacuumGripper};
use kinegraph::systems::machines::ConveyorBelt;
use kinegraph::systems::multibody::PlantBuilder;
use kinegraph::systems::multibody::plant::{Belt, SurfaceMotion};
use kinegraph::systems::multibody::scene_data::{Grain, Surface};

const G: f64 = 9.81;
/// Stiffness of each of the four corners of a block \[N/m\].
const STIFFNESS: f64 = 1e4;
/// Height of the block above the ground at which it just touches.
const TOUCHES: f64 = 0.06;

fn on_the_ground() -> PlantBuilder {
    PlantBuilder::new().ground(0.0).contact(contact(STIFFNESS, 20.0, 0.5))
}

pub const REST: Case = Case {
    feature: "contact",
    diagram: || alone(on_the_ground().model("block", block(), at(0.0, 0.0, TOUCHES + 0.01))),
    check: |simulation, found| {
        simulation.advance_to(0.5)?;
        let [fx, fy, fz] = simulation.contact_results("plant").unwrap().force_on("block/body");
        found.near("the weight", fz, G, 0.01 * G);
        found.near("aside", fx.hypot(fy), 0.0, 0.01 * G);
        let depth = TOUCHES - value(simulation, "plant.block.body.pose.pz");
        let (expected, tolerance) = match family(simulation) {
            RIGID => (0.0, 1e-4),
            _ => (G / (4.0 * STIFFNESS), 1e-5),
        };
        found.near("depth", depth, expected, tolerance);
        Ok(())
    },
};

fn pushed() -> Diagram {
    let resting = TOUCHES - G / (4.0 * STIFFNESS);
    let plant = on_the_ground().model("held", block(), at(0.0, 0.0, resting));
    pushed_along(plant.model("slides", block(), at(0.0, 1.0, resting)))
}

/// A plant whose bodies `held` and `slides`, of 1 kg each, are pushed by 0.3 and by 0.8 of their weight, with a
/// coefficient of friction of 0.5.
pub(super) fn pushed_along(plant: PlantBuilder) -> Diagram {
    let mut b = DiagramBuilder::new("pushed");
    let plant = b.add("plant", plant.build().unwrap());
    b.fix(plant.applied_spatial_force("held"), [0.0, 0.0, 0.0, 0.3 * G, 0.0, 0.0]);
    b.fix(plant.applied_spatial_force("slides"), [0.0, 0.0, 0.0, 0.8 * G, 0.0, 0.0]);
    b.build().unwrap()
}

/// Checks the effect of these pushes until 0.4 s; the acceleration may be `off` \[m/s²\].
pub(super) fn push(simulation: &mut Simulation, found: &mut Findings, off: f64) -> Result<(), RunError> {
    simulation.advance_to(0.2)?;
    let before = velocity(simulation, "slides").1.x;
    simulation.advance_to(0.4)?;
    let after = velocity(simulation, "slides").1.x;
    found.near("acceleration", (after - before) / 0.2, 0.3 * G, off);
    found.near("what is held", position(simulation, "held").x, 0.0, 5e-4);
    Ok(())
}

pub const FRICTION: Case = Case {
    feature: "friction",
    diagram: pushed,
    check: |simulation, found| {
        push(simulation, found, 0.01 * G)?;
        if family(simulation) != NEAR_RIGID {
            let [force, ..] = simulation.contact_results("plant").unwrap().force_on("slides/body");
            found.near("friction", force, -0.5 * G, 0.02 * G);
        }
        Ok(())
    },
};

/// Blocks whose corners have the coefficients 0.5 and 0.2 on the ground, pushed by 0.3 and 0.8 of their weight: where
/// one is held across its grain, the other slides along it.
fn pushed_along_the_grain() -> Diagram {
    let of = |along: [f64; 3]| {
        let mut model = block();
        // With the 0.5 of the ground they make those of the pair.
        let grain = Some(Grain { along, across: 0.5 });
        let surface = Surface { friction: 0.125, grain, ..plain_surface(2.0 * STIFFNESS, 20.0) };
        model.links[0].collisions.iter_mut().for_each(|shape| shape.surface = Some(surface));
        model
    };
    let resting = TOUCHES - G / (4.0 * STIFFNESS);
    let plant = on_the_ground().model("held", of([0.0, 1.0, 0.0]), at(0.0, 0.0, resting));
    pushed_along(plant.model("slides", of([-1.0, 0.0, 0.0]), at(0.0, 1.0, resting)))
}

pub const GRAIN: Case = Case {
    feature: "friction that depends on the direction",
    diagram: pushed_along_the_grain,
    check: |simulation, found| {
        simulation.advance_to(0.2)?;
        let before = velocity(simulation, "slides").1.x;
        simulation.advance_to(0.4)?;
        let after = velocity(simulation, "slides").1.x;
        found.near("acceleration", (after - before) / 0.2, 0.6 * G, 0.01 * G);
        found.near("what is held", position(simulation, "held").x, 0.0, 5e-4);
        if family(simulation) != NEAR_RIGID {
            let [force, ..] = simulation.contact_results("plant").unwrap().force_on("slides/body");
            found.near("friction", force, -0.2 * G, 0.02 * G);
        }
        Ok(())
    },
};

/// Two balls that meet off centre, one of them spinning.
fn meeting() -> Diagram {
    let plant = weightless()
        .contact(contact(1e4, 1.0, 0.5))
        .model("a", ball(1.0, 0.1), thrown([-0.3, 0.0, 0.0], [0.0, 5.0, 20.0], [2.0, 0.1, 0.0]))
        .model("b", ball(2.0, 0.1), thrown([0.0, 0.05, 0.02], [1.0, 0.0, -3.0], [0.0, 0.0, 0.0]));
    alone(plant)
}

pub const IMPACTS: Case = Case {
    feature: "impacts",
    diagram: meeting,
    check: |simulation, found| {
        let start = simulation.energy().unwrap();
        simulation.advance_to(0.3)?;
        let (a, b) = (velocity(simulation, "a").1, velocity(simulation, "b").1);
        let momentum = a + b * 2.0;
        found.near("momentum along", momentum.x, 2.0, 1e-9);
        found.near("momentum across", momentum.y, 0.1, 1e-9);
        found.holds(format!("b was struck: {}", b.x), b.x > 0.5);
        let between = position(simulation, "b") - position(simulation, "a");
        found.holds(format!("they are apart: {}", between.norm()), between.norm() > 0.2 - 1e-4);
        let parting = (b - a).dot(&between);
        found.holds(format!("they do not meet again: {parting}"), parting > -1e-6);
        let end = simulation.energy().unwrap();
        found.holds(format!("energy does not grow: {start} to {end}"), end < start * (1.0 + 1e-4));
        Ok(())
    },
};

/// A block on a belt whose drive accelerates at 4 m/s² to 1 m/s.
fn carried() -> Diagram {
    let mut b = DiagramBuilder::new("belt");
    let line =
        Belt { name: "line".into(), link: "ground".into(), motion: SurfaceMotion::Along([1.0, 0.0, 0.0]), speed: 0.0 };
    let plant = on_the_ground().model("block", block(), at(0.0, 0.0, TOUCHES - G / (4.0 * STIFFNESS))).belt(line);
    let plant = b.add("plant", plant.build().unwrap());
    let drive = b.add("drive", ConveyorBelt::new(0.0, 4.0, 0.001).unwrap());
    b.fix(drive.command, [1.0]);
    b.connect(drive.speed, plant.belt_speed("line"));
    b.build().unwrap()
}

pub const BELTS: Case = Case {
    feature: "belts",
    diagram: carried,
    check: |simulation, found| {
        for time in [0.2, 0.4] {
            simulation.advance_to(time)?;
            let speed = value(simulation, "drive.speed");
            found.near(format!("speed at {time}"), velocity(simulation, "block").1.x, speed, 5e-3);
            let slipped = value(simulation, "drive.travel") - position(simulation, "block").x;
            found.near(format!("slip at {time}"), slipped, 0.0, 2e-3);
        }
        found.near("the belt", value(simulation, "drive.speed"), 1.0, 1e-3);
        Ok(())
    },
};

const PULL: (f64, f64) = (0.1, 0.01);

/// A ball that a suction cup on another ball pulls with c/(d + d0).
fn pulled() -> Diagram {
    let mut b = DiagramBuilder::new("pulled");
    let plant = weightless().model("load", ball(2.0, 0.1), at(0.0, 0.0, 0.3));
    let plant = b.add("plant", plant.model("tool", ball(1.0, 0.02), at(0.0, 0.0, 0.0)).build().unwrap());
    let cups = [Cup { link: "tool/body".into(), point: [0.0; 3], reaction: None }];
    let targets = [Target { link: "load/body".into(), face: Face::Sphere { center: [0.0; 3], radius: 0.1 } }];
    let law = Suction::InverseDistance { c: PULL.0, d0: PULL.1 };
    let gripper = b.add("gripper", VacuumGripper::new(&*plant, &cups, &targets, law).unwrap());
    b.connect(plant.body_poses(), gripper.body_poses);
    b.connect(gripper.applied_spatial_force, plant.applied_spatial_force_on_all());
    b.build().unwrap()
}

pub const SUCTION: Case = Case {
    feature: "suction",
    diagram: pulled,
    check: |simulation, found| {
        simulation.advance_to(0.4)?;
        let distance = value(simulation, "gripper.distance");
        found.holds(format!("they come near: {distance}"), distance < 0.19 && distance > 0.05);
        // The work of c/(d + d0) is c ln((d1 + d0)/(d2 + d0)).
        let work = PULL.0 * ((0.2 + PULL.1) / (distance + PULL.1)).ln();
        found.near("energy", simulation.energy().unwrap(), work, 0.01 * work);
        let (load, tool) = (velocity(simulation, "load").1, velocity(simulation, "tool").1);
        found.near("momentum", (load * 2.0 + tool).norm(), 0.0, 1e-9);
        Ok(())
    },
};
