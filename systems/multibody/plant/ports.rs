//! The ports of a plant.

use super::activation;
use super::actuator::PlacedActuator;
use super::belt::PlacedBelt;
use super::channels::link_channels;
use super::read_outs::ReadOuts;
use crate::Tree;
use kinegraph_core::convex::ConstraintStructure;
use kinegraph_core::port::{In, Out, Ports};
use kinegraph_core::signal::{BodyPoses, BodyVelocities, Dyn, MultibodyState, SpatialForces};

/// The ports of one model.
#[derive(Clone, Copy, Debug)]
pub(super) struct ModelPorts {
    pub state: Out<MultibodyState>,
    pub actuation: In<Dyn>,
    pub applied_generalized_force: In<Dyn>,
    pub applied_spatial_force: In<SpatialForces>,
}

/// All ports of a plant.
#[derive(Debug)]
pub(super) struct PlantPorts {
    pub ports: Ports,
    pub models: Vec<ModelPorts>,
    pub state: Out<MultibodyState>,
    pub body_poses: Out<BodyPoses>,
    pub body_velocities: Out<BodyVelocities>,
    pub applied_spatial_force: In<SpatialForces>,
    pub belt_speeds: Vec<In<Dyn>>,
    pub read_outs: ReadOuts,
    /// For each model and actuator its own input; `None` if another port has its name.
    pub actuators: Vec<Vec<Option<In<Dyn>>>>,
    /// Input for the activations of all actuators that have one, from the block that comes with the plant.
    pub activations: Option<In<Dyn>>,
    /// For each model and actuator, the index of its own activation.
    pub activation_of: Vec<Vec<Option<usize>>>,
}

/// Unit of the effort on a velocity of this unit.
pub(super) fn effort_unit(velocity: &&'static str) -> &'static str {
    match *velocity {
        "rad/s" => "N m",
        "m/s" => "N",
        _ => "",
    }
}

impl PlantPorts {
    pub fn new(
        tree: &Tree,
        actuated: &[Vec<PlacedActuator>],
        belts: &[PlacedBelt],
        constraints: &[ConstraintStructure],
        initial: (Vec<f64>, Vec<f64>),
    ) -> Self {
        let mut ports = Ports::new();
        let (q_names, v_names) = (tree.position_names(), tree.velocity_names());
        ports.named_continuous_state("q", q_names.clone(), initial.0);
        ports.named_continuous_state("v", v_names.clone(), initial.1);
        let (q_units, v_units) = (tree.position_units(), tree.velocity_units());
        let models = tree
            .models()
            .iter()
            .zip(actuated)
            .map(|(part, actuated)| {
                let name = &part.name;
                let (nq, nv) = (part.positions.len(), part.velocities.len());
                let state = ports.output_of_width(format!("{name}.state"), nq + nv);
                let q = q_names[part.positions.clone()].iter();
                ports.name_elements(state, q.chain(&v_names[part.velocities.clone()]).cloned().collect());
                let units = [&q_units[part.positions.clone()], &v_units[part.velocities.clone()]];
                ports.set_units(state, units.concat());
                ports.no_feedthrough(state);
                let actuation = ports.optional_input_of_width(format!("{name}.actuation"), actuated.len());
                ports.name_input_elements(actuation, actuated.iter().map(|a| a.name.clone()).collect());
                ports.set_input_units(actuation, actuated.iter().map(|a| a.control_unit(&v_units)).collect());
                let applied = ports.optional_input_of_width(format!("{name}.applied_generalized_force"), nv);
                ports.set_input_units(applied, v_units[part.velocities.clone()].iter().map(effort_unit).collect());
                let directions = v_names[part.velocities.clone()].iter();
                ports.name_input_elements(
                    applied,
                    directions.map(|v| v.strip_suffix(".v").unwrap_or(v).into()).collect(),
                );
                let on_links = format!("{name}.applied_spatial_force");
                ModelPorts {
                    state,
                    actuation,
                    applied_generalized_force: applied,
                    applied_spatial_force: ports.optional_input_of_width(on_links, 6 * part.bodies.len()),
                }
            })
            .collect();
        let state = ports.output_of_width("state", q_names.len() + v_names.len());
        ports.name_elements(state, q_names.into_iter().chain(v_names).collect());
        ports.set_units(state, [q_units, v_units].concat());
        ports.no_feedthrough(state);
        let bodies = tree.bodies().len() - 1;
        let body_poses = ports.output_of_width("body_poses", 7 * bodies);
        let body_velocities = ports.output_of_width("body_velocities", 6 * bodies);
        ports.name_elements(
            body_poses,
            link_channels(tree, &["pose.px", "pose.py", "pose.pz", "pose.qw", "pose.qx", "pose.qy", "pose.qz"]),
        );
        let v = ["velocity.wx", "velocity.wy", "velocity.wz", "velocity.vx", "velocity.vy", "velocity.vz"];
        ports.name_elements(body_velocities, link_channels(tree, &v));
        ports.no_feedthrough(body_poses);
        ports.no_feedthrough(body_velocities);
        let applied_spatial_force = ports.optional_input_of_width("applied_spatial_force", 6 * bodies);
        let speed = |belt: &PlacedBelt| ports.optional_input_of_width(format!("{}.speed", belt.name), 1);
        let belt_speeds = belts.iter().map(speed).collect();
        let read_outs = ReadOuts::new(tree, actuated, constraints, &mut ports);
        PlantPorts {
            ports,
            models,
            state,
            body_poses,
            body_velocities,
            applied_spatial_force,
            belt_speeds,
            read_outs,
            actuators: Vec::new(),
            activations: None,
            activation_of: Vec::new(),
        }
    }

    /// Declares an input for every actuator, after all others, so that these keep their names; and one for activations.
    pub fn name_actuators(&mut self, actuated: &[Vec<PlacedActuator>], v_units: &[&'static str]) {
        for (model, actuators) in self.models.iter().zip(actuated) {
            let (ports, whole) = (&mut self.ports, model.actuation);
            let own = |actuator: &PlacedActuator| {
                let free = ports.inputs().iter().all(|port| port.name != actuator.name);
                free.then(|| {
                    let element = ports.input_element(whole, actuator.name.clone());
                    ports.set_input_units(element, vec![actuator.control_unit(v_units)]);
                    element
                })
            };
            self.actuators.push(actuators.iter().map(own).collect());
        }
        let mut count = 0;
        for actuators in actuated {
            let number = |actuator: &PlacedActuator| {
                actuator.activation.map(|_| {
                    count += 1;
                    count - 1
                })
            };
            self.activation_of.push(actuators.iter().map(number).collect());
        }
        if count > 0 {
            self.activations = Some(self.ports.optional_input_of_width(activation::BLOCK, count));
        }
    }
}
