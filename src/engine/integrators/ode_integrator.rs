//! Steps of a method for differential equations, of fixed length or under error control.
//!
//! Diagrams with plants are differential equations too ([`Rates`]): with the same contact law as the convex step, and
//! stiff springs in place of rigid elements.

use super::contact::strikes::AtStops;
use super::divergence::Suspect;
use super::ends::Ends;
use super::limit::{end_of_step, remaining};
use super::ode_method::{Attempted, OdeMethod, RightHandSide};
use super::output_errors::larger;
use super::rates::Rates;
use super::rule::Rule;
use super::search::{Accepted, Estimate};
use super::{
    Decisions, DenseStep, ErrorNorm, ErrorWeights, Integrator, IntegratorError, Options, OutputErrors, SolvedStep,
    Statistics, Step, StepControl, StepFailure, StepLength, StepMemory,
};
use crate::choices::last_step::STRETCH;
use crate::choices::ode_integrator::FIXED_ACCURACY;
use crate::linearize::growth;
use kinegraph_core::step_record::StepRecord;
use kinegraph_diagram::{Diagram, State};

/// Keys of `simulation` in diagram files that methods with an estimate read.
pub(super) const OPTIONS: &[&str] =
    &["accuracy", "max_step", "min_step", "initial_step", "step", "error_norm", "error_weights", "step_control"];

/// A method for differential equations that advances a diagram.
#[derive(Clone)]
pub struct OdeIntegrator<M> {
    name: &'static str,
    method: M,
    /// Length of the steps.
    pub step_length: StepLength,
    diagram: Diagram,
    rates: Rates,
    /// True if the rates have kinks without events.
    has_kinks: bool,
    /// True if a force may be slack and then stiff.
    slackens: bool,
    norm: ErrorNorm,
    /// Outputs under error control, and the other end of an attempt.
    outputs: Option<Box<OutputErrors>>,
    other_end: Vec<f64>,
    ends: Ends,
    statistics: Statistics,
    dense: DenseStep,
    records: Vec<StepRecord>,
    /// Note that efforts follow the motion.
    solved: SolvedStep,
    /// Decisions of a step: none but its length.
    decisions: Decisions,
}

