//! The search for the length of a step: ever shorter ones are attempted until one is accepted.

use super::divergence;
use super::rule::Rule;
use super::step_control::Decision;
use super::{Attempt, ErrorNorm, IntegratorError, Outcome, Statistics, StepControl, StepFailure};

/// Steps below this part of the largest one, and of the time, are lost in rounding.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// A step that control accepted.
pub struct Accepted {
    /// Length \[s\].
    pub h: f64,
    /// Error estimate.
    pub error: f64,
    /// True if error control chose its length; if not, a limit did.
    pub chosen: bool,
}

/// The estimate of the error of an attempt.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    /// The error.
    pub error: f64,
    /// Worst coordinate.
    pub worst: usize,
    /// Rule that abandoned the attempt, if one did.
    pub rule: Option<Rule>,
    /// Power of the step with which the error shrinks, if that is not the one of control.
    pub order: Option<i32>,
}

impl From<(f64, usize)> for Estimate {
    fn from((error, worst): (f64, usize)) -> Self {
        Estimate { error, worst, rule: None, order: None }
    }
}

impl Estimate {
    /// Returns the estimate, of a step to `end` that is held to `accuracy`.
    ///
    /// # Errors
    /// The error is too large, and no more than rounding: no shorter step will do.
    pub(super) fn above_rounding(self, norm: &ErrorNorm, end: &[f64], accuracy: f64) -> Result<Self, StepFailure> {
        let is_lost = self.error > accuracy && self.error <= divergence::rounding(norm, self.worst, end);
        if is_lost && let Some((i, _)) = norm.entry(self.worst) {
            return Err(StepFailure::TooLarge { what: norm.name(self.worst).to_owned(), value: end[i] });
        }
        Ok(self)
    }
}

/// No step above the smallest allowed one was accepted.
pub struct StepTooShort {
    /// Time at which the step begins \[s\].
    pub time: f64,
    /// Step that would be next \[s\].
    pub step: f64,
    /// Smallest allowed step \[s\].
    pub minimum: f64,
    /// Coordinate with the largest error.
    pub worst: usize,
    /// Reason why the last one failed, if it did.
    pub last: Option<StepFailure>,
}

impl StepTooShort {
    /// Returns the error with the name of the worst coordinate, of steps held to `accuracy`.
    pub fn error(self, accuracy: f64, norm: &ErrorNorm) -> IntegratorError {
        let StepTooShort { time, step, minimum, worst, last } = self;
        if let Some(StepFailure::TooLarge { what, value }) = last {
            return IntegratorError::Diverges { time, what, value, accuracy };
        }
        IntegratorError::StepTooSmall { time, step, minimum, worst: norm.name(worst).to_string(), last }
    }
}

impl StepControl {
    /// Searches as [`search`](Self::search) does, and counts the accepted step.
    pub(super) fn take(
        &mut self,
        time: f64,
        remaining: f64,
        statistics: &mut Statistics,
        attempt: impl FnMut(f64, &mut Statistics) -> Result<Estimate, StepFailure>,
    ) -> Result<Accepted, StepTooShort> {
        let accepted = self.search(time, remaining, statistics, attempt)?;
        statistics.accept(accepted.h, accepted.chosen);
        Ok(accepted)
    }

    /// Attempts steps from `time`, `remaining` \[s\] before the limit, ever shorter until one is accepted. `attempt`
    /// returns the error estimate of a step of a length.
    pub fn search(
        &mut self,
        time: f64,
        remaining: f64,
        statistics: &mut Statistics,
        mut attempt: impl FnMut(f64, &mut Statistics) -> Result<Estimate, StepFailure>,
    ) -> Result<Accepted, StepTooShort> {
        let before = *self;
        let mut h = self.first_attempt(remaining);
        let minimum = (ROUNDING * self.max_step).max(ROUNDING * time.abs()).max(self.min_step).max(self.worthwhile);
        let (mut last, mut worst) = (None, 0);
        let mut shortest = f64::INFINITY;
        loop {
            if statistics.watch.is_interrupted() {
                *self = before;
                return Err(StepTooShort { time, step: h, minimum, worst, last });
            }
            if h < minimum && h < remaining {
                // rounding
                if shortest <= 1.000_1 * minimum || h < self.worthwhile {
                    return Err(StepTooShort { time, step: h, minimum, worst, last });
                }
                // The smallest step is allowed, and has not been tried.
                h = minimum.min(remaining);
            }
            shortest = h;
            let iterations = statistics.solver_iterations;
            let (decision, error, rule) = match attempt(h, statistics) {
                Ok(estimate) => {
                    (last, worst) = (None, estimate.worst);
                    (self.judge_as(h, estimate.error, estimate.order), estimate.error, estimate.rule)
                }
                Err(failure) => {
                    last = Some(failure);
                    (self.failed(h), f64::NAN, None)
                }
            };
            let is_free = matches!(last, Some(StepFailure::NotFree));
            // An attempt abandoned at a transition has no error.
            let errs = last.is_none() && rule != Some(Rule::Transition);
            statistics.attempts.push(Attempt {
                time,
                h,
                outcome: match (&decision, &last) {
                    (Decision::Accept, _) => Outcome::Accepted,
                    (Decision::Retry(_), None) => Outcome::Inaccurate,
                    (Decision::Retry(_), Some(StepFailure::NotFree)) => Outcome::NotFree,
                    (Decision::Retry(_), Some(_)) => Outcome::Failed,
                },
                error: errs.then_some(error),
                worst: errs.then_some(worst),
                rule: if is_free { Some(Rule::FreeMotion) } else { rule },
                solver_iterations: statistics.solver_iterations - iterations,
            });
            match decision {
                Decision::Accept => return Ok(Accepted { h, error, chosen: !self.was_cut() }),
                Decision::Retry(shorter) => {
                    statistics.rejected_steps += 1;
                    if matches!(last, Some(StepFailure::TooLarge { .. })) {
                        return Err(StepTooShort { time, step: h, minimum, worst, last });
                    }
                    h = shorter;
                }
            }
        }
    }
}
