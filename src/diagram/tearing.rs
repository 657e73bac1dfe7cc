//! Tearing of algebraic loops: the choice of outputs that are guessed, and the order in which the others follow from
//! them.
//!
//! Guessing an output (tearing it) removes its edges. Torn outputs are chosen until no cycle is left; outputs on many
//! paths and of small width come first, since the unknowns of the solve are their numbers. The smallest such set is
//! hard to find (it is the minimum feedback vertex set); this choice is exact for a ring and good for loops that occur
//! in practice.

use super::call::TornLoop;
use super::dependencies::Dependencies;
use super::order::{Group, Order};
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::HashMap;

/// Plans how the loops `components`, each in increasing order, are computed.
pub(super) fn close_loops(
    dependencies: &mut Dependencies,
    components: &[Vec<NodeIndex>],
    width: impl Fn((usize, usize)) -> usize,
) {
    for component in components {
        let members: Vec<usize> = component.iter().map(|node| node.index()).collect();
        members.iter().for_each(|&node| dependencies.loop_of[node] = Some(dependencies.loops.len()));
        let torn = torn(dependencies, &members, &width);
        dependencies.loops.push(torn);
    }
}

/// Plans how the outputs `members`, which all depend on each other, are computed. They are in increasing order; `width`
/// returns the width of an output.
fn torn(dependencies: &Dependencies, members: &[usize], width: impl Fn((usize, usize)) -> usize) -> TornLoop {
    let local: HashMap<usize, usize> = members.iter().enumerate().map(|(i, &node)| (node, i)).collect();
    let after: Vec<Vec<usize>> = members
        .iter()
        .map(|&node| dependencies.after(node).filter_map(|next| local.get(&next).copied()).collect())
        .collect();
    let widths: Vec<usize> = members.iter().map(|&node| width(dependencies.ports[node])).collect();
    let is_torn = tear(&after, &widths);

    let mut blocks: Vec<usize> = members.iter().map(|&node| dependencies.ports[node].0).collect();
    let group_of = |node: usize, blocks: &[usize]| blocks.partition_point(|&block| block < dependencies.ports[node].0);
    blocks.dedup();
    let order = Order {
        group: members.iter().map(|&node| group_of(node, &blocks)).collect(),
        after: after.into_iter().zip(&is_torn).map(|(next, &torn)| if torn { Vec::new() } else { next }).collect(),
        groups: (0..blocks.len()).map(|rank| Group { rank, divisible: true }).collect(),
    };
    let calls = order
        .turns()
        .into_iter()
        .map(|(group, nodes)| {
            let nodes: Vec<usize> = nodes.into_iter().map(|i| members[i]).collect();
            dependencies.call(blocks[group], &nodes)
        })
        .collect();
    let tears = members.iter().zip(&is_torn).filter(|(_, torn)| **torn).map(|(&node, _)| dependencies.ports[node]);
    TornLoop { calls, tears: tears.collect(), first_block: blocks[0] }
}

/// Chooses nodes whose removal leaves no cycle.
fn tear(after: &[Vec<usize>], widths: &[usize]) -> Vec<bool> {
    let mut torn = vec![false; after.len()];
    // Every component that is still a cycle loses one node per round.
    let mut open: Vec<Vec<usize>> = vec![(0..after.len()).collect()];
    while let Some(nodes) = open.pop() {
        let local: HashMap<usize, usize> = nodes.iter().enumerate().map(|(i, &node)| (node, i)).collect();
        let mut graph = DiGraph::<(), ()>::with_capacity(nodes.len(), nodes.len());
        nodes.iter().for_each(|_| {
            graph.add_node(());
        });
        for (i, &node) in nodes.iter().enumerate() {
            for next in after[node].iter().filter_map(|next| local.get(next)) {
                graph.add_edge(NodeIndex::new(i), NodeIndex::new(*next), ());
            }
        }
        for component in petgraph::algo::kosaraju_scc(&graph) {
            let itself = |node: NodeIndex| graph.contains_edge(node, node);
            if component.len() == 1 && !itself(component[0]) {
                continue;
            }
            let degree = |node: NodeIndex, direction| graph.neighbors_directed(node, direction).count();
            let gain = |node: NodeIndex| {
                let paths = degree(node, petgraph::Incoming) * degree(node, petgraph::Outgoing);
                paths as f64 / widths[nodes[node.index()]].max(1) as f64
            };
            // A node that feeds itself must be torn in any case. Ties go to the first node.
            let mut best = component[0];
            for &node in &component[1..] {
                let rank = |node: NodeIndex| (itself(node), gain(node));
                let (a, b) = (rank(node), rank(best));
                if a > b || a == b && node < best {
                    best = node;
                }
            }
            torn[nodes[best.index()]] = true;
            open.push(component.iter().filter(|&&node| node != best).map(|node| nodes[node.index()]).collect());
        }
    }
    torn
}
