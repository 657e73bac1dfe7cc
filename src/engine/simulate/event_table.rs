//! Events of a diagram: found once.

use super::clockwork_table::ClockworkTable;
use crate::linearize::Layout;
use kinegraph_core::convex::Coordinate;
use kinegraph_core::port::{Sampling, simultaneous};
use kinegraph_diagram::{Diagram, Schedule};

/// The events of a diagram.
#[derive(Debug)]
pub(super) struct EventTable {
    pub diagram: Diagram,
    pub ticks: Ticks,
    /// Block, index of the witness within the block.
    pub witnesses: Vec<(usize, usize)>,
    /// Indices of the witnesses that are events as long as they are positive.
    pub levels: Vec<usize>,
    /// Compute the inputs of the blocks with ticks, and of those with witnesses.
    pub for_ticks: Schedule,
    pub for_witnesses: Schedule,
    /// Blocks whose conditions end a run.
    pub endings: Vec<usize>,
    pub layout: Layout,
    /// Discrete state before any event.
    pub initial: Vec<f64>,
    pub clockwork: ClockworkTable,
    /// Actions of rates of the state on coordinates under error control.
    pub effects: Vec<Effect>,
    /// Blocks that watch jumps of their inputs, and the schedule that computes these.
    pub jump_watchers: Vec<usize>,
    pub for_jump_watchers: Schedule,
}

/// Periodic events of all blocks, and those that fire once by their times: a recorded signal has one at every row.
#[derive(Clone, Debug, Default)]
pub(super) struct Ticks {
    /// Each with its block, and its index within the block.
    recurring: Vec<(Sampling, BlockTick)>,
    /// Time \[s\] of each, increasing.
    once: Vec<(f64, BlockTick)>,
}

/// Block, index of the periodic event within the block.
pub(super) type BlockTick = (usize, usize);

impl Ticks {
    fn new(diagram: &Diagram) -> Self {
        let mut ticks = Ticks::default();
        for (b, block) in diagram.blocks().iter().enumerate() {
            for (i, sampling) in block.system.ports().ticks().iter().enumerate() {
                if sampling.is_once() {
                    ticks.once.push((sampling.offset, (b, i)));
                } else {
                    ticks.recurring.push((*sampling, (b, i)));
                }
            }
        }
        ticks.once.sort_by(|a, b| a.0.total_cmp(&b.0));
        ticks
    }

    /// The blocks of all, in order.
    fn blocks(&self) -> Vec<usize> {
        let once = self.once.iter().map(|&(_, (b, _))| b);
        let mut blocks: Vec<usize> = self.recurring.iter().map(|&(_, (b, _))| b).chain(once).collect();
        blocks.sort_unstable();
        blocks.dedup();
        blocks
    }

    /// The next time after `time` at which one fires.
    pub fn next_after(&self, time: f64) -> f64 {
        let behind = self.once.partition_point(|(at, _)| *at <= time + simultaneous(time));
        let next = self.once.get(behind).map_or(f64::INFINITY, |(at, _)| *at);
        self.recurring.iter().map(|(sampling, _)| sampling.next_after(time)).fold(next, f64::min)
    }

    /// All that fire at `time`, up to rounding.
    pub fn at(&self, time: f64) -> impl Iterator<Item = BlockTick> {
        let rounding = simultaneous(time);
        let behind = self.once.partition_point(|(at, _)| *at < time - rounding);
        let once = self.once[behind..].iter().take_while(move |(at, _)| *at <= time + rounding);
        let recurring = self.recurring.iter().filter(move |(sampling, _)| sampling.fires_at(time));
        recurring.map(|&(_, tick)| tick).chain(once.map(|&(_, tick)| tick))
    }
}

/// A rate of the state, and the coordinate that it moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effect {
    /// Index of the rate in the state.
    pub rate: usize,
    /// Index of the coordinate in the state.
    pub position: usize,
    /// True if the rate is an acceleration.
    pub is_velocity: bool,
}

