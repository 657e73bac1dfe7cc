//! Error control by step doubling: a full step and two half steps; their difference is the error estimate, and the two
//! half steps are kept \[Kurtz & Castro, CENIC, sec. V-A\].

use super::coasting::Coasting;
use super::one_step::Prepared;
use super::step_control::Accepted;
use super::transitions::Transitions;
use super::{
    Candidate, DenseStep, ErrorNorm, Integrator, IntegratorError, OneStep, Statistics, Step, StepControl, StepFailure,
    StepMemory, check_state, end_of_step, room,
};
use crate::contact::ContactForces;
use crate::diagram::{Diagram, State};
use crate::solvers::icf::Fingerprint;
use crate::systems::step_record::StepRecord;

/// The solver is asked for this part of the accuracy.
const KAPPA: f64 = 1e-3;
/// An attempt whose error will be this many times the accuracy is given up early.
const FAR: f64 = 4.0;
/// At looser accuracies steps are so long that extrapolation does harm in stiff feedback.
const LOOSEST_EXTRAPOLATION: f64 = 1e-3 * (1.0 + 1e-9);

/// A one-step method with error-controlled steps.
pub struct StepDoubling<M: OneStep> {
    /// The step-size control.
    pub control: StepControl,
    /// Whether smooth parts of the motion are extrapolated to the next order, and steps cut where it is not smooth.
    pub extrapolate: bool,
    /// Whether an attempt ends after the full step where that tells that the error will be far too large.
    pub foresee: bool,
    pub(super) method: M,
    name: &'static str,
    pub(super) start: Prepared<M::Point>,
    middle: M::Point,
    middle_state: State,
    full: Candidate,
    half: Candidate,
    pub(super) end: Candidate,
    /// Contact forces of the last accepted step.
    pub(super) forces: ContactForces,
    pub(super) statistics: Statistics,
    pub(super) dense: DenseStep,
    rates: (Vec<f64>, Vec<f64>),
    pub(super) transitions: Transitions,
    pub(super) coasting: Coasting,
    /// Length of the last attempt from this state whose full step was solved; `full` has its solution.
    tried: Option<f64>,
    /// The first half step of the last attempt from this state, as it was solved, and its length: the full step of an
    /// attempt half as long.
    kept: (Option<f64>, Candidate),
}

impl<M: OneStep> StepDoubling<M> {
    /// `method` under `control`.
    pub fn new(name: &'static str, method: M, control: StepControl) -> Self {
        StepDoubling {
            control,
            extrapolate: false,
            foresee: false,
            method,
            name,
            start: Prepared::default(),
            middle: M::Point::default(),
            middle_state: State::default(),
            full: Candidate::default(),
            half: Candidate::default(),
            end: Candidate::default(),
            forces: ContactForces::default(),
            statistics: Statistics::default(),
            dense: DenseStep::default(),
            rates: (Vec::new(), Vec::new()),
            transitions: Transitions::default(),
            coasting: Coasting::new(control),
            tried: None,
            kept: (None, Candidate::default()),
        }
    }

    fn improves(&self) -> bool {
        self.extrapolate && self.control.accuracy <= LOOSEST_EXTRAPOLATION
    }

    /// Whether something began or ceased to act within the last attempt.
    fn crosses(&self) -> bool {
        let parts = [&self.full.fingerprints, &self.half.fingerprints, &self.end.fingerprints];
        let changed = |parts: ((&Fingerprint, &Fingerprint), &Fingerprint)| {
            let ((full, half), end) = parts;
            full.changed() || full.end != half.end || half.end != end.end || end.changed()
        };
        parts[0].iter().zip(parts[1]).zip(parts[2]).any(changed)
    }

    /// Guesses the end of the full step of length `h`: from the last attempt from this state, if there was one.
    fn guess_full(&mut self, h: f64) {
        let v0 = self.method.velocity_at(&self.start.point);
        if let Some(tried) = self.tried.take() {
            // The forces of the attempt before, over a shorter step.
            let part = h / tried;
            self.full.velocity.iter_mut().zip(v0).for_each(|(v, v0)| *v = v0 + part * (*v - v0));
        } else {
            self.full.velocity.clear();
            self.full.velocity.extend_from_slice(v0);
            self.full.forces.clone_from(&self.forces);
        }
    }

    /// Attempts a step of length `h` from `state`: leaves its end in `self.end` and returns the error and the worst
    /// coordinate.
    fn attempt(&mut self, state: &State, h: f64, statistics: &mut Statistics) -> Result<(f64, usize), StepFailure> {
        let tolerance = KAPPA * self.control.accuracy;
        self.start.prepare(&mut self.method, state, h, statistics)?;
        let solved = self.kept.0 == Some(h);
        if solved {
            std::mem::swap(&mut self.full, &mut self.kept.1);
        } else {
            self.guess_full(h);
            self.method.step(&mut self.start.point, h, tolerance, &mut self.full, statistics)?;
        }
        self.tried = Some(h);
        self.kept.0 = None;
        if self.foresee && !solved && !self.full.fingerprints.iter().any(Fingerprint::changed) {
            let (error, worst) = self.method.foreseen_error(&self.start.point, h, &self.full);
            if error > FAR * self.control.accuracy {
                return Ok((error, worst));
            }
        }
        let v0 = self.method.velocity_at(&self.start.point);
        self.half.velocity.clear();
        self.half.velocity.extend(v0.iter().zip(&self.full.velocity).map(|(a, b)| 0.5 * (a + b)));
        self.half.forces.clone_from(&self.full.forces);
        self.method.step(&mut self.start.point, 0.5 * h, tolerance, &mut self.half, statistics)?;
        if self.improves() {
            self.kept.1.clone_from(&self.half);
            self.kept.0 = Some(0.5 * h);
        }
        self.middle_state.time = state.time + 0.5 * h;
        self.middle_state.continuous.clone_from(&self.half.continuous);
        self.middle_state.discrete.clone_from(&state.discrete);
        self.method.prepare_near(&self.start.point, &self.middle_state, 0.5 * h, &mut self.middle, statistics)?;
        self.end.velocity.clone_from(&self.full.velocity);
        self.end.forces.clone_from(&self.half.forces);
        self.method.step(&mut self.middle, 0.5 * h, tolerance, &mut self.end, statistics)?;
        let mut estimate = self.method.norm().distance(&self.full.continuous, &self.end.continuous);
        if self.improves() {
            let halves = (&mut self.half, &mut self.end);
            let change = self.method.improve((&self.start.point, &self.middle), h, &self.full, halves, statistics);
            estimate.0 = estimate.0.max(change);
        }
        Ok(estimate)
    }
}

