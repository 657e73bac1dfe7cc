//! The order of evaluation: calls of blocks, each output computed after what it depends on.

use super::dependencies::Dependencies;

/// One call of a block's `outputs`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Index of the block.
    pub block: usize,
    /// Which of its outputs this call computes.
    pub wanted: Vec<bool>,
}

/// Calls in an order in which every output comes after the outputs it depends on directly.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// The calls.
    pub calls: Vec<Call>,
}

impl Schedule {
    /// Orders the `needed` outputs (a set that contains everything its members depend on). As many outputs of a block as possible go
    /// into one call; apart from that, blocks come in order of insertion. So the order depends on nothing but the diagram.
    pub(super) fn new(dependencies: &Dependencies, needed: &[bool]) -> Self {
        let mut done: Vec<bool> = needed.iter().map(|needed| !needed).collect();
        let mut missing: Vec<usize> =
            (0..dependencies.len()).map(|node| dependencies.before(node).filter(|&b| needed[b]).count()).collect();
        let mut calls = Vec::new();
        loop {
            // A block whose remaining outputs can all be computed now goes first: it then needs no further call.
            let mut choice: Option<usize> = None;
            for (block, nodes) in dependencies.nodes.iter().enumerate() {
                let remaining = || nodes.clone().filter(|&node| !done[node]);
                let ready = remaining().filter(|&node| missing[node] == 0).count();
                if ready > 0 && ready == remaining().count() {
                    choice = Some(block);
                    break;
                }
                if ready > 0 && choice.is_none() {
                    choice = Some(block);
                }
            }
            let Some(block) = choice else { break };
            let nodes = dependencies.nodes[block].clone();
            let wanted: Vec<bool> = nodes.clone().map(|node| !done[node] && missing[node] == 0).collect();
            for node in nodes.zip(&wanted).filter(|(_, wanted)| **wanted).map(|(node, _)| node) {
                done[node] = true;
                for next in dependencies.after(node) {
                    missing[next] -= 1;
                }
            }
            calls.push(Call { block, wanted });
        }
        debug_assert!(done.iter().all(|&done| done), "a diagram without algebraic loops can be ordered");
        Schedule { calls }
    }

    /// The outputs of `block` that the schedule computes, in increasing order.
    pub fn outputs_of(&self, block: usize) -> Vec<usize> {
        let of_block = self.calls.iter().filter(|call| call.block == block);
        let mut ports: Vec<usize> =
            of_block.flat_map(|call| (0..call.wanted.len()).filter(|&port| call.wanted[port])).collect();
        ports.sort_unstable();
        ports
    }

    /// The blocks that the schedule calls, in increasing order.
    pub fn blocks(&self) -> Vec<usize> {
        let mut blocks: Vec<usize> = self.calls.iter().map(|call| call.block).collect();
        blocks.sort_unstable();
        blocks.dedup();
        blocks
    }

    /// The schedule without the calls of `block`, whose outputs the caller then writes (seeds, for instance).
    pub fn without(&self, block: usize) -> Schedule {
        Schedule { calls: self.calls.iter().filter(|call| call.block != block).cloned().collect() }
    }
}