impl<M: OdeMethod + 'static> OdeIntegrator<M> {
    /// Integrator with `method`, of this name, for `diagram`. With plants, errors count by `weights`; without any,
    /// those of all states count alike.
    pub(super) fn of(
        name: &'static str,
        method: M,
        diagram: &Diagram,
        mut step_length: StepLength,
        weights: &ErrorWeights,
    ) -> Self {
        if let (StepLength::Controlled(control), Some(order)) = (&mut step_length, method.estimate_order()) {
            control.order = order;
        }
        let rates = Rates::new(diagram, weights, step_length.longest());
        OdeIntegrator {
            name,
            method,
            step_length,
            diagram: diagram.clone(),
            norm: rates.norm(diagram, weights),
            has_kinks: rates.has_kinks(),
            slackens: rates.slackens(),
            rates,
            outputs: OutputErrors::new(diagram),
            other_end: Vec::new(),
            ends: Ends::new(diagram.state_width()),
            statistics: Statistics::default(),
            dense: DenseStep::default(),
            records: Vec::new(),
            solved: SolvedStep::default(),
            decisions: Decisions::default(),
        }
    }

    /// Integrator with `method`, of this name, for `diagram`, as `options` describe it.
    ///
    /// # Errors
    /// None that is known; other integrators share the type.
    pub fn build(
        name: &'static str,
        method: M,
        options: &Options,
        diagram: &Diagram,
        step_length: StepLength,
    ) -> Result<Box<dyn Integrator>, IntegratorError> {
        Ok(Box::new(OdeIntegrator::of(name, method, diagram, step_length, &options.error_weights)))
    }

    /// Attempts a step: writes its end to `self.ends` and returns the error and the worst coordinate.
    fn attempt(&mut self, step: Attempted, statistics: &mut Statistics) -> Result<(f64, usize), StepFailure> {
        let OdeIntegrator { method, rates, norm, ends, outputs, other_end, .. } = self;
        method.attempt(step, ends, &mut RightHandSide { rates, norm, statistics })?;
        if method.estimate_order().is_none() {
            return Ok((0.0, 0));
        }
        let error = rates.error(norm, step.h, &ends.end, &ends.error);
        if outputs.is_none() && step.accuracy.is_finite() {
            return Ok(error);
        }
        other_end.clear();
        other_end.extend(ends.end.iter().zip(&ends.error).map(|(x, e)| x - e));
        let Some(outputs) = outputs.as_mut().filter(|_| !step.is_fixed) else { return Ok(error) };
        let of_outputs = outputs.of_ends(step.accuracy, step.end, [&ends.end, other_end], &step.start.discrete);
        Ok(larger(error, of_outputs, norm.num_coordinates()))
    }

    /// Longest step \[s\], up to `h`, that follows forces that are slack and then stiff.
    fn longest_followed(&mut self, state: &State, h: f64, accuracy: f64, statistics: &mut Statistics) -> f64 {
        if !self.slackens {
            return f64::INFINITY;
        }
        let OdeIntegrator { method, rates, norm, ends, .. } = self;
        let at = match method.stability() {
            stability if stability.is_finite() => Some(AtStops::Stable(stability)),
            _ if method.is_linearly_implicit() => Some(AtStops::BothEnds),
            // They solve for the forces, to a part of the accuracy: the more steps, the more errors of that.
            _ => None,
        };
        // The attempt will meet the fault again, and reports it.
        let found = RightHandSide { rates, norm, statistics }.start(state, &mut ends.rates);
        found.map_or(f64::INFINITY, |()| rates.longest_followed(state, h, accuracy, at))
    }

    /// Longest step \[s\], up to about `h`, that follows growth, by the linearization that the method has before it.
    fn longest_in_growth(&mut self, state: &State, h: f64, statistics: &mut Statistics) -> f64 {
        let OdeIntegrator { method, rates, norm, ends, .. } = self;
        // The attempt will meet the fault again, and reports it.
        let prepared = method.prepare(state, ends, &mut RightHandSide { rates, norm, statistics });
        let rate = prepared.map_or(f64::NEG_INFINITY, |()| method.growth_rate(growth::least_rate(h)));
        growth::longest_step(rate, h)
    }

    /// Estimates the error of an attempt: too large an error if it damps growth.
    fn judge(&mut self, step: Attempted, statistics: &mut Statistics) -> Result<Estimate, StepFailure> {
        let Attempted { h, accuracy, .. } = step;
        let mut error = self.attempt(step, statistics)?;
        if self.has_kinks && error.0 <= accuracy {
            let OdeIntegrator { method, rates, norm, ends, .. } = self;
            let defect = method.defect(step, ends, &mut RightHandSide { rates, norm, statistics })?;
            // Not-a-number counts as the largest.
            error = if defect.0 <= error.0 { error } else { defect };
        }
        if self.method.is_linearly_implicit() && error.0 <= accuracy {
            // The Jacobian of sliding does not contain friction that holds. A body that comes to rest has to stay
            // within the stiction tolerance, or it would go to and fro, each time within the accuracy.
            let reversal = self.rates.reversal_error(&step.start.continuous, &self.ends.end, &self.ends.error);
            error.0 = error.0.max(accuracy * reversal);
        }
        let estimate = Estimate::from(error).above_rounding(&self.norm, &self.ends.end, accuracy)?;
        let longest = growth::longest_step(self.method.growth_rate(growth::least_rate(h)), h);
        // A bound is met up to rounding.
        // rounding
        if h <= longest * (1.0 + 1e-12) {
            return Ok(estimate);
        }
        let order = self.method.estimate_order().unwrap_or(1);
        let too_long = accuracy * (h / longest).powi(order);
        Ok(Estimate { error: estimate.error.max(too_long), rule: Some(Rule::Growth), ..estimate })
    }

    fn take_fixed(
        &mut self,
        state: &State,
        step: f64,
        limit: f64,
        remaining: f64,
    ) -> Result<Accepted, IntegratorError> {
        let last = remaining < step * STRETCH;
        let (h, end) = if last { (remaining, limit) } else { (step, state.time + step) };
        let mut statistics = std::mem::take(&mut self.statistics);
        let iterations = statistics.solver_iterations;
        let checked = self.rates.check_step(&state.continuous, self.method.stability(), h);
        let attempted = Attempted { start: state, h, end, accuracy: FIXED_ACCURACY, is_fixed: true };
        let attempt = checked.and_then(|()| self.attempt(attempted, &mut statistics)).and_then(|found| {
            let rate = self.method.growth_rate(growth::least_rate(h));
            let longest = growth::longest_step(rate, h);
            if h <= longest { Ok(found) } else { Err(StepFailure::Grows { time: 1.0 / rate, step: h, longest }) }
        });
        self.statistics = statistics;
        self.statistics.note_fixed(state.time, h, attempt.is_err(), iterations);
        let (error, _) =
            attempt.map_err(|failure| IntegratorError::FixedStepFailed { time: state.time, step: h, failure })?;
        self.statistics.accept(h, !last);
        Ok(Accepted { h, error, chosen: !last })
    }

    fn take_controlled(
        &mut self,
        state: &State,
        control: &mut StepControl,
        limit: f64,
        remaining: f64,
    ) -> Result<Accepted, IntegratorError> {
        let mut statistics = std::mem::take(&mut self.statistics);
        let accuracy = control.accuracy;
        // Limits on the step like any other.
        let longest = remaining.min(self.rates.longest_step(&state.continuous, self.method.stability()));
        let attempted = control.first_attempt(longest);
        let longest = longest.min(self.rates.in_sight(&state.continuous, attempted, &mut statistics));
        let longest = longest.min(self.longest_followed(state, attempted, accuracy, &mut statistics));
        let longest = longest.min(self.longest_in_growth(state, attempted, &mut statistics));
        let found = control.take(state.time, longest, &mut statistics, |h, statistics| {
            let (end, _) = end_of_step(state.time, h, remaining, limit);
            self.judge(Attempted { start: state, h, end, accuracy, is_fixed: false }, statistics)
        });
        self.statistics = statistics;
        let found = found.map_err(|too_short| too_short.error(accuracy, &self.norm))?;
        let OdeIntegrator { method, norm, ends, .. } = self;
        if let Some(suspect) = Suspect::find(norm, &state.continuous, &ends.end, found.h, accuracy) {
            suspect.check(method.growth_rate(suspect.least_rate()), state.time, accuracy, norm)?;
        }
        Ok(found)
    }
}

