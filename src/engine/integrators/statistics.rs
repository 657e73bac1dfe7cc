//! Cost of a run.

use super::attempts::{Attempt, Attempts, Outcome};
use kinegraph_convex::profile::Stopwatch;
use serde::{Deserialize, Serialize};

/// Counts of a run, since the integrator was initialized.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    /// Accepted steps.
    pub steps: usize,
    /// Attempts that were rejected, for their error or because a solve failed.
    pub rejected_steps: usize,
    /// Evaluations of the derivative of the whole state, by methods that need it.
    #[serde(default)]
    pub derivative_evaluations: usize,
    /// Convex problems solved, or stages of implicit methods.
    pub solves: usize,
    /// Newton iterations.
    pub solver_iterations: usize,
    /// Factorizations of a Hessian, or of the matrices of implicit methods.
    pub factorizations: usize,
    /// Evaluations of the line search beyond the full step.
    pub linesearch_evaluations: usize,
    /// Contact queries of the whole scene.
    pub geometry_queries: usize,
    /// Dual-number linearizations of the external system; Jacobians of implicit methods.
    pub linearizations: usize,
    /// Length of the first step \[s\].
    pub first_step: Option<f64>,
    /// Largest accepted step \[s\].
    pub largest_step: f64,
    /// Smallest step that error control chose \[s\]; steps cut short by a limit do not count.
    pub smallest_step: Option<f64>,
    /// Largest number of contact points at the start of an accepted step or of its second half.
    pub max_contacts: usize,
    /// Deepest penetration there \[m\].
    pub max_penetration: f64,
    /// Contact points beyond the capacity that were left out, over all steps.
    #[serde(default)]
    pub truncated_contacts: usize,
    /// Largest number of left-out contact points in one step.
    #[serde(default)]
    pub max_truncated_contacts: usize,
    /// Solves that ended unsettled at the largest number of sweeps of their method.
    #[serde(default)]
    pub unsettled_solves: usize,
    /// Largest natural residual of a contact in a solve by contacts (`theta-gamma`) \[N\].
    #[serde(default)]
    pub max_residual: f64,
    /// Times of the phases, if they are measured.
    #[serde(skip)]
    pub watch: Stopwatch,
    /// Attempts at the last step, if they are kept. Whoever keeps them clears the list before each step.
    #[serde(skip)]
    pub attempts: Attempts,
}

impl Statistics {
    /// Sets all counts to zero. Times and attempts belong to the whole simulation: they continue.
    pub fn restart(&mut self) {
        let (watch, attempts) = (std::mem::take(&mut self.watch), std::mem::take(&mut self.attempts));
        *self = Statistics { watch, attempts, ..Statistics::default() };
    }

    /// Notes the contact points, and the deepest penetration \[m\], of a state of the motion.
    pub fn note_contacts(&mut self, count: usize, depth: f64) {
        self.max_contacts = self.max_contacts.max(count);
        self.max_penetration = self.max_penetration.max(depth);
    }

    /// Notes that `count` contact points beyond the capacity were left out of a step.
    pub(super) fn truncate(&mut self, count: usize) {
        self.truncated_contacts += count;
        self.max_truncated_contacts = self.max_truncated_contacts.max(count);
    }

    /// Notes a step of fixed length `h` from `time`, with all Newton iterations beyond the first `iterations`.
    pub(super) fn note_fixed(&mut self, time: f64, h: f64, failed: bool, iterations: usize) {
        let outcome = if failed { Outcome::Failed } else { Outcome::Accepted };
        let solver_iterations = self.solver_iterations - iterations;
        self.attempts.push(Attempt { time, h, outcome, error: None, worst: None, rule: None, solver_iterations });
    }

    /// Counts an accepted step of length `h`; `chosen` if error control chose its length.
    pub fn accept(&mut self, h: f64, chosen: bool) {
        self.steps += 1;
        self.first_step.get_or_insert(h);
        self.largest_step = self.largest_step.max(h);
        if chosen && self.smallest_step.is_none_or(|s| h < s) {
            self.smallest_step = Some(h);
        }
    }
}
