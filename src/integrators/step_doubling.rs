//! Error control by step doubling: a full step and two half steps; their difference is the error estimate, and the two
//! half steps are kept \[Kurtz & Castro, CENIC, sec. V-A\].

mod settle;

use self::settle::{Plain, Proposed};
use super::ledger::Ledger;
use super::limit::{end_of_step, remaining};
use super::one_step::record_dense;
use super::prepared::Prepared;
use super::search::Accepted;
use super::smooth::{Coasting, Transitions};
use super::step_control::ControlMemory;
use super::{
    Candidate, DenseStep, ErrorNorm, Integrator, IntegratorError, OneStep, Outcome, Statistics, Step, StepControl,
    StepFailure, StepMemory,
};
use crate::contact::ContactForces;
use crate::diagram::{Diagram, State};
use crate::systems::step_record::StepRecord;

/// The solver is asked for this part of the accuracy.
const KAPPA: f64 = 1e-3;
/// An attempt whose error will be this many times the accuracy is given up early.
const FAR: f64 = 4.0;
/// The part of the first convex step that one may have whose length was never tried.
const UNKNOWN: f64 = 0.01;
/// At looser accuracies steps are so long that extrapolation does harm in stiff feedback.
const LOOSEST_EXTRAPOLATION: f64 = 1e-3 * (1.0 + 1e-9);

/// A one-step method with error-controlled steps.
#[derive(Clone)]
pub struct StepDoubling<M: OneStep> {
    /// The step-size control.
    pub control: StepControl,
    /// Whether smooth parts of the motion are extrapolated to the next order, and steps cut where it is not smooth, by
    /// a method that can tell.
    pub extrapolate: bool,
    /// Whether an attempt ends after the full step where that tells that the error will be far too large, by a method
    /// that can tell.
    pub foresee: bool,
    diagram: Diagram,
    method: M,
    name: &'static str,
    start: Prepared<M::Point>,
    middle: M::Point,
    middle_state: State,
    full: Candidate,
    half: Candidate,
    end: Candidate,
    /// Contact forces of the last accepted step.
    forces: ContactForces,
    statistics: Statistics,
    dense: DenseStep,
    records: Vec<StepRecord>,
    rates: (Vec<f64>, Vec<f64>),
    transitions: Transitions,
    coasting: Coasting,
    ledger: Ledger,
    /// The half steps of the last attempt as they were solved.
    plain: Plain,
    /// Where the step ends that is to be taken, and the point there, if it was `settled` that it is.
    next_state: State,
    ahead: Prepared<M::Point>,
    settled: bool,
    /// Whether `start` and `ahead` have changed places.
    swapped: bool,
    /// Length of the last attempt from this state whose full step was solved; `full` has its solution.
    tried: Option<f64>,
    /// The first half step of the last attempt from this state, as it was solved, and its length: the full step of an
    /// attempt half as long.
    kept: (Option<f64>, Candidate),
}

impl<M: OneStep> StepDoubling<M> {
    /// `method` under `control`, for `diagram`.
    pub fn new(name: &'static str, diagram: &Diagram, mut method: M, control: StepControl) -> Self {
        let order = method.smooth().map_or(control.order, |motion| motion.coasting_order());
        StepDoubling {
            coasting: Coasting::new(&control, order),
            control,
            extrapolate: false,
            foresee: false,
            diagram: diagram.clone(),
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
            records: Vec::new(),
            rates: (Vec::new(), Vec::new()),
            transitions: Transitions::default(),
            ledger: Ledger::default(),
            plain: Plain::default(),
            next_state: State::default(),
            ahead: Prepared::default(),
            settled: false,
            swapped: false,
            tried: None,
            kept: (None, Candidate::default()),
        }
    }

    /// Whether transitions are located.
    fn locates(&mut self) -> bool {
        self.extrapolate && self.control.accuracy <= LOOSEST_EXTRAPOLATION && self.method.smooth().is_some()
    }

    /// Whether smooth parts of the motion are improved in a step from the point that is prepared.
    fn improves(&mut self) -> bool {
        let locates = self.locates();
        let StepDoubling { method, start, extrapolate, .. } = self;
        locates || (*extrapolate && method.smooth().is_some_and(|motion| motion.follows(&start.point)))
    }

