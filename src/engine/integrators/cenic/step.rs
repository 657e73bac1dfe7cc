//! A step under error control: proposed, attempted, judged by the rules, accepted.

use super::attempt::Doubling;
use super::free_motion::FreeMotionSteps;
use super::prepared::Prepared;
use super::rules::{Again, Rules, Start, Trial, Verdict};
use super::scheme::{Aim, Point, Scheme};
use super::tuning::CenicTuning;
use crate::integrators::divergence::Suspect;
use crate::integrators::limit::{Goal, remaining};
use crate::integrators::one_step::record_dense;
use crate::integrators::rule::{Rule, RuleSwitches};
use crate::integrators::search::Accepted;
use crate::integrators::step_control::ControlMemory;
use crate::integrators::{
    Candidate, DenseStep, ErrorNorm, Integrator, IntegratorError, OneStep, SolvedStep, Statistics, Step, StepControl,
    StepMemory,
};
use kinegraph_convex::contact::ContactForces;
use kinegraph_core::step_record::StepRecord;
use kinegraph_diagram::{Diagram, State};

/// A one-step method with error control by step doubling.
pub type StepDoubling<M> = Controlled<Doubling<M>>;

/// A scheme with error-controlled steps.
#[derive(Clone)]
pub struct Controlled<S: Scheme> {
    pub(super) control: StepControl,
    pub(super) tuning: CenicTuning,
    pub(super) rules: Rules,
    pub(super) free_motion: FreeMotionSteps,
    pub(super) scheme: S,
    name: &'static str,
    diagram: Diagram,
    /// Point at the start of the step, and point at its end, prepared ahead.
    pub(super) start: Prepared<Point<S>>,
    ahead: Prepared<Point<S>>,
    /// True if `start` and `ahead` have changed places.
    swapped: bool,
    /// State at the end of the last attempt, and whether `ahead` is prepared there.
    next_state: State,
    settled: bool,
    /// End of a step of free motion.
    pub(super) free_end: Candidate,
    /// Contact forces of the last accepted step.
    forces: ContactForces,
    pub(super) statistics: Statistics,
    pub(super) dense: DenseStep,
    pub(super) records: Vec<StepRecord>,
    rates: (Vec<f64>, Vec<f64>),
    /// Ends of the solves of the last accepted step.
    pub(super) solved: SolvedStep,
}

impl<M: OneStep> StepDoubling<M> {
    /// Step doubling over `method` under `control`, for `diagram`. The rules that follow smooth motion are off: see
    /// [`switch`](Controlled::switch).
    pub fn new(name: &'static str, diagram: &Diagram, method: M, control: StepControl) -> Self {
        let on = RuleSwitches::ALL.without_smooth();
        let mut doubling = Controlled::over(name, diagram, Doubling::new(method), control);
        doubling.switch(on);
        doubling
    }
}

impl<S: Scheme> Controlled<S> {
    /// `scheme` under `control`, for `diagram`, with all rules.
    pub fn over(name: &'static str, diagram: &Diagram, mut scheme: S, control: StepControl) -> Self {
        let tuning = CenicTuning::DEFAULT;
        let order = scheme.method_mut().smooth().map_or(control.order, |motion| motion.free_motion_order());
        Controlled {
            free_motion: FreeMotionSteps::new(&control, order, &tuning),
            rules: Rules::default(),
            control,
            tuning,
            scheme,
            name,
            diagram: diagram.clone(),
            start: Prepared::default(),
            ahead: Prepared::default(),
            swapped: false,
            next_state: State::default(),
            settled: false,
            free_end: Candidate::default(),
            forces: ContactForces::default(),
            statistics: Statistics::default(),
            dense: DenseStep::default(),
            records: Vec::new(),
            rates: (Vec::new(), Vec::new()),
            solved: SolvedStep::default(),
        }
    }

    /// Sets the rules that are on; rules that the method cannot serve have no effect.
    pub fn switch(&mut self, on: RuleSwitches) {
        let locates = self.scheme.method_mut().smooth().is_some();
        self.rules.on = if locates { on } else { on.without(Rule::Transition) };
        self.rules.transition.search_to(self.control.accuracy);
    }

    /// Sets the numbers of the step.
    pub fn tune(&mut self, tuning: &CenicTuning) {
        self.tuning = *tuning;
        self.control.tune(tuning.control());
        self.rules.tune(tuning);
        let order = self.scheme.method_mut().smooth().map_or(self.control.order, |motion| motion.free_motion_order());
        self.free_motion = FreeMotionSteps::new(&self.control, order, tuning);
        self.switch(self.rules.on);
    }

