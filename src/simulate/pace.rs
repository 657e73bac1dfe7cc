//! Whether a run whose steps are chosen by error control has an end in sight.
//!
//! A run of fixed steps that are too many is refused before its first one. Where the method chooses them, a step may be
//! short for a while (an impact, a start), so that a run is stopped only after many steps that are, all together, too
//! short to lead to the end.

use crate::integrators::MAX_STEPS;

/// Over so many steps \[1\] the pace is taken: seconds of computing. A motion that is fast at first and slow later
/// leaves its fast part within them.
const SPAN: u32 = 100_000;

/// Where the steps that are looked at began.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pace {
    steps: u32,
    /// \[s\]
    since: f64,
}

/// A run that would take more steps than any does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Endless {
    /// How long the last steps were, on average \[s\].
    pub step: f64,
    /// How many like them lead to the end.
    pub steps: f64,
    /// How many were looked at.
    pub seen: u32,
}

impl Pace {
    /// Looks at a step from time `start` to time `end` of a run to time `limit` \[s\].
    pub fn see(&mut self, start: f64, end: f64, limit: f64) -> Result<(), Endless> {
        if self.steps == 0 {
            self.since = start;
        }
        self.steps += 1;
        if self.steps < SPAN {
            return Ok(());
        }
        let step = (end - self.since) / f64::from(SPAN);
        self.steps = 0;
        let steps = (limit - end) / step;
        // Without an end there is none to miss.
        if limit.is_finite() && steps > MAX_STEPS {
            return Err(Endless { step, steps, seen: SPAN });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first time at which steps of these lengths have no end at 1 s in sight.
    fn first(lengths: impl Iterator<Item = f64>) -> Option<usize> {
        let (mut pace, mut time) = (Pace::default(), 0.0);
        lengths.enumerate().find_map(|(i, h)| {
            let start = time;
            time += h;
            pace.see(start, time, 1.0).err().map(|_| i)
        })
    }

    #[test]
    fn many_short_steps_have_no_end_in_sight() {
        let span = SPAN as usize;
        assert_eq!(first(std::iter::repeat_n(1e-12, 2 * span)), Some(span - 1));
        assert_eq!(first(std::iter::repeat_n(1e-10, 2 * span)), None);
        // Short steps for a while, as at an impact.
        assert_eq!(first((0..2 * span).map(|i| if i % span < span / 2 { 1e-12 } else { 1e-10 })), None);
        // Time that stands still.
        assert_eq!(first(std::iter::repeat_n(0.0, span)), Some(span - 1));
    }

    #[test]
    fn a_run_without_an_end_is_not_stopped() {
        let mut pace = Pace::default();
        assert!((0..2 * SPAN).all(|_| pace.see(0.0, 1e-300, f64::INFINITY).is_ok()));
    }
}