/// All effects in a diagram.
fn effects(diagram: &Diagram, layout: &Layout) -> Vec<Effect> {
    let mut found = Vec::new();
    for slot in &layout.plants {
        let structure = layout.plant(diagram, slot).structure();
        let (mut position, mut velocity) = (slot.positions.start, 0);
        while velocity < structure.num_velocities {
            let is_spin = structure.coordinates[velocity] == Coordinate::Spin;
            let (positions, velocities) = if is_spin { (4, 3) } else { (1, 1) };
            let first = slot.velocities.start + velocity;
            found.extend((first..first + velocities).map(|rate| Effect { rate, position, is_velocity: true }));
            (position, velocity) = (position + positions, velocity + velocities);
        }
    }
    found.extend(layout.external.iter().map(|&rate| Effect { rate, position: rate, is_velocity: false }));
    found
}

/// Crossings that happened together.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Crossed {
    /// Time \[s\].
    pub time: f64,
    /// Witnesses that crossed.
    pub which: Vec<usize>,
}

impl EventTable {
    /// Events of `diagram`.
    pub fn new(diagram: &Diagram) -> Self {
        let (ticks, mut witnesses) = (Ticks::new(diagram), Vec::new());
        for (b, block) in diagram.blocks().iter().enumerate() {
            witnesses.extend((0..block.system.ports().witnesses().len()).map(|i| (b, i)));
        }
        let mut watching: Vec<usize> = witnesses.iter().map(|&(b, _)| b).collect();
        watching.dedup();
        let is_level = |&w: &usize| {
            let (b, i): (usize, usize) = witnesses[w];
            diagram.blocks()[b].system.ports().witnesses()[i].is_level
        };
        let levels = (0..witnesses.len()).filter(is_level).collect();
        let layout = Layout::new(diagram);
        let watches_jumps = |&b: &usize| diagram.blocks()[b].system.watches_jumps();
        let jump_watchers: Vec<usize> = (0..diagram.blocks().len()).filter(watches_jumps).collect();
        let ends = |&b: &usize| !diagram.blocks()[b].system.endings().is_empty();
        EventTable {
            endings: (0..diagram.blocks().len()).filter(ends).collect(),
            for_ticks: diagram.schedule_for_inputs_of(&ticks.blocks()),
            for_witnesses: diagram.schedule_for_inputs_of(&watching),
            clockwork: ClockworkTable::new(diagram, &witnesses),
            effects: effects(diagram, &layout),
            for_jump_watchers: diagram.schedule_for_inputs_of(&jump_watchers),
            jump_watchers,
            ticks,
            witnesses,
            levels,
            layout,
            initial: diagram.initial_state().discrete,
            diagram: diagram.clone(),
        }
    }

    /// True if witness `w` crosses from one value to another.
    pub fn crosses(&self, w: usize, from: f64, to: f64) -> bool {
        let (b, i) = self.witnesses[w];
        self.diagram.blocks()[b].system.ports().witnesses()[i].crossing.has_happened(from, to)
    }

    /// First witness that crosses from some values to others.
    pub fn first_crossing(&self, from: &[f64], to: &[f64]) -> Option<usize> {
        (0..from.len()).find(|&w| self.crosses(w, from[w], to[w]))
    }

    /// All witnesses that cross from some values to others.
    pub fn crossings(&self, from: &[f64], to: &[f64]) -> Vec<usize> {
        (0..from.len()).filter(|&w| self.crosses(w, from[w], to[w])).collect()
    }

    /// `block: witness` of crossings, for reports.
    pub fn names(&self, crossed: &Crossed) -> String {
        crossed.which.iter().map(|&w| self.name(w)).collect::<Vec<_>>().join(", ")
    }

    /// `block: witness`.
    pub fn name(&self, witness: usize) -> String {
        let (b, i) = self.witnesses[witness];
        let block = &self.diagram.blocks()[b];
        format!("{}: {}", block.name, block.system.ports().witnesses()[i].name)
    }
}
