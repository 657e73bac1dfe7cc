//! Replacement of one block of a compiled diagram.

use super::alias::Alias;
use super::builder::DiagramBuilder;
use super::ends::{DiagramId, Export, PortRef};
use super::fault::{BuildError, BuildErrors, Side};
use super::structure::{Diagram, Source};
use kinegraph_core::{ErasedSystem, Ports};
use std::sync::Arc;

impl Diagram {
    /// Returns a new diagram in which the block named `path` is replaced by `block`, with all wires as before. The new
    /// block must have the ports of the old one: same names, kinds and widths, in any order. The state is transferred
    /// with [`carry_over`](Self::carry_over).
    ///
    /// # Errors
    /// All differences together, or the faults of the new wiring (a loop, if the new block has more direct
    /// feedthrough).
    pub fn replace(&self, path: &str, block: Arc<dyn ErasedSystem>) -> Result<Diagram, BuildErrors> {
        let index = self.find_block(path).map_err(|fault| BuildErrors(vec![fault]))?;
        let faults = differences(path, self.blocks()[index].system.ports(), block.ports());
        if !faults.is_empty() {
            return Err(BuildErrors(faults));
        }
        let mut builder = self.to_builder();
        builder.blocks[index].1 = block;
        builder.described.retain(|(name, _)| name != path);
        builder.build()
    }

    /// The diagram as a builder: the same blocks and wires, by path.
    pub fn to_builder(&self) -> DiagramBuilder {
        let mut builder = DiagramBuilder::new(self.name());
        builder.nested = self.nested().iter().map(|path| (DiagramId::fresh(), path.clone())).collect();
        builder.exports = self.exports(&builder);
        builder.solve_loops = self.inner.solve_loops;
        builder.accuracies = self.inner.accuracies.clone();
        builder.described = self.inner.described.clone();
        builder.units = self.inner.stated_units.clone();
        let mut fixed = self.inner.fixed.iter();
        for block in self.blocks() {
            builder.add_erased(block.name.clone(), block.system.clone());
            for (input, source) in block.system.ports().inputs().iter().zip(&block.sources) {
                let to = PortRef::Path(format!("{}.{}", block.name, input.name));
                match *source {
                    Source::Unconnected => {}
                    Source::Output { block: from, port } => {
                        let from = &self.blocks()[from];
                        let name = &from.system.ports().outputs()[port].name;
                        builder.wires.push((PortRef::Path(format!("{}.{name}", from.name)), to));
                    }
                    // Fixed values are laid out in the order of the inputs.
                    Source::Fixed => builder.fixed.extend(fixed.next().map(|(_, values)| (to, values.clone()))),
                }
            }
        }
        builder
    }
}

impl Diagram {
    /// All exports by path, for `builder`. Handles of nested diagrams are not kept.
    fn exports(&self, builder: &DiagramBuilder) -> Vec<Export> {
        let export = |alias: &Alias, &(block, port): &(usize, usize)| {
            let block = &self.blocks()[block];
            let ports = block.system.ports();
            let inner = match alias.side {
                Side::Input => &ports.inputs()[port].name,
                Side::Output => &ports.outputs()[port].name,
            };
            Export {
                owner: builder.nested.iter().find(|(_, path)| *path == alias.diagram).map_or(builder.id, |(id, _)| *id),
                scope: alias.diagram.clone(),
                name: alias.name.clone(),
                side: alias.side,
                port: PortRef::Path(format!("{}.{inner}", block.name)),
            }
        };
        self.aliases().iter().flat_map(|alias| alias.ports.iter().map(move |port| export(alias, port))).collect()
    }
}

fn differences(path: &str, old: &Ports, new: &Ports) -> Vec<BuildError> {
    let inputs = |ports: &Ports| -> Vec<_> {
        ports.inputs().iter().map(|p| ("input", p.name.clone(), p.kind, p.width, !p.optional)).collect()
    };
    let outputs = |ports: &Ports| -> Vec<_> {
        ports.outputs().iter().map(|p| ("output", p.name.clone(), p.kind, p.width, true)).collect()
    };
    let (old, new) = ([inputs(old), outputs(old)].concat(), [inputs(new), outputs(new)].concat());
    let fault = |port: &str, problem: String| BuildError::Replacement { path: format!("{path}.{port}"), problem };
    let mut faults = Vec::new();
    for (side, name, kind, width, _) in &old {
        match new.iter().find(|port| (port.0, &port.1) == (*side, name)) {
            None => faults.push(fault(name, format!("has no {side} of that name"))),
            Some((_, _, new_kind, new_width, _)) if (new_kind, new_width) != (kind, width) => faults.push(fault(
                name,
                format!("has it as {new_kind:?} of width {new_width} instead of {kind:?} of width {width}"),
            )),
            Some(_) => {}
        }
    }
    for (side, name, _, _, required) in &new {
        if *required && *side == "input" && !old.iter().any(|port| (port.0, &port.1) == (*side, name)) {
            faults.push(fault(name, "asks for this further input".to_owned()));
        }
    }
    faults
}
