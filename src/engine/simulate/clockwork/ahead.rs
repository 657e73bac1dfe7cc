//! Events of the clockwork, found before the step that leads to them.
//!
//! The clockwork is sampled in cells of at most a 32nd of the shortest period that its sources declare there. A change
//! of sign of a witness function over a cell, or a signal that meets a level, is a crossing in it. A function that
//! comes nearest to zero inside of two cells is followed to that instant, so that it may touch zero and turn back
//! within one. The earliest crossing is bracketed to rounding: steps end at the near end of the bracket, where nothing
//! has changed yet, and continue from the far end.

use super::super::bracket::Bracket;
use super::super::clockwork_table::shortest_period;
use super::super::event_table::EventTable;
use super::super::run_error::RunError;
use kinegraph_core::port::simultaneous;
use kinegraph_diagram::{State, Values};

/// Number of cells in the shortest period.
const CELLS: f64 = 32.0;
/// Part of a cell at an end of the search that is sampled separately.
const EDGE: f64 = 1e-3;
/// Steps of a search for the nearest approach to zero within two cells.
const APPROACH: usize = 40;
/// The golden section.
const GOLDEN: f64 = 0.381_966_011_250_105_1;

/// An event of the clockwork.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ahead {
    /// Last instant before it \[s\].
    pub before: f64,
    /// First instant after it \[s\].
    pub after: f64,
    /// Witness functions that cross; none where a signal meets a level.
    pub which: Vec<usize>,
}

/// Sampled numbers at an instant: witness functions, then signals that have levels.
#[derive(Clone, Debug, Default)]
struct Look {
    time: f64,
    numbers: Vec<f64>,
}

/// Search for events of the clockwork; keeps its memory.
#[derive(Clone, Debug)]
pub struct AheadSearch {
    values: Values<f64>,
    low: Look,
    high: Look,
    last: Look,
    trial: Look,
    nearest: Look,
    /// Start of the cell of an event, and the sample before the event.
    from: Look,
    before: Look,
}

impl AheadSearch {
    /// Search for the clockwork of `table`.
    pub fn new(table: &EventTable) -> Self {
        let [low, high, last, trial, nearest, from, before] = Default::default();
        AheadSearch { values: table.diagram.values(), low, high, last, trial, nearest, from, before }
    }

    /// Finds the earliest event of the clockwork after the time of `state`, up to `limit` \[s\]; its discrete state is
    /// held.
    ///
    /// # Errors
    /// A witness function is not a number.
    pub fn find(&mut self, table: &EventTable, state: &State, limit: f64) -> Result<Option<Ahead>, RunError> {
        let clock = &table.clockwork;
        self.values.hold(&state.discrete);
        let mut looks = std::mem::take(&mut self.low);
        let mut next = std::mem::take(&mut self.high);
        let found = self.search(table, state, limit, &mut looks, &mut next);
        (self.low, self.high) = (looks, next);
        if !found? {
            return Ok(None);
        }
        let (mut before, mut after) = (self.low.time, self.high.time);
        let mut which = Vec::new();
        let crossing = |low: &Look, look: &Look, which: &mut Vec<usize>| {
            which.clear();
            let crosses = |&(i, w): &(usize, &usize)| table.crosses(*w, low.numbers[i], look.numbers[i]);
            which.extend(clock.witnesses.iter().enumerate().filter(crosses).map(|(_, &w)| w));
        };
        crossing(&self.low, &self.high, &mut which);
        // Witness functions that cross at the same time to rounding.
        let mut trial = std::mem::take(&mut self.trial);
        let looked = self.look(table, state, (after + simultaneous(after)).min(limit.max(after)), &mut trial);
        let mut also = Vec::new();
        crossing(&self.low, &trial, &mut also);
        if also.len() > which.len() {
            (after, which) = (trial.time, also);
        }
        self.trial = trial;
        looked?;
        if which.is_empty() {
            // The block may round differently from the level.
            let rounding = 8.0 * f64::EPSILON * after;
            (before, after) = ((before - rounding).max(state.time), after + rounding);
        }
        Ok(Some(Ahead { before, after, which }))
    }

