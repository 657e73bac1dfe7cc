//! Parts of a diagram that its clockwork moves: found once.

use kinegraph_core::TimeVariation;
use kinegraph_core::port::OutputPort;
use kinegraph_diagram::{Clockwork, Diagram, Schedule, Source};

/// A number of an input that is a function of the time, of a block with kinks or jumps at levels of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leveled {
    /// Block.
    pub block: usize,
    /// Input of the block.
    pub input: usize,
    /// Index of the number in that input.
    pub element: usize,
    /// Index among all values.
    pub at: usize,
}

/// Parts of a clockwork that make events, and the sources that drive them.
#[derive(Debug, Default)]
pub struct ClockworkTable {
    /// Witness functions of the clockwork, by their index among all; in order.
    pub witnesses: Vec<usize>,
    /// Blocks of these, in order, and the range of their witness functions among `witnesses`.
    pub witness_blocks: Vec<(usize, std::ops::Range<usize>)>,
    /// Numbers of inputs that meet levels.
    pub levels: Vec<Leveled>,
    /// Computes the inputs of these blocks.
    pub for_events: Schedule,
    /// Blocks before them that change by the time alone.
    pub event_sources: Vec<usize>,
    /// Blocks that change by the time alone and act on continuous state.
    pub sources: Vec<usize>,
    /// Computes the part of the inputs of blocks with state that these change.
    pub for_states: Schedule,
}

/// Least number of steps per period.
const STEPS_PER_PERIOD: f64 = 4.0;

/// True if the outputs of a block change by the time alone.
fn changes(diagram: &Diagram, block: usize) -> bool {
    let block = &diagram.blocks()[block].system;
    block.as_plant().is_none() && block.time_variation((0.0, 1.0)) != TimeVariation::Steady
}

/// True if the outputs of a block change at an unknown rate.
fn is_unknown(diagram: &Diagram, block: usize) -> bool {
    diagram.blocks()[block].system.time_variation((0.0, 1.0)) == TimeVariation::Unknown
}

/// Blocks that change by the time alone among those that compute the inputs of `block`, and the block itself.
fn before(diagram: &Diagram, block: usize) -> Vec<usize> {
    let mut blocks = diagram.schedule_for_inputs_of(&[block]).blocks();
    blocks.push(block);
    blocks.retain(|&block| changes(diagram, block));
    blocks.sort_unstable();
    blocks.dedup();
    blocks
}

/// Inputs of `block` that are driven by the clockwork and at levels of which it has a kink.
fn leveled(diagram: &Diagram, clockwork: &Clockwork, block: usize) -> Vec<Leveled> {
    let of = &diagram.blocks()[block];
    let mut found = Vec::new();
    for (input, source) in of.sources.iter().enumerate() {
        let (Source::Output { block: from, port }, Some(range)) = (source, &of.inputs[input]) else { continue };
        if !clockwork.has_output(*from, *port) {
            continue;
        }
        let elements = range.clone().enumerate();
        let elements = elements
            .filter(|(element, _)| of.system.next_level(input, *element, (f64::NEG_INFINITY, f64::INFINITY)).is_some());
        found.extend(elements.map(|(element, at)| Leveled { block, input, element, at }));
    }
    found
}

impl ClockworkTable {
    /// Table of `diagram`, with all its witness functions, (block, witness) each.
    pub fn new(diagram: &Diagram, all: &[(usize, usize)]) -> Self {
        let blocks = diagram.blocks();
        let moving: Vec<usize> = (0..blocks.len()).filter(|&block| changes(diagram, block)).collect();
        if moving.is_empty() {
            return ClockworkTable::default();
        }
        let clockwork = diagram.clockwork();
        let mut table = ClockworkTable::default();
        // Sources at an unknown rate are checked along steps.
        let is_known = |before: &[usize]| !before.is_empty() && !before.iter().any(|&block| is_unknown(diagram, block));
        let mut reading = Vec::new();
        for (block, placed) in blocks.iter().enumerate() {
            let count = placed.system.ports().witnesses().len();
            let levels = leveled(diagram, &clockwork, block);
            // Blocks that watch jumps and read no input at once have witness functions of the time and their own state.
            let reads = |port: &OutputPort| (0..placed.inputs.len()).any(|input| port.feedthrough.contains(input));
            let watches_jumps = placed.system.watches_jumps() && !placed.system.ports().outputs().iter().any(reads);
            let watches = count > 0 && (clockwork.has(block) || watches_jumps);
            let before = if watches_jumps { vec![block] } else { before(diagram, block) };
            if !watches && levels.is_empty() || !is_known(&before) {
                continue;
            }
            if watches {
                let first = table.witnesses.len();
                table.witnesses.extend((0..all.len()).filter(|&w| all[w].0 == block));
                table.witness_blocks.push((block, first..first + count));
            }
            table.levels.extend(levels);
            table.event_sources.extend(before);
            if !watches_jumps {
                reading.push(block);
            }
        }
        table.event_sources.sort_unstable();
        table.event_sources.dedup();
        table.for_events = diagram.schedule_for_inputs_of(&reading);
        table.for_states = diagram.calls_from(&moving);
        let acting = table.for_states.blocks();
        table.sources = moving.into_iter().filter(|block| acting.binary_search(block).is_ok()).collect();
        table
    }

    /// True if any event follows from the time alone.
    pub fn has_events(&self) -> bool {
        !self.witnesses.is_empty() || !self.levels.is_empty()
    }
}

/// Shortest period \[s\] with which `sources` change between two times, without those at an unknown rate.
pub(super) fn shortest_period(diagram: &Diagram, sources: &[usize], times: (f64, f64)) -> f64 {
    let periods = sources.iter().map(|&block| match diagram.blocks()[block].system.time_variation(times) {
        TimeVariation::Period(period) => period,
        TimeVariation::Steady | TimeVariation::Unknown => f64::INFINITY,
    });
    periods.fold(f64::INFINITY, f64::min)
}

/// Sources that act on continuous state and change faster within the first `end` \[s\] than steps of length `step`
/// \[s\] follow, with their shortest periods \[s\].
///
/// A method under error control takes shorter steps for them. One of fixed length cannot.
pub fn sources_too_fast(diagram: &Diagram, step: f64, end: f64) -> Vec<(String, f64)> {
    let sources = ClockworkTable::new(diagram, &[]).sources;
    let periods = sources.into_iter().map(|block| (block, shortest_period(diagram, &[block], (0.0, end))));
    let fast = periods.filter(|(_, period)| *period < STEPS_PER_PERIOD * step);
    fast.map(|(block, period)| (diagram.blocks()[block].name.clone(), period)).collect()
}
