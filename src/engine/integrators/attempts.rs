//! History of step sizes: every attempt at a step, and its outcome.

use super::rule::Rule;

/// Outcome of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The step was taken.
    Accepted,
    /// Its error was too large.
    Inaccurate,
    /// The step has no solution, or none that is finite.
    Failed,
    /// A step of motion without contact and constraints met a contact or a joint stop.
    NotFree,
    /// The step crosses a point where the motion is not smooth, to be located more closely. It was accurate enough, or
    /// abandoned.
    Transition,
    /// The step was accurate enough, but gained energy that no work gave.
    EnergyGain,
}

impl Outcome {
    /// Name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Accepted => "accepted",
            Outcome::Inaccurate => "inaccurate",
            Outcome::Failed => "failed",
            Outcome::NotFree => "not_free",
            Outcome::Transition => "transition",
            Outcome::EnergyGain => "energy_gain",
        }
    }
}

/// One attempt at a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attempt {
    /// Time at the start \[s\].
    pub time: f64,
    /// Length \[s\].
    pub h: f64,
    /// Outcome of the attempt.
    pub outcome: Outcome,
    /// Estimate of its error in the integrator's norm; `None` if the attempt failed or was abandoned, or the method has
    /// no estimate.
    pub error: Option<f64>,
    /// Coordinate with the largest error, by its place in the [`ErrorNorm`](super::ErrorNorm).
    pub worst: Option<usize>,
    /// Rule that asked for another attempt, if one did; error control itself is no rule.
    pub rule: Option<Rule>,
    /// Newton iterations of its solves.
    pub solver_iterations: usize,
}

/// Attempts since the list was last cleared, if they are kept; not by default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attempts(Option<Vec<Attempt>>);

impl Attempts {
    /// A list that keeps attempts.
    pub fn kept() -> Self {
        Attempts(Some(Vec::new()))
    }

    /// Appends an attempt, if attempts are kept.
    pub fn push(&mut self, attempt: Attempt) {
        if let Some(kept) = &mut self.0 {
            kept.push(attempt);
        }
    }

    /// Marks the last attempt, accurate enough, as repeated with a shorter step for the reason `why`, as `rule` asks.
    pub fn repeat_last(&mut self, why: Outcome, rule: Rule) {
        if let Some(last) = self.0.as_mut().and_then(|kept| kept.last_mut()) {
            (last.outcome, last.rule) = (why, Some(rule));
        }
    }

    /// Forgets all attempts so far.
    pub fn clear(&mut self) {
        if let Some(kept) = &mut self.0 {
            kept.clear();
        }
    }

    /// Attempts, oldest first.
    pub fn list(&self) -> &[Attempt] {
        self.0.as_deref().unwrap_or_default()
    }
}
