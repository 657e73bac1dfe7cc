//! Interface of a diagram: its exports as the port declaration of the block that it becomes in another diagram.

use super::builder::DiagramBuilder;
use super::exports;
use super::fault::Side;
use kinegraph_core::port::{InputPort, OutputPort};
use kinegraph_core::signal::{BodyPoses, BodyVelocities, Image, MultibodyState, SpatialForces};
use kinegraph_core::{Dyn, Ports, Signal, SignalKind};

impl DiagramBuilder {
    /// The ports that the diagram exports, for inspection before it is nested. Inputs exported together count as the
    /// first of them; faulty exports are left out.
    pub fn interface(&self) -> Ports {
        let lookup = exports::lookup(self, &mut Vec::new());
        let mut ports = Ports::new();
        for alias in lookup.aliases.iter().filter(|alias| alias.diagram.is_empty()) {
            let Some(&(block, port)) = alias.ports.first() else { continue };
            let inner = lookup.blocks[block].1.ports();
            match alias.side {
                Side::Input => declare_input(&mut ports, &alias.name, &inner.inputs()[port]),
                Side::Output => declare_output(&mut ports, &alias.name, &inner.outputs()[port]),
            }
        }
        ports
    }
}

fn declare_input(ports: &mut Ports, name: &str, inner: &InputPort) {
    fn declare<T: Signal>(ports: &mut Ports, name: &str, inner: &InputPort) {
        if inner.optional {
            ports.optional_input_of_width::<T>(name, inner.width);
        } else {
            ports.input_of_width::<T>(name, inner.width);
        }
    }
    match inner.kind {
        SignalKind::Vector => declare::<Dyn>(ports, name, inner),
        SignalKind::MultibodyState => declare::<MultibodyState>(ports, name, inner),
        SignalKind::BodyPoses => declare::<BodyPoses>(ports, name, inner),
        SignalKind::BodyVelocities => declare::<BodyVelocities>(ports, name, inner),
        SignalKind::SpatialForces => declare::<SpatialForces>(ports, name, inner),
        SignalKind::Image => declare::<Image>(ports, name, inner),
    }
}

fn declare_output(ports: &mut Ports, name: &str, inner: &OutputPort) {
    fn declare<T: Signal>(ports: &mut Ports, name: &str, inner: &OutputPort) {
        let output = ports.output_of_width::<T>(name, inner.width);
        if !inner.elements.is_empty() {
            ports.name_elements(output, inner.elements.clone());
        }
    }
    match inner.kind {
        SignalKind::Vector => declare::<Dyn>(ports, name, inner),
        SignalKind::MultibodyState => declare::<MultibodyState>(ports, name, inner),
        SignalKind::BodyPoses => declare::<BodyPoses>(ports, name, inner),
        SignalKind::BodyVelocities => declare::<BodyVelocities>(ports, name, inner),
        SignalKind::SpatialForces => declare::<SpatialForces>(ports, name, inner),
        SignalKind::Image => declare::<Image>(ports, name, inner),
    }
}
