//! The elementary step-size control of a method with an error estimate of order 2.
//!
//! `h_new = 0.9 h sqrt(accuracy/error)`, within \[0.1 h, 5 h\], with a dead band so that the step does not jitter.

/// What to do with an attempted step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// Keep it.
    Accept,
    /// Try again with this step \[s\].
    Retry(f64),
}

const SAFETY: f64 = 0.9;
const MAX_SHRINK: f64 = 0.1;
const MAX_GROW: f64 = 5.0;
/// Growth by less than this factor is not worth it.
const HYSTERESIS: f64 = 1.2;
/// A step cut to less than this part of the wanted one says nothing about the next.
const CUT: f64 = 0.95;
/// A limit this little beyond the wanted step is stepped to exactly.
const STRETCH: f64 = 1.001;

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
    wanted: Option<f64>,
    cut: bool,
}

impl StepControl {
    /// Control to `accuracy` with steps up to `max_step`.
    pub fn new(accuracy: f64, max_step: f64) -> Self {
        StepControl { accuracy, max_step, min_step: 0.0, initial_step: None, wanted: None, cut: false }
    }

    /// Forgets the steps of earlier runs.
    pub fn reset(&mut self) {
        self.wanted = None;
    }

    /// The step that the last judgement asked for \[s\], if there was one.
    pub fn wanted(&self) -> Option<f64> {
        self.wanted
    }

    /// Attempts `step` \[s\] next; `None`: the first step of a run.
    pub fn want(&mut self, step: Option<f64>) {
        self.wanted = step;
    }

    /// The step to attempt first when `room` \[s\] is left to the limit.
    pub fn first_attempt(&mut self, room: f64) -> f64 {
        let wanted = self.wanted.or(self.initial_step).unwrap_or((0.1 * self.max_step).max(self.min_step));
        let room = room.min(self.max_step);
        self.cut = room < CUT * wanted;
        if room < STRETCH * wanted { room } else { wanted }
    }

    /// Whether the step to be judged was cut short by the limit.
    pub fn was_cut(&self) -> bool {
        self.cut
    }

    /// Judges an attempt of length `h` with the given error estimate.
    pub fn judge(&mut self, h: f64, error: f64) -> Verdict {
        if !error.is_finite() {
            return self.retry(MAX_SHRINK * h);
        }
        let mut new = if error == 0.0 { MAX_GROW * h } else { SAFETY * h * (self.accuracy / error).sqrt() };
        if new > h && new < HYSTERESIS * h {
            new = h;
        }
        if new < h {
            new = if error <= self.accuracy { h } else { new.min(SAFETY * h) };
        }
        new = new.clamp(MAX_SHRINK * h, MAX_GROW * h).min(self.max_step);
        if new >= h {
            if !self.cut {
                self.wanted = Some(new);
            }
            return Verdict::Accept;
        }
        self.retry(new)
    }

    /// Judges an attempt of length `h` that failed.
    pub fn failed(&mut self, h: f64) -> Verdict {
        self.retry(0.5 * h)
    }

    fn retry(&mut self, h: f64) -> Verdict {
        // A rejected step was limited by its error: what is accepted next tells about the step after it.
        self.cut = false;
        Verdict::Retry(h)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn step_follows_the_square_root_of_the_error() {
        let mut c = StepControl::new(1e-3, 1.0);
        let retry = |verdict| match verdict {
            Verdict::Retry(h) => h,
            Verdict::Accept => panic!("accepted"),
        };
        assert_eq!(c.first_attempt(10.0), 0.1);
        assert!((retry(c.judge(0.1, 4e-3)) - 0.045).abs() < 1e-15);
        assert_eq!(c.judge(0.045, 1e-3), Verdict::Accept);
        assert_eq!(c.first_attempt(10.0), 0.045);
        assert_eq!(c.judge(0.045, 0.0), Verdict::Accept);
        assert!((c.first_attempt(10.0) - 0.225).abs() < 1e-15);
        assert!((retry(c.judge(0.1, f64::NAN)) - 0.01).abs() < 1e-15);
        assert_eq!(retry(c.failed(0.1)), 0.05);
    }

    #[test]
    fn a_step_cut_by_the_limit_does_not_change_the_next() {
        let mut c = StepControl::new(1e-3, 0.5);
        assert_eq!(c.judge(0.05, 0.25e-3), Verdict::Accept); // wants 0.09
        let wanted = c.first_attempt(10.0);
        assert_eq!(c.first_attempt(0.01), 0.01);
        assert_eq!(c.judge(0.01, 0.0), Verdict::Accept);
        assert_eq!(c.first_attempt(10.0), wanted);
        assert_eq!(c.first_attempt(wanted * 1.0005), wanted * 1.0005);
    }
}
