//! Error control by step doubling: a full step and two half steps; their difference is the error estimate, and the two half steps
//! are kept \[Kurtz & Castro, CENIC, sec. V-A\].

use super::{
    Candidate, DenseStep, Integrator, IntegratorError, Memory, OneStep, Statistics, Step, StepControl, StepFailure,
    Verdict,
};
use crate::diagram::{Diagram, State};

/// What the memory calls the length of the next step \[s\].
const NEXT_STEP: &str = "next_step";

/// The solver is asked for this part of the accuracy.
const KAPPA: f64 = 1e-3;
/// At looser accuracies steps are so long that extrapolation does harm in stiff feedback.
const LOOSEST_EXTRAPOLATION: f64 = 1e-3 * (1.0 + 1e-9);

/// A one-step method with error-controlled steps.
pub struct StepDoubling<M: OneStep> {
    /// The step-size control.
    pub control: StepControl,
    /// Whether smooth parts of the motion are extrapolated to the next order.
    pub extrapolate: bool,
    method: M,
    name: &'static str,
    start: M::Point,
    /// The state that `start` was prepared for.
    prepared: Option<State>,
    middle: M::Point,
    middle_state: State,
    full: Candidate,
    half: Candidate,
    end: Candidate,
    statistics: Statistics,
    dense: DenseStep,
}

impl<M: OneStep> StepDoubling<M> {
    /// `method` under `control`.
    pub fn new(name: &'static str, method: M, control: StepControl) -> Self {
        StepDoubling {
            control,
            extrapolate: false,
            method,
            name,
            start: M::Point::default(),
            prepared: None,
            middle: M::Point::default(),
            middle_state: State::default(),
            full: Candidate::default(),
            half: Candidate::default(),
            end: Candidate::default(),
            statistics: Statistics::default(),
            dense: DenseStep::default(),
        }
    }

    /// Attempts a step of length `h` from `state`: leaves its end in `self.end` and returns the error and the worst coordinate.
    fn attempt(&mut self, state: &State, h: f64) -> Result<(f64, usize), StepFailure> {
        let tolerance = KAPPA * self.control.accuracy;
        // Keyed on the state itself: a state changed from outside is never mistaken for a retry.
        if self.prepared.as_ref() != Some(state) {
            self.prepared = None;
            self.method.prepare(state, h, &mut self.start, &mut self.statistics)?;
            self.prepared.get_or_insert_default().clone_from(state);
        }
        let v0 = self.method.velocity_at(&self.start);
        self.full.velocity.clear();
        self.full.velocity.extend_from_slice(v0);
        self.method.step(&mut self.start, h, tolerance, &mut self.full, &mut self.statistics)?;
        let v0 = self.method.velocity_at(&self.start);
        self.half.velocity.clear();
        self.half.velocity.extend(v0.iter().zip(&self.full.velocity).map(|(a, b)| 0.5 * (a + b)));
        self.method.step(&mut self.start, 0.5 * h, tolerance, &mut self.half, &mut self.statistics)?;
        self.middle_state.time = state.time + 0.5 * h;
        self.middle_state.continuous.clone_from(&self.half.continuous);
        self.middle_state.discrete.clone_from(&state.discrete);
        self.method.prepare_near(&self.start, &self.middle_state, 0.5 * h, &mut self.middle, &mut self.statistics)?;
        self.end.velocity.clone_from(&self.full.velocity);
        self.method.step(&mut self.middle, 0.5 * h, tolerance, &mut self.end, &mut self.statistics)?;
        let estimate = self.method.norm().distance(&self.full.continuous, &self.end.continuous);
        if self.extrapolate && self.control.accuracy <= LOOSEST_EXTRAPOLATION {
            self.method.extrapolate(&self.full, &self.half, &mut self.end);
        }
        Ok(estimate)
    }
}

/// Remembers a step for dense output.
pub(super) fn record_dense<M: OneStep>(method: &M, dense: &mut DenseStep, state: &State, end: &[f64], end_time: f64) {
    dense.times = (state.time, end_time);
    dense.start.clone_from(&state.continuous);
    dense.end.clear();
    dense.end.extend_from_slice(end);
    method.position_rates(&dense.start, &mut dense.start_rates);
    method.position_rates(&dense.end, &mut dense.end_rates);
    dense.smooth.clear();
    dense.smooth.extend((0..end.len()).map(|i| dense.start_rates[i].is_finite()));
}

impl<M: OneStep> Integrator for StepDoubling<M> {
    fn initialize(&mut self, diagram: &Diagram, _state: &State) -> Result<(), IntegratorError> {
        self.statistics = Statistics::default();
        self.dense = DenseStep::default();
        self.prepared = None;
        self.control.reset();
        self.method.initialize(diagram)
    }

    fn advance(&mut self, state: &mut State, limit: f64) -> Result<Step, IntegratorError> {
        let room = limit - state.time;
        let mut h = self.control.first_attempt(room);
        let minimum = 1e-14_f64.max(1e-14 * state.time.abs()).max(self.control.min_step);
        let (mut last, mut worst) = (None, 0);
        loop {
            if h < minimum && h < room {
                let worst = self.method.norm().name(worst).to_string();
                return Err(IntegratorError::StepTooSmall { time: state.time, step: h, minimum, worst, last });
            }
            let (verdict, error) = match self.attempt(state, h) {
                Ok((error, coordinate)) => {
                    (last, worst) = (None, coordinate);
                    (self.control.judge(h, error), error)
                }
                Err(failure) => {
                    last = Some(failure);
                    (self.control.failed(h), f64::NAN)
                }
            };
            if let Verdict::Retry(shorter) = verdict {
                self.statistics.rejected_steps += 1;
                h = shorter;
                continue;
            }
            let reached = h >= room;
            let end = if reached { limit } else { state.time + h };
            record_dense(&self.method, &mut self.dense, state, &self.end.continuous, end);
            self.statistics.accept(h, !self.control.was_cut());
            state.continuous.copy_from_slice(&self.end.continuous);
            state.time = end;
            return Ok(if reached { Step::ReachedLimit { h, error } } else { Step::Accepted { h, error } });
        }
    }

    fn interrupted(&mut self) {
        // The next attempt finds that its state is not the one prepared; nothing else is remembered but the step length.
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    fn dense(&self) -> &DenseStep {
        &self.dense
    }

    fn memory(&self) -> Memory {
        Memory::default().with(NEXT_STEP, self.control.wanted())
    }

    fn recall(&mut self, memory: &Memory) {
        self.control.want(memory.step(NEXT_STEP));
    }

    fn name(&self) -> &'static str {
        self.name
    }
}
