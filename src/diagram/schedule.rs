//! Schedule of an evaluation: calls of blocks in an order in which each output comes after the outputs it depends on.

use super::call::{Call, Loop};
use super::dependencies::Dependencies;
use super::order::{Group, Order};

/// Calls in an order in which every output comes after the outputs it depends on directly, except within a loop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// The calls.
    pub calls: Vec<Call>,
    /// The algebraic loops among them, in order.
    pub loops: Vec<Loop>,
}

impl Schedule {
    /// Orders the `needed` outputs (a set that contains all dependencies of its members). As many outputs of a block as
    /// possible go into one call; otherwise blocks come in order of insertion, a loop at the place of its first block.
    /// The order therefore depends on the diagram alone.
    pub(super) fn new(dependencies: &Dependencies, needed: &[bool]) -> Self {
        let (blocks, loops) = (dependencies.nodes.len(), &dependencies.loops);
        // Groups: the blocks, then the loops. Nodes that are not needed go into a further group that is ignored.
        let group_of = |node: usize| match dependencies.loop_of[node] {
            _ if !needed[node] => blocks + loops.len(),
            Some(index) => blocks + index,
            None => dependencies.ports[node].0,
        };
        let within = |a: usize, b: usize| dependencies.loop_of[a].is_some_and(|l| dependencies.loop_of[b] == Some(l));
        let after = |node: usize| -> Vec<usize> {
            if !needed[node] {
                return Vec::new();
            }
            dependencies.after(node).filter(|&next| needed[next] && !within(node, next)).collect()
        };
        let mut groups: Vec<Group> = (0..blocks).map(|rank| Group { rank, divisible: true }).collect();
        groups.extend(loops.iter().map(|l| Group { rank: l.first_block, divisible: false }));
        groups.push(Group { rank: usize::MAX, divisible: false });
        let order = Order {
            group: (0..dependencies.len()).map(group_of).collect(),
            after: (0..dependencies.len()).map(after).collect(),
            groups,
        };
        let mut schedule = Schedule::default();
        for (group, nodes) in order.turns() {
            if group < blocks {
                schedule.calls.push(dependencies.call(group, &nodes));
            } else if let Some(l) = loops.get(group - blocks) {
                let start = schedule.calls.len();
                schedule.calls.extend_from_slice(&l.calls);
                schedule.loops.push(Loop { calls: start..schedule.calls.len(), tears: l.tears.clone() });
            }
        }
        debug_assert_eq!(
            schedule.calls.iter().flat_map(|call| &call.wanted).filter(|&&wanted| wanted).count(),
            needed.iter().filter(|&&needed| needed).count(),
            "a diagram without open algebraic loops can be ordered"
        );
        schedule
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

    /// The schedule without the calls of `block`; the caller writes its outputs (seeds, for instance).
    pub fn without(&self, block: usize) -> Schedule {
        self.restricted(|from, _| from != block)
    }

    /// The part of the schedule that computes the outputs (block, port) for which `keep` is true. A torn output that is
    /// no longer computed is no longer an unknown, and a loop without unknowns is removed.
    pub fn restricted(&self, keep: impl Fn(usize, usize) -> bool) -> Schedule {
        let mut part = Schedule::default();
        // New index of each call; loops are ranges of calls.
        let mut place = Vec::with_capacity(self.calls.len() + 1);
        for call in &self.calls {
            place.push(part.calls.len());
            let wanted: Vec<bool> =
                call.wanted.iter().enumerate().map(|(port, &wanted)| wanted && keep(call.block, port)).collect();
            if wanted.contains(&true) {
                part.calls.push(Call { block: call.block, wanted });
            }
        }
        place.push(part.calls.len());
        for l in &self.loops {
            let tears: Vec<(usize, usize)> =
                l.tears.iter().copied().filter(|&(block, port)| keep(block, port)).collect();
            if !tears.is_empty() {
                part.loops.push(Loop { calls: place[l.calls.start]..place[l.calls.end], tears });
            }
        }
        part
    }
}