    /// Longest step \[s\] from `state` that the rules allow, with `remaining` \[s\] to the limit.
    fn propose(&mut self, state: &State, remaining: f64) -> f64 {
        let Controlled { rules, scheme, start, control, statistics, tuning, .. } = self;
        let mut longest = remaining;
        for rule in rules.each::<S>() {
            rule.begin(state.time);
            longest = rule.horizon(state.time, longest);
        }
        let h = { *control }.first_attempt(longest);
        // The attempt will meet the fault again, and reports it.
        if start.prepare(scheme.method_mut(), state, h, statistics).is_err() {
            return longest;
        }
        let shortest = control.min_step.max(tuning.shortest_bound * h);
        let mut start = Start { scheme, point: &mut start.point, h, accuracy: control.accuracy };
        let bound = rules.each::<S>().map(|rule| rule.longest_step(&mut start)).fold(f64::INFINITY, f64::min);
        longest.min(bound.max(shortest))
    }

    /// Attempts steps from `state`, up to `longest` \[s\], until one is accurate.
    fn attempt(&mut self, state: &State, longest: f64) -> Result<Accepted, IntegratorError> {
        let Controlled { scheme, start, control, rules, tuning, forces, statistics, .. } = self;
        let &mut StepControl { accuracy, max_step, .. } = control;
        let longest_crossing = rules.transition.longest_crossing().filter(|_| rules.on.has(Rule::Transition));
        let aim = Aim { accuracy, max_step, on: rules.on, longest_crossing, tuning, forces };
        let found = control.search(state.time, longest, statistics, |h, statistics| {
            let estimate = scheme.attempt(start, state, h, &aim, statistics)?;
            estimate.above_rounding(scheme.method().norm(), &state.continuous, aim.accuracy)
        });
        found.map_err(|too_short| too_short.error(control.accuracy, scheme.method().norm()))
    }

    /// Asks the rules about an accurate attempt from `state`. Returns the rule that asks for another attempt, with its
    /// request; if none does, `next_state` is the end of the attempt.
    fn judge(&mut self, state: &State, goal: Goal, h: f64) -> Option<(Rule, Again)> {
        let (end, reached) = goal.end_of_step(state.time, h);
        let left = if reached { f64::INFINITY } else { goal.limit - end };
        let Controlled { rules, scheme, start, ahead, control, statistics, next_state, records, .. } = self;
        let (settled, is_recorded) = (false, false);
        let mut trial = Trial {
            scheme,
            state,
            start,
            h,
            end,
            left,
            control,
            statistics,
            ahead,
            settled,
            next_state,
            records,
            is_recorded,
        };
        for rule in rules.each::<S>() {
            if let Verdict::Again(again) = rule.judge(&mut trial) {
                return Some((rule.rule(), again));
            }
        }
        trial.record();
        self.settled = trial.settled;
        None
    }

    /// Discards the last attempt, of length `h`, as `rule` asks, and restores the step control `before` it.
    fn discard(&mut self, before: &StepControl, h: f64, rule: Rule, again: Again) {
        self.statistics.rejected_steps += 1;
        self.statistics.attempts.repeat_last(again.outcome, rule);
        if again.wanted {
            self.control = *before;
            self.control.want(again.longest);
        } else {
            self.control.discard(before, h);
        }
    }

    /// Returns an error if a number of the state has diverged in a step of length `h` from `state` to `end`.
    pub(super) fn check_divergence(
        &mut self,
        state: &State,
        h: f64,
        end: impl FnOnce(&Self) -> &Vec<f64>,
    ) -> Result<(), IntegratorError> {
        let (norm, accuracy) = (self.scheme.method().norm(), self.control.accuracy);
        let Some(suspect) = Suspect::find(norm, &state.continuous, end(self), h, accuracy) else { return Ok(()) };
        let fastest = self.scheme.method_mut().growth_rate(&self.start.point, suspect.least_rate());
        suspect.check(fastest, state.time, accuracy, self.scheme.method().norm())
    }

    /// Accepts the last attempt, from `state`.
    fn accept(&mut self, state: &mut State, Accepted { h, chosen, .. }: &Accepted) {
        self.statistics.accept(*h, *chosen);
        self.scheme.accepted(&mut self.control);
        let Controlled { rules, control, free_motion, scheme, next_state, dense, rates, solved, .. } = self;
        scheme.note_solved((state.time, next_state.time), solved);
        rules.each::<S>().for_each(|rule| rule.accepted(*h, control));
        free_motion.convex_step_taken(*h);
        record_dense(scheme.method(), dense, state, &next_state.continuous, next_state.time, rates);
        scheme.bend(&state.continuous, &rates.0, control.accuracy, dense);
        lead_external(scheme, control.accuracy, (state, next_state), dense, rates);
        self.forces.clone_from(self.scheme.forces());
        state.clone_from(&self.next_state);
        if std::mem::take(&mut self.settled) {
            self.swap_points();
        }
    }

