//! Explicit Runge-Kutta methods with an embedded error estimate and dense output.
//!
//! A step of length h from (t, x):
//!
//! ```text
//! k_i = f(t + c_i h, x + h sum_j a_ij k_j),   x1 = x + h sum_i b_i k_i,
//! k_(s+1) = f(t + h, x1),   error = h sum_i e_i k_i
//! ```
//!
//! The derivative at the end, `k_(s+1)`, is the first one of the next step (first same as last): it costs nothing, and
//! serves the dense output of every method and the error estimate of some.

use super::limit::{end_of_step, remaining};
use super::rates::Rates;
use super::search::Accepted;
use super::stages::Stages;
use super::{
    DenseStep, ErrorNorm, Integrator, IntegratorError, Pace, Statistics, Step, StepControl, StepFailure, StepMemory,
    Tableau,
};
use crate::diagram::{Diagram, State};
use crate::profile::Phase;

/// An explicit Runge-Kutta method, for diagrams without plants.
#[derive(Clone)]
pub struct ExplicitRungeKutta {
    tableau: &'static Tableau,
    /// How long the steps are.
    pub pace: Pace,
    diagram: Diagram,
    rates: Rates,
    norm: ErrorNorm,
    stages: Stages,
    statistics: Statistics,
    dense: DenseStep,
}

impl ExplicitRungeKutta {
    /// The keys of `simulation` in diagram files that such methods read.
    pub(super) const OPTIONS: &'static [&'static str] =
        &["accuracy", "max_step", "min_step", "initial_step", "step", "step_control"];

    /// The method with the given coefficients, for `diagram`.
    ///
    /// # Errors
    /// [`IntegratorError::NeedsDerivatives`]: a diagram with plants.
    pub fn new(tableau: &'static Tableau, diagram: &Diagram, mut pace: Pace) -> Result<Self, IntegratorError> {
        if let Pace::Controlled(control) = &mut pace {
            control.order = tableau.estimate_order;
        }
        Ok(ExplicitRungeKutta {
            tableau,
            pace,
            diagram: diagram.clone(),
            rates: Rates::new(diagram, tableau.name)?,
            norm: ErrorNorm::whole(diagram),
            stages: Stages::new(tableau, diagram.state_width()),
            statistics: Statistics::default(),
            dense: DenseStep::default(),
        })
    }

    /// Attempts a step of length `h` from `state` to `end`: leaves its end in `self.next` and returns the error and the
    /// worst coordinate.
    fn attempt(
        &mut self,
        state: &State,
        h: f64,
        end: f64,
        statistics: &mut Statistics,
    ) -> Result<(f64, usize), StepFailure> {
        let ExplicitRungeKutta { rates, norm, stages, .. } = self;
        let rate = |first: bool, time: f64, x: &[f64], k: &mut [f64]| {
            if let Some(bad) = x.iter().position(|x| !x.is_finite()) {
                return Err(StepFailure::NotFinite { what: norm.name(bad).to_string() });
            }
            if first {
                rates.hold(&state.discrete);
            }
            let mut lap = statistics.watch.start();
            rates.evaluate(time, x, k)?;
            statistics.watch.lap(Phase::External, &mut lap);
            statistics.derivative_evaluations += 1;
            Ok(())
        };
        stages.attempt(self.tableau, state, (h, end), rate, |_| ())?;
        Ok(self.norm.size(&self.stages.error))
    }

    fn take_fixed(
        &mut self,
        state: &State,
        step: f64,
        limit: f64,
        remaining: f64,
    ) -> Result<Accepted, IntegratorError> {
        let last = remaining < step * 1.001;
        let (h, end) = if last { (remaining, limit) } else { (step, state.time + step) };
        let mut statistics = std::mem::take(&mut self.statistics);
        let attempt = self.attempt(state, h, end, &mut statistics);
        self.statistics = statistics;
        let iterations = self.statistics.solver_iterations;
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
        let found = control.take(state.time, remaining, &mut statistics, |h, statistics| {
            let (end, _) = end_of_step(state.time, h, remaining, limit);
            self.attempt(state, h, end, statistics)
        });
        self.statistics = statistics;
        found.map_err(|stuck| stuck.error(&self.norm))
    }
}

impl Integrator for ExplicitRungeKutta {
    fn advance(&mut self, state: &mut State, limit: f64) -> Result<Step, IntegratorError> {
        let Some(remaining) = remaining(&self.diagram, state, limit)? else { return Ok(Step::nothing()) };
        let mut pace = self.pace;
        let taken = match &mut pace {
            Pace::Fixed(step) => self.take_fixed(state, *step, limit, remaining),
            Pace::Controlled(control) => self.take_controlled(state, control, limit, remaining),
        };
        self.pace = pace;
        let Accepted { h, error, .. } = taken?;
        let (end, reached) = end_of_step(state.time, h, remaining, limit);
        self.stages.record(self.tableau, state, (h, end), &mut self.dense);
        state.continuous.copy_from_slice(&self.stages.next);
        state.time = end;
        self.stages.accept(state);
        Ok(if reached { Step::ReachedLimit { h, error } } else { Step::Accepted { h, error } })
    }

    fn interrupted(&mut self) {
        self.stages.forget();
    }

    fn memory(&self) -> StepMemory {
        match &self.pace {
            Pace::Fixed(_) => StepMemory::default(),
            Pace::Controlled(control) => control.memory().into(),
        }
    }

    fn recall(&mut self, memory: &StepMemory) {
        if let Pace::Controlled(control) = &mut self.pace {
            control.recall(memory.control());
        }
    }

    fn restart(&mut self) {
        self.recall(&StepMemory::default());
        self.stages.forget();
        self.statistics.restart();
        self.dense = DenseStep::default();
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    fn statistics_mut(&mut self) -> &mut Statistics {
        &mut self.statistics
    }

    fn error_norm(&self) -> Option<&ErrorNorm> {
        Some(&self.norm)
    }

    fn dense(&self) -> &DenseStep {
        &self.dense
    }

    fn name(&self) -> &'static str {
        self.tableau.name
    }

    fn diagram(&self) -> &Diagram {
        &self.diagram
    }
}
