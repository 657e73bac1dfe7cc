//! The smallest margin over a piece of the motion, and the first time at which it is violated.

use super::side::is_violated;
use kinegraph_engine::measures::{change, lowest};

/// Least margin so far, and the first violation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lowest {
    /// The margin and its time \[s\].
    pub least: (f64, f64),
    /// Time of the first violation \[s\].
    pub violated_at: Option<f64>,
    /// True once there was a margin.
    pub seen: bool,
}

impl Default for Lowest {
    fn default() -> Self {
        Lowest { least: (f64::INFINITY, 0.0), violated_at: None, seen: false }
    }
}

/// How much lower than the parabola through three points a minimum may be, in distances of the parabola's minimum from
/// the lowest of them.
const DOUBT: f64 = 4.0;

impl Lowest {
    /// Sees the margin `margin` at the time `time`.
    pub fn see(&mut self, time: f64, margin: f64) {
        self.seen = true;
        if margin < self.least.0 || margin.is_nan() {
            self.least = (margin, time);
        }
        if is_violated(margin) {
            self.violated_at.get_or_insert(time);
        }
    }

    /// Follows a margin over evenly spaced `times`, at which it has these `margins`, and between them by `at`.
    pub fn follow(&mut self, times: &[f64], margins: &[f64], mut at: impl FnMut(f64) -> f64) {
        let last = margins.len() - 1;
        self.see(times[0], margins[0]);
        for i in 1..=last {
            // A minimum before this point comes first.
            if let Some((time, margin)) = self.minimum(times, margins, i, &mut at) {
                self.cross((times[i - 1], margins[i - 1]), (time, margin), &mut at);
                self.see(time, margin);
            }
            self.cross((times[i - 1], margins[i - 1]), (times[i], margins[i]), &mut at);
            self.see(times[i], margins[i]);
        }
    }

    /// A minimum between point `i - 1` and point `i`, if it is lower than all before.
    fn minimum(&self, times: &[f64], margins: &[f64], i: usize, at: &mut impl FnMut(f64) -> f64) -> Option<(f64, f64)> {
        let last = margins.len() - 1;
        if last < 2 {
            return None;
        }
        // Parabolas through both points and the one before, and the one after.
        let before = (i >= 2).then(|| parabola([margins[i - 2], margins[i - 1], margins[i]], 1.0));
        let after = (i < last).then(|| parabola([margins[i - 1], margins[i], margins[i + 1]], 0.0));
        let ends = margins[i - 1].min(margins[i]);
        let lowest_guess = [before, after].into_iter().flatten().flatten().reduce(f64::min)?;
        let guess = ends - DOUBT * (ends - lowest_guess);
        if guess.is_nan() || guess >= self.least.0.min(ends) {
            return None;
        }
        let (time, margin) = lowest(times[i - 1], times[i], at);
        (margin < ends).then_some((time, margin))
    }

    /// Notes the first violation between two points, if it is there.
    fn cross(&mut self, from: (f64, f64), to: (f64, f64), at: &mut impl FnMut(f64) -> f64) {
        if self.violated_at.is_none() && !is_violated(from.1) && is_violated(to.1) {
            self.violated_at = Some(change(from.0, to.0, |time| is_violated(at(time))));
        }
    }
}

/// The smallest value of the parabola through three evenly spaced values, if it is between `begin` and `begin + 1`,
/// where the first value is at 0.
fn parabola([a, b, c]: [f64; 3], begin: f64) -> Option<f64> {
    let (slope, bend) = (2.0 * b - 1.5 * a - 0.5 * c, 0.5 * (a + c) - b);
    let at = -slope / (2.0 * bend);
    (bend > 0.0 && at > begin && at < begin + 1.0).then_some(a + 0.5 * slope * at)
}
