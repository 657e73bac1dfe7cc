//! A one-step method for the differential equation of a diagram.

use super::ends::{EndRates, Ends};
use super::mean_weights::MeanWeights;
use super::rates::Rates;
use super::{DenseStep, ErrorNorm, Statistics, StepFailure};
use kinegraph_diagram::State;

/// A step to be attempted.
#[derive(Clone, Copy, Debug)]
pub struct Attempted<'a> {
    /// State at the start.
    pub start: &'a State,
    /// Length \[s\].
    pub h: f64,
    /// Time at its end \[s\].
    pub end: f64,
    /// Accuracy: smaller errors of a step do not count.
    pub accuracy: f64,
    /// True if all steps have this length, whatever their error.
    pub is_fixed: bool,
}

/// A method that takes a step of a given length from a state, with an estimate of its error if it has one.
pub trait OdeMethod: Clone + Send + Sync {
    /// Power of the step length with which the error estimate shrinks; `None` of a method without an estimate.
    fn estimate_order(&self) -> Option<i32>;

    /// Stability limit on the negative real axis; infinite by default.
    fn stability(&self) -> f64 {
        f64::INFINITY
    }

    /// Prepares the choice of the length of a step from `start`: finds the bounds on it, as far as that costs nothing.
    ///
    /// # Errors
    /// Errors of [`attempt`](Self::attempt), which meets them again.
    fn prepare(&mut self, _start: &State, _ends: &mut Ends, _f: &mut RightHandSide) -> Result<(), StepFailure> {
        Ok(())
    }

    /// Rate \[1/s\] of the fastest growth, by the Jacobian at hand, of a method that damps growth which it does not
    /// follow. A rate of no more than `enough` may be a bound.
    fn growth_rate(&mut self, _enough: f64) -> f64 {
        f64::NEG_INFINITY
    }

    /// Attempts a step: writes to `ends` its end, the estimate of its error and the rates there, which were evaluated
    /// last.
    ///
    /// # Errors
    /// Errors of the right-hand side; the equations of an implicit method have not been solved.
    fn attempt(&mut self, step: Attempted, ends: &mut Ends, f: &mut RightHandSide) -> Result<(), StepFailure>;

    /// True if one Jacobian serves the whole step without an iteration that corrects it.
    fn is_linearly_implicit(&self) -> bool {
        false
    }

    /// Error of the last attempt, with the worst coordinate, that its estimate may miss at kinks of the rates within
    /// it; an error beyond `accuracy` need not be the largest.
    ///
    /// # Errors
    /// Errors of the right-hand side.
    fn defect(&mut self, _: Attempted, _: &Ends, _: &mut RightHandSide) -> Result<(f64, usize), StepFailure> {
        Ok((0.0, 0))
    }

    /// Weights of the rates at the start of a step, in the stages that the method [notes](RightHandSide::note), and at
    /// the end: velocities change by their mean. Contact forces are reported as this mean over a step; without weights
    /// of stages, as those at the end.
    fn mean_weights(&self) -> MeanWeights {
        MeanWeights { stages: &[], end: 1.0 }
    }

    /// Records the last attempt for dense output.
    fn record(&self, step: Attempted, ends: &Ends, dense: &mut DenseStep);

    /// Data that it keeps from step to step besides the rates, if any.
    fn kept(&self) -> Option<&dyn Kept> {
        None
    }

    /// Data that it keeps from step to step, to be changed.
    fn kept_mut(&mut self) -> Option<&mut dyn Kept> {
        None
    }
}

/// Linearization at one state that serves the steps after it.
pub trait Kept {
    /// Notes that the last attempt was accepted.
    fn accept(&mut self);

    /// State at which it was computed.
    fn linearized_at(&self) -> Option<&State>;

    /// Restores the linearization computed at this state, and nothing else.
    fn recall(&mut self, at: Option<&State>);
}

/// Right-hand side `f(t, x)` of a diagram as a method evaluates it within a step, and the error norm.
pub struct RightHandSide<'a> {
    pub(super) rates: &'a mut Rates,
    pub(super) norm: &'a ErrorNorm,
    /// Statistics of the run.
    pub statistics: &'a mut Statistics,
}

impl RightHandSide<'_> {
    /// Writes f(t, x) to `rates`.
    ///
    /// # Errors
    /// f(t, x), or x, is not a finite number; an algebraic loop does not close.
    pub fn evaluate(&mut self, time: f64, x: &[f64], rates: &mut [f64]) -> Result<(), StepFailure> {
        if let Some(bad) = x.iter().position(|x| !x.is_finite()) {
            return Err(StepFailure::NotFinite { what: self.rates.state_name(bad) });
        }
        self.rates.evaluate(time, x, rates, self.statistics)
    }

    /// Evaluates the rates at the start of a step from `state`, unless they are known.
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

    /// Notes the contact forces at the last evaluation as those of a stage of the step; 0 is its start, which
    /// [`start`](Self::start) notes.
    pub fn note(&mut self, stage: usize) {
        self.rates.note(stage);
    }

    /// Notes the contact forces at the solution `x` of an implicit stage, near which the rates were evaluated last.
    /// Where bodies touch, the rates are evaluated anew, to `rates`.
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

    /// Momentum of the residual `left` of the equations of a stage that lasts `span` \[s\], as a part of the impulses
    /// of contacts at the last evaluation.
    pub fn unbalanced(&self, span: f64, left: &[f64]) -> f64 {
        self.rates.unbalanced(span, left)
    }

    /// Completes the end of a step: normalizes quaternions, and stops locked joints that are nearly at rest.
    pub fn complete(&self, end: &mut [f64]) {
        self.rates.complete(end);
    }

    /// Writes the end of a step of length `h` from `x` with these `rates` to `end`: velocities first, then positions by
    /// the velocities at the end.
    pub fn follow(&mut self, x: &[f64], rates: &[f64], h: f64, end: &mut [f64]) {
        self.rates.follow(x, rates, h, end);
    }

    /// Size of a change of the end of a step of length `h`, in the measure of errors; every number counts.
    pub fn size(&self, h: f64, change: &[f64]) -> f64 {
        self.rates.size(self.norm, h, change)
    }
}
