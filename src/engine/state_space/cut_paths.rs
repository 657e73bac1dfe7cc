//! Paths that samples and delays cut: a block whose discrete state is updated at given times does not pass on the
//! changes of its inputs in continuous time.
//!
//! A graph has a node for every input, every output, every continuous and every sampled state. Paths through a sampled
//! state are cut. The graph contains the feedthrough that blocks declare, and takes every state to depend on every
//! input of its block: a path that it does not have does not exist.

use super::fault::LinearizeFault;
use kinegraph_core::port::Feedthrough;
use kinegraph_diagram::{Block, Channel, Diagram, Source};

/// Cut paths of a linear model.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct CutPaths {
    /// Blocks on cut paths that lead from a state or an input to a rate or an output.
    pub blocks: Vec<String>,
    /// First input that reaches an output, or any state, by cut paths only.
    pub fault: Option<LinearizeFault>,
}

/// A part of a block.
#[derive(Clone, Copy)]
enum Part {
    Input(usize),
    Output(usize),
    State,
    Sampled,
}

/// A part of the block with this index.
#[derive(Clone, Copy)]
struct Place(usize, Part);

/// Graph, and the first node of each block.
struct Graph<'a> {
    blocks: &'a [Block],
    first: Vec<usize>,
    after: Vec<Vec<usize>>,
}

/// True if a block samples: its discrete state follows its inputs at given times.
fn samples(block: &Block) -> bool {
    !block.discrete.is_empty() && block.system.ports().ticks().iter().any(|tick| !tick.is_once())
}

/// True if a block has numbers that change at its own events, as the count of a counter does.
pub(super) fn changes_at_events(block: &Block) -> bool {
    !block.discrete.is_empty() && !block.system.ports().witnesses().is_empty()
}

impl<'a> Graph<'a> {
    fn new(blocks: &'a [Block]) -> Self {
        let mut first = Vec::with_capacity(blocks.len());
        let mut nodes = 0;
        for block in blocks {
            first.push(nodes);
            nodes += block.inputs.len() + block.outputs.len() + 2;
        }
        let mut graph = Graph { blocks, first, after: vec![Vec::new(); nodes] };
        for (b, block) in blocks.iter().enumerate() {
            graph.add(b, block);
        }
        graph
    }

    fn add(&mut self, b: usize, block: &Block) {
        let (is_state, is_sampled) = (!block.state.is_empty(), samples(block));
        for (i, source) in block.sources.iter().enumerate() {
            if let Source::Output { block: from, port } = *source {
                self.lead(Place(from, Part::Output(port)), Place(b, Part::Input(i)));
            }
            if is_state {
                self.lead(Place(b, Part::Input(i)), Place(b, Part::State));
            }
            if is_sampled {
                self.lead(Place(b, Part::Input(i)), Place(b, Part::Sampled));
            }
        }
        if is_sampled && is_state {
            self.lead(Place(b, Part::Sampled), Place(b, Part::State));
            self.lead(Place(b, Part::State), Place(b, Part::Sampled));
        }
        for (o, output) in block.system.ports().outputs().iter().enumerate() {
            if is_state {
                self.lead(Place(b, Part::State), Place(b, Part::Output(o)));
            }
            if is_sampled {
                self.lead(Place(b, Part::Sampled), Place(b, Part::Output(o)));
            }
            match &output.feedthrough {
                Feedthrough::All => {
                    (0..block.inputs.len())
                        .for_each(|i| self.lead(Place(b, Part::Input(i)), Place(b, Part::Output(o))));
                }
                Feedthrough::Only(inputs) => {
                    inputs.iter().for_each(|&i| self.lead(Place(b, Part::Input(i)), Place(b, Part::Output(o))));
                }
            }
        }
    }

    fn node(&self, Place(b, part): Place) -> usize {
        let block = &self.blocks[b];
        let (inputs, outputs) = (block.inputs.len(), block.outputs.len());
        self.first[b]
            + match part {
                Part::Input(i) => i,
                Part::Output(o) => inputs + o,
                Part::State => inputs + outputs,
                Part::Sampled => inputs + outputs + 1,
            }
    }

    fn lead(&mut self, from: Place, to: Place) {
        let (from, to) = (self.node(from), self.node(to));
        self.after[from].push(to);
    }

    /// Nodes that are reached from `starts`; with `cut`, not through sampled states.
    fn reached(&self, starts: impl IntoIterator<Item = usize>, cut: bool) -> Vec<bool> {
        let mut sampled = vec![false; self.after.len()];
        if cut {
            (0..self.blocks.len()).for_each(|b| sampled[self.node(Place(b, Part::Sampled))] = true);
        }
        let mut reached = vec![false; self.after.len()];
        let mut stack: Vec<usize> = starts.into_iter().collect();
        while let Some(node) = stack.pop() {
            if !sampled[node] && !std::mem::replace(&mut reached[node], true) {
                stack.extend(&self.after[node]);
            }
        }
        reached
    }

