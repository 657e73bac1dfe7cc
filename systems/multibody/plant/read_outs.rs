//! Outputs that report results of the last accepted step. The integrator passes a [`StepRecord`]; the reported values
//! are discrete state of the plant, so that they are saved, restored and held like any other sampled value.

use super::actuator::PlacedActuator;
use super::channels::link_channels;
use crate::{Kinematics, Tree};
use kinegraph_core::context::{Context, Outputs};
use kinegraph_core::convex::{ConstraintKind, ConstraintStructure};
use kinegraph_core::port::{Out, Ports};
use kinegraph_core::scalar::Scalar;
use kinegraph_core::signal::{Dyn, SpatialForces};
use kinegraph_core::step_record::StepRecord;
use nalgebra::Vector3;
use std::ops::Range;

/// The ports, and their ranges in the discrete state.
#[derive(Debug)]
pub(super) struct ReadOuts {
    pub contact_results: Out<SpatialForces>,
    pub reaction_forces: Out<SpatialForces>,
    pub net_actuation: Out<Dyn>,
    pub net_actuation_of: Vec<Out<Dyn>>,
    /// Multipliers: the joint stops, then the constraints.
    pub constraint_forces: Out<Dyn>,
    contacts: Range<usize>,
    reactions: Range<usize>,
    efforts: Range<usize>,
    efforts_of: Vec<Range<usize>>,
    constraints: Range<usize>,
    /// The reported ones of the six numbers of each constraint.
    multipliers: Vec<Range<usize>>,
    /// The velocities of `net_actuation`: for each actuator, the first that it drives.
    actuated: Vec<Option<usize>>,
    ports: Range<usize>,
}

impl ReadOuts {
    pub fn new(
        tree: &Tree,
        actuated: &[Vec<PlacedActuator>],
        constraints: &[ConstraintStructure],
        ports: &mut Ports,
    ) -> Self {
        let joint_of = |velocity: usize| tree.joints().iter().find(|joint| joint.velocities.contains(&velocity));
        let named = |velocity: usize, what: &str| {
            joint_of(velocity).map_or_else(String::new, |j| format!("{}.{what}", j.name.replacen('/', ".", 1)))
        };
        let mut forces: Vec<String> = Vec::new();
        let mut multipliers = Vec::new();
        for constraint in constraints {
            let name = constraint.name.replacen('/', ".", 1);
            let (numbers, elements): (_, &[&str]) = match constraint.kind {
                ConstraintKind::Weld | ConstraintKind::Bushing | ConstraintKind::Beam => {
                    (0..6, &["tx", "ty", "tz", "fx", "fy", "fz"])
                }
                ConstraintKind::Ball => (3..6, &["fx", "fy", "fz"]),
                ConstraintKind::Distance | ConstraintKind::Coupler => (0..1, &["force"]),
            };
            multipliers.push(numbers);
            forces.extend(elements.iter().map(|element| format!("constraints.{name}.{element}")));
        }
        let stops: Vec<usize> = tree.limits().iter().map(|limit| limit.velocity).collect();
        let all: Vec<&PlacedActuator> = actuated.iter().flatten().collect();
        let mut at = ports.discrete_width();
        let mut range = |width: usize| {
            at += width;
            at - width..at
        };
        let wrenches = 6 * (tree.bodies().len() - 1);
        let (contacts, reactions) = (range(wrenches), range(wrenches));
        let (efforts, constraints) = (range(all.len()), range(stops.len() + forces.len()));
        let mut first = efforts.start;
        let mut efforts_of = Vec::new();
        for joints in actuated {
            efforts_of.push(first..first + joints.len());
            first += joints.len();
        }
        for (name, range) in [
            ("contact_results", &contacts),
            ("reaction_forces", &reactions),
            ("net_actuation", &efforts),
            ("constraint_forces", &constraints),
        ] {
            ports.discrete_state(name, vec![0.0; range.len()]);
        }
        let first_port = ports.outputs().len();
        let contact_results = ports.output_of_width("contact_results", wrenches);
        let reaction_forces = ports.output_of_width("reaction_forces", wrenches);
        let net_actuation = ports.output_of_width("net_actuation", all.len());
        let constraint_forces = ports.output_of_width("constraint_forces", stops.len() + forces.len());
        let of_contact = ["contact.tx", "contact.ty", "contact.tz", "contact.fx", "contact.fy", "contact.fz"];
        ports.name_elements(contact_results, link_channels(tree, &of_contact));
        let of_parent = ["reaction.tx", "reaction.ty", "reaction.tz", "reaction.fx", "reaction.fy", "reaction.fz"];
        ports.name_elements(reaction_forces, link_channels(tree, &of_parent));
        ports.name_elements(net_actuation, all.iter().map(|a| format!("{}.effort", a.name)).collect());
        ports.name_elements(constraint_forces, stops.iter().map(|&v| named(v, "stop")).chain(forces).collect());
        let mut net_actuation_of = Vec::new();
        for (part, joints) in tree.models().iter().zip(actuated) {
            let port = ports.output_of_width(format!("{}.net_actuation", part.name), joints.len());
            ports.name_elements(port, joints.iter().map(|a| format!("{}.effort", a.name)).collect());
            ports.no_feedthrough(port);
            net_actuation_of.push(port);
        }
        ports.no_feedthrough(contact_results);
        ports.no_feedthrough(reaction_forces);
        ports.no_feedthrough(net_actuation);
        ports.no_feedthrough(constraint_forces);
        ReadOuts {
            contact_results,
            reaction_forces,
            net_actuation,
            net_actuation_of,
            constraint_forces,
            contacts,
            reactions,
            efforts,
            efforts_of,
            constraints,
            multipliers,
            actuated: all.iter().map(|a| a.velocities().next()).collect(),
            ports: first_port..ports.outputs().len(),
        }
    }

