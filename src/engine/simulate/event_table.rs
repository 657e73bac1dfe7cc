//! Events of a diagram: found once.

use super::clockwork_table::ClockworkTable;
use crate::linearize::Layout;
use kinegraph_core::convex::Coordinate;
use kinegraph_core::port::Crossing;
use kinegraph_diagram::{Diagram, Schedule};

/// The events of a diagram.
#[derive(Debug)]
pub(super) struct EventTable {
    pub diagram: Diagram,
    /// Block, index of the periodic event within the block.
    pub ticks: Vec<(usize, usize)>,
    /// Block, index of the witness within the block.
    pub witnesses: Vec<(usize, usize)>,
    /// Compute the inputs of the blocks with ticks, and of those with witnesses.
    pub for_ticks: Schedule,
    pub for_witnesses: Schedule,
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
        let (mut ticks, mut witnesses) = (Vec::new(), Vec::new());
        for (b, block) in diagram.blocks().iter().enumerate() {
            let ports = block.system.ports();
            ticks.extend((0..ports.ticks().len()).map(|i| (b, i)));
            witnesses.extend((0..ports.witnesses().len()).map(|i| (b, i)));
        }
        let reads = |events: &[(usize, usize)]| {
            let mut blocks: Vec<usize> = events.iter().map(|&(b, _)| b).collect();
            blocks.dedup();
            diagram.schedule_for_inputs_of(&blocks)
        };
        let layout = Layout::new(diagram);
        let watches_jumps = |&b: &usize| diagram.blocks()[b].system.watches_jumps();
        let jump_watchers: Vec<usize> = (0..diagram.blocks().len()).filter(watches_jumps).collect();
        EventTable {
            for_ticks: reads(&ticks),
            for_witnesses: reads(&witnesses),
            clockwork: ClockworkTable::new(diagram, &witnesses),
            effects: effects(diagram, &layout),
            for_jump_watchers: diagram.schedule_for_inputs_of(&jump_watchers),
            jump_watchers,
            ticks,
            witnesses,
            layout,
            initial: diagram.initial_state().discrete,
            diagram: diagram.clone(),
        }
    }

    /// The next time after `time` at which a periodic event fires.
    pub fn next_tick(&self, time: f64) -> f64 {
        let samplings = self.ticks.iter().map(|&(b, i)| self.diagram.blocks()[b].system.ports().ticks()[i]);
        samplings.map(|s| s.next_after(time)).fold(f64::INFINITY, f64::min)
    }

    /// True if witness `w` crosses from one value to another.
    pub fn crosses(&self, w: usize, from: f64, to: f64) -> bool {
        let (b, i) = self.witnesses[w];
        let (rising, falling) = (from <= 0.0 && to > 0.0, from >= 0.0 && to < 0.0);
        match self.diagram.blocks()[b].system.ports().witnesses()[i].crossing {
            Crossing::Rising => rising,
            Crossing::Falling => falling,
            Crossing::Either => rising || falling,
        }
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
