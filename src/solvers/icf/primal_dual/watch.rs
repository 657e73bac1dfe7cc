//! Whether an iteration gets on: when to guard it by a line search, and when to trust the linearization of normal
//! impulses less.

/// The error has to halve within so many iterations.
const MAX_STALLED: usize = 3;
/// An error that grows by this factor ends the unguarded iteration at once.
const DIVERGED: f64 = 100.0;
/// An iteration that leaves more than this part of the error is slow.
pub(super) const SLOW_CONTRACTION: f64 = 0.3;

/// Errors of a solve so far.
pub(super) struct Watch {
    /// The smallest, and the last that halved what was the smallest before.
    best: f64,
    halved: f64,
    /// Iterations since then.
    since: usize,
    last: f64,
    slow: usize,
    /// Whether directions are checked and step lengths searched, from here on.
    pub guarded: bool,
}

/// What a new error says.
#[derive(Default)]
pub(super) struct Verdict {
    /// It is the smallest so far.
    pub best: bool,
    /// The iteration is guarded from now on; it was not before.
    pub guard: bool,
    /// Two slow iterations in a row.
    pub slow: bool,
}

impl Watch {
    /// At the start of a solve.
    pub fn new() -> Self {
        let far = f64::INFINITY;
        Watch { best: far, halved: far, since: 0, last: far, slow: 0, guarded: false }
    }

    /// Notes the error of the next iterate; `leave` are iterations more to be patient for.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_iteration_is_guarded_once_when_its_error_does_not_halve_in_time_or_explodes() {
        let mut watch = Watch::new();
        // Halving keeps it free, however long it takes.
        for k in 0..50 {
            assert!(!watch.note(0.49_f64.powi(k), 0).guard);
        }
        let stuck: Vec<bool> = (0..5).map(|_| watch.note(1e-15, 0).guard).collect();
        assert_eq!(stuck, [false, false, true, false, false]);
        assert!(watch.guarded);
        let mut patient = Watch::new();
        let stuck = (0..20).position(|_| patient.note(1.0, 6).guard);
        assert_eq!(stuck, Some(MAX_STALLED + 6));
        let mut exploding = Watch::new();
        assert!(!exploding.note(1.0, 6).guard && !exploding.note(90.0, 6).guard && exploding.note(101.0, 6).guard);
    }

    #[test]
    fn two_slow_iterations_in_a_row_are_reported_of_once() {
        let mut watch = Watch::new();
        let errors = [1.0, 0.5, 0.1, 0.09, 0.08, 0.07, 0.06, 0.001];
        let slow: Vec<bool> = errors.iter().map(|&e| watch.note(e, 0).slow).collect();
        assert_eq!(slow, [false, false, false, false, true, false, true, false]);
    }
}
