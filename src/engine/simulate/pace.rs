//! Check that a run under error control has an end in sight.
//!
//! A run with too many fixed steps is refused before its first one. Where the method chooses them, a step may be short
//! for a while (an impact, a start), so that a run is stopped only after many steps that are, all together, too short
//! to reach the end. The cost of a step differs: an implicit method of a plant with thousands of numbers evaluates it
//! hundreds of times, and if its equations converge only in steps of nanoseconds, it would continue for years. So steps
//! also count by their work.

use crate::integrators::MAX_STEPS;

/// Number of steps \[1\] over which the pace is measured: seconds of computing. A motion that is fast at first and slow
/// later leaves its fast part within them.
pub const SPAN: u32 = 100_000;
/// Or number of evaluated values of the state \[1\]: seconds of computing as well.
const SPAN_OF_WORK: f64 = 2e7;
/// But no fewer steps \[1\] than this: an impact takes some.
pub const MIN_SPAN: u32 = 32;
/// Length of steps \[s\] below which work is counted: longer ones of a large plant may well take days.
const SHORT_STEP: f64 = 1e-6;

/// Start of the measured steps, and their cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    steps: u32,
    /// Time \[s\].
    since: f64,
    /// Evaluations at the last step, once one was seen.
    evaluations: Option<usize>,
    /// Number of values evaluated \[1\].
    work: f64,
}

/// A step that was taken.
#[derive(Clone, Copy, Debug)]
pub struct Paced {
    /// Time at its start \[s\].
    pub start: f64,
    /// Time at its end \[s\].
    pub end: f64,
    /// Number of evaluations since the run began.
    pub evaluations: usize,
    /// Number of values of an evaluation.
    pub size: usize,
}

/// A run that would take more steps than allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Endless {
    /// Average length of the last steps \[s\].
    pub step: f64,
    /// Number of such steps to the end.
    pub steps: f64,
    /// Largest allowed number of such steps.
    pub most: f64,
    /// Number of steps measured.
    pub seen: u32,
}

impl Pace {
    /// Notes a step of a run to time `limit` \[s\].
    pub fn see(&mut self, step: Paced, limit: f64) -> Result<(), Endless> {
        let Paced { start, end, evaluations, size } = step;
        if self.steps == 0 {
            (self.since, self.work) = (start, 0.0);
        }
        self.steps += 1;
        let before = self.evaluations.replace(evaluations).unwrap_or(evaluations);
        self.work += evaluations.saturating_sub(before) as f64 * size as f64;
        let seen = self.steps;
        if seen < SPAN && (seen < MIN_SPAN || self.work < SPAN_OF_WORK) {
            return Ok(());
        }
        self.steps = 0;
        let step = (end - self.since) / f64::from(seen);
        let steps = (limit - end) / step;
        // The fastest steps evaluate one number.
        let each = if step < SHORT_STEP { (self.work / f64::from(seen)).max(1.0) } else { 1.0 };
        let most = if steps > MAX_STEPS { MAX_STEPS } else { two_digits(MAX_STEPS / each) };
        // A run without an end cannot miss it.
        if limit.is_finite() && steps > most { Err(Endless { step, steps, most, seen }) } else { Ok(()) }
    }
}

/// A number above one, rounded to two digits.
fn two_digits(x: f64) -> f64 {
    let unit = 10.0_f64.powi((x.log10().floor() as i32 - 1).max(0));
    (x / unit).round() * unit
}
