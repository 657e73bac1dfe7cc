//! Progress of an iteration: when to guard it by a line search, and when to trust the linearization of normal impulses
//! less.

use crate::choices::watch::{DIVERGED, MAX_STALLED, SLOW_CONTRACTION};

/// Errors of a solve so far.
pub struct Watch {
    /// Smallest error, and the last one that halved the smallest before.
    best: f64,
    halved: f64,
    /// Iterations since then.
    since: usize,
    last: f64,
    slow: usize,
    /// True if directions are checked and step lengths searched, from here on.
    pub guarded: bool,
}

/// Verdict on a new error.
#[derive(Default)]
pub struct Verdict {
    /// True if it is the smallest so far.
    pub best: bool,
    /// True if the iteration is guarded from now on, and was not before.
    pub guard: bool,
    /// True after two slow iterations in a row.
    pub slow: bool,
}

impl Default for Watch {
    fn default() -> Self {
        Watch::new()
    }
}

impl Watch {
    /// Watch at the start of a solve.
    pub fn new() -> Self {
        let far = f64::INFINITY;
        Watch { best: far, halved: far, since: 0, last: far, slow: 0, guarded: false }
    }

    /// Notes the error of the next iterate. `leave`: number of additional iterations to wait.
    pub fn note(&mut self, error: f64, leave: usize) -> Verdict {
        let mut verdict = Verdict { best: error < self.best, ..Verdict::default() };
        self.best = self.best.min(error);
        if error < 0.5 * self.halved {
            (self.halved, self.since) = (error, 0);
        } else {
            self.since += 1;
        }
        if !self.guarded && (self.since >= MAX_STALLED + leave || error > DIVERGED * self.best) {
            self.guarded = true;
            verdict.guard = true;
        }
        self.slow = if error > SLOW_CONTRACTION * self.last { self.slow + 1 } else { 0 };
        self.last = error;
        if self.slow == 2 {
            self.slow = 0;
            verdict.slow = true;
        }
        verdict
    }
}
