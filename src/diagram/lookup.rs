//! Finding blocks and ports by name, and the name that was probably meant.

use super::builder::PortRef;
use super::fault::{BuildError, Side};
use kinegraph_systems::port::BlockId;
use kinegraph_systems::{ErasedSystem, Ports};
use std::collections::HashMap;
use std::sync::Arc;

/// The blocks of a diagram by name and by identity.
pub(super) struct Lookup<'a> {
    pub diagram: &'a str,
    pub blocks: &'a [(String, Arc<dyn ErasedSystem>)],
    pub by_id: HashMap<BlockId, usize>,
    pub by_name: HashMap<&'a str, usize>,
}

impl<'a> Lookup<'a> {
    /// Indexes the blocks; names that clash or could not be written in a path are faults (the first holder of a name keeps it).
    pub fn new(diagram: &'a str, blocks: &'a [(String, Arc<dyn ErasedSystem>)], faults: &mut Vec<BuildError>) -> Self {
        let mut by_id = HashMap::new();
        let mut by_name = HashMap::new();
        for (index, (name, system)) in blocks.iter().enumerate() {
            if !is_valid(name) {
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
        Lookup { diagram, blocks, by_id, by_name }
    }

    /// Block and port indices of `port`, which must be on the given side.
    pub fn resolve(&self, port: &PortRef, side: Side) -> Result<(usize, usize), BuildError> {
        match port {
            PortRef::Handle(id, index) => match self.by_id.get(id) {
                Some(&block) => Ok((block, *index)),
                None => Err(BuildError::ForeignHandle { diagram: self.diagram.to_owned(), side, other: None }),
            },
            PortRef::Path(path) => self.resolve_path(path, side),
        }
    }

    fn resolve_path(&self, path: &str, side: Side) -> Result<(usize, usize), BuildError> {
        // Port names may contain dots (`arm.state`), block names may not.
        let Some((block, port)) = path.split_once('.') else {
            return Err(BuildError::MalformedPath { path: path.to_owned() });
        };
        let Some(&index) = self.by_name.get(block) else {
            let valid: Vec<String> = self.blocks.iter().map(|(name, _)| name.clone()).collect();
            let nearest = nearest(block, &valid);
            return Err(BuildError::UnknownBlock { path: path.to_owned(), block: block.to_owned(), nearest, valid });
        };
        let ports = self.blocks[index].1.ports();
        match position(ports, port, side) {
            Some(found) => Ok((index, found)),
            None => Err(unknown_port(path, block, port, side, ports)),
        }
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

/// The fault of asking block `block` for a port it does not have.
pub(super) fn unknown_port(path: &str, block: &str, port: &str, side: Side, ports: &Ports) -> BuildError {
    let (valid, other): (Vec<String>, Side) = match side {
        Side::Input => (ports.inputs().iter().map(|p| p.name.clone()).collect(), Side::Output),
        Side::Output => (ports.outputs().iter().map(|p| p.name.clone()).collect(), Side::Input),
    };
    BuildError::UnknownPort {
        path: path.to_owned(),
        block: block.to_owned(),
        port: port.to_owned(),
        side,
        opposite: position(ports, port, other).is_some(),
        nearest: nearest(port, &valid),
        valid,
    }
}

/// The candidate most like `name`, if any is alike enough to be a slip of the pen.
pub(crate) fn nearest(name: &str, candidates: &[String]) -> Option<String> {
    let alike = |candidate: &String| strsim::normalized_damerau_levenshtein(name, candidate);
    candidates.iter().filter(|c| alike(c) >= 0.5).max_by(|a, b| alike(a).total_cmp(&alike(b))).cloned()
}

fn is_valid(name: &str) -> bool {
    let valid_char = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    name.split('/').all(|part| !part.is_empty() && part.chars().all(valid_char))
}