    /// Force on every link from its parent in the last step, in the discrete state.
    pub fn reactions_in<'d>(&self, discrete: &'d [f64]) -> &'d [f64] {
        discrete.get(self.reactions.clone()).unwrap_or(&[])
    }

    /// Index in the discrete state, and velocity, of each reported effort.
    pub fn efforts(&self) -> impl Iterator<Item = (usize, usize)> {
        self.efforts.clone().zip(&self.actuated).filter_map(|(at, velocity)| velocity.map(|velocity| (at, velocity)))
    }

    /// True if output `port` is one of these.
    pub fn contains(&self, port: usize) -> bool {
        self.ports.contains(&port)
    }

    /// Writes the wanted outputs: constants during the next step.
    pub fn write<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let write = |values: Option<&[f64]>, to: &mut [S]| {
            to.iter_mut().zip(values.unwrap_or(&[])).for_each(|(to, value)| *to = S::constant(*value));
        };
        for (port, range) in [(self.contact_results, &self.contacts), (self.reaction_forces, &self.reactions)] {
            if out.wanted(port) {
                write(ctx.discrete.get(range.clone()), out.slice(port));
            }
        }
        let numbers = [(self.net_actuation, &self.efforts), (self.constraint_forces, &self.constraints)];
        for (port, range) in numbers.into_iter().chain(self.net_actuation_of.iter().copied().zip(&self.efforts_of)) {
            if out.wanted(port) {
                write(ctx.discrete.get(range.clone()), out.slice(port));
            }
        }
    }

    /// Stores a step in the discrete state; `k` has the positions of its start.
    pub fn store(
        &self,
        tree: &Tree,
        gravity: &Vector3<f64>,
        record: &StepRecord,
        k: &mut Kinematics<f64>,
        discrete: &mut [f64],
    ) {
        for (to, velocity) in discrete[self.efforts.clone()].iter_mut().zip(&self.actuated) {
            *to = velocity.map_or(0.0, |velocity| record.actuation[velocity]);
        }
        let given = self.multipliers.iter().zip(&record.multipliers);
        let multipliers = given.flat_map(|(range, numbers)| &numbers[range.clone()]);
        for (to, force) in discrete[self.constraints.clone()].iter_mut().zip(record.stops.iter().chain(multipliers)) {
            *to = *force;
        }
        // Velocities of the record: locked joints had other ones just before the step.
        tree.velocity_kinematics(&record.v, k);
        let wrenches = &mut discrete[self.contacts.clone()];
        wrenches.fill(0.0);
        for contact in &record.contacts {
            let (force, p_WC) = (Vector3::from(contact.force), Vector3::from(contact.p_WC));
            let turning = Vector3::from(contact.torque());
            for (body, force, turning) in [(contact.body_a, -force, -turning), (contact.body_b, force, turning)] {
                if body == 0 {
                    continue;
                }
                let torque = (p_WC - tree.X_WB(k, body).p_WB).cross(&force) + turning;
                let sum = &mut wrenches[6 * (body - 1)..6 * body];
                sum.iter_mut().zip(torque.iter().chain(force.iter())).for_each(|(sum, x)| *sum += x);
            }
        }
        let (before, reactions) = discrete.split_at_mut(self.reactions.start);
        let contacts = &before[self.contacts.clone()];
        let external = |body: usize, i: usize| {
            let contact = if body == 0 { 0.0 } else { contacts[6 * (body - 1) + i] };
            contact + record.wrenches.get(body).map_or(0.0, |wrench| wrench[i])
        };
        let v_dot = |i: usize| (record.velocity[i] - record.v[i]) / record.length;
        let reactions = &mut reactions[..self.reactions.len()];
        tree.reaction_forces(k, v_dot, gravity, external, reactions);
    }
}
