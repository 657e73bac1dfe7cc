//! A one-step method for the differential equation of a diagram.

use super::ends::{EndRates, Ends};
use super::mean_weights::MeanWeights;
use super::rates::Rates;
use super::{DenseStep, ErrorNorm, Statistics, StepFailure};
use kinegraph_diagram::State;

/// A step to be attempted.
#[derive(Clone, Copy, Debug)]
pub struct Attempted<'a> {
    /// The state from which.
    pub start: &'a State,
    /// Its length \[s\].
    pub h: f64,
    /// The time at its end \[s\].
    pub end: f64,
    /// Errors of a step below this are not seen.
    pub accuracy: f64,
    /// Whether its length is that of all steps, whatever they err by.
    pub is_fixed: bool,
}

/// A method that steps from a state by a given length, with an estimate of its error if it has one.
pub trait OdeMethod: Clone + Send + Sync {
    /// Power of the step length with which the error estimate shrinks; `None` of a method without an estimate.
    fn estimate_order(&self) -> Option<i32>;

    /// How far on the negative real axis it is stable: throughout, unless it says otherwise.
    fn stability(&self) -> f64 {
        f64::INFINITY
    }

    /// Before the length of a step from `start` is chosen: makes known what bounds it, as far as that costs nothing.
    ///
    /// # Errors
    /// Those of [`attempt`](Self::attempt), which meets them again.
    fn prepare(&mut self, _start: &State, _ends: &mut Ends, _f: &mut RightHandSide) -> Result<(), StepFailure> {
        Ok(())
    }

    /// The rate \[1/s\] of what grows fastest, by the Jacobian at hand, of a method that damps growth which it does not
    /// follow. One that is no more than `enough` may be a bound.
    fn growth_rate(&mut self, _enough: f64) -> f64 {
        f64::NEG_INFINITY
    }

    /// Attempts a step: leaves in `ends` where it leads, the estimate of its error and the rates there,
    /// which were evaluated last.
    ///
    /// # Errors
    /// Those of the right-hand side; the equations of an implicit method have not been solved.
    fn attempt(&mut self, step: Attempted, ends: &mut Ends, f: &mut RightHandSide) -> Result<(), StepFailure>;

    /// Whether it takes one Jacobian for all that happens within a step, and no iteration corrects that.
    fn is_linearly_implicit(&self) -> bool {
        false
    }

    /// The error of the last attempt, with the worst coordinate, by what its estimate may miss where the rates bend
    /// within it; one beyond `accuracy` need not be the largest.
    ///
    /// # Errors
    /// Those of the right-hand side.
    fn defect(&mut self, _: Attempted, _: &Ends, _: &mut RightHandSide) -> Result<(f64, usize), StepFailure> {
        Ok((0.0, 0))
    }

    /// The weights of its rates at the start of a step and in the stages that it
    /// [notes](RightHandSide::note), and of those at the end: velocities change by their mean. Contact forces are
    /// reported in the mean over a step by these. Without weights of stages those at the end are.
    fn mean_weights(&self) -> MeanWeights {
        MeanWeights { stages: &[], end: 1.0 }
    }

    /// Remembers the last attempt for dense output.
    fn record(&self, step: Attempted, ends: &Ends, dense: &mut DenseStep);

    /// What it keeps from step to step besides the rates, if anything.
    fn kept(&self) -> Option<&dyn Kept> {
        None
    }

    /// The same, to change.
    fn kept_mut(&mut self) -> Option<&mut dyn Kept> {
        None
    }
}

/// What is linearized at one state and serves the steps after it.
pub trait Kept {
    /// The last attempt was accepted.
    fn accept(&mut self);

    /// The state at which it was computed.
    fn linearized_at(&self) -> Option<&State>;

    /// Goes on with what was computed at this state, and with nothing else.
    fn recall(&mut self, at: Option<&State>);
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

    /// Makes the rates at the start of a step from `state` known.
    ///
    /// # Errors
    /// As [`evaluate`](Self::evaluate).
    pub fn start(&mut self, state: &State, rates: &mut EndRates) -> Result<(), StepFailure> {
        rates.at_start(state, |time, x, rates| {
            self.evaluate(time, x, rates)?;
            self.note(0);
            Ok(())
        })
    }

    /// Notes the contact forces where the rates were evaluated last as those of a stage of the step; 0 is its start,
    /// which [`start`](Self::start) notes.
    pub fn note(&mut self, stage: usize) {
        self.rates.note(stage);
    }

    /// Notes the contact forces at the solution `x` of an implicit stage, near which the rates were evaluated last;
    /// they are evaluated anew, to `rates`, where bodies touch.
    ///
    /// # Errors
    /// As [`evaluate`](Self::evaluate).
    pub fn note_at(&mut self, stage: usize, time: f64, x: &[f64], rates: &mut [f64]) -> Result<(), StepFailure> {
        if self.rates.touches() {
            self.evaluate(time, x, rates)?;
        }
        self.note(stage);
        Ok(())
    }

    /// The momentum of what is `left` in the equations of a stage that lasts `span` \[s\], as a part of the impulses of
    /// contacts where the rates were evaluated last.
    pub fn unbalanced(&self, span: f64, left: &[f64]) -> f64 {
        self.rates.unbalanced(span, left)
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
