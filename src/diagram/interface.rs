//! Interface of a diagram: its exports as the port declaration of the block that it becomes in another diagram.

use super::builder::DiagramBuilder;
use super::exports;
use super::fault::Side;
use kinegraph_core::Ports;

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
                Side::Input => ports.input_like(&alias.name, &inner.inputs()[port]),
                Side::Output => ports.output_like(&alias.name, &inner.outputs()[port]),
            };
        }
        ports
    }
}