impl<M: OdeMethod> OdeIntegrator<M> {
    /// Accepts the last attempt, of length `h` from `state` to the time `end`.
    fn accept(&mut self, state: &mut State, h: f64, end: f64) {
        let is_fixed = matches!(self.step_length, StepLength::Fixed(_));
        let step = Attempted { start: state, h, end, accuracy: 0.0, is_fixed };
        self.method.record(step, &self.ends, &mut self.dense);
        self.solved.note_free((state.time, end));
        // The previous state is the start.
        std::mem::swap(&mut state.continuous, &mut self.ends.end);
        state.time = end;
        let weights = self.method.mean_weights();
        let OdeIntegrator { rates, ends, records, statistics, .. } = self;
        let reported = rates.record(&ends.end, state, h, weights, records, statistics);
        self.ends.rates.accept(state);
        if let Some(kept) = self.method.kept_mut() {
            kept.accept();
        }
        if reported {
            self.ends.rates.forget();
        }
    }
}

impl<M: OdeMethod + 'static> Integrator for OdeIntegrator<M> {
    fn advance(&mut self, state: &mut State, limit: f64) -> Result<Step, IntegratorError> {
        let Some(remaining) = remaining(&self.diagram, state, limit)? else { return Ok(Step::nothing()) };
        if self.rates.hold(state) {
            self.ends.rates.forget();
        }
        let mut step_length = self.step_length;
        let taken = match &mut step_length {
            StepLength::Fixed(step) => self.take_fixed(state, *step, limit, remaining),
            StepLength::Controlled(control) => self.take_controlled(state, control, limit, remaining),
        };
        self.step_length = step_length;
        let Accepted { h, error, .. } = taken?;
        let (end, reached) = end_of_step(state.time, h, remaining, limit);
        self.accept(state, h, end);
        Ok(if reached { Step::ReachedLimit { h, error } } else { Step::Accepted { h, error } })
    }

    // Implicit methods iterate to a part of the accuracy: their steps are no smooth functions.
    fn decisions(&self) -> Option<&Decisions> {
        Some(&self.decisions).filter(|_| self.method.stability().is_finite())
    }

    fn embedded(&self) -> Option<&[f64]> {
        self.method.estimate_order().map(|_| &*self.other_end)
    }

    fn repeat(&mut self, state: &mut State, end: f64, _: &Decisions) -> Result<(), IntegratorError> {
        let h = end - state.time;
        self.rates.hold(state);
        self.ends.rates.forget();
        let mut statistics = std::mem::take(&mut self.statistics);
        let step = Attempted { start: state, h, end, accuracy: f64::INFINITY, is_fixed: true };
        let attempted = self.attempt(step, &mut statistics);
        self.statistics = statistics;
        attempted.map_err(|failure| IntegratorError::FixedStepFailed { time: state.time, step: h, failure })?;
        self.accept(state, h, end);
        Ok(())
    }

    fn interrupted(&mut self) {
        self.ends.rates.forget();
    }

    fn memory(&self) -> StepMemory {
        let control = match &self.step_length {
            StepLength::Fixed(_) => StepMemory::default(),
            StepLength::Controlled(control) => control.memory().into(),
        };
        let linearized_at = self.method.kept().and_then(|kept| kept.linearized_at()).cloned();
        StepMemory { linearized_at, ..control }
    }

    fn recall(&mut self, memory: &StepMemory) {
        if let StepLength::Controlled(control) = &mut self.step_length {
            control.recall(memory.control());
        }
        let of_diagram = |at: &&State| {
            let widths = (at.continuous.len(), at.discrete.len());
            widths == (self.diagram.state_width(), self.diagram.discrete_width())
        };
        if let Some(kept) = self.method.kept_mut() {
            kept.recall(memory.linearized_at.as_ref().filter(of_diagram));
        }
    }

    fn restart(&mut self) {
        self.recall(&StepMemory::default());
        self.ends.rates.forget();
        self.statistics.restart();
        self.dense = DenseStep::default();
        self.solved.forget();
    }

    fn reach(&self) -> f64 {
        match self.step_length {
            StepLength::Fixed(step) => STRETCH * step,
            StepLength::Controlled(mut control) => control.first_attempt(f64::INFINITY),
        }
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    fn statistics_mut(&mut self) -> &mut Statistics {
        &mut self.statistics
    }

    fn error_norm(&self) -> Option<&ErrorNorm> {
        self.method.estimate_order().map(|_| &self.norm)
    }

    fn dense(&self) -> &DenseStep {
        &self.dense
    }

    fn records(&self) -> &[StepRecord] {
        // Records of steps before a restart are memory only.
        if self.statistics.steps == 0 { &[] } else { &self.records }
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn solved(&self) -> Option<&SolvedStep> {
        Some(&self.solved).filter(|solved| solved.is_known())
    }

    fn diagram(&self) -> &Diagram {
        &self.diagram
    }
}
