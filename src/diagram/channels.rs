//! Names of all numbers that can be recorded.

use super::fault::{BuildError, Side};
use super::selection::{Places, find_output};
use super::structure::Diagram;
use kinegraph_core::port::OutputPort;

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
    /// (`plant.arm.joint1.q`), or those of one output whose names begin so (`plant.arm.hand.pose`), as wires name them:
    /// of a joint, which has efforts too, position and velocity (`plant.arm.joint1`). What a nested
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
        if let Some(output) = self.find_output(path) {
            return Ok(self.channels_of(output.block, output.port));
        }
        if let Some((name, rest)) = path.split_once('.')
            && let Ok(block) = self.find_block(name)
        {
            let outputs = self.blocks()[block].system.ports().outputs();
            let place = |(port, output)| Some((port, place_of(rest, output)?));
            if let Some((port, place)) = outputs.iter().enumerate().find_map(place) {
                return Ok(vec![self.channel(block, port, place)]);
            }
            let ports = self.blocks()[block].system.ports();
            if let Ok(Some(Places { port, of: Some(places) })) = find_output(ports, rest) {
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
        // The fault, whose advice costs a look at all names.
        self.output(path).map(|output| self.channels_of(output.block, output.port))
    }

    fn channels_of_block(&self, block: usize) -> Vec<Channel> {
        let ports = 0..self.blocks()[block].outputs.len();
        ports.flat_map(|port| self.channels_of(block, port)).collect()
    }

    /// The numbers of one output.
    pub fn channels_of(&self, block: usize, port: usize) -> Vec<Channel> {
        (0..self.blocks()[block].outputs[port].len()).map(|place| self.channel(block, port, place)).collect()
    }

    fn channel(&self, block: usize, port: usize, place: usize) -> Channel {
        let block = &self.blocks()[block];
        let ports = block.system.ports();
        let output = &ports.outputs()[port];
        // What has sample times and no state that moves between them holds its outputs.
        let sampled = !ports.ticks().is_empty() && block.state.is_empty() && block.system.as_plant().is_none();
        Channel {
            name: name(&block.name, &output.name, &output.elements, output.width, place),
            index: block.outputs[port].start + place,
            unit: output.unit(place),
            sampled,
        }
    }
}

/// Which number of `output` its block calls `name`, if one is called so: see [`names`].
fn place_of(name: &str, output: &OutputPort) -> Option<usize> {
    if let Some(place) = output.elements.iter().take(output.width).position(|element| element == name) {
        return Some(place);
    }
    let index = name.strip_prefix(output.name.as_str())?;
    if output.width == 1 {
        return (index.is_empty() && output.elements.is_empty()).then_some(0);
    }
    let place = index.strip_prefix('[')?.strip_suffix(']')?.parse().ok()?;
    (output.elements.len()..output.width).contains(&place).then_some(place).filter(|_| index == format!("[{place}]"))
}

/// The names of the `width` numbers called `port` in `block`.
pub(super) fn names<'a>(
    block: &'a str,
    port: &'a str,
    elements: &'a [String],
    width: usize,
) -> impl Iterator<Item = String> + 'a {
    (0..width).map(move |i| name(block, port, elements, width, i))
}

/// The name of the number `i` of them.
fn name(block: &str, port: &str, elements: &[String], width: usize, i: usize) -> String {
    match elements.get(i) {
        Some(element) => format!("{block}.{element}"),
        None if width == 1 => format!("{block}.{port}"),
        None => format!("{block}.{port}[{i}]"),
    }
}
