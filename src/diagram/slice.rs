//! Slices of a diagram: the calls needed to compute the inputs of some blocks, and dependencies between outputs.

use super::schedule::Schedule;
use super::structure::{Diagram, Source};
use std::collections::HashSet;

/// A part of a diagram around some blocks, found by [`Diagram::slice_to`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slice {
    /// Computes the inputs of the blocks asked for and of all blocks in `stateful`.
    pub schedule: Schedule,
    /// Indices of the other blocks with continuous state that feed the given blocks or are fed by them, directly or
    /// through others.
    pub stateful: Vec<usize>,
}

impl Diagram {
    /// The calls needed to compute all inputs of the given blocks.
    pub fn schedule_for_inputs_of(&self, blocks: &[usize]) -> Schedule {
        let dependencies = self.dependencies();
        let mut needed = vec![false; dependencies.len()];
        for source in blocks.iter().flat_map(|&block| &self.blocks()[block].sources) {
            if let Source::Output { block, port } = *source {
                needed[dependencies.node((block, port))] = true;
            }
        }
        dependencies.close_backward(&mut needed);
        Schedule::new(dependencies, &needed)
    }

    /// The calls needed to compute the given outputs, each (block, port).
    pub fn schedule_for_outputs(&self, outputs: &[(usize, usize)]) -> Schedule {
        let dependencies = self.dependencies();
        let mut needed = vec![false; dependencies.len()];
        for &output in outputs {
            needed[dependencies.node(output)] = true;
        }
        dependencies.close_backward(&mut needed);
        Schedule::new(dependencies, &needed)
    }

    /// The part of the diagram that is advanced together with the blocks `targets`: all other blocks with continuous
    /// state that feed them or are fed by them, directly or through others, and the calls that compute the inputs of
    /// all of them.
    pub fn slice_to(&self, targets: &[usize]) -> Slice {
        let blocks = self.blocks();
        let mut feeds: Vec<Vec<usize>> = vec![Vec::new(); blocks.len()];
        let mut fed_by: Vec<Vec<usize>> = vec![Vec::new(); blocks.len()];
        for (to, block) in blocks.iter().enumerate() {
            for source in &block.sources {
                if let Source::Output { block: from, .. } = *source {
                    feeds[from].push(to);
                    fed_by[to].push(from);
                }
            }
        }
        let downstream = reach(targets, &feeds);
        let involved = reach(&downstream, &fed_by);
        let mut is_target = vec![false; blocks.len()];
        targets.iter().for_each(|&block| is_target[block] = true);
        let stateful: Vec<usize> =
            involved.into_iter().filter(|&block| !is_target[block] && !blocks[block].state.is_empty()).collect();
        let schedule = self.schedule_for_inputs_of(&[targets, &stateful].concat());
        Slice { schedule, stateful }
    }

    /// Outputs (block, port) that depend on one of the given outputs of `block` within one evaluation pass, including
    /// these. In any order, each once.
    pub fn outputs_depending_on(&self, block: usize, outputs: &[usize]) -> Vec<(usize, usize)> {
        let dependencies = self.dependencies();
        let mut stack: Vec<usize> = outputs.iter().map(|&port| dependencies.node((block, port))).collect();
        let mut affected: HashSet<usize> = stack.iter().copied().collect();
        while let Some(node) = stack.pop() {
            stack.extend(dependencies.after(node).filter(|next| affected.insert(*next)));
        }
        affected.into_iter().map(|node| dependencies.ports[node]).collect()
    }

    /// Calls of `schedule` whose results depend on an output or on the continuous state of `block` within one
    /// evaluation pass, including calls of the block itself. A pass of derivatives with respect to that block must
    /// repeat them.
    pub fn calls_depending_on(&self, schedule: &Schedule, block: usize) -> Schedule {
        self.calls_depending_on_any(schedule, &[block])
    }

    /// Calls of `schedule` that depend on any of several blocks, as in
    /// [`calls_depending_on`](Self::calls_depending_on).
    pub fn calls_depending_on_any(&self, schedule: &Schedule, blocks: &[usize]) -> Schedule {
        let dependencies = self.dependencies();
        let mut affected = vec![false; dependencies.len()];
        blocks.iter().for_each(|&block| affected[dependencies.nodes[block].clone()].fill(true));
        dependencies.close_forward(&mut affected);
        schedule.restricted(|block, port| affected[dependencies.node((block, port))])
    }
}

/// All nodes reached from `start` along `next`, including `start`, in increasing order.
fn reach(start: &[usize], next: &[Vec<usize>]) -> Vec<usize> {
    let mut reached = vec![false; next.len()];
    let mut stack = start.to_vec();
    while let Some(block) = stack.pop() {
        if !std::mem::replace(&mut reached[block], true) {
            stack.extend(&next[block]);
        }
    }
    (0..next.len()).filter(|&block| reached[block]).collect()
}
