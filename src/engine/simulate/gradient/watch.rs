//! Watches the runs for what bounds their derivatives: knots that come slowly, almost together, or almost at all.

use super::landing::{Gap, Root, Width, width_of};
use super::lockstep::Lockstep;
use super::notes::{Note, NoteKind};
use super::numbers::{BEND, CLOSE, MAX_NOTES, NEAR_RATIO, TOGETHER};

/// Time of a knot: in the run, and in both runs beside for each number.
pub(super) struct KnotTimes {
    pub name: String,
    pub time: f64,
    pub beside: Vec<[f64; 2]>,
    /// True if something jumps there.
    pub jumps: bool,
}

/// A gap that is watched for a near miss: its last two widths, and how the last one changes with each number.
pub(super) struct Near {
    gap: Gap,
    widths: [f64; 2],
    slopes: Vec<f64>,
    time: f64,
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

    /// Looks at gaps of shapes that are near each other: where one is smallest without closing, a change closes it.
    pub(super) fn look_near(&mut self) {
        let diagram = self.world.diagram().clone();
        let reach = |slot| self.layout.plant(&diagram, slot).reach().iter().copied().fold(0.0, f64::max);
        let margin =
            NEAR_RATIO * self.layout.plants.iter().map(reach).filter(|reach| reach.is_finite()).fold(0.0, f64::max);
        if margin == 0.0 {
            return;
        }
        let found = &mut self.found[1];
        self.gaps.find(&diagram, &self.layout, &self.world.state.continuous, margin, found);
        let mut now: Vec<Width> = Vec::new();
        for &(gap, width) in found.iter().filter(|(gap, _)| matches!(gap, Gap::Shapes { .. })) {
            match now.iter_mut().find(|(other, _)| gap.is_of_same(other)) {
                Some(least) if width < least.1 => *least = (gap, width),
                Some(_) => {}
                None => now.push((gap, width)),
            }
        }
        now.retain(|(_, width)| *width > 0.0);
        let mut slopes = vec![vec![f64::NAN; self.directions.len()]; now.len()];
        if !now.is_empty() {
            for (d, direction) in self.directions.iter_mut().enumerate() {
                let distance = direction.distance;
                let [more, less] = direction.sides.each_mut().map(|side| side.widths(margin).to_vec());
                for ((gap, _), slopes) in now.iter().zip(&mut slopes) {
                    let both = width_of(gap, &more).zip(width_of(gap, &less));
                    slopes[d] = both.map_or(f64::NAN, |(more, less)| (more - less) / distance);
                }
            }
        }
        let mut missed = Vec::new();
        let mut next = Vec::new();
        for ((gap, width), slopes) in now.into_iter().zip(slopes) {
            let before = self.near.iter().find(|near| near.gap.is_of_same(&gap));
            let [older, last] = before.map_or([width; 2], |near| near.widths);
            if let Some(near) = before.filter(|_| last < older && last <= width) {
                missed.push((near.gap, near.time, last, near.slopes.clone()));
            }
            next.push(Near { gap, widths: [last, width], slopes, time: self.world.state.time });
        }
        self.near = next;
        for (gap, time, width, slopes) in missed {
            self.note_miss(gap, time, width, &slopes);
        }
    }

    fn note_miss(&mut self, gap: Gap, time: f64, width: f64, slopes: &[f64]) {
        let name = gap.name(self.world.diagram(), &self.layout);
        for (d, &slope) in slopes.iter().enumerate() {
            let value = self.by[d].value;
            let changed = bound(&mut self.directions[d].valid, value, width, slope);
            if changed && (width / slope).abs() < CLOSE * value.abs().max(1.0) {
                let text = format!("`{name}` is missed by {width:.2e} m; it happens at {:.6}", value - width / slope);
                let by = self.by[d].name.clone();
                self.note(NoteKind::NearMiss, Some(time), Some(by), text);
            }
        }
    }
}

/// Narrows the range in which a derivative holds: a width that changes by `slope` vanishes. Returns whether it did.
fn bound(valid: &mut (f64, f64), value: f64, width: f64, slope: f64) -> bool {
    if !(slope != 0.0 && slope.is_finite()) {
        return false;
    }
    let end = value - width / slope;
    if slope > 0.0 && end > valid.0 {
        valid.0 = end;
        return true;
    }
    if slope < 0.0 && end < valid.1 {
        valid.1 = end;
        return true;
    }
    false
}
