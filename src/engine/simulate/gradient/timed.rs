//! Times at which sources of the runs beside jump or bend: their own.

use super::landing::Root;
use super::lockstep::Lockstep;
use super::notes::NoteKind;
use super::side::Side;
use crate::simulate::event_table::{BlockTick, EventTable};
use crate::simulate::world::Planned;
use kinegraph_core::port::{Sampling, simultaneous};

impl Lockstep {
    /// Sets the time at which each run beside ends the planned step: that of its own event where a number moves it.
    pub(super) fn plan_beside(&mut self, planned: &Planned, limit: f64) {
        let time = planned.goal;
        let is_tick = planned.at_tick && planned.ahead.is_none() && time < limit;
        let table = self.world.events.table();
        let due: Vec<BlockTick> = if is_tick { table.ticks.at(time).collect() } else { Vec::new() };
        for side in self.directions.iter_mut().flat_map(|direction| &mut direction.sides) {
            side.timed = None;
            let mut own = due.iter().map(|&tick| own_time(table, side, tick, time));
            let Some(first) = own.next() else { continue };
            let is_one = own.all(|other| (other - first).abs() <= simultaneous(time));
            if is_one && (first - time).abs() > simultaneous(time) {
                side.timed = Some((time, first));
            }
        }
    }

    /// Notes an event of a source that other runs have at other times.
    pub(super) fn note_timed(&mut self, planned: &Planned) {
        let time = planned.goal;
        let table = self.world.events.table();
        let due: Vec<BlockTick> = table.ticks.at(time).collect();
        let moves = |side: &Side| {
            let moved = |&&tick: &&BlockTick| (own_time(table, side, tick, time) - time).abs() > simultaneous(time);
            due.iter().find(moved).copied()
        };
        let name = |block: usize| table.diagram.blocks()[block].name.clone();
        let (mut knot, mut notes) = (None, Vec::new());
        for (direction, by) in self.directions.iter().zip(&self.by) {
            let Some((block, _)) = direction.sides.iter().find_map(moves) else { continue };
            if direction.sides.iter().all(|side| side.timed.is_none()) {
                let other = due.iter().map(|(other, _)| *other).find(|other| *other != block);
                let other = other.map_or_else(|| "the end of the run".to_owned(), |other| format!("`{}`", name(other)));
                let text =
                    format!("`{}` changes at the same time as {other}: its time is not moved alone", name(block));
                notes.push((by.name.clone(), text));
            } else {
                knot = Some(format!("{}: at {time} s", name(block)));
            }
        }
        for (by, text) in notes {
            self.note(NoteKind::Order, Some(time), Some(by), text);
        }
        if let Some(name) = knot {
            self.note_knot(name, Root { time, rate: f64::INFINITY }, false);
        }
    }
}

/// Time at which a run beside has the periodic event that the run has at `time` \[s\].
fn own_time(table: &EventTable, side: &Side, (block, index): BlockTick, time: f64) -> f64 {
    let tick = |blocks: &[kinegraph_diagram::Block]| blocks[block].system.ports().ticks().get(index).copied();
    let both: Option<(Sampling, Sampling)> = tick(table.diagram.blocks()).zip(tick(side.diagram.blocks()));
    both.filter(|(run, own)| run.is_once() && own.is_once()).map_or(time, |(run, own)| time + (own.offset - run.offset))
}
