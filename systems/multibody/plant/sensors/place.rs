//! Placement of sensors: from the names of a sensor to the indices of a plant.

use super::{Measure, Placed, PlacedLength};
use crate::plant::error::PlantError;
use crate::plant::single_axis::single_axis;
use crate::plant::spatial_tendon::PlacedTendon;
use crate::sensor_data::{FrameOnLink, Length, ModelSensor, Quantity};
use crate::tree::TreeJoint;
use crate::{JointKind, Tree};
use kinegraph_core::names::nearest;

/// Quantity of a sensor of `model` by indices; `None` after adding faults.
pub(super) fn measure(
    tree: &Tree,
    model: &str,
    sensor: &ModelSensor,
    tendons: &[PlacedTendon],
    faults: &mut Vec<PlantError>,
) -> Option<Measure> {
    let mut find = Find { tree, model, tendons, faults };
    Some(match &sensor.quantity {
        Quantity::Time => Measure::Time,
        Quantity::PotentialEnergy => Measure::PotentialEnergy,
        Quantity::KineticEnergy => Measure::KineticEnergy,
        Quantity::Length(length) => Measure::Length(find.length(length)?),
        Quantity::Rate(length) => Measure::Rate(find.length(length)?),
        Quantity::Turn(joint) => Measure::Turn(find.ball(joint)?.positions.start),
        Quantity::TurnRate(joint) => Measure::TurnRate(find.ball(joint)?.velocities.start),
        Quantity::StopDistance(joint) => find.stop(joint)?.map_or(Measure::NoStop, Measure::StopDistance),
        Quantity::StopRate(joint) => find.stop(joint)?.map_or(Measure::NoStop, Measure::StopRate),
        Quantity::StopForce(joint) => find.stop(joint)?.map_or(Measure::NoStop, Measure::StopForce),
        Quantity::JointEffort(joint) => Measure::Effort(find.single(joint)?.velocities.start, 1.0),
        Quantity::ActuatorForce { joint, coefficient } => {
            Measure::Effort(find.single(joint)?.velocities.start, *coefficient)
        }
        Quantity::Frame { frame, seen_from, what } => Measure::Frame {
            frame: find.frame(frame)?,
            seen_from: match seen_from {
                Some(frame) => Some(find.frame(frame)?),
                None => None,
            },
            what: *what,
        },
        Quantity::Subtree { link, what } => {
            let root = find.link(link)?;
            // Bodies come after their parents.
            let mut bodies = vec![root];
            let all = tree.bodies();
            bodies.extend((1..all.len()).filter(|b| *b != root && is_below(tree, *b, root)));
            Measure::Subtree { bodies, what: *what }
        }
        Quantity::Field { frame, field_W } => Measure::Field { frame: find.frame(frame)?, field_W: *field_W },
        Quantity::Touch { frame, zone } => Measure::Touch { frame: find.frame(frame)?, zone: zone.clone() },
        Quantity::Range(frame) => Measure::Range(find.frame(frame)?),
    })
}

/// True if `body` is `root` or one of its descendants.
fn is_below(tree: &Tree, mut body: usize, root: usize) -> bool {
    while body != 0 && body != root {
        body = tree.bodies()[body].parent;
    }
    body == root
}

struct Find<'a> {
    tree: &'a Tree,
    model: &'a str,
    tendons: &'a [PlacedTendon],
    faults: &'a mut Vec<PlantError>,
}

impl<'a> Find<'a> {
    fn link(&mut self, link: &str) -> Option<usize> {
        let name = format!("{}/{link}", self.model);
        let found = self.tree.body(&name);
        if found.is_none() {
            let nearest = nearest(&name, self.tree.bodies().iter().map(|body| &body.name));
            self.faults.push(PlantError::Unknown { kind: "link", name, nearest });
        }
        found
    }

    fn frame(&mut self, frame: &FrameOnLink) -> Option<Placed> {
        Some(Placed { body: self.link(&frame.link)?, X_BF: frame.X_LF })
    }

    fn single(&mut self, joint: &str) -> Option<&'a TreeJoint> {
        single_axis(self.tree, &format!("{}/{joint}", self.model), "a sensor", self.faults)
    }

    fn ball(&mut self, joint: &str) -> Option<&'a TreeJoint> {
        let name = format!("{}/{joint}", self.model);
        let found = self.tree.joint(&name).map(|i| &self.tree.joints()[i]).filter(|j| j.kind == JointKind::Ball);
        if found.is_none() {
            let balls = self.tree.joints().iter().filter(|j| j.kind == JointKind::Ball);
            let nearest = nearest(&name, balls.map(|j| &j.name));
            self.faults.push(PlantError::Unknown { kind: "ball joint", name, nearest });
        }
        found
    }

    /// Index of the stops of a joint; `Some(None)`: it has none.
    fn stop(&mut self, joint: &str) -> Option<Option<usize>> {
        let velocity = self.single(joint)?.velocities.start;
        Some(self.tree.limits().iter().position(|limit| limit.velocity == velocity))
    }

    fn length(&mut self, length: &Length) -> Option<PlacedLength> {
        match length {
            Length::Joints(joints) => {
                let mut placed = Vec::new();
                for (joint, coefficient) in joints {
                    let joint = self.single(joint)?;
                    placed.push((joint.positions.start, joint.velocities.start, *coefficient));
                }
                Some(PlacedLength::Joints(placed))
            }
            Length::Tendon(name, coefficient) => {
                let name = format!("{}/{name}", self.model);
                let found = self.tendons.iter().position(|tendon| tendon.name == name);
                if found.is_none() {
                    let nearest = nearest(&name, self.tendons.iter().map(|tendon| &tendon.name));
                    self.faults.push(PlantError::Unknown { kind: "spatial tendon", name, nearest });
                }
                Some(PlacedLength::Tendon(found?, *coefficient))
            }
        }
    }
}
