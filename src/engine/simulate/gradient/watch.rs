//! Watches knots for what bounds derivatives: those that come slowly, or almost together.

use super::landing::Root;
use super::lockstep::Lockstep;
use super::notes::{Note, NoteKind};
use super::numbers::{BEND, CLOSE, MAX_NOTES, TOGETHER};

/// Time of a knot: in the run, and in both runs beside for each number.
pub(super) struct KnotTimes {
    pub name: String,
    pub time: f64,
    pub beside: Vec<[f64; 2]>,
    /// True if something jumps there.
    pub jumps: bool,
}

impl KnotTimes {
    /// True if one of the two runs of number `by` has passed the knot at this time \[s\] and the other has not: a jump
    /// at the knot is no derivative there.
    pub fn parts(&self, by: usize, time: f64) -> bool {
        let [more, less] = self.beside[by];
        more != less && more.min(less) <= time && time <= more.max(less)
    }
}

impl Lockstep {
    pub(super) fn note(&mut self, kind: NoteKind, time: Option<f64>, by: Option<String>, text: String) {
        let own = kind as usize;
        self.counts[own] += 1;
        if self.counts[own] <= MAX_NOTES {
            self.notes.push(Note { kind, time, by, text });
        }
    }

    /// Adds a note for each kind of which not all were kept.
    pub(super) fn summarize_notes(&mut self) {
        for kind in NoteKind::ALL {
            let count = self.counts[kind as usize];
            if count > MAX_NOTES {
                let text = format!("{} more of this kind", count - MAX_NOTES);
                self.notes.push(Note { kind, time: None, by: None, text });
            }
        }
    }

    /// Notes when a knot was met, here and beside.
    pub(super) fn note_knot(&mut self, name: String, root: Root, is_gap: bool) {
        let slow = self.accuracy.map_or(0.0, |accuracy| (2.0 * BEND * accuracy).sqrt());
        if is_gap && root.rate.abs() < slow {
            let text = format!("`{name}` at {:.2e} m/s: its time may change without bound", root.rate.abs());
            self.note(NoteKind::Grazing, Some(root.time), None, text);
        }
        let beside = self.directions.iter().map(|direction| [0, 1].map(|i| direction.sides[i].state.time)).collect();
        let knot = KnotTimes { name, time: self.world.state.time, beside, jumps: !is_gap };
        let apart = self.knots.last().map_or(f64::INFINITY, |last| knot.time - last.time);
        let is_close = apart < TOGETHER * (knot.time - self.began).max(0.0);
        if let Some(last) = self.knots.last().filter(|last| is_close && (last.jumps || knot.jumps)) {
            let mut notes = Vec::new();
            for (d, direction) in self.directions.iter_mut().enumerate() {
                let of = |knot: &KnotTimes| direction.slope(knot.beside[d][0], knot.beside[d][1]);
                let slope = of(&knot) - of(last);
                let value = self.by[d].value;
                if bound(&mut direction.valid, value, apart, slope) && (apart / slope).abs() < CLOSE * value.abs() {
                    let text = format!("`{}` and `{}` are {apart:.2e} s apart", last.name, knot.name);
                    notes.push((self.by[d].name.clone(), text));
                }
            }
            for (by, text) in notes {
                self.note(NoteKind::Order, Some(knot.time), Some(by), text);
            }
        }
        self.knots.push(knot);
    }
}

/// Narrows the range in which a derivative holds: a width that changes by `slope` vanishes. Returns whether it did.
pub(super) fn bound(valid: &mut (f64, f64), value: f64, width: f64, slope: f64) -> bool {
    if !is_bound(*valid, value, width, slope) {
        return false;
    }
    let end = value - width / slope;
    if slope > 0.0 {
        valid.0 = end
    } else {
        valid.1 = end
    }
    true
}

/// True if a width that changes by `slope` vanishes within the range in which a derivative holds.
pub(super) fn is_bound(valid: (f64, f64), value: f64, width: f64, slope: f64) -> bool {
    let end = value - width / slope;
    slope.is_finite() && (slope > 0.0 && end > valid.0 || slope < 0.0 && end < valid.1)
}
