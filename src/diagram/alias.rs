//! Exported names of nested diagrams: further names of ports inside them.

use super::fault::Side;

/// Name under which a nested diagram exports an output, or one or more inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alias {
    /// Path of the diagram that exports it; empty for the diagram itself.
    pub diagram: String,
    /// Its name within that diagram.
    pub name: String,
    /// Side of the ports: inputs or an output.
    pub side: Side,
    /// Ports that the name stands for, as block and index of the port: one output, or one or more inputs.
    pub ports: Vec<(usize, usize)>,
}

impl Alias {
    /// Returns `diagram.name`, or the name alone if the diagram itself exports it.
    pub fn path(&self) -> String {
        if self.diagram.is_empty() { self.name.clone() } else { format!("{}.{}", self.diagram, self.name) }
    }
}

/// Names on one side that the nested diagram at path `diagram` exports.
pub(super) fn names(aliases: &[Alias], diagram: &str, side: Side) -> Vec<String> {
    let of_diagram = aliases.iter().filter(|alias| alias.diagram == diagram && alias.side == side);
    of_diagram.map(|alias| alias.name.clone()).collect()
}