    /// True if there is an event; then `low` and `high` are the ends of its bracket.
    fn search(
        &mut self,
        table: &EventTable,
        state: &State,
        limit: f64,
        low: &mut Look,
        high: &mut Look,
    ) -> Result<bool, RunError> {
        self.look(table, state, state.time, low)?;
        self.last.time = f64::NAN;
        let (mut cell, mut is_first, mut last_cuts) = (limit - low.time, true, 2);
        while low.time < limit {
            cell = self.cell(table, (low.time, limit), 2.0 * cell);
            let mut end = if low.time + cell < limit { low.time + cell } else { limit };
            // The first and the last cell are cut near their outer ends, to show the direction there. The last one is
            // cut twice: a function that touches zero before its end may have left it again.
            if std::mem::take(&mut is_first) {
                end = low.time + EDGE * cell;
            } else if end == limit && last_cuts > 0 {
                last_cuts -= 1;
                end = limit - EDGE * (limit - low.time);
            }
            self.look(table, state, end, high)?;
            if self.meets(table, low, high) {
                let mut from = std::mem::take(&mut self.from);
                from.clone_from(low);
                self.bracket(table, state, low, high)?;
                let touched = self.touches_before(table, state, &mut from, low, high);
                self.from = from;
                touched?;
                return Ok(true);
            }
            if self.approaches(table, state, low, high)? {
                self.bracket(table, state, low, high)?;
                return Ok(true);
            }
            // A function that started at zero is followed from its first nonzero value.
            std::mem::swap(&mut self.last, low);
            std::mem::swap(low, high);
        }
        Ok(false)
    }

    /// Length of the next cell \[s\], no longer than `most`.
    fn cell(&self, table: &EventTable, (time, limit): (f64, f64), most: f64) -> f64 {
        let shortest = (1e3 * simultaneous(time)).max(1e-6 * (limit - time));
        let mut cell = most.min(limit - time);
        loop {
            let period = shortest_period(&table.diagram, &table.clockwork.event_sources, (time, time + cell));
            if CELLS * cell <= period || cell <= shortest {
                return cell;
            }
            cell = (period / CELLS).max(0.25 * cell).max(shortest).min(0.999 * cell);
        }
    }

    /// Samples the clockwork at `time`.
    fn look(&mut self, table: &EventTable, state: &State, time: f64, look: &mut Look) -> Result<(), RunError> {
        let (clock, diagram) = (&table.clockwork, &table.diagram);
        diagram.evaluate_schedule(&clock.for_events, time, &state.continuous, &mut self.values);
        look.time = time;
        look.numbers.clear();
        look.numbers.resize(clock.witnesses.len(), 0.0);
        for (block, places) in &clock.witness_blocks {
            let context = diagram.context(*block, time, &state.continuous, &self.values);
            diagram.blocks()[*block].system.witnesses(&context, &mut look.numbers[places.clone()]);
        }
        if let Some(i) = look.numbers.iter().position(|value| value.is_nan()) {
            return Err(RunError::UndefinedWitness { time, witness: table.name(clock.witnesses[i]) });
        }
        look.numbers.extend(clock.levels.iter().map(|level| self.values.arena()[level.at]));
        Ok(())
    }

    /// True if anything crosses or meets a level from one sample to another.
    fn meets(&self, table: &EventTable, from: &Look, to: &Look) -> bool {
        self.lead(table, from, to).is_some()
    }

    /// Values at both samples of the first function that crosses or signal that meets a level, in their order; of a
    /// signal, less that level.
    fn lead(&self, table: &EventTable, from: &Look, to: &Look) -> Option<(f64, f64)> {
        let clock = &table.clockwork;
        let count = clock.witnesses.len();
        let crosses = |i: &usize| table.crosses(clock.witnesses[*i], from.numbers[*i], to.numbers[*i]);
        if let Some(i) = (0..count).find(crosses) {
            return Some((from.numbers[i], to.numbers[i]));
        }
        clock.levels.iter().zip(count..).find_map(|(level, i)| {
            let (a, b) = (from.numbers[i], to.numbers[i]);
            let block = &table.diagram.blocks()[level.block].system;
            let met = if a == b { None } else { block.next_level(level.input, level.element, (a, b)) };
            met.map(|met| (a - met, b - met))
        })
    }

    /// Looks for a function that touches zero and turns back in the part of a cell `from` its start to an event, whose
    /// bracket is from `low` to `high`. If found, these become the bracket of the touch.
    fn touches_before(
        &mut self,
        table: &EventTable,
        state: &State,
        from: &mut Look,
        low: &mut Look,
        high: &mut Look,
    ) -> Result<(), RunError> {
        let (start, end) = (from.time, low.time);
        let cell = end - start;
        if cell <= 1e3 * simultaneous(end) {
            return Ok(());
        }
        let mut next = std::mem::take(&mut self.before);
        let mut found = Ok(false);
        // Samples near the ends show the direction there.
        let (edge, near) = (EDGE * cell, EDGE * EDGE * cell);
        for time in [start + near, start + edge, start + 0.5 * cell, end - edge, end - near, end] {
            let looked = self.look(table, state, time, &mut next);
            found = looked.and_then(|()| self.approaches(table, state, from, &mut next));
            if found != Ok(false) {
                break;
            }
            std::mem::swap(&mut self.last, from);
            std::mem::swap(from, &mut next);
        }
        if found == Ok(true) {
            found = self.bracket(table, state, from, &mut next).map(|()| true);
            std::mem::swap(low, from);
            std::mem::swap(high, &mut next);
        }
        self.before = next;
        found.map(drop)
    }

