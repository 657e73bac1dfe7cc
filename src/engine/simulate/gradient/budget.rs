//! How many steps the errors of derivatives may add: some for each step of the run by itself.
//!
//! An error that no step makes smaller, as of runs that part or of rounding, would shorten the steps without end.

use super::numbers::{FIRST_REPEATS, REPEATS_PER_STEP};
use crate::integrators::{Options, Statistics};
use crate::simulate::Simulation;

/// Repetitions of steps that a pass may have.
pub(super) struct Budget {
    /// The run, at its start.
    run: Simulation,
    options: Options,
    until: f64,
    /// Repetitions so far.
    repeats: f64,
    /// The most that there may be; not-a-number until it is needed.
    most: f64,
    /// True if its end was noted.
    ended: bool,
}

impl Budget {
    /// Budget of a pass from the state of `run` to the time `until` \[s\].
    pub fn new(run: &Simulation, options: &Options, until: f64) -> Self {
        Budget { run: run.clone(), options: *options, until, repeats: 0.0, most: f64::NAN, ended: false }
    }

    /// Notes a repetition.
    pub fn spend(&mut self) {
        self.repeats += 1.0;
    }

    /// True if no repetition is left.
    pub fn is_spent(&mut self) -> bool {
        if self.repeats < FIRST_REPEATS {
            return false;
        }
        if self.most.is_nan() {
            self.most = FIRST_REPEATS + REPEATS_PER_STEP * attempts_alone(&self.run, &self.options, self.until);
        }
        self.repeats >= self.most
    }

    /// True once: at its end.
    pub fn ends_first(&mut self) -> bool {
        !std::mem::replace(&mut self.ended, true)
    }
}

/// Attempts at steps of a run by itself from its state to the time `until` \[s\]; zero of one that stops.
pub(super) fn attempts_alone(run: &Simulation, options: &Options, until: f64) -> f64 {
    let mut run = run.clone();
    let ends = run.switch(*options).is_ok() && run.advance_to(until).is_ok();
    let Statistics { steps, rejected_steps, .. } = run.statistics();
    if ends { (steps + rejected_steps) as f64 } else { 0.0 }
}
