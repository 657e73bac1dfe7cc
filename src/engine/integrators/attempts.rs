//! The history of step sizes: every attempt at a step, and what became of it.

use super::rule::Rule;

/// What became of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The step was taken.
    Accepted,
    /// Its error was too large.
    Inaccurate,
    /// It has no solution, or none that is finite.
    Failed,
    /// Motion without contact and constraints was tried, and met a contact or a joint stop.
    NotFree,
    /// It crosses a point where the motion is not smooth, to be located more closely; it was accurate enough, or given
    /// up.
    Transition,
    /// It was accurate enough, but gained energy that nothing gave.
    EnergyGain,
}

impl Outcome {
    /// The word for it in tables.
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
    /// Where it started \[s\].
    pub time: f64,
    /// Its length \[s\].
    pub h: f64,
    /// What became of it.
    pub outcome: Outcome,
    /// The estimate of its error in the integrator's norm; `None` if the attempt failed or was given up, or the method
    /// has no estimate.
    pub error: Option<f64>,
    /// The coordinate with the largest error, by its place in the [`ErrorNorm`](super::ErrorNorm).
    pub worst: Option<usize>,
    /// The rule that asked for another attempt, if one did; error control itself is none.
    pub rule: Option<Rule>,
    /// Newton iterations of its solves.
    pub solver_iterations: usize,
}

/// The attempts since the list was last cleared, if they are kept; not by default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attempts(Option<Vec<Attempt>>);

impl Attempts {
    /// A list that keeps attempts.
    pub fn kept() -> Self {
        Attempts(Some(Vec::new()))
    }

    /// Adds an attempt, if they are kept.
    pub fn push(&mut self, attempt: Attempt) {
        if let Some(kept) = &mut self.0 {
            kept.push(attempt);
        }
    }

    /// The last attempt, accurate enough, is repeated with a shorter step for the reason `why`, as `rule` asks.
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

    /// The attempts, oldest first.
    pub fn list(&self) -> &[Attempt] {
        self.0.as_deref().unwrap_or_default()
    }
}