    /// Whether something began or ceased to act within the last attempt.
    fn crosses(&mut self) -> bool {
        let StepDoubling { method, full, half, end, .. } = self;
        method.smooth().is_some_and(|motion| motion.crosses(full, (half, end)))
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
        if self.foresee
            && !solved
            && let Some(motion) = self.method.smooth()
        {
            let (error, worst) = motion.foreseen_error(&self.start.point, h, &self.full);
            if error > FAR * self.control.accuracy {
                return Ok((error, worst));
            }
        }
        let v0 = self.method.velocity_at(&self.start.point);
        self.half.velocity.clear();
        self.half.velocity.extend(v0.iter().zip(&self.full.velocity).map(|(a, b)| 0.5 * (a + b)));
        self.half.forces.clone_from(&self.full.forces);
        self.method.step(&mut self.start.point, 0.5 * h, tolerance, &mut self.half, statistics)?;
        let improves = self.improves();
        if improves {
            self.kept.1.clone_from(&self.half);
            self.kept.0 = Some(0.5 * h);
        }
        self.middle_state.time = state.time + 0.5 * h;
        self.middle_state.continuous.clone_from(&self.half.continuous);
        self.middle_state.discrete.clone_from(&state.discrete);
        let near = Some(&self.start.point);
        self.method.prepare(&self.middle_state, 0.5 * h, near, &mut self.middle, statistics)?;
        self.end.velocity.clone_from(&self.full.velocity);
        self.end.forces.clone_from(&self.half.forces);
        self.method.step(&mut self.middle, 0.5 * h, tolerance, &mut self.end, statistics)?;
        let mut estimate = self.method.norm().distance(&self.full.continuous, &self.end.continuous);
        self.plain.half.clone_from(&self.half.continuous);
        self.plain.end.clone_from(&self.end.continuous);
        if improves && let Some(motion) = self.method.smooth() {
            let halves = (&mut self.half, &mut self.end);
            let change = motion.improve((&self.start.point, &self.middle), h, &self.full, halves, statistics);
            estimate.0 = estimate.0.max(change);
        }
        Ok(estimate)
    }

