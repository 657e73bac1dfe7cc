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
//!
//! Diagrams with plants are differential equations too ([`ContinuousForm`](super::contact)): with the same contact law
//! as the convex step has, and stiff springs in the place of what is rigid.

use super::contact::ContinuousForm;
use super::limit::{end_of_step, remaining};
use super::rates::Rates;
use super::search::Accepted;
use super::stages::Stages;
use super::{
    DenseStep, ErrorNorm, ErrorWeights, Integrator, IntegratorError, Options, Pace, Statistics, Step, StepControl,
    StepFailure, StepMemory, Tableau,
};
use crate::diagram::{Diagram, State};
use crate::systems::step_record::StepRecord;
use std::cell::RefCell;

/// An explicit Runge-Kutta method.
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
    records: Vec<StepRecord>,
}

impl ExplicitRungeKutta {
    /// The keys of `simulation` in diagram files that such methods read.
    pub(super) const OPTIONS: &'static [&'static str] =
        &["accuracy", "max_step", "min_step", "initial_step", "step", "error_norm", "error_weights", "step_control"];
    /// When to take such methods.
    pub(super) const REMARKS: &'static str = "With plants, contact and friction are followed as they are, and what is \
        rigid (constraints, joint stops, locks) is a spring with a period of 1 ms: short steps wherever anything \
        touches or is held, far shorter than those of `cenic`. For free motion, soft contact, and as a second opinion. \
        Blows are followed better with `error_norm: state`, and resting friction trembles within the accuracy. Nothing \
        watches for what thin bodies pass through within a step: see `max_step`";

    /// The method that `options` describe.
    pub(super) fn make(
        tableau: &'static Tableau,
        options: &Options,
        diagram: &Diagram,
        pace: Pace,
    ) -> Result<Box<dyn Integrator>, IntegratorError> {
        Ok(Box::new(ExplicitRungeKutta::new(tableau, diagram, pace, &options.error_weights)))
    }

    /// The method with the given coefficients, for `diagram`. With plants, errors count by `weights`; without any,
    /// those of all states count alike.
    pub fn new(tableau: &'static Tableau, diagram: &Diagram, mut pace: Pace, weights: &ErrorWeights) -> Self {
        if let Pace::Controlled(control) = &mut pace {
            control.order = tableau.estimate_order;
        }
        let rates = Rates::new(diagram);
        ExplicitRungeKutta {
            tableau,
            pace,
            diagram: diagram.clone(),
            norm: rates.norm(diagram, weights),
            rates,
            stages: Stages::new(tableau, diagram.state_width()),
            statistics: Statistics::default(),
            dense: DenseStep::default(),
            records: Vec::new(),
        }
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
        let rates = RefCell::new(rates);
        let rate = |_: bool, time: f64, x: &[f64], k: &mut [f64]| {
            if let Some(bad) = x.iter().position(|x| !x.is_finite()) {
                return Err(StepFailure::NotFinite { what: norm.name(bad).to_string() });
            }
            rates.borrow_mut().evaluate(time, x, k, statistics)
        };
        stages.attempt(self.tableau, state, (h, end), rate, |x| rates.borrow().complete(x))?;
        Ok(self.rates.error(&self.norm, h, &self.stages.next, &self.stages.error))
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
        let longest = self.rates.longest_step(&state.continuous, self.tableau.stability);
        let attempt = match h <= longest {
            true => self.attempt(state, h, end, &mut statistics),
            false => Err(ContinuousForm::too_stiff(longest)),
        };
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
        // A limit on the step as any other.
        let longest = remaining.min(self.rates.longest_step(&state.continuous, self.tableau.stability));
        let found = control.take(state.time, longest, &mut statistics, |h, statistics| {
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
        if self.rates.hold(state) {
            self.stages.forget();
        }
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
        let told = self.rates.record(state, h, &mut self.records, &mut self.statistics);
        self.stages.accept(state);
        if told {
            self.stages.forget();
        }
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

    fn records(&self) -> &[StepRecord] {
        // Those of steps before a restart are memory only.
        if self.statistics.steps == 0 { &[] } else { &self.records }
    }

    fn name(&self) -> &'static str {
        self.tableau.name
    }

    fn diagram(&self) -> &Diagram {
        &self.diagram
    }
}