impl<M: OneStep> StepDoubling<M> {
    /// Leads the coordinates of unknown rates through the end of the first half step. Where the motion is smooth, the
    /// difference of the full step and the half steps is twice the deviation from a straight line there (of a
    /// first-order method, whose step errs by ẍ h²/2); a larger deviation is that of a fast decay, which a parabola
    /// would lead beyond its end.
    fn bend_dense(&mut self) {
        let StepDoubling { dense, rates: (unknown, _), full, half, end, .. } = self;
        for i in (0..end.continuous.len()).filter(|&i| unknown[i].is_nan()) {
            let most = (full.continuous[i] - end.continuous[i]).abs();
            dense.bend(i, half.continuous[i], most);
        }
    }
}

/// Remembers a step for dense output; `rates` is scratch.
pub(super) fn record_dense<M: OneStep>(
    method: &M,
    dense: &mut DenseStep,
    state: &State,
    end: &[f64],
    end_time: f64,
    rates: &mut (Vec<f64>, Vec<f64>),
) {
    method.position_rates(&state.continuous, &mut rates.0);
    method.position_rates(end, &mut rates.1);
    dense.record((state.time, end_time), &state.continuous, end, (&rates.0, &rates.1));
}

impl<M: OneStep> Integrator for StepDoubling<M> {
    fn initialize(&mut self, diagram: &Diagram, state: &State) -> Result<(), IntegratorError> {
        check_state(diagram, state)?;
        self.statistics.restart();
        self.dense = DenseStep::default();
        self.start.forget();
        self.control.reset();
        self.coasting = Coasting::new(self.control);
        self.transitions = Transitions::default();
        self.forces.clear();
        self.method.initialize(diagram)
    }

    fn advance(&mut self, state: &mut State, limit: f64) -> Result<Step, IntegratorError> {
        let Some(room) = room(state, limit)? else { return Ok(Step::nothing()) };
        let mut room_now = if self.improves() { self.transitions.room(state.time, room) } else { room };
        if self.improves()
            && let Some(step) = self.coast(state, room, limit, room_now)
        {
            return Ok(step);
        }
        (self.tried, self.kept.0) = (None, None);
        let (mut control, mut statistics) = (self.control, std::mem::take(&mut self.statistics));
        let found = loop {
            let before = control;
            let attempt = |h, statistics: &mut Statistics| self.attempt(state, h, statistics);
            let found = control.search(state.time, room_now, &mut statistics, attempt);
            let Ok(Accepted { h, .. }) = found else { break found };
            let shorter = self.improves().then(|| self.transitions.shorten(state.time, h, self.crosses())).flatten();
            let Some(shorter) = shorter else { break found };
            statistics.rejected_steps += 1;
            statistics.attempts.locate_transition();
            control.discard(&before, h);
            room_now = shorter;
        };
        if let Ok(Accepted { h, .. }) = found {
            statistics.accept(h, !control.was_cut());
            self.transitions.accepted();
            self.coasting.rested(h);
        }
        (self.control, self.statistics) = (control, statistics);
        let Accepted { h, error } = found.map_err(|stuck| stuck.error(self.method.norm()))?;
        let (end, reached) = end_of_step(state.time, h, room, limit);
        record_dense(&self.method, &mut self.dense, state, &self.end.continuous, end, &mut self.rates);
        self.bend_dense();
        state.continuous.copy_from_slice(&self.end.continuous);
        self.forces.clone_from(&self.end.forces);
        self.method.record(&mut self.middle, 0.5 * h, &self.end, &mut state.discrete, &mut self.statistics);
        state.time = end;
        Ok(if reached { Step::ReachedLimit { h, error } } else { Step::Accepted { h, error } })
    }

    fn interrupted(&mut self) {
        // The next attempt finds that its state is not the one prepared; nothing else is remembered but the step
        // length.
    }

    fn memory(&self) -> StepMemory {
        StepMemory {
            transitions: self.transitions,
            coasting: self.coasting.memory(),
            forces: self.forces.clone(),
            ..self.control.memory()
        }
    }

    fn recall(&mut self, memory: &StepMemory) {
        self.control.recall(memory);
        self.coasting.recall(&memory.coasting);
        self.transitions = memory.transitions;
        self.forces.recall(&memory.forces);
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    fn statistics_mut(&mut self) -> &mut Statistics {
        &mut self.statistics
    }

    fn error_norm(&self) -> Option<&ErrorNorm> {
        Some(self.method.norm())
    }

    fn dense(&self) -> &DenseStep {
        &self.dense
    }

    fn records(&self) -> &[StepRecord] {
        self.method.records()
    }

    fn name(&self) -> &'static str {
        self.name
    }
}