    /// Makes the point at the end of the step, prepared ahead, the start of the next one.
    fn swap_points(&mut self) {
        std::mem::swap(&mut self.start, &mut self.ahead);
        self.swapped = !self.swapped;
    }
}

/// Bends the dense output of external states along their rates at both ends of the accepted step over `span`; `rates`
/// is scratch.
fn lead_external<S: Scheme>(
    scheme: &mut S,
    accuracy: f64,
    span: (&State, &State),
    dense: &mut DenseStep,
    rates: &mut (Vec<f64>, Vec<f64>),
) {
    if scheme.method().external().is_empty() {
        return;
    }
    scheme.method_mut().external_rates(span.0, span.1, [&mut rates.0, &mut rates.1]);
    let method = scheme.method();
    for (&i, ends) in method.external().iter().zip(rates.0.iter().zip(&rates.1)) {
        let bend = scheme.half_way(i).map(|middle| dense.bend_through(i, 0.5, middle));
        dense.lead(i, (*ends.0, *ends.1), bend, method.norm().deviation(i, accuracy));
    }
}

impl<S: Scheme + 'static> Integrator for Controlled<S> {
    fn advance(&mut self, state: &mut State, limit: f64) -> Result<Step, IntegratorError> {
        let Some(remaining) = remaining(&self.diagram, state, limit)? else { return Ok(Step::nothing()) };
        let goal = Goal { limit, remaining };
        let mut longest = self.propose(state, remaining);
        if self.rules.on.has(Rule::FreeMotion)
            && let Some(step) = self.step_freely(state, goal, longest)
        {
            return step;
        }
        self.scheme.begin();
        let found = loop {
            let before = self.control;
            let found = self.attempt(state, longest)?;
            let Some((rule, again)) = self.judge(state, goal, found.h) else { break found };
            self.discard(&before, found.h, rule, again);
            longest = again.longest;
        };
        let Accepted { h, error, .. } = found;
        self.check_divergence(state, h, |own| &own.next_state.continuous)?;
        let (_, reached) = goal.end_of_step(state.time, h);
        self.accept(state, &found);
        Ok(if reached { Step::ReachedLimit { h, error } } else { Step::Accepted { h, error } })
    }

    // The next attempt finds that its point is not prepared for its state; otherwise only the step length is
    // remembered.
    fn interrupted(&mut self) {}

    fn memory(&self) -> StepMemory {
        let ControlMemory { wanted, last } = self.free_motion.memory();
        StepMemory {
            transitions: self.rules.transition.memory,
            free_motion: (wanted, last),
            forces: self.forces.clone(),
            energy_budget: self.rules.energy.memory,
            third_solution: self.scheme.third_memory(),
            ..self.control.memory().into()
        }
    }

    fn recall(&mut self, memory: &StepMemory) {
        self.control.recall(memory.control());
        self.free_motion.recall(memory.free_motion_control());
        self.rules.transition.memory = memory.transitions;
        self.rules.energy.recall(&memory.energy_budget);
        // A run from the same start finds the memory that it left.
        if self.swapped {
            self.swap_points();
        }
        self.forces.recall(&memory.forces);
        self.scheme.recall_third(memory.third_solution.checked());
    }

    fn restart(&mut self) {
        self.recall(&StepMemory::default());
        self.start.forget();
        self.ahead.forget();
        self.solved.forget();
        self.statistics.restart();
        self.scheme.begin();
    }

    fn reach(&self) -> f64 {
        let convex = { self.control }.first_attempt(f64::INFINITY);
        if self.rules.on.has(Rule::FreeMotion) { convex.max(self.free_motion.wanted()) } else { convex }
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    fn statistics_mut(&mut self) -> &mut Statistics {
        &mut self.statistics
    }

    fn error_norm(&self) -> Option<&ErrorNorm> {
        Some(self.scheme.method().norm())
    }

    fn dense(&self) -> &DenseStep {
        &self.dense
    }

    fn records(&self) -> &[StepRecord] {
        // Records of steps before a restart are memory only.
        if self.statistics.steps == 0 { &[] } else { &self.records }
    }

    fn solved(&self) -> Option<&SolvedStep> {
        Some(&self.solved).filter(|solved| solved.is_known())
    }

    fn diagram(&self) -> &Diagram {
        &self.diagram
    }

    fn name(&self) -> &'static str {
        self.name
    }
}
