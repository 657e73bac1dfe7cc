//! Names of all numbers that can be recorded.

use super::fault::{BuildError, Side};
use super::structure::Diagram;

/// One number of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// `block.element` where the port names its elements, else `block.port[i]` (`block.port` for a port of width 1).
    pub name: String,
    /// Where it stands in the arena of [`Values`](super::Values).
    pub index: usize,
    /// Its unit; empty where the block does not say.
    pub unit: &'static str,
    /// Whether it changes at sample times only.
    pub sampled: bool,
}

impl Diagram {
    /// All numbers of all outputs.
    pub fn channels(&self) -> Vec<Channel> {
        (0..self.blocks().len()).flat_map(|block| self.channels_of_block(block)).collect()
    }

    /// The channels that `path` names: all of a block (`controller`), all of an output (`plant.arm.state`), one by its
    /// own name
    /// (`plant.arm.joint1.q`), or those of one output whose names begin so (`plant.arm.hand.pose`). What a nested
    /// diagram exports may be asked for by the exported name (`cascade.effort`); channels keep their own names
    /// (`cascade/pid.effort`).
    ///
    /// # Errors
    /// Those of [`output`](Self::output).
    pub fn find_channels(&self, path: &str) -> Result<Vec<Channel>, BuildError> {
        if !path.contains('.')
            && let Ok(block) = self.find_block(path)
            && self.aliases().iter().all(|alias| alias.path() != path)
        {
            return Ok(self.channels_of_block(block));
        }
        let unknown = match self.output(path) {
            Ok(output) => return Ok(self.channels_of(output.block, output.port)),
            Err(fault) => fault,
        };
        if let Some((name, rest)) = path.split_once('.')
            && let Ok(block) = self.find_block(name)
        {
            if let Some(channel) = self.channels_of_block(block).into_iter().find(|channel| channel.name == path) {
                return Ok(vec![channel]);
            }
            if let Some((port, places)) = self.blocks()[block].system.ports().group(rest) {
                let channels = self.channels_of(block, port);
                return Ok(places.into_iter().map(|place| channels[place].clone()).collect());
            }
        }
        // One number of an exported output: its place under the exported name is its place under its own.
        for alias in self.aliases().iter().filter(|alias| alias.side == Side::Output) {
            for &(block, port) in &alias.ports {
                let output = &self.blocks()[block].system.ports().outputs()[port];
                let mut exported = names(&alias.diagram, &alias.name, &output.elements, output.width);
                if let Some(i) = exported.position(|name| name.trim_start_matches('.') == path) {
                    return Ok(self.channels_of(block, port).into_iter().skip(i).take(1).collect());
                }
            }
        }
        Err(unknown)
    }

    fn channels_of_block(&self, block: usize) -> Vec<Channel> {
        let ports = 0..self.blocks()[block].outputs.len();
        ports.flat_map(|port| self.channels_of(block, port)).collect()
    }

    /// The numbers of one output.
    pub(crate) fn channels_of(&self, block: usize, port: usize) -> Vec<Channel> {
        let block = &self.blocks()[block];
        let output = &block.system.ports().outputs()[port];
        let names = names(&block.name, &output.name, &output.elements, output.width);
        // What has sample times and no state that moves between them holds its outputs.
        let ports = block.system.ports();
        let sampled = !ports.ticks().is_empty() && block.state.is_empty() && block.system.as_plant().is_none();
        let channel = |(i, (name, index))| Channel { name, index, unit: output.unit(i), sampled };
        names.zip(block.outputs[port].clone()).enumerate().map(channel).collect()
    }
}

/// The names of the `width` numbers called `name` in `block`.
pub(super) fn names<'a>(
    block: &'a str,
    name: &'a str,
    elements: &'a [String],
    width: usize,
) -> impl Iterator<Item = String> + 'a {
    (0..width).map(move |i| match elements.get(i) {
        Some(element) => format!("{block}.{element}"),
        None if width == 1 => format!("{block}.{name}"),
        None => format!("{block}.{name}[{i}]"),
    })
}
