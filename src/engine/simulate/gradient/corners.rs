//! Corners between the runs beside, and what they do not change.
//!
//! At the end of a step the signals of a run at a little more of a number, of one at a little less, and at the mean of
//! their states are three values of a function of the number. Where it is smooth, the second lies halfway between the
//! others, up to the square of the little. Where it does not, a corner lies between them: the derivative is the mean of
//! those of its sides.

use super::lockstep::Lockstep;
use super::notes::NoteKind;
use super::numbers::{BENT, LASTING, MODE_CHANGE, SLOPE};
use kinegraph_diagram::{Block, State};
use std::ops::Range;

/// Facts that were seen of the signals for one number, item by item.
#[derive(Clone, Default)]
pub(super) struct Seen {
    /// True if one of the runs beside has the number of the run: corners do not show.
    is_one_sided: bool,
    items: Vec<SeenItem>,
    last: Vec<f64>,
    last_time: f64,
}

/// Facts that were seen of an item.
#[derive(Clone, Default)]
struct SeenItem {
    /// Number of looks at which a corner lay between the runs beside, and the time of the first \[s\].
    corners: usize,
    begin: f64,
    /// True if it ever differed between the runs beside.
    moved: bool,
    /// Number of looks at which its inputs differed and it did not.
    held: usize,
    /// Number of its changes from one of these to the next that no jump within a step explains.
    changes: usize,
}

impl Seen {
    /// Nothing yet; `is_one_sided` if one of the runs beside has the number of the run.
    pub fn new(is_one_sided: bool) -> Self {
        Seen { is_one_sided, ..Seen::default() }
    }
}

impl Lockstep {
    /// Looks at the signals of the run and of those beside at the end of a step.
    pub(super) fn see_corners(&mut self) {
        if self.signals.items.is_empty() {
            return;
        }
        let time = self.world.state.time;
        let [mut more, mut middle, mut less] = [Vec::new(), Vec::new(), Vec::new()];
        let mut mean = State::clone(&self.world.state);
        for (direction, seen) in self.directions.iter_mut().zip(&mut self.seen) {
            let [one, other] = &mut direction.sides;
            if one.state.time != time || other.state.time != time {
                continue;
            }
            self.signals.find(&one.diagram, &one.state, &mut one.looks, &mut more);
            self.signals.find(&other.diagram, &other.state, &mut other.looks, &mut less);
            let between = |mean: &mut [f64], a: &[f64], b: &[f64]| {
                let all = mean.iter_mut().zip(a.iter().zip(b));
                // Modes of blocks are those of the run.
                let all = all.filter(|(_, (a, b))| (*a - *b).abs() < MODE_CHANGE * a.abs().max(1.0));
                all.for_each(|(mean, (a, b))| *mean = 0.5 * (a + b));
            };
            between(&mut mean.continuous, &one.state.continuous, &other.state.continuous);
            between(&mut mean.discrete, &one.state.discrete, &other.state.discrete);
            self.signals.find(self.world.diagram(), &mean, &mut self.looks, &mut middle);
            let distance = direction.distance;
            let is_bent = |i: usize| {
                let (up, down) = (more[i] - middle[i], middle[i] - less[i]);
                let bend = (up - down).abs();
                bend > BENT * (up.abs() + down.abs()) && bend > SLOPE * distance * middle[i].abs().max(1.0)
            };
            if seen.items.is_empty() {
                seen.items.resize(self.signals.items.len(), SeenItem::default());
            } else if seen.last_time == time {
                continue;
            }
            if let Some(k) = self.signals.first(is_bent).filter(|_| !seen.is_one_sided) {
                let item = &mut seen.items[k];
                item.begin = if item.corners == 0 { time } else { item.begin };
                item.corners += 1;
            }
            let differs = |range: &Range<usize>| range.clone().any(|i| more[i] != less[i]);
            for (seen_item, item) in seen.items.iter_mut().zip(&self.signals.items) {
                let moves = differs(&item.range);
                seen_item.moved |= moves;
                if !moves && item.inputs.iter().any(differs) {
                    seen_item.held += 1;
                    let changes = |i: usize| seen.last.get(i).is_some_and(|last| *last != middle[i]);
                    let is_known = self.jumped.iter().any(|(block, _)| *block == item.block);
                    seen_item.changes += usize::from(!is_known && item.range.clone().any(changes));
                }
            }
            seen.last.clone_from(&middle);
            seen.last_time = time;
        }
        self.jumped.clear();
    }

    /// Notes corners that lay between the runs beside for more than an instant, or at the end, and blocks whose outputs
    /// do not change with their inputs; `is_zero` says of a number whether all derivatives by it are zero.
    pub(super) fn note_corners(&mut self, is_zero: impl Fn(usize) -> bool) {
        let blocks = self.world.diagram().clone();
        let end = self.world.state.time;
        let mut notes = Vec::new();
        for (d, seen) in self.seen.iter().enumerate() {
            let items =
                || self.signals.items.iter().zip(&seen.items).map(|(item, seen)| (&blocks.blocks()[item.block], seen));
            // Later corners follow from the first.
            let lasts = |seen: &SeenItem| seen.corners >= LASTING || seen.corners > 0 && seen.begin == end;
            let first = items().filter(|(_, seen)| lasts(seen)).min_by(|a, b| a.1.begin.total_cmp(&b.1.begin));
            if let Some((block, seen)) = first {
                let text = format!("`{}` has a corner: the derivative is the mean of those of its sides", block.name);
                notes.push((NoteKind::Kink, Some(seen.begin), d, text));
            }
            let holds = |(block, seen): &(&Block, &SeenItem)| {
                !seen.moved && seen.held > 0 && block.system.ports().witnesses().is_empty()
            };
            let mut stepped = items().filter(holds).filter(|(_, seen)| seen.changes >= LASTING);
            if let Some((block, _)) = stepped.next() {
                let text = format!("`{}` has steps: derivatives are those between them", block.name);
                notes.push((NoteKind::Held, None, d, text));
            }
            let mut still = items().filter(holds).filter(|(_, seen)| seen.changes == 0);
            if let Some((block, _)) = still.next().filter(|_| is_zero(d)) {
                let text = format!("`{}` stays as it is while its input changes: the derivative is zero", block.name);
                notes.push((NoteKind::Held, None, d, text));
            }
        }
        for (kind, time, d, text) in notes {
            let by = self.by[d].name.clone();
            self.note(kind, time, Some(by), text);
        }
    }
}
