//! Step-size control of a method whose error estimate shrinks with the p-th power of the step.
//!
//! Elementary: `h_new = 0.9 h (accuracy/error)^(1/p)`, within \[0.1 h, 5 h\], with a dead band so that the step does
//! not jitter.
//!
//! With memory (H211b, \[Söderlind 2003, Digital filters in adaptive time-stepping, table III\] with b = 4): the last
//! two errors and step lengths act as a low-pass filter, so that a noisy estimate makes smoother steps and fewer
//! rejections:
//!
//! ```text
//! h_new = h (tol/error)^(1/(b p)) (tol/last error)^(1/(b p)) (h/last h)^(-1/b),   tol = 0.9^p accuracy
//! ```

use crate::choices::step_control::{FILTER, LEAST_ERROR};
use serde::{Deserialize, Serialize};

/// Rule by which the next step length follows from the errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Controller {
    /// From the last error alone.
    #[default]
    Elementary,
    /// From the last two errors and steps.
    H211,
}

/// Memory of step control from step to step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ControlMemory {
    /// Step wanted next \[s\].
    pub wanted: Option<f64>,
    /// Length \[s\] and error of the last step that error control chose.
    pub last: Option<(f64, f64)>,
}

/// Decision on an attempted step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Decision {
    /// Accept the step.
    Accept,
    /// Try again with this step length \[s\].
    Retry(f64),
}

/// Factor within which a step ends exactly at the largest one: enough for rounding, so that no tiny step remains.
const ROUNDING: f64 = 1.0 + 1e-12; // rounding

/// Chooses step lengths so that the error of each step stays below the accuracy.
#[derive(Clone, Copy, Debug)]
pub struct StepControl {
    /// Largest error of a step.
    pub accuracy: f64,
    /// Largest step \[s\].
    pub max_step: f64,
    /// Smallest step \[s\].
    pub min_step: f64,
    /// First step \[s\]; default: a tenth of the largest, but no less than the smallest.
    pub initial_step: Option<f64>,
    /// Power of the step with which the error estimate shrinks.
    pub order: i32,
    /// Rule by which the next step follows from the errors.
    pub controller: Controller,
    /// True if a step may be longer than one just rejected.
    pub grow_after_rejection: bool,
    /// Shortest step that is worth an attempt \[s\].
    pub(super) worthwhile: f64,
    wanted: Option<f64>,
    last: Option<(f64, f64)>,
    cut: bool,
    rejected: bool,
    tuning: ControlTuning,
}

/// Numbers of step control; for their meaning, see [`CenicTuning`](super::CenicTuning).
#[derive(Clone, Copy, Debug)]
pub(super) struct ControlTuning {
    pub safety: f64,
    pub first_step: f64,
    pub max_shrink: f64,
    pub max_growth: f64,
    pub min_growth: f64,
    pub stretch: f64,
}

impl ControlTuning {
    pub const DEFAULT: Self =
        // listed
        Self { safety: 0.9, first_step: 0.1, max_shrink: 0.1, max_growth: 5.0, min_growth: 1.2, stretch: 1.001 };
}

impl StepControl {
    /// Step control to `accuracy` with steps up to `max_step`, for an error estimate of second order.
    pub fn new(accuracy: f64, max_step: f64) -> Self {
        StepControl {
            accuracy,
            max_step,
            min_step: 0.0,
            initial_step: None,
            order: 2,
            controller: Controller::Elementary,
            grow_after_rejection: false,
            worthwhile: 0.0,
            wanted: None,
            last: None,
            cut: false,
            rejected: false,
            tuning: ControlTuning::DEFAULT,
        }
    }

    /// Sets the numbers of step control.
    pub(super) fn tune(&mut self, tuning: ControlTuning) {
        self.tuning = tuning;
    }

    /// Memory of control from step to step.
    pub fn memory(&self) -> ControlMemory {
        ControlMemory { wanted: self.wanted, last: self.last }
    }

    /// Restores the memory that [`memory`](Self::memory) returned. Invalid lengths are forgotten.
    pub fn recall(&mut self, memory: ControlMemory) {
        let length = |h: &f64| *h > 0.0 && h.is_finite();
        self.wanted = memory.wanted.filter(length);
        self.last = memory.last.filter(|(h, error)| length(h) && *error >= 0.0);
        self.rejected = false;
    }

    /// Step to attempt first when `remaining` \[s\] is left to the limit.
    pub fn first_attempt(&mut self, remaining: f64) -> f64 {
        let wanted =
            self.wanted.or(self.initial_step).unwrap_or((self.tuning.first_step * self.max_step).max(self.min_step));
        let longest = if remaining <= ROUNDING * self.max_step { remaining } else { self.max_step };
        // A step cut by less than half of the safety margin, 1 - safety, is as informative as the wanted one.
        self.cut = longest < 0.5 * (1.0 + self.tuning.safety) * wanted;
        if longest < self.tuning.stretch * wanted { longest } else { wanted }
    }

