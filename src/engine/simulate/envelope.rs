//! Size of the state over a run, by decades: detects exponential growth that has lasted.
//!
//! A loop with samples or delays grows although no eigenvalue of the continuous motion has a positive real part, so
//! that rates do not show it. The largest number of the state does: growth as `e^(λ t)` takes the same time `3 ln 10 /
//! λ` for each three decades, growth as a power of time takes ever longer.

use std::ops::RangeInclusive;

/// Range of decades.
const DECADES: RangeInclusive<i32> = -12..=300;
/// Number of decades over which the growth is compared with that over as many before.
const SPAN: usize = 3;
/// Largest factor by which the later half may take longer.
const MAX_TIME_RATIO: f64 = 2.0;
/// Largest factor by which the later half may take less time; faster growth ends at a finite time, as the solution of
/// `ẋ = x²` does.
const MAX_HASTE: f64 = 8.0;
/// Part of the accuracy that the rounding of the largest number reaches where a run has diverged.
const LOST_FRACTION: f64 = 0.01;
/// The largest number of a run without an accuracy.
const MAX_SIZE: f64 = 1e15;

/// Times at which the largest number of the state first reached each decade.
#[derive(Clone, Debug, Default)]
pub struct Envelope {
    /// Decade at the start of the watch.
    first: i32,
    /// Times at which the next decades were reached \[s\]; that of the start is first.
    times: Vec<f64>,
    /// Size of the next decade.
    next: f64,
}

/// Exponential growth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// Rate \[1/s\].
    pub rate: f64,
}

/// Largest number of a state and its index.
pub(super) fn largest(state: &[f64]) -> (usize, f64) {
    state.iter().enumerate().fold((0, 0.0), |(at, size), (i, x)| if x.abs() > size { (i, x.abs()) } else { (at, size) })
}

impl Envelope {
    /// Notes the size of the state at a time. Returns whether it is in a new decade.
    pub fn see(&mut self, time: f64, size: f64) -> bool {
        if size < self.next || !size.is_finite() {
            return false;
        }
        let decade = (size.max(f64::MIN_POSITIVE).log10().floor() as i32).clamp(*DECADES.start(), *DECADES.end());
        if self.times.is_empty() {
            // Reserved once for all decades: steps allocate nothing.
            self.times.reserve((DECADES.end() - DECADES.start() + 1) as usize);
            self.first = decade;
        }
        let reached = (decade - self.first + 1) as usize;
        self.times.resize(reached.max(self.times.len()), time);
        self.next = 10_f64.powi(decade + 1);
        true
    }

    /// Growth over the last decades, if it is exponential.
    pub fn growth(&self) -> Option<Growth> {
        let last = self.times.len().checked_sub(1)?;
        let at = |back: usize| last.checked_sub(back).map(|i| self.times[i]);
        let (now, middle, before) = (at(0)?, at(SPAN)?, at(2 * SPAN)?);
        let (late, early) = (now - middle, middle - before);
        let is_exponential = late > 0.0 && early <= MAX_HASTE * late && late <= MAX_TIME_RATIO * early;
        is_exponential.then(|| Growth { rate: SPAN as f64 * std::f64::consts::LN_10 / late })
    }

    /// True if a run with this `accuracy`, if it has one, has diverged with a number of this size.
    pub fn is_lost(size: f64, accuracy: Option<f64>) -> bool {
        accuracy.map_or(size > MAX_SIZE, |accuracy| f64::EPSILON * size > LOST_FRACTION * accuracy)
    }
}
