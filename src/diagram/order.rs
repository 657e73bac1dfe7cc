//! A topological order in which nodes are taken in groups.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Nodes `0..group.len()`, each in a group, with the nodes that must come after each.
pub(super) struct Order {
    /// The group of each node.
    pub group: Vec<usize>,
    /// The nodes that must come after each node (one may appear twice).
    pub after: Vec<Vec<usize>>,
    /// The groups.
    pub groups: Vec<Group>,
}

/// A group of nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    /// Groups of lower rank are taken first.
    pub rank: usize,
    /// True if its nodes may be taken in several turns.
    pub divisible: bool,
}

impl Order {
    /// Computes the turns; each is a group with those of its nodes that are taken. A turn takes the group of lowest
    /// rank whose remaining nodes can all be taken, so that it needs no further turn. If there is none, it takes the
    /// group of lowest rank of which a part can be taken. Time: (nodes + edges) log(groups). Nodes on or behind a cycle
    /// are left out.
    pub fn turns(&self) -> Vec<(usize, Vec<usize>)> {
        let mut missing = vec![0_usize; self.group.len()];
        self.after.iter().flatten().for_each(|&node| missing[node] += 1);
        let mut remaining = vec![0_usize; self.groups.len()];
        self.group.iter().for_each(|&group| remaining[group] += 1);
        let mut ready: Vec<Vec<usize>> = vec![Vec::new(); self.groups.len()];
        let mut queues = Queues::default();
        for (node, &group) in self.group.iter().enumerate() {
            if missing[node] == 0 {
                ready[group].push(node);
            }
        }
        for group in (0..self.groups.len()).filter(|&group| !ready[group].is_empty()) {
            queues.push(group, self.groups[group], ready[group].len() == remaining[group]);
        }
        let mut turns = Vec::new();
        while let Some(group) = queues.pop(&ready) {
            let mut nodes = std::mem::take(&mut ready[group]);
            nodes.sort_unstable();
            remaining[group] -= nodes.len();
            for &next in nodes.iter().flat_map(|&node| &self.after[node]) {
                missing[next] -= 1;
                if missing[next] == 0 {
                    let group = self.group[next];
                    ready[group].push(next);
                    queues.push(group, self.groups[group], ready[group].len() == remaining[group]);
                }
            }
            turns.push((group, nodes));
        }
        turns
    }
}

/// Groups whose remaining nodes can all, or in part, be taken, lowest rank first. A group may be in both queues, and
/// more than once; an entry without ready nodes is obsolete and skipped.
#[derive(Default)]
struct Queues {
    whole: BinaryHeap<Reverse<(usize, usize)>>,
    part: BinaryHeap<Reverse<(usize, usize)>>,
}

impl Queues {
    fn push(&mut self, group: usize, Group { rank, divisible }: Group, whole: bool) {
        if whole {
            self.whole.push(Reverse((rank, group)));
        } else if divisible {
            self.part.push(Reverse((rank, group)));
        }
    }

    fn pop(&mut self, ready: &[Vec<usize>]) -> Option<usize> {
        for queue in [&mut self.whole, &mut self.part] {
            while let Some(Reverse((_, group))) = queue.pop() {
                if !ready[group].is_empty() {
                    return Some(group);
                }
            }
        }
        None
    }
}