    /// Takes a step of free motion of the whole diagram, if it can be about as long as the convex step that would be
    /// attempted with `longest` \[s\] to go, or if constraints or joint stops take part.
    /// `remaining` is the time to the limit.
    fn coast(&mut self, state: &mut State, remaining: f64, limit: f64, longest: f64) -> Option<Step> {
        let convex = { self.control }.first_attempt(longest);
        let StepDoubling { method, start, end: next, control, coasting, statistics, .. } = self;
        // A fault is met again, and dealt with, by the convex step.
        start.prepare(method, state, convex, statistics).ok()?;
        let motion = method.smooth()?;
        let bound = motion.is_bound(&start.point);
        // How long convex steps are that constraints take part in is not known before one was taken. Still, free motion
        // may not chase the end of its freedom in ever shorter steps.
        let compared = if bound && control.memory().wanted.is_none() { UNKNOWN * convex } else { convex };
        let lengths = coasting.lengths((convex, compared), remaining, bound)?;
        if motion.settle(&start.point, state, bound) {
            start.prepare(method, state, convex, statistics).ok()?;
        }
        let motion = method.smooth()?;
        let times = (remaining, limit);
        let coasted = coasting.search(motion, &start.point, state, lengths, times, next, statistics)?;
        coasted.note(control, convex);
        let Accepted { h, error, .. } = coasted.accepted;
        self.transitions.coasted(h / convex);
        let (end, reached) = end_of_step(state.time, h, remaining, limit);
        motion.accept_coasting(state, (h, end), &mut self.dense, &mut self.records);
        Some(if reached { Step::ReachedLimit { h, error } } else { Step::Accepted { h, error } })
    }

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

impl<M: OneStep + 'static> Integrator for StepDoubling<M> {
    fn advance(&mut self, state: &mut State, limit: f64) -> Result<Step, IntegratorError> {
        let Some(remaining) = remaining(&self.diagram, state, limit)? else { return Ok(Step::nothing()) };
        let mut longest = remaining;
        if self.locates() {
            longest = self.transitions.longest_step(state.time, remaining);
        }
        // The reference implementation follows nothing but its estimate.
        let visible = if self.extrapolate { self.control.accuracy } else { f64::INFINITY };
        let StepDoubling { start, method, control, statistics, .. } = self;
        longest = start.longest_step(method, state, (control, longest, visible), statistics);
        if self.extrapolate
            && let Some(step) = self.coast(state, remaining, limit, longest)
        {
            return Ok(step);
        }
        (self.tried, self.kept.0) = (None, None);
        let (mut control, mut statistics) = (self.control, std::mem::take(&mut self.statistics));
        let found = loop {
            let before = control;
            let attempt = |h, statistics: &mut Statistics| self.attempt(state, h, statistics);
            let found = control.search(state.time, longest, &mut statistics, attempt);
            let Ok(Accepted { h, .. }) = found else { break found };
            let crossed = self.locates() && self.crosses();
            if let Some(shorter) = self.transitions.shorten(state.time, h, crossed, self.control.accuracy) {
                statistics.rejected_steps += 1;
                statistics.attempts.repeat_last(Outcome::Transition);
                control.discard(&before, h);
                longest = shorter;
                continue;
            }
            let (end, reached) = end_of_step(state.time, h, remaining, limit);
            let mut left = if reached { f64::INFINITY } else { limit - end };
            if self.locates() {
                left = { self.transitions }.longest_step(end, left);
            }
            let step = Proposed { h, end, next: { control }.first_attempt(left), shortest: control.min_step };
            let Some(part) = self.settle(state, step, &mut statistics) else { break found };
            statistics.rejected_steps += 1;
            statistics.attempts.repeat_last(Outcome::EnergyGain);
            control = before;
            longest = part * h;
            control.want(longest);
        };
        if let Ok(Accepted { h, chosen, .. }) = found {
            statistics.accept(h, chosen);
            self.transitions.accepted();
            control.limit(|wanted| self.ledger.next_step(h, wanted));
            self.coasting.convex_step_taken(h);
        }
        (self.control, self.statistics) = (control, statistics);
        let Accepted { h, error, .. } = found.map_err(|stuck| stuck.error(self.method.norm()))?;
        let (end, reached) = end_of_step(state.time, h, remaining, limit);
        record_dense(&self.method, &mut self.dense, state, &self.end.continuous, end, &mut self.rates);
        self.bend_dense();
        self.forces.clone_from(&self.end.forces);
        state.clone_from(&self.next_state);
        if std::mem::take(&mut self.settled) {
            self.swap_points();
        }
        Ok(if reached { Step::ReachedLimit { h, error } } else { Step::Accepted { h, error } })
    }

    // The next attempt finds that its state is not the one prepared; nothing else is remembered but the step length.
    fn interrupted(&mut self) {}

    fn memory(&self) -> StepMemory {
        let ControlMemory { wanted, last } = self.coasting.memory();
        StepMemory {
            transitions: self.transitions,
            coasting: (wanted, last),
            forces: self.forces.clone(),
            ledger: self.ledger,
            ..self.control.memory().into()
        }
    }

    fn recall(&mut self, memory: &StepMemory) {
        self.control.recall(memory.control());
        self.coasting.recall(memory.coasting_control());
        self.transitions = memory.transitions;
        self.ledger = memory.ledger.recalled();
        // A run from the same start finds the memory that it left.
        if self.swapped {
            self.swap_points();
        }
        self.forces.recall(&memory.forces);
    }

    fn restart(&mut self) {
        self.recall(&StepMemory::default());
        self.start.forget();
        self.ahead.forget();
        self.statistics.restart();
        (self.tried, self.kept.0) = (None, None);
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
        // Those of steps before a restart are memory only.
        if self.statistics.steps == 0 { &[] } else { &self.records }
    }

    fn diagram(&self) -> &Diagram {
        &self.diagram
    }

    fn name(&self) -> &'static str {
        self.name
    }
}
