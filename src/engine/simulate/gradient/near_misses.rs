//! Near misses: gaps that are smallest within a step, and do not close there.
//!
//! Where the smallest width w of a gap changes with a number p by w', a change of p by -w / w' closes it: derivatives
//! hold up to there. At the time of the smallest width, w' is the change of the width at that time.

use super::direction::Direction;
use super::landing::{Gap, Width, width_least};
use super::lockstep::{Lockstep, largest_reach};
use super::notes::NoteKind;
use super::numbers::{CLOSE, NEAR_RATIO};
use super::watch::{bound, is_bound};
use crate::measures::lowest;
use std::array::from_fn;

/// Intervals of a step at whose ends gaps are looked at.
const INTERVALS: usize = 4;
/// Part of such an interval from an end of the step at which is seen whether a gap grows.
const ASIDE: f64 = 1e-3;

/// Factor for a change of a width that is known at another time than that of the smallest width.
const SAFE: f64 = 2.0;

/// The smallest width of a gap in a step, and its time.
struct Miss {
    gap: Gap,
    time: f64,
    width: f64,
}

/// Gaps that are looked at several times within a step, in the run and beside it.
struct Looks {
    times: [f64; INTERVALS + 1],
    margin: f64,
    /// In the run.
    found: [Vec<Width>; INTERVALS + 1],
    /// In both runs of each number, where they were asked for.
    beside: [Vec<[Vec<Width>; 2]>; INTERVALS + 1],
}

impl Looks {
    /// Widths in both runs of each number at a look.
    fn beside(&mut self, look: usize, directions: &mut [Direction]) -> &[[Vec<Width>; 2]] {
        let (time, margin) = (self.times[look], self.margin);
        let both =
            |direction: &mut Direction| direction.sides.each_mut().map(|side| side.widths_at(time, margin).to_vec());
        let own = &mut self.beside[look];
        if own.is_empty() {
            own.extend(directions.iter_mut().map(both));
        }
        own
    }
}

impl Direction {
    /// Change of the width of a gap with the number, at a time within the last step.
    fn slope_of_width(&mut self, gap: &Gap, time: f64, margin: f64) -> Option<f64> {
        let [more, less] = self.sides.each_mut().map(|side| width_least(gap, side.widths_at(time, margin)));
        more.zip(less).map(|(more, less)| self.slope(more, less))
    }
}

impl Lockstep {
    /// Looks for gaps that are smallest within the step of these times without closing.
    pub(super) fn look_near(&mut self, (from, to): (f64, f64)) {
        if self.layout.plants.is_empty() || to <= from {
            return;
        }
        let margin = NEAR_RATIO * largest_reach(self.world.diagram(), &self.layout);
        let times = from_fn(|k| from + (to - from) / INTERVALS as f64 * k as f64);
        let found = times.map(|time| self.widths_at(time, margin));
        let mut looks = Looks { times, margin, found, beside: Default::default() };
        let mut seen: Vec<Gap> = Vec::new();
        let mut missed = Vec::new();
        for look in 0..=INTERVALS {
            for of in 0..looks.found[look].len() {
                let gap = looks.found[look][of].0;
                if !seen.iter().any(|other| gap.is_of_same(other)) {
                    seen.push(gap);
                    missed.extend(self.smallest(gap, &mut looks));
                }
            }
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

    /// The smallest width of a gap within a step, where it is open at the ends of the step and does not only grow or
    /// shrink; none if it cannot bound a derivative more closely than others.
    fn smallest(&mut self, gap: Gap, looks: &mut Looks) -> Option<Miss> {
        let widths: [f64; INTERVALS + 1] = from_fn(|k| width_least(&gap, &looks.found[k]).unwrap_or(f64::INFINITY));
        if widths[0] <= 0.0 || widths[INTERVALS] <= 0.0 {
            return None;
        }
        let least = (0..=INTERVALS).min_by(|&a, &b| widths[a].total_cmp(&widths[b]))?;
        if !widths[least].is_finite() {
            return None;
        }
        let beside = [least.saturating_sub(1), (least + 1).min(INTERVALS)];
        let steepest = beside.map(|k| widths[k] - widths[least]).into_iter().fold(0.0, f64::max);
        if !self.may_bound(&gap, least, widths[least] - steepest, looks) {
            return None;
        }
        let (times, margin) = (looks.times, looks.margin);
        let (from, to) = (times[0], times[INTERVALS]);
        let aside = ASIDE * (to - from) / INTERVALS as f64;
        let mut width_at = |time: f64| width_least(&gap, &self.widths_at(time, margin)).unwrap_or(f64::INFINITY);
        // At an end of the step it goes on to shrink beyond, if it grows from there.
        if least == 0 && width_at(from + aside) >= widths[0]
            || least == INTERVALS && width_at(to - aside) >= widths[INTERVALS]
        {
            return None;
        }
        let (time, width) = lowest(times[beside[0]], times[beside[1]], width_at);
        width.is_finite().then_some(Miss { gap, time, width })
    }

    /// True if a gap that is no narrower than `width` about a look may bound a derivative more closely than others.
    fn may_bound(&mut self, gap: &Gap, look: usize, width: f64, looks: &mut Looks) -> bool {
        if width <= 0.0 {
            return true;
        }
        let beside = looks.beside(look, &mut self.directions);
        self.directions.iter().zip(&self.by).zip(beside).any(|((direction, by), both)| {
            let [more, less] = both.each_ref().map(|found| width_least(gap, found));
            let slope = more.zip(less).map(|(more, less)| direction.slope(more, less));
            slope.is_none_or(|slope| is_bound(direction.valid, by.value, width, SAFE * slope))
        })
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
            let Some(slope) = direction.slope_of_width(&gap, time, margin) else { continue };
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
