//! Graph of direct dependencies between output ports within one evaluation.

use super::call::{Call, TornLoop};
use super::wiring::{InputSource, Wiring};
use kinegraph_core::ErasedSystem;
use kinegraph_core::port::Feedthrough;
use petgraph::graph::{DiGraph, NodeIndex};
use std::ops::Range;

/// Output ports as nodes, numbered block by block. An edge `a -> b` with weight `i`: output `b` depends directly on
/// input `i` of its block, and output `a` drives that input.
#[derive(Debug)]
pub(super) struct Dependencies {
    /// Nodes of each block's outputs.
    pub nodes: Vec<Range<usize>>,
    /// Block and output index of each node.
    pub ports: Vec<(usize, usize)>,
    pub graph: DiGraph<(), usize>,
    /// The algebraic loops, if they are to be solved, and the loop of each node.
    pub loops: Vec<TornLoop>,
    pub loop_of: Vec<Option<usize>>,
}

impl Dependencies {
    pub fn new<'a>(systems: impl Iterator<Item = &'a dyn ErasedSystem> + Clone, wiring: &Wiring) -> Self {
        let mut nodes = Vec::new();
        let mut ports = Vec::new();
        let mut graph = DiGraph::new();
        for (block, system) in systems.clone().enumerate() {
            let first = ports.len();
            for port in 0..system.ports().outputs().len() {
                ports.push((block, port));
                graph.add_node(());
            }
            nodes.push(first..ports.len());
        }
        for (block, system) in systems.enumerate() {
            for (port, output) in system.ports().outputs().iter().enumerate() {
                let mut depend = |input: usize| {
                    if let Some(&InputSource::Output(from, from_port)) = wiring[block].get(input) {
                        let (from, to) = (nodes[from].start + from_port, nodes[block].start + port);
                        graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), input);
                    }
                };
                match &output.feedthrough {
                    Feedthrough::All => (0..wiring[block].len()).for_each(depend),
                    Feedthrough::Only(inputs) => inputs.iter().for_each(|&input| depend(input)),
                }
            }
        }
        let loop_of = vec![None; ports.len()];
        Dependencies { nodes, ports, graph, loops: Vec::new(), loop_of }
    }

    pub fn len(&self) -> usize {
        self.ports.len()
    }

    pub fn node(&self, (block, port): (usize, usize)) -> usize {
        self.nodes[block].start + port
    }

    /// The call that computes the outputs `nodes` of `block`.
    pub fn call(&self, block: usize, nodes: &[usize]) -> Call {
        let of_block = self.nodes[block].clone();
        let mut wanted = vec![false; of_block.len()];
        nodes.iter().for_each(|&node| wanted[node - of_block.start] = true);
        Call { block, wanted }
    }

    /// The outputs that output `node` depends on directly (one may appear twice).
    pub fn before(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        self.graph.neighbors_directed(NodeIndex::new(node), petgraph::Incoming).map(NodeIndex::index)
    }

    /// The outputs that depend on output `node` directly (one may appear twice).
    pub fn after(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        self.graph.neighbors(NodeIndex::new(node)).map(NodeIndex::index)
    }

    /// Adds to `marked` all outputs that marked ones depend on.
    pub fn close_backward(&self, marked: &mut [bool]) {
        self.close(marked, |node| self.before(node).collect());
    }

    /// Adds to `marked` all outputs that depend on marked ones.
    pub fn close_forward(&self, marked: &mut [bool]) {
        self.close(marked, |node| self.after(node).collect());
    }

    fn close(&self, marked: &mut [bool], neighbors: impl Fn(usize) -> Vec<usize>) {
        let mut stack: Vec<usize> = (0..marked.len()).filter(|&node| marked[node]).collect();
        while let Some(node) = stack.pop() {
            for next in neighbors(node) {
                if !std::mem::replace(&mut marked[next], true) {
                    stack.push(next);
                }
            }
        }
    }
}