    /// True if a witness function that came nearest to zero at `low`, or just before or after it, crosses there; then
    /// `low` and `high` are the bracket of the first crossing.
    fn approaches(
        &mut self,
        table: &EventTable,
        state: &State,
        low: &mut Look,
        high: &mut Look,
    ) -> Result<bool, RunError> {
        let last = std::mem::take(&mut self.last);
        let mut found = false;
        if !last.time.is_nan() {
            for i in 0..table.clockwork.witnesses.len() {
                let (a, b, c) = (last.numbers[i], low.numbers[i], high.numbers[i]);
                let is_nearest = b.abs() <= a.abs() && b.abs() <= c.abs() && b != 0.0 && (a != b || b != c);
                if is_nearest && a * b > 0.0 && b * c > 0.0 && self.follow(table, state, i, (&last, high))? {
                    found = true;
                    break;
                }
            }
        }
        if found {
            // From the start of both cells to the instant beyond zero.
            low.clone_from(&last);
            high.clone_from(&self.nearest);
        }
        self.last = last;
        Ok(found)
    }

    /// Follows witness function `i` to its nearest approach to zero within two cells. Returns whether it crosses zero
    /// before that: then `self.nearest` is the place of the crossing.
    fn follow(&mut self, table: &EventTable, state: &State, i: usize, ends: (&Look, &Look)) -> Result<bool, RunError> {
        let sign = ends.0.numbers[i].signum();
        let (mut from, mut to) = (ends.0.time, ends.1.time);
        let mut trial = std::mem::take(&mut self.trial);
        let mut nearest = std::mem::take(&mut self.nearest);
        let mut inner = [from + GOLDEN * (to - from), to - GOLDEN * (to - from)];
        let mut sizes = [f64::NAN; 2];
        let mut found = Ok(false);
        for _ in 0..APPROACH {
            for side in 0..2 {
                if sizes[side].is_nan() && found == Ok(false) {
                    let looked = self.look(table, state, inner[side], &mut trial);
                    sizes[side] = sign * trial.numbers.get(i).copied().unwrap_or(f64::NAN);
                    found = looked.map(|()| self.meets(table, ends.0, &trial));
                    if found == Ok(true) {
                        nearest.clone_from(&trial);
                    }
                }
            }
            if found != Ok(false) || to - from <= simultaneous(to) {
                break;
            }
            if sizes[0] <= sizes[1] {
                to = inner[1];
                (inner[1], sizes[1]) = (inner[0], sizes[0]);
                (inner[0], sizes[0]) = (from + GOLDEN * (to - from), f64::NAN);
            } else {
                from = inner[0];
                (inner[0], sizes[0]) = (inner[1], sizes[1]);
                (inner[1], sizes[1]) = (to - GOLDEN * (to - from), f64::NAN);
            }
        }
        (self.trial, self.nearest) = (trial, nearest);
        found
    }

    /// Shrinks the bracket from `low` to `high` of the earliest event to rounding.
    fn bracket(&mut self, table: &EventTable, state: &State, low: &mut Look, high: &mut Look) -> Result<(), RunError> {
        let tolerance = 4.0 * f64::EPSILON * high.time.abs().max(high.time - low.time);
        let mut bracket = Bracket::new(low.time, high.time, tolerance);
        let mut trial = std::mem::take(&mut self.trial);
        let mut done = Ok(());
        while let Some((a, b)) = self.lead(table, low, high)
            && let Some(time) = bracket.next(a, b)
        {
            done = self.look(table, state, time, &mut trial);
            if done.is_err() {
                break;
            }
            if self.meets(table, low, &trial) {
                bracket.cut_high(time);
                high.clone_from(&trial);
            } else {
                bracket.cut_low(time);
                low.clone_from(&trial);
            }
        }
        self.trial = trial;
        done?;
        // A signal on the level to the last bit no longer moves towards it: no time may be left out after it.
        if self.lead(table, low, high).is_none() && high.time - low.time > tolerance {
            self.look(table, state, low.time + tolerance, high)?;
        }
        Ok(())
    }
}
