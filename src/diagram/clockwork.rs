//! The clockwork of a diagram: the part of it that depends on the time alone while its discrete state is held.

use super::schedule::Schedule;
use super::structure::{Diagram, Source};

/// The part of a diagram that is a function of the time alone between two events.
#[derive(Clone, Debug, Default)]
pub struct Clockwork {
    /// For each output of each block, true if it belongs to the clockwork.
    outputs: Vec<Vec<bool>>,
    /// For each block, true if all its inputs and outputs belong to the clockwork, and with them its witness functions.
    blocks: Vec<bool>,
}

impl Clockwork {
    /// True if `block` has no continuous state and reads nothing but the clockwork.
    pub fn has(&self, block: usize) -> bool {
        self.blocks[block]
    }

    /// True if output `port` of block `block` is a function of the time alone.
    pub fn has_output(&self, block: usize, port: usize) -> bool {
        self.outputs[block][port]
    }
}

impl Diagram {
    /// Finds the clockwork of the diagram: the outputs that depend on no continuous state, no plant and no algebraic
    /// loop.
    pub fn clockwork(&self) -> Clockwork {
        let dependencies = self.dependencies();
        let mut moved = vec![false; dependencies.len()];
        for (block, nodes) in self.blocks().iter().zip(&dependencies.nodes) {
            let is_moved = !block.state.is_empty() || block.system.as_plant().is_some();
            moved[nodes.clone()].fill(is_moved);
        }
        moved.iter_mut().zip(&dependencies.loop_of).for_each(|(moved, of)| *moved |= of.is_some());
        dependencies.close_forward(&mut moved);
        let outputs: Vec<Vec<bool>> =
            dependencies.nodes.iter().map(|nodes| nodes.clone().map(|node| !moved[node]).collect()).collect();
        let read = |source: &Source| match *source {
            Source::Output { block, port } => outputs[block][port],
            Source::Unconnected | Source::Fixed => true,
        };
        let is_part = |block: &super::Block| {
            block.state.is_empty() && block.system.as_plant().is_none() && block.sources.iter().all(read)
        };
        Clockwork { blocks: self.blocks().iter().map(is_part).collect(), outputs }
    }

    /// Calls whose results depend, within one evaluation, on an output of one of `blocks`. Only the calls that compute
    /// inputs of blocks with continuous state are considered.
    pub fn calls_from(&self, blocks: &[usize]) -> Schedule {
        let stateful: Vec<usize> =
            (0..self.blocks().len()).filter(|&block| !self.blocks()[block].state.is_empty()).collect();
        self.calls_depending_on_any(&self.schedule_for_inputs_of(&stateful), blocks)
    }
}
