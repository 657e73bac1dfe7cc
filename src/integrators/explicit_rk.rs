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

use super::rates::Rates;
use super::stages::Stages;
use super::step_control::Accepted;
use super::{
    DenseStep, ErrorNorm, Integrator, IntegratorError, Statistics, Step, StepControl, StepFailure, StepMemory,
    check_state, end_of_step, room,
};
use crate::diagram::{Diagram, State};
use crate::profile::Phase;

/// The coefficients of a method with s stages.
#[derive(Debug)]
pub struct Tableau {
    /// The name used in files and on the command line.
    pub name: &'static str,
    /// Order of accuracy.
    pub order: i32,
    /// Power of the step length with which the error estimate shrinks.
    pub estimate_order: i32,
    /// c, s entries.
    pub nodes: &'static [f64],
    /// a, row i with i entries (from 0).
    pub stages: &'static [&'static [f64]],
    /// b, s entries.
    pub weights: &'static [f64],
    /// e, s + 1 entries.
    pub error: &'static [f64],
    /// Weights of the derivatives in the dense output's term of fourth order, s + 1 entries; empty: dense output is
    /// cubic.
    pub quartic: &'static [f64],
}

/// How long the steps are.
#[derive(Clone, Copy, Debug)]
pub enum Pace {
    /// Steps of this length \[s\]; the last one before a limit is shorter.
    Fixed(f64),
    /// As long as the accuracy allows.
    Controlled(StepControl),
}

/// An explicit Runge-Kutta method, for diagrams without plants.
pub struct ExplicitRungeKutta {
    tableau: &'static Tableau,
    /// How long the steps are.
    pub pace: Pace,
    rates: Option<Rates>,
    norm: ErrorNorm,
    stages: Stages,
    statistics: Statistics,
    dense: DenseStep,
}

impl ExplicitRungeKutta {
    /// The method with the given coefficients.
    pub fn new(tableau: &'static Tableau, mut pace: Pace) -> Self {
        if let Pace::Controlled(control) = &mut pace {
            control.order = tableau.estimate_order;
        }
        ExplicitRungeKutta {
            tableau,
            pace,
            rates: None,
            norm: ErrorNorm::default(),
            stages: Stages::default(),
            statistics: Statistics::default(),
            dense: DenseStep::default(),
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
        let rates = rates.as_mut().expect("initialize comes before any step");
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

    fn take_fixed(&mut self, state: &State, step: f64, limit: f64, room: f64) -> Result<Accepted, IntegratorError> {
        let last = room < step * 1.001;
        let (h, end) = if last { (room, limit) } else { (step, state.time + step) };
        let mut statistics = std::mem::take(&mut self.statistics);
        let attempt = self.attempt(state, h, end, &mut statistics);
        self.statistics = statistics;
        let iterations = self.statistics.solver_iterations;
        self.statistics.note_fixed(state.time, h, attempt.is_err(), iterations);
        let (error, _) =
            attempt.map_err(|failure| IntegratorError::FixedStepFailed { time: state.time, step: h, failure })?;
        self.statistics.accept(h, !last);
        Ok(Accepted { h, error })
    }

    fn take_controlled(
        &mut self,
        state: &State,
        control: &mut StepControl,
        limit: f64,
        room: f64,
    ) -> Result<Accepted, IntegratorError> {
        let mut statistics = std::mem::take(&mut self.statistics);
        let found = control.take(state.time, room, &mut statistics, |h, statistics| {
            let (end, _) = end_of_step(state.time, h, room, limit);
            self.attempt(state, h, end, statistics)
        });
        self.statistics = statistics;
        found.map_err(|stuck| stuck.error(&self.norm))
    }
}

impl Integrator for ExplicitRungeKutta {
    fn initialize(&mut self, diagram: &Diagram, state: &State) -> Result<(), IntegratorError> {
        check_state(diagram, state)?;
        self.rates = Some(Rates::new(diagram, self.tableau.name)?);
        self.norm = ErrorNorm::whole(diagram);
        self.stages.resize(self.tableau, diagram.state_width());
        self.statistics.restart();
        self.dense = DenseStep::default();
        if let Pace::Controlled(control) = &mut self.pace {
            control.reset();
        }
        Ok(())
    }

    fn advance(&mut self, state: &mut State, limit: f64) -> Result<Step, IntegratorError> {
        let Some(room) = room(state, limit)? else { return Ok(Step::nothing()) };
        let mut pace = self.pace;
        let taken = match &mut pace {
            Pace::Fixed(step) => self.take_fixed(state, *step, limit, room),
            Pace::Controlled(control) => self.take_controlled(state, control, limit, room),
        };
        self.pace = pace;
        let Accepted { h, error } = taken?;
        let (end, reached) = end_of_step(state.time, h, room, limit);
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
            Pace::Controlled(control) => control.memory(),
        }
    }

    fn recall(&mut self, memory: &StepMemory) {
        if let Pace::Controlled(control) = &mut self.pace {
            control.recall(memory);
        }
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
}
