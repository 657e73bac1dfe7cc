//! A name that a nested diagram exports: a further name of ports inside it.

use super::fault::Side;

/// A name under which a nested diagram exports a port, or several inputs together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alias {
    /// Path of the diagram that exports it; empty for the diagram itself.
    pub diagram: String,
    /// Its name within that diagram.
    pub name: String,
    /// Whether it names inputs or an output.
    pub side: Side,
    /// What it names: block and index of the port; one output, or one or more inputs.
    pub ports: Vec<(usize, usize)>,
}

impl Alias {
    /// `diagram.name`, or the name alone for what the diagram itself exports.
    pub fn path(&self) -> String {
        if self.diagram.is_empty() { self.name.clone() } else { format!("{}.{}", self.diagram, self.name) }
    }
}

/// The names on one side that the nested diagram at path `diagram` exports.
pub(super) fn names(aliases: &[Alias], diagram: &str, side: Side) -> Vec<String> {
    let of_diagram = aliases.iter().filter(|alias| alias.diagram == diagram && alias.side == side);
    of_diagram.map(|alias| alias.name.clone()).collect()
}
