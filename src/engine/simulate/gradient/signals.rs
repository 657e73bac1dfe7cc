//! Signals of a diagram that act on its motion or are measured, and the rates of its states: where blocks that branch
//! without a witness function show.

use super::gauges::Gauges;
use kinegraph_diagram::{Diagram, Schedule, Source, State, Values};
use std::ops::Range;

/// The signals that are looked at.
pub(super) struct Signals {
    schedule: Schedule,
    /// Width of the outputs of all blocks.
    arena: usize,
    /// Outputs of blocks in the order in which they are computed, then the rates of the states of blocks; but those of
    /// plants, whose forces jump where bodies strike.
    pub items: Vec<Item>,
    /// Indices of all numbers that are computed, those of plants too.
    pub numbers: Vec<usize>,
    /// Number of all numbers.
    width: usize,
}

/// Numbers of a block that it makes of its inputs.
pub(super) struct Item {
    pub block: usize,
    /// Their range among all.
    pub range: Range<usize>,
    /// Ranges of the inputs of the block.
    pub inputs: Vec<Range<usize>>,
}

impl Signals {
    pub fn new(diagram: &Diagram, gauges: &Gauges) -> Self {
        let blocks = diagram.blocks();
        let mut asked: Vec<(usize, usize)> = gauges.outputs(diagram);
        for block in blocks {
            let ports = block.system.ports();
            let acts = !block.state.is_empty() || !ports.ticks().is_empty() || !ports.witnesses().is_empty();
            let sources = block.sources.iter().filter(|_| acts);
            asked.extend(sources.filter_map(|source| match *source {
                Source::Output { block, port } => Some((block, port)),
                _ => None,
            }));
        }
        asked.sort_unstable();
        asked.dedup();
        let schedule = diagram.schedule_for_outputs(&asked);
        let arena = diagram.arena_width();
        let mut items = Vec::new();
        let is_plant = |block: usize| blocks[block].system.as_plant().is_some();
        let inputs = |block: usize| blocks[block].inputs.iter().flatten().cloned().collect::<Vec<_>>();
        for call in schedule.calls.iter().filter(|call| !is_plant(call.block)) {
            let ranges = blocks[call.block]
                .outputs
                .iter()
                .zip(&call.wanted)
                .filter(|(range, wanted)| **wanted && !range.is_empty());
            items.extend(ranges.map(|(range, _)| Item {
                block: call.block,
                range: range.clone(),
                inputs: inputs(call.block),
            }));
        }
        for (block, one) in blocks.iter().enumerate().filter(|(block, one)| !is_plant(*block) && !one.state.is_empty())
        {
            let range = arena + one.state.start..arena + one.state.end;
            items.push(Item { block, range, inputs: inputs(block) });
        }
        let outputs = schedule.calls.iter().flat_map(|call| blocks[call.block].outputs.iter().zip(&call.wanted));
        let mut numbers: Vec<usize> =
            outputs.filter(|(_, wanted)| **wanted).flat_map(|(range, _)| range.clone()).collect();
        numbers.extend(items.iter().flat_map(|item: &Item| item.range.clone()).filter(|i| *i >= arena));
        Signals { schedule, arena, items, numbers, width: arena + diagram.state_width() }
    }

    /// Puts the signals and the rates at a state into `found`.
    pub fn find(&self, diagram: &Diagram, state: &State, values: &mut Values<f64>, found: &mut Vec<f64>) {
        diagram.evaluate_part(&self.schedule, state, values);
        found.clear();
        found.extend_from_slice(values.arena());
        found.resize(self.width, 0.0);
        let (_, rates) = found.split_at_mut(self.arena);
        diagram.derivatives(state.time, &state.continuous, values, rates);
    }

    /// Index of the first item in which `has` is true of a number, and of none of its inputs.
    pub fn first(&self, has: impl Fn(usize) -> bool) -> Option<usize> {
        let has_one = |range: &Range<usize>| range.clone().any(&has);
        let begins = |item: &&Item| has_one(&item.range) && !item.inputs.iter().any(has_one);
        self.items.iter().position(|item| begins(&item))
    }
}