    /// Sets the step wanted next to `h`.
    pub fn want(&mut self, h: f64) {
        (self.wanted, self.last, self.rejected) = (Some(h), None, false);
    }

    /// Limits the step wanted next by the function `limit`.
    pub(super) fn limit(&mut self, limit: impl FnOnce(f64) -> f64) {
        self.wanted = self.wanted.map(limit);
    }

    /// Lengthens the step wanted next by `factor`, if it is shorter than `h`.
    pub(super) fn stretch(&mut self, factor: f64, h: f64) {
        self.wanted = self.wanted.map(|wanted| if wanted < h { factor * wanted } else { wanted });
    }

    /// Presumes that a step of length `h` is possible, if the wanted one is shorter than both `h` and `longest`.
    pub(super) fn presume(&mut self, h: f64, longest: f64) {
        if self.wanted.is_none_or(|wanted| wanted < h.min(longest)) {
            self.want(h);
        }
    }

    /// Discards the last attempt, of length `h`, though its error would do. Restores the control from `before` it,
    /// except that no longer step is wanted: a small error across a transition says nothing about the next step.
    pub fn discard(&mut self, before: &StepControl, h: f64) {
        let shorter = before.wanted.map_or(h, |wanted| wanted.min(h));
        *self = StepControl { wanted: if self.cut { before.wanted } else { Some(shorter) }, ..*before };
    }

    /// True if the step to be judged was cut short by the limit.
    pub fn was_cut(&self) -> bool {
        self.cut
    }

    /// Judges an attempt of length `h` with an error estimate that shrinks with the power `order` of the step, if that
    /// is not the one of control.
    pub(super) fn judge_as(&mut self, h: f64, error: f64, order: Option<i32>) -> Decision {
        let own = self.order;
        self.order = order.unwrap_or(own);
        let decision = self.judge(h, error);
        self.order = own;
        decision
    }

    /// Judges an attempt of length `h` with the given error estimate.
    pub fn judge(&mut self, h: f64, error: f64) -> Decision {
        if !error.is_finite() {
            return self.retry(self.tuning.max_shrink * h);
        }
        let mut new = match (error == 0.0, self.controller, self.last) {
            (true, ..) => self.tuning.max_growth * h,
            (false, Controller::H211, Some((last_h, last_error))) if error <= self.accuracy => {
                let tolerance = self.tuning.safety.powi(self.order) * self.accuracy;
                let part = 1.0 / (FILTER * f64::from(self.order));
                let memory = (tolerance / last_error.max(LEAST_ERROR * tolerance)).powf(part);
                h * (tolerance / error).powf(part) * memory * (h / last_h).powf(-1.0 / FILTER)
            }
            _ => self.tuning.safety * h * self.root(self.accuracy / error),
        };
        // The filter makes small changes that are worth taking.
        if self.controller == Controller::Elementary && new > h && new < self.tuning.min_growth * h {
            new = h;
        }
        if self.controller == Controller::H211 && error <= self.accuracy {
            if !self.cut {
                self.last = Some((h, error));
                let longest = if self.rejected && !self.grow_after_rejection { h } else { self.tuning.max_growth * h };
                self.wanted = Some(new.clamp(self.tuning.max_shrink * h, longest).min(self.max_step));
            }
            self.rejected = false;
            return Decision::Accept;
        }
        if self.rejected && !self.grow_after_rejection {
            new = new.min(h);
        }
        if new < h && error <= self.accuracy {
            new = h;
        }
        // A step stretched by rounding beyond the largest one is not too long.
        new = new.clamp(self.tuning.max_shrink * h, self.tuning.max_growth * h).min(self.max_step.max(h));
        if new >= h {
            if !self.cut {
                self.last = Some((h, error));
                self.wanted = Some(new.min(self.max_step));
            }
            self.rejected = false;
            return Decision::Accept;
        }
        self.retry(new)
    }

    fn root(&self, ratio: f64) -> f64 {
        match self.order {
            2 => ratio.sqrt(),
            3 => ratio.cbrt(),
            order => ratio.powf(1.0 / f64::from(order)),
        }
    }

    /// Judges an attempt of length `h` that failed.
    pub fn failed(&mut self, h: f64) -> Decision {
        self.retry(0.5 * h)
    }

    fn retry(&mut self, h: f64) -> Decision {
        // The length of a rejected step was limited by its error: the next accepted one counts for the step after it.
        self.cut = false;
        self.rejected = true;
        Decision::Retry(h)
    }
}