    /// Blocks that sample on a path from a `reached` node to any of `targets`.
    fn samplers_between(&self, reached: &[bool], targets: &[usize]) -> Vec<String> {
        let leads = |b: &usize| {
            let from_here = self.reached([self.node(Place(*b, Part::Sampled))], false);
            targets.iter().any(|&target| from_here[target])
        };
        let mut on_way: Vec<usize> = (0..self.blocks.len()).filter(|&b| samples(&self.blocks[b])).collect();
        on_way.retain(|b| reached[self.node(Place(*b, Part::Sampled))] && leads(b));
        on_way.into_iter().map(|b| self.blocks[b].name.clone()).collect()
    }

    /// Inputs whose numbers are at `index`.
    fn inputs_at(&self, index: usize) -> Vec<usize> {
        let blocks = self.blocks.iter().enumerate();
        let all = blocks.flat_map(|(b, block)| block.inputs.iter().enumerate().map(move |(i, range)| (b, i, range)));
        let here = all.filter(|(_, _, range)| range.as_ref().is_some_and(|range| range.contains(&index)));
        here.map(|(b, i, _)| self.node(Place(b, Part::Input(i)))).collect()
    }

    /// Output whose numbers are at `index`.
    fn output_at(&self, index: usize) -> Option<usize> {
        self.blocks.iter().enumerate().find_map(|(b, block)| {
            let o = block.outputs.iter().position(|range| range.contains(&index))?;
            Some(self.node(Place(b, Part::Output(o))))
        })
    }
}

/// Returns those of `blocks` whose outputs lead to a state, or to one of the `outputs` of a model.
pub(super) fn leading_on(diagram: &Diagram, outputs: &[Channel], mut blocks: Vec<usize>) -> Vec<usize> {
    if blocks.is_empty() {
        return blocks;
    }
    let mut graph = Graph::new(diagram.blocks());
    for (b, block) in diagram.blocks().iter().enumerate().filter(|(_, block)| changes_at_events(block)) {
        let ports = (0..block.inputs.len()).flat_map(|i| (0..block.outputs.len()).map(move |o| (i, o)));
        ports.for_each(|(i, o)| graph.lead(Place(b, Part::Input(i)), Place(b, Part::Output(o))));
    }
    let with_state = (0..diagram.blocks().len()).filter(|&b| !diagram.blocks()[b].state.is_empty());
    let mut ends: Vec<usize> = with_state.map(|b| graph.node(Place(b, Part::State))).collect();
    ends.extend(outputs.iter().filter_map(|channel| graph.output_at(channel.index)));
    blocks.retain(|&b| {
        let own = (0..diagram.blocks()[b].outputs.len()).map(|o| graph.node(Place(b, Part::Output(o))));
        let reached = graph.reached(own, false);
        ends.iter().any(|&end| reached[end])
    });
    blocks
}

impl CutPaths {
    /// The cut paths of the model of `diagram` from `inputs`, which are fixed values, to `outputs`.
    pub fn of(diagram: &Diagram, inputs: &[Channel], outputs: &[Channel]) -> Self {
        let blocks = diagram.blocks();
        if !blocks.iter().any(samples) {
            return CutPaths::default();
        }
        let graph = Graph::new(blocks);
        let with_state = (0..blocks.len()).filter(|&b| !blocks[b].state.is_empty());
        let states: Vec<usize> = with_state.map(|b| graph.node(Place(b, Part::State))).collect();
        let starts: Vec<(&str, Vec<usize>)> =
            inputs.iter().map(|channel| (channel.name.as_str(), graph.inputs_at(channel.index))).collect();
        let ends: Vec<(&str, Vec<usize>)> = match outputs {
            [] => vec![("the states", states.clone())],
            outputs => {
                let node = |channel: &Channel| graph.output_at(channel.index).into_iter().collect();
                outputs.iter().map(|channel| (channel.name.as_str(), node(channel))).collect()
            }
        };
        let all_starts = starts.iter().flat_map(|(_, nodes)| nodes).chain(&states).copied();
        let all_ends: Vec<usize> = ends.iter().flat_map(|(_, nodes)| nodes).chain(&states).copied().collect();
        let blocks = graph.samplers_between(&graph.reached(all_starts, false), &all_ends);
        let fault = starts.iter().find_map(|(input, nodes)| {
            let reached = graph.reached(nodes.iter().copied(), false);
            let uncut = graph.reached(nodes.iter().copied(), true);
            let is_cut = |targets: &[usize]| {
                targets.iter().any(|&target| reached[target]) && !targets.iter().any(|&target| uncut[target])
            };
            let (target, nodes) = ends.iter().find(|(_, nodes)| is_cut(nodes))?;
            let blocks = graph.samplers_between(&reached, nodes);
            Some(LinearizeFault::CutPath { input: (*input).to_owned(), target: (*target).to_owned(), blocks })
        });
        CutPaths { blocks, fault }
    }
}
