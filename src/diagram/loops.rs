//! Algebraic loops: outputs that need each other in the same instant, so that no order of evaluation exists.
//!
//! They are the strongly connected components of the dependency graph with more than one node, or with an edge to
//! itself. Of each component one shortest loop is reported: breaking it is necessary, and the next build shows what
//! remains.

use super::dependencies::Dependencies;
use super::fault::{BuildError, Hop};
use super::lookup::Lookup;
use petgraph::graph::{EdgeReference, NodeIndex};
use petgraph::visit::EdgeRef;
use std::collections::{HashMap, HashSet, VecDeque};

/// Edge between outputs, through an input.
type Edge<'d> = EdgeReference<'d, usize>;

/// Groups of outputs that depend on each other. Members and groups are in order of insertion.
pub(super) fn find(dependencies: &Dependencies) -> Vec<Vec<NodeIndex>> {
    // Not Tarjan's algorithm: petgraph's version recurses, and a long chain of blocks would overflow the stack.
    let mut loops: Vec<Vec<NodeIndex>> = petgraph::algo::kosaraju_scc(&dependencies.graph)
        .into_iter()
        .filter(|nodes| nodes.len() > 1 || dependencies.graph.contains_edge(nodes[0], nodes[0]))
        .collect();
    for nodes in &mut loops {
        nodes.sort_unstable();
    }
    loops.sort_unstable();
    loops
}

/// One fault per group.
pub(super) fn faults(loops: &[Vec<NodeIndex>], dependencies: &Dependencies, lookup: &Lookup) -> Vec<BuildError> {
    let hop = |edge: Edge| {
        let (from, to) = (dependencies.ports[edge.source().index()], dependencies.ports[edge.target().index()]);
        Hop {
            output: lookup.output_path(from),
            input: lookup.input_path((to.0, *edge.weight())),
            next: lookup.output_path(to),
        }
    };
    let fault = |nodes: &Vec<NodeIndex>| BuildError::AlgebraicLoop {
        hops: shortest_loop(dependencies, nodes).into_iter().map(hop).collect(),
    };
    loops.iter().map(fault).collect()
}

/// The edges of a shortest loop through the component's first node.
fn shortest_loop<'d>(dependencies: &'d Dependencies, component: &[NodeIndex]) -> Vec<Edge<'d>> {
    let members: HashSet<NodeIndex> = component.iter().copied().collect();
    let start = component[0];
    let mut reached_by: HashMap<NodeIndex, Edge> = HashMap::new();
    let mut queue = VecDeque::from([start]);
    'search: while let Some(node) = queue.pop_front() {
        for edge in dependencies.graph.edges(node) {
            let target = edge.target();
            if members.contains(&target) && !reached_by.contains_key(&target) {
                reached_by.insert(target, edge);
                queue.push_back(target);
                if target == start {
                    break 'search;
                }
            }
        }
    }
    let mut edges = Vec::new();
    let mut node = start;
    while let Some(&edge) = reached_by.get(&node) {
        edges.push(edge);
        node = edge.source();
        if node == start {
            break;
        }
    }
    edges.reverse();
    edges
}
