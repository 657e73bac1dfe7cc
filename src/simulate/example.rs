//! The ports of block types, read off their examples.

use super::assemble;
use crate::diagram::Side;
use crate::files::{BlockType, Catalog, LoadError};
use kinegraph_systems::SignalKind;

/// One port of the example of a block type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExamplePort {
    /// Whether the block reads or writes it.
    pub side: Side,
    /// Its name within the block.
    pub name: String,
    /// What its numbers mean.
    pub kind: SignalKind,
    /// How many numbers it has in the example.
    pub width: usize,
    /// Whether it may stay unconnected.
    pub optional: bool,
}

/// The ports of the example of a block type, inputs first; the example may name the block types of `catalog`.
///
/// # Errors
/// None, so long as the examples are right.
pub fn ports_of_example(block: &BlockType, catalog: &Catalog) -> Result<Vec<ExamplePort>, LoadError> {
    let loaded = catalog.load_example(block, &[])?;
    let parts = assemble::parts(loaded.diagram.graph(), &loaded.loader);
    let Some(Some(part)) = parts.first() else { return Err(loaded.failed()) };
    let ports = part.ports();
    let inputs = ports.inputs().iter().map(|port| ExamplePort {
        side: Side::Input,
        name: port.name.clone(),
        kind: port.kind,
        width: port.width,
        optional: port.optional,
    });
    let outputs = ports.outputs().iter().map(|port| ExamplePort {
        side: Side::Output,
        name: port.name.clone(),
        kind: port.kind,
        width: port.width,
        optional: false,
    });
    Ok(inputs.chain(outputs).collect())
}
