//! Finding blocks and ports by handle, path or exported name.

use super::alias::{self, Alias};
use super::builder::DiagramBuilder;
use super::copies;
use super::ends::{DiagramId, PortRef};
use super::fault::{BuildError, Side};
use kinegraph_core::port::BlockId;
use kinegraph_core::{ErasedSystem, Ports};
use std::collections::HashMap;
use std::sync::Arc;

/// Blocks of a diagram by name and by identity, and the exports of nested diagrams.
pub(super) struct Lookup<'a> {
    pub diagram: &'a str,
    pub blocks: &'a [(String, Arc<dyn ErasedSystem>)],
    pub by_id: HashMap<BlockId, usize>,
    pub by_name: HashMap<&'a str, usize>,
    /// The diagrams nested in this one, with their paths.
    pub nested: &'a [(DiagramId, String)],
    pub aliases: Vec<Alias>,
    /// The diagram that exports each alias.
    pub owners: Vec<DiagramId>,
}

/// Ports that a name stands for: one, or several inputs that are exported together; none if the export is faulty.
pub(super) struct Found {
    pub ports: Vec<(usize, usize)>,
    /// The exported name, if the port was named by one.
    pub alias: Option<usize>,
}

impl<'a> Lookup<'a> {
    /// Indexes the blocks, without aliases. Duplicate names and names that a path cannot contain are faults; the first
    /// block with a name keeps it.
    pub fn new(builder: &'a DiagramBuilder, faults: &mut Vec<BuildError>) -> Self {
        let blocks = builder.blocks.as_slice();
        let mut by_id = HashMap::new();
        let mut by_name = HashMap::new();
        for (index, (name, system)) in blocks.iter().enumerate() {
            if !is_valid_block(name) {
                faults.push(BuildError::InvalidName { name: name.clone() });
            }
            if *by_name.entry(name.as_str()).or_insert(index) != index {
                faults.push(BuildError::DuplicateName { name: name.clone() });
            }
            let first = *by_id.entry(system.ports().id()).or_insert(index);
            if first != index {
                faults.push(BuildError::SameBlockTwice { first: blocks[first].0.clone(), second: name.clone() });
            }
        }
        for (i, (_, name)) in builder.nested.iter().enumerate() {
            if by_name.contains_key(name.as_str()) || builder.nested[..i].iter().any(|(_, other)| other == name) {
                faults.push(BuildError::DuplicateName { name: name.clone() });
            }
        }
        let (diagram, nested) = (builder.name.as_str(), builder.nested.as_slice());
        let (aliases, owners) = (Vec::new(), Vec::new());
        Lookup { diagram, blocks, by_id, by_name, nested, aliases, owners }
    }

    /// Ports that `port` stands for on the given side.
    pub fn resolve(&self, port: &PortRef, side: Side) -> Result<Found, BuildError> {
        let foreign = || BuildError::ForeignHandle { diagram: self.diagram.to_owned(), side, other: None };
        match port {
            PortRef::Handle(id, index) => {
                let block = *self.by_id.get(id).ok_or_else(foreign)?;
                Ok(Found { ports: vec![(block, *index)], alias: None })
            }
            PortRef::Path(path) => self.resolve_path(path, side),
            PortRef::Export(owner, name) => {
                let (_, diagram) = self.nested.iter().find(|(id, _)| id == owner).ok_or_else(foreign)?;
                self.exported(&format!("{diagram}.{name}"), diagram, name, side)
            }
        }
    }

    fn resolve_path(&self, path: &str, side: Side) -> Result<Found, BuildError> {
        // Port names may contain dots (`arm.state`), block names may not.
        let Some((block, port)) = path.split_once('.') else {
            return Err(BuildError::MalformedPath { path: path.to_owned() });
        };
        if let Some(&index) = self.by_name.get(block) {
            let ports = self.blocks[index].1.ports();
            return match position(ports, port, side) {
                Some(found) => Ok(Found { ports: vec![(index, found)], alias: None }),
                None => Err(BuildError::unknown_port(path, block, port, side, |side| side.names(ports))),
            };
        }
        if self.nested.iter().any(|(_, nested)| nested == block) {
            return self.exported(path, block, port, side);
        }
        let names = self.blocks.iter().map(|(name, _)| name).chain(self.nested.iter().map(|(_, name)| name));
        Err(BuildError::unknown_block(path, block, names.cloned().collect()))
    }

    fn exported(&self, path: &str, diagram: &str, name: &str, side: Side) -> Result<Found, BuildError> {
        let wanted = (diagram, name, side);
        match self.aliases.iter().position(|a| (a.diagram.as_str(), a.name.as_str(), a.side) == wanted) {
            Some(alias) => Ok(Found { ports: self.aliases[alias].ports.clone(), alias: Some(alias) }),
            None => {
                let names = |side| alias::names(&self.aliases, diagram, side);
                Err(BuildError::unknown_port(path, diagram, name, side, names))
            }
        }
    }

    /// The outermost exported name of an input.
    pub fn input_alias(&self, port: (usize, usize)) -> Option<usize> {
        // The innermost diagrams come first.
        self.aliases.iter().rposition(|alias| alias.side == Side::Input && alias.ports.contains(&port))
    }

    /// Path of an input; if exported names were used for it, the first of them.
    pub fn named_input(&self, alias: Option<usize>, port: (usize, usize)) -> String {
        self.named(alias, self.input_path(port))
    }

    /// Path of an output; if exported names were used for it, the first of them.
    pub fn named_output(&self, alias: Option<usize>, port: (usize, usize)) -> String {
        self.named(alias, self.output_path(port))
    }

    fn named(&self, alias: Option<usize>, path: String) -> String {
        alias.map_or(path.clone(), |alias| format!("{} ({path})", self.aliases[alias].path()))
    }

    pub fn input_path(&self, (block, port): (usize, usize)) -> String {
        format!("{}.{}", self.blocks[block].0, self.blocks[block].1.ports().inputs()[port].name)
    }

    pub fn output_path(&self, (block, port): (usize, usize)) -> String {
        format!("{}.{}", self.blocks[block].0, self.blocks[block].1.ports().outputs()[port].name)
    }
}

fn position(ports: &Ports, name: &str, side: Side) -> Option<usize> {
    match side {
        Side::Input => ports.inputs().iter().position(|port| port.name == name),
        Side::Output => ports.outputs().iter().position(|port| port.name == name),
    }
}

/// True if `name` may be that of a block, each part of which may be a copy: `row[3]/pid`.
fn is_valid_block(name: &str) -> bool {
    name.split('/').all(|part| is_valid(copies::split(part).map_or(part, |(all, _)| all)))
}

pub(super) fn is_valid(name: &str) -> bool {
    let valid_char = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    name.split('/').all(|part| !part.is_empty() && part.chars().all(valid_char))
}
