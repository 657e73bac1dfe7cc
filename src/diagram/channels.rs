//! Names of all numbers that can be recorded.

use super::fault::{BuildError, Side};
use super::selection::{Places, find_output};
use super::structure::Diagram;
use kinegraph_core::port::{Feedthrough, OutputPort};
use kinegraph_core::unit::Dimension;
use std::borrow::Cow;

/// One number of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// `block.element` where the port names its elements, else `block.port[i]` (`block.port` for a port of width 1).
    pub name: String,
    /// Index in the arena of [`Values`](super::Values).
    pub index: usize,
    /// Its unit; empty if the block states none.
    pub unit: Cow<'static, str>,
    /// True if the value changes at sample times only.
    pub sampled: bool,
}

impl Diagram {
    /// All numbers of all outputs.
    pub fn channels(&self) -> Vec<Channel> {
        (0..self.blocks().len()).flat_map(|block| self.channels_of_block(block)).collect()
    }

    /// The channels that `path` names: all of a block (`controller`), all of an output (`plant.arm.state`), one by its
    /// own name (`plant.arm.joint1.q`), or all of one output whose names begin with the path (`plant.arm.hand.pose`).
    /// As in wires, a joint stands for its position and velocity, not its effort (`plant.arm.joint1`). A port that a
    /// nested diagram exports may be given by the exported name (`cascade.effort`); channels keep their own names
    /// (`cascade/pid.effort`).
    ///
    /// # Errors
    /// As [`output`](Self::output).
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
        // One number of an exported output: its index is the same under the exported name and under its own.
        for alias in self.aliases().iter().filter(|alias| alias.side == Side::Output) {
            for &(block, port) in &alias.ports {
                let output = &self.blocks()[block].system.ports().outputs()[port];
                let mut exported = names(&alias.diagram, &alias.name, &output.elements, output.width);
                if let Some(i) = exported.position(|name| name.trim_start_matches('.') == path) {
                    return Ok(self.channels_of(block, port).into_iter().skip(i).take(1).collect());
                }
            }
        }
        // `output` returns the fault. Its advice searches all names, so it is asked last.
        self.output(path).map(|output| self.channels_of(output.block, output.port))
    }

    /// The path at which a wire from a channel begins: its output, or its place there.
    pub fn wire_path(&self, channel: &Channel) -> Option<String> {
        self.blocks().iter().find_map(|block| {
            let port = block.outputs.iter().position(|range| range.contains(&channel.index))?;
            let path = format!("{}.{}", block.name, block.system.ports().outputs()[port].name);
            let (range, place) = (&block.outputs[port], channel.index - block.outputs[port].start);
            Some(if range.len() == 1 { path } else { format!("{path}[{place}]") })
        })
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
        // Outputs are held if the block has sample times and no continuous state between them. An event at the start
        // is no sample time: what depends on inputs follows them.
        let follows = output.feedthrough != Feedthrough::Only(Vec::new());
        let is_held = ports.ticks().iter().any(|tick| !tick.is_once() || !follows);
        let sampled = is_held && block.state.is_empty() && block.system.as_plant().is_none();
        Channel {
            name: name(&block.name, &output.name, &output.elements, output.width, place),
            index: block.outputs[port].start + place,
            unit: self.unit_name(block.outputs[port].start + place, output.unit(place)),
            sampled,
        }
    }
}

impl Diagram {
    /// Name of the unit of a number: as its block declares it, or else as it was inferred; empty if it is not known.
    pub fn unit_name(&self, index: usize, declared: &'static str) -> Cow<'static, str> {
        match self.unit_at(index) {
            Some(unit) if declared.is_empty() && unit != Dimension::ONE => Cow::Owned(unit.to_string()),
            _ => Cow::Borrowed(declared),
        }
    }
}

/// Index of the number that the block calls `name` in `output`, or `None`: see [`names`].
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

/// Names of the `width` numbers of the port `port` of `block`.
pub(super) fn names<'a>(
    block: &'a str,
    port: &'a str,
    elements: &'a [String],
    width: usize,
) -> impl Iterator<Item = String> + 'a {
    (0..width).map(move |i| name(block, port, elements, width, i))
}

/// Name of number `i` of a port.
fn name(block: &str, port: &str, elements: &[String], width: usize, i: usize) -> String {
    match elements.get(i) {
        Some(element) => format!("{block}.{element}"),
        None if width == 1 => format!("{block}.{port}"),
        None => format!("{block}.{port}[{i}]"),
    }
}
