//! A one-step method for the differential equation of a diagram.

use super::rates::Rates;
use super::{DenseStep, ErrorNorm, Statistics, StepFailure};
use crate::diagram::State;

/// A step to be attempted.
#[derive(Clone, Copy, Debug)]
pub struct Attempted {
    /// Its length \[s\].
    pub h: f64,
    /// The time at its end \[s\].
    pub end: f64,
    /// Errors of a step below this are not seen.
    pub accuracy: f64,
}

/// A method that steps from a state by a given length, with an estimate of its error if it has one.
pub trait OdeMethod: Clone + Send + Sync {
    /// The name used in files and on the command line.
    fn name(&self) -> &'static str;

    /// Power of the step length with which the error estimate shrinks; `None` of a method without an estimate.
    fn estimate_order(&self) -> Option<i32>;

    /// How far on the negative real axis it is stable.
    fn stability(&self) -> f64;

    /// Attempts a step from `state`: leaves where it leads in [`end`](Self::end) and the estimate of its error in
    /// [`error`](Self::error). The right-hand side was evaluated last at the end.
    ///
    /// # Errors
    /// Those of the right-hand side; the equations of an implicit method have not been solved.
    fn attempt(&mut self, state: &State, step: Attempted, f: &mut RightHandSide) -> Result<(), StepFailure>;

    /// The end of the last attempt.
    fn end(&self) -> &[f64];

    /// The estimate of its error.
    fn error(&self) -> &[f64];

    /// Remembers the last attempt, from `state`, for dense output.
    fn record(&self, state: &State, step: Attempted, dense: &mut DenseStep);

    /// The last attempt was accepted and led to `state`.
    fn accept(&mut self, state: &State);

    /// Rates remembered from the end of the last step no longer hold.
    fn forget(&mut self);

    /// The state at which what it keeps beyond a step was computed.
    fn linearized_at(&self) -> Option<&State> {
        None
    }

    /// Keeps what was computed at this state, and nothing else.
    fn recall(&mut self, _at: Option<&State>) {}
}

/// The right-hand side `f(t, x)` of a diagram as a method evaluates it within a step, and the norm of errors.
pub struct RightHandSide<'a> {
    pub(super) rates: &'a mut Rates,
    pub(super) norm: &'a ErrorNorm,
    /// Of the run.
    pub statistics: &'a mut Statistics,
}

impl RightHandSide<'_> {
    /// Writes f(t, x) to `rates`.
    ///
    /// # Errors
    /// It, or x, is not a finite number; an algebraic loop does not close.
    pub fn evaluate(&mut self, time: f64, x: &[f64], rates: &mut [f64]) -> Result<(), StepFailure> {
        if let Some(bad) = x.iter().position(|x| !x.is_finite()) {
            return Err(StepFailure::NotFinite { what: self.rates.state_name(bad) });
        }
        self.rates.evaluate(time, x, rates, self.statistics)
    }

    /// Puts what a method leaves of the end of a step back where it belongs.
    pub fn complete(&self, end: &mut [f64]) {
        self.rates.complete(end);
    }

    /// Writes to `end` where a step of length `h` leads from `x` with these `rates`: velocities first, then positions
    /// by the velocities that they have at the end.
    pub fn follow(&mut self, x: &[f64], rates: &[f64], h: f64, end: &mut [f64]) {
        self.rates.follow(x, rates, h, end);
    }

    /// The size of a change of the end of a step of length `h`, as errors count; every number counts.
    pub fn size(&self, h: f64, change: &[f64]) -> f64 {
        self.rates.size(self.norm, h, change)
    }
}

/// The rates at the start of a step, which are those at the end of the last one, and at its end.
#[derive(Clone, Debug)]
pub(super) struct EndRates {
    /// At the start.
    pub start: Vec<f64>,
    /// At the end.
    pub end: Vec<f64>,
    /// Whether those at the start are known, and the state at which they are.
    known: bool,
    at: State,
}

impl EndRates {
    /// Of states of `width` numbers; nothing is known.
    pub fn new(width: usize) -> Self {
        EndRates { start: vec![0.0; width], end: vec![0.0; width], known: false, at: State::default() }
    }

    /// Evaluates the rates at the start of a step from `state`, unless they are known.
    pub fn at_start(&mut self, state: &State, f: &mut RightHandSide) -> Result<(), StepFailure> {
        // Keyed on the state itself: a state changed from outside is never mistaken for the end of the last step.
        if !(self.known && self.at == *state) {
            self.known = false;
            f.evaluate(state.time, &state.continuous, &mut self.start)?;
            self.at.clone_from(state);
            self.known = true;
        }
        Ok(())
    }

    /// Evaluates the rates at the end `x` of a step.
    pub fn at_end(&mut self, time: f64, x: &[f64], f: &mut RightHandSide) -> Result<(), StepFailure> {
        f.evaluate(time, x, &mut self.end)
    }

    /// The step led to `state`: the rates at its end begin the next one.
    pub fn accept(&mut self, state: &State) {
        std::mem::swap(&mut self.start, &mut self.end);
        self.at.clone_from(state);
    }

    /// The rates no longer hold.
    pub fn forget(&mut self) {
        self.known = false;
    }
}
