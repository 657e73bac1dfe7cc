//! Near misses: gaps that are smallest within a step, and do not close there.
//!
//! Where the smallest width w of a gap changes with a number p by w', a change of p by -w / w' closes it: derivatives
//! hold up to there. At the time of the smallest width, w' is the change of the width at that time.

use super::landing::{Gap, Width, width_least};
use super::lockstep::{Lockstep, largest_reach};
use super::notes::NoteKind;
use super::numbers::{CLOSE, NEAR_RATIO};
use super::watch::bound;
use crate::measures::lowest;
use std::array::from_fn;

/// Intervals of a step at whose ends gaps are looked at.
const INTERVALS: usize = 4;
/// Part of such an interval from an end of the step at which is seen whether a gap grows.
const ASIDE: f64 = 1e-3;

/// The smallest width of a gap in a step, and its time.
struct Miss {
    gap: Gap,
    time: f64,
    width: f64,
}

impl Lockstep {
    /// Looks for gaps that are smallest within the step of these times without closing.
    pub(super) fn look_near(&mut self, (from, to): (f64, f64)) {
        if self.layout.plants.is_empty() || to <= from {
            return;
        }
        let margin = NEAR_RATIO * largest_reach(self.world.diagram(), &self.layout);
        let interval = (to - from) / INTERVALS as f64;
        let looks: [_; INTERVALS + 1] = from_fn(|k| self.widths_at(from + interval * k as f64, margin));
        let mut seen: Vec<Gap> = Vec::new();
        let mut missed = Vec::new();
        for &(gap, _) in looks.iter().flatten() {
            if seen.iter().any(|other| gap.is_of_same(other)) {
                continue;
            }
            seen.push(gap);
            let widths = from_fn(|k| width_least(&gap, &looks[k]).unwrap_or(f64::INFINITY));
            missed.extend(self.smallest(gap, &widths, (from, to), margin));
        }
        for miss in missed {
            self.note_miss(&miss, margin);
        }
    }

    /// Widths of gaps in the run at a time within its last step.
    fn widths_at(&mut self, time: f64, margin: f64) -> Vec<Width> {
        let mut found = Vec::new();
        self.world.integrator.dense().evaluate(time, &mut self.probe);
        self.gaps.find(self.world.diagram(), &self.layout, &self.probe, margin, &mut found);
        found
    }

    /// The smallest width of a gap within a step over these times, where it is open at the ends of the step and does
    /// not only grow or shrink.
    fn smallest(
        &mut self,
        gap: Gap,
        widths: &[f64; INTERVALS + 1],
        (from, to): (f64, f64),
        margin: f64,
    ) -> Option<Miss> {
        if widths[0] <= 0.0 || widths[INTERVALS] <= 0.0 {
            return None;
        }
        let least = (0..=INTERVALS).min_by(|&a, &b| widths[a].total_cmp(&widths[b]))?;
        if !widths[least].is_finite() {
            return None;
        }
        let interval = (to - from) / INTERVALS as f64;
        let at = |k: usize| from + interval * k as f64;
        let mut width_at = |time: f64| width_least(&gap, &self.widths_at(time, margin)).unwrap_or(f64::INFINITY);
        // At an end of the step it goes on to shrink beyond, if it grows from there.
        if least == 0 && width_at(from + ASIDE * interval) >= widths[0]
            || least == INTERVALS && width_at(to - ASIDE * interval) >= widths[INTERVALS]
        {
            return None;
        }
        let (time, width) = lowest(at(least.saturating_sub(1)), at((least + 1).min(INTERVALS)), width_at);
        width.is_finite().then_some(Miss { gap, time, width })
    }

    fn note_miss(&mut self, miss: &Miss, margin: f64) {
        let &Miss { gap, time, width } = miss;
        let name = gap.name(self.world.diagram(), &self.layout);
        if width <= 0.0 {
            let text = format!("`{name}` is passed by, {:.2e} deep: the run needs a tighter accuracy", -width);
            self.note(NoteKind::NearMiss, Some(time), None, text);
            return;
        }
        for d in 0..self.directions.len() {
            let direction = &mut self.directions[d];
            let [more, less] = direction.sides.each_mut().map(|side| width_least(&gap, side.widths_at(time, margin)));
            let Some((more, less)) = more.zip(less) else { continue };
            let slope = direction.slope(more, less);
            let value = self.by[d].value;
            let changed = bound(&mut direction.valid, value, width, slope);
            if changed && (width / slope).abs() < CLOSE * value.abs().max(1.0) {
                let text = format!("`{name}` is missed by {width:.2e}; it happens at {:.6}", value - width / slope);
                let by = self.by[d].name.clone();
                self.note(NoteKind::NearMiss, Some(time), Some(by), text);
            }
        }
    }
}
