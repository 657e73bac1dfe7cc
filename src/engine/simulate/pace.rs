//! Whether a run whose steps are chosen by error control has an end in sight.
//!
//! A run of fixed steps that are too many is refused before its first one. Where the method chooses them, a step
//! may be short for a while (an impact, a start), so that a run is stopped only after many steps that are, all
//! together, too short to lead to the end. What a step takes differs: an implicit method of a plant with thousands
//! of numbers evaluates it hundreds of times, and where its equations do not converge in steps above some
//! nanoseconds it would go on for years. So steps count by the work that they take, too.

use crate::integrators::MAX_STEPS;

/// Over so many steps \[1\] the pace is taken: seconds of computing. A motion that is fast at first and slow later
/// leaves its fast part within them.
pub const SPAN: u32 = 100_000;
/// Or over so many numbers of the state that were evaluated \[1\]: seconds of computing as well.
const SPAN_OF_WORK: f64 = 2e7;
/// But over no fewer steps \[1\]: an impact takes some.
pub const MIN_SPAN: u32 = 32;
/// Work is counted where steps are shorter \[s\]: longer ones of a large plant may well take days.
const SHORT_STEP: f64 = 1e-6;

/// Where the steps that are looked at began, and what they took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    steps: u32,
    /// \[s\]
    since: f64,
    /// Evaluations at the last step, once one was seen.
    evaluations: Option<usize>,
    /// Numbers evaluated \[1\].
    work: f64,
}

/// A step that was taken.
#[derive(Clone, Copy, Debug)]
pub struct Paced {
    /// Where it began \[s\].
    pub start: f64,
    /// Where it ended \[s\].
    pub end: f64,
    /// How often anything was evaluated up to here, since the run began.
    pub evaluations: usize,
    /// How many numbers an evaluation has.
    pub size: usize,
}

/// A run that would take more steps than any does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Endless {
    /// How long the last steps were, on average \[s\].
    pub step: f64,
    /// How many like them lead to the end.
    pub steps: f64,
    /// How many like them are taken.
    pub most: f64,
    /// How many were looked at.
    pub seen: u32,
}

impl Pace {
    /// Looks at a step of a run to time `limit` \[s\].
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
        // The fastest of steps evaluate one number.
        let each = if step < SHORT_STEP { (self.work / f64::from(seen)).max(1.0) } else { 1.0 };
        let most = if steps > MAX_STEPS { MAX_STEPS } else { two_digits(MAX_STEPS / each) };
        // Without an end there is none to miss.
        if limit.is_finite() && steps > most { Err(Endless { step, steps, most, seen }) } else { Ok(()) }
    }
}

/// A number above one, as a person says it.
fn two_digits(x: f64) -> f64 {
    let unit = 10.0_f64.powi((x.log10().floor() as i32 - 1).max(0));
    (x / unit).round() * unit
}
