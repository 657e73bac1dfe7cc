//! A step under error control: proposed, attempted, judged by the rules, accepted.

use super::attempt::Doubling;
use super::free_motion::FreeMotionSteps;
use super::prepared::Prepared;
use super::rules::{self, Again, NextState, Rules, StepStart, Trial};
use super::scheme::{Aim, Scheme};
use crate::choices::untried::PRESUMED_GROWTH;
use crate::integrators::contact::ContactStep;
use crate::integrators::divergence::Suspect;
use crate::integrators::limit::{Goal, remaining};
use crate::integrators::rule::{Rule, RuleSwitches};
use crate::integrators::search::Accepted;
use crate::integrators::step_control::ControlMemory;
use crate::integrators::tuning::CenicTuning;
use crate::integrators::{
    Candidate, Decisions, DenseStep, ErrorNorm, Integrator, IntegratorError, OneStep, SolvedStep, Statistics, Step,
    StepControl, StepMemory, StepSolutions,
};
use crate::linearize::GrowthRate;
use kinegraph_convex::contact::ContactForces;
use kinegraph_core::step_record::StepRecord;
use kinegraph_diagram::{Diagram, State};

/// The contact step with error control by step doubling.
pub type StepDoubling = Controlled<Doubling>;

/// A scheme with error-controlled steps.
#[derive(Clone)]
pub struct Controlled<S> {
    pub(super) control: StepControl,
    pub(super) tuning: CenicTuning,
    pub(super) rules: Rules,
    pub(super) free_motion: FreeMotionSteps,
    pub(super) scheme: S,
    name: &'static str,
    diagram: Diagram,
    /// Point at the start of the step.
    pub(super) start: Prepared,
    /// State at the end of the last attempt.
    pub(super) next: NextState,
    /// True if the point at the start and the one at the end have changed places.
    swapped: bool,
    /// End of a step of free motion.
    pub(super) free_end: Candidate,
    /// Contact forces of the last accepted step.
    pub(super) forces: ContactForces,
    pub(super) statistics: Statistics,
    pub(super) output: StepOutput,
    /// Decisions of the last step.
    pub(super) decisions: Decisions,
}

/// Motion within the last accepted step, and the forces in it.
#[derive(Clone, Default)]
pub(super) struct StepOutput {
    pub dense: DenseStep,
    pub records: Vec<StepRecord>,
    /// Ends of the solves.
    pub solved: SolvedStep,
    /// Rates of the continuous state at both ends.
    rates: [Vec<f64>; 2],
}

impl StepDoubling {
    /// Step doubling over `method` under `control`, for `diagram`. The rules that follow smooth motion are off: see
    /// [`switch`](Controlled::switch).
    pub fn new(name: &'static str, diagram: &Diagram, method: ContactStep, control: StepControl) -> Self {
        let on = RuleSwitches::ALL.without_smooth();
        let mut doubling = Controlled::over(name, diagram, Doubling::new(method), control);
        doubling.switch(on);
        doubling
    }
}

impl<S: Scheme> Controlled<S> {
    /// `scheme` under `control`, for `diagram`, with all rules.
    pub fn over(name: &'static str, diagram: &Diagram, scheme: S, control: StepControl) -> Self {
        let tuning = CenicTuning::DEFAULT;
        Controlled {
            free_motion: FreeMotionSteps::new(&control, &tuning),
            rules: Rules::default(),
            control,
            tuning,
            scheme,
            name,
            diagram: diagram.clone(),
            start: Prepared::default(),
            next: NextState::default(),
            swapped: false,
            free_end: Candidate::default(),
            forces: ContactForces::default(),
            statistics: Statistics::default(),
            output: StepOutput::default(),
            decisions: Decisions::default(),
        }
    }

    /// Sets the rules that are on. Those that need the regimes of contacts have no effect with a solver that reports
    /// none.
    pub fn switch(&mut self, on: RuleSwitches) {
        let reports = self.scheme.method().solver.reports_regimes();
        self.rules.on = if reports { on } else { on.without_smooth() };
        self.rules.transition.search_to(self.control.accuracy);
    }

    /// Sets the numbers of the step.
    pub fn tune(&mut self, tuning: &CenicTuning) {
        self.tuning = *tuning;
        self.control.tune(tuning.control());
        self.rules.tune(tuning);
        self.free_motion = FreeMotionSteps::new(&self.control, tuning);
        self.switch(self.rules.on);
    }

    /// Longest step \[s\] from `state` that the rules allow, with `remaining` \[s\] to the limit.
    fn propose(&mut self, state: &State, remaining: f64) -> f64 {
        let Controlled { rules, scheme, start, control, statistics, tuning, decisions, .. } = self;
        let longest = rules.begin(state.time, remaining);
        let (h, method) = ({ *control }.first_attempt(longest), scheme.method_mut());
        decisions.reach = h;
        // The attempt will meet the fault again, and reports it.
        if start.prepare(method, state, h, statistics).is_err() {
            return longest;
        }
        let shortest = control.min_step.max(tuning.shortest_bound * h);
        let point = &mut start.point;
        let bound = rules::bound(&mut StepStart { method, point, rules, h, accuracy: control.accuracy });
        longest.min(bound.max(shortest))
    }

    /// Attempts steps from `state`, up to `longest` \[s\], until one is accurate.
    fn attempt(&mut self, state: &State, longest: f64) -> Result<Accepted, IntegratorError> {
        let Controlled { scheme, start, control, rules, tuning, forces, statistics, .. } = self;
        let accuracy = control.accuracy;
        let longest_crossing = rules.transition.longest_crossing().filter(|_| rules.on.has(Rule::Transition));
        let aim = Aim { accuracy, on: rules.on, longest_crossing, tuning, forces };
        let found = control.search(state.time, longest, statistics, |h, statistics| {
            let estimate = scheme.attempt(start, state, h, &aim, statistics)?;
            estimate.above_rounding(&scheme.method().plan.norm, &state.continuous, aim.accuracy)
        });
        found.map_err(|too_short| too_short.error(control.accuracy, &scheme.method().plan.norm))
    }

    /// Asks the rules about an accurate attempt from `state`. Returns the rule that asks for another attempt, with its
    /// request; if none does, `next` is the end of the attempt.
    fn judge(&mut self, state: &State, goal: Goal, h: f64) -> Option<(Rule, Again)> {
        let (end, reached) = goal.end_of_step(state.time, h);
        let left = if reached { f64::INFINITY } else { goal.limit - end };
        let Controlled { rules, scheme, start, next, control, statistics, output: StepOutput { records, .. }, .. } =
            self;
        next.settled = false;
        let is_recorded = false;
        let mut trial =
            Trial { scheme, rules, state, start, h, end, left, control, statistics, next, records, is_recorded };
        let again = rules::judge(&mut trial);
        if again.is_none() {
            trial.record();
        }
        again
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
        let (norm, accuracy) = (&self.scheme.method().plan.norm, self.control.accuracy);
        let Some(suspect) = Suspect::find(norm, &state.continuous, end(self), h, accuracy) else { return Ok(()) };
        let (method, least) = (self.scheme.method_mut(), suspect.least_rate());
        let fastest = method.growth_rate(&self.start.point, least, GrowthRate::of);
        suspect.check(fastest, state.time, accuracy, &method.plan.norm)
    }

    /// Accepts the last attempt, from `state`.
    pub(super) fn accept(&mut self, state: &mut State, Accepted { h, chosen, .. }: &Accepted) {
        self.statistics.accept(*h, *chosen);
        let Controlled { rules, control, free_motion, scheme, next, output, .. } = self;
        let (end, accuracy) = (&next.state, control.accuracy);
        match scheme.doubling_mut() {
            Some(doubling) => {
                doubling.thirds.accept(control);
                doubling.note_solved((state.time, end.time), &mut output.solved);
            }
            None => output.solved.note_free((state.time, end.time)),
        }
        rules.accepted(*h, control);
        free_motion.control.stretch(PRESUMED_GROWTH, *h);
        let StepOutput { dense, rates, .. } = output;
        scheme.method().record_dense(dense, state, end.time, &end.continuous, rates);
        scheme.bend(&state.continuous, &rates[0], accuracy, dense);
        lead_external(scheme, accuracy, (state, end), dense, rates);
        self.forces.clone_from(&scheme.end().forces);
        state.clone_from(end);
        if std::mem::take(&mut next.settled) {
            self.swap_points();
        }
    }

    /// Makes the point at the end of the step, prepared ahead, the start of the next one.
    fn swap_points(&mut self) {
        std::mem::swap(&mut self.start, &mut self.next.point);
        self.swapped = !self.swapped;
    }

    /// Forgets attempts from another state.
    pub(super) fn forget_attempts(&mut self) {
        if let Some(doubling) = self.scheme.doubling_mut() {
            doubling.begin();
        }
    }
}

/// Bends the dense output of external states along their rates at both ends of the accepted step over `span`; `rates`
/// is scratch.
fn lead_external(
    scheme: &mut impl Scheme,
    accuracy: f64,
    span: (&State, &State),
    dense: &mut DenseStep,
    rates: &mut [Vec<f64>; 2],
) {
    if scheme.method().external.layout().external.is_empty() {
        return;
    }
    scheme.method_mut().find_external_rates(span.0, span.1, rates);
    let ContactStep { plan, external, .. } = scheme.method();
    for (&i, ends) in external.layout().external.iter().zip(rates[0].iter().zip(&rates[1])) {
        let middle = scheme.doubling().map(|halves| halves.kept.half.continuous[i]);
        let bend = middle.map(|middle| dense.bend_through(i, 0.5, middle));
        dense.lead(i, (*ends.0, *ends.1), bend, plan.norm.deviation(i, accuracy));
    }
}

impl<S: Scheme + Clone + 'static> Integrator for Controlled<S> {
    fn advance(&mut self, state: &mut State, limit: f64) -> Result<Step, IntegratorError> {
        let Some(remaining) = remaining(&self.diagram, state, limit)? else { return Ok(Step::nothing()) };
        let goal = Goal { limit, remaining };
        let mut longest = self.propose(state, remaining);
        if self.rules.on.has(Rule::FreeMotion)
            && let Some(step) = self.step_freely(state, goal, longest)
        {
            return step;
        }
        self.forget_attempts();
        let found = loop {
            let before = self.control;
            let found = self.attempt(state, longest)?;
            let Some((rule, again)) = self.judge(state, goal, found.h) else { break found };
            self.discard(&before, found.h, rule, again);
            longest = again.longest;
        };
        let Accepted { h, error, .. } = found;
        self.check_divergence(state, h, |own| &own.next.state.continuous)?;
        let (_, reached) = goal.end_of_step(state.time, h);
        self.note_decisions();
        self.accept(state, &found);
        Ok(if reached { Step::ReachedLimit { h, error } } else { Step::Accepted { h, error } })
    }

    fn decisions(&self) -> Option<&Decisions> {
        Some(&self.decisions)
    }

    fn solutions(&self) -> Option<StepSolutions> {
        let halves = self.scheme.doubling().filter(|_| !self.decisions.is_free)?;
        Some(StepSolutions::of([&halves.full, &halves.kept.half, &halves.kept.end]))
    }

    fn embedded(&self) -> Option<&[f64]> {
        if self.decisions.is_free {
            return Some(self.scheme.method().embedded_of_free_motion());
        }
        self.scheme.doubling().map(|halves| {
            let [_, plain] = halves.kept.plain();
            if halves.kept.is_plain() { &*halves.full.continuous } else { plain }
        })
    }

    fn repeat(&mut self, state: &mut State, end: f64, decisions: &Decisions) -> Result<(), IntegratorError> {
        self.repeat_step(state, end, decisions).map_err(|failure| IntegratorError::FixedStepFailed {
            time: state.time,
            step: end - state.time,
            failure,
        })
    }

    // The next attempt finds that its point is not prepared for its state; otherwise only the step length is
    // remembered.
    fn interrupted(&mut self) {}

    fn memory(&self) -> StepMemory {
        let ControlMemory { wanted, last } = self.free_motion.control.memory();
        StepMemory {
            transitions: self.rules.transition.memory,
            free_motion: (wanted, last),
            forces: self.forces.clone(),
            energy_budget: self.rules.energy.memory,
            third_solution: self.scheme.doubling().map(|halves| halves.thirds.memory).unwrap_or_default(),
            ..self.control.memory().into()
        }
    }

    fn recall(&mut self, memory: &StepMemory) {
        self.control.recall(memory.control());
        self.free_motion.control.recall(memory.free_motion_control());
        self.rules.transition.memory = memory.transitions;
        self.rules.energy.recall(&memory.energy_budget);
        // A run from the same start finds the memory that it left.
        if self.swapped {
            self.swap_points();
        }
        self.forces.recall(&memory.forces);
        if let Some(doubling) = self.scheme.doubling_mut() {
            doubling.thirds.memory = memory.third_solution.checked();
        }
    }

    fn restart(&mut self) {
        self.recall(&StepMemory::default());
        self.start.forget();
        self.next.point.forget();
        self.output.solved.forget();
        self.statistics.restart();
        self.forget_attempts();
    }

    fn reach(&self) -> f64 {
        let convex = { self.control }.first_attempt(f64::INFINITY);
        if self.rules.on.has(Rule::FreeMotion) {
            convex.max({ self.free_motion.control }.first_attempt(f64::INFINITY))
        } else {
            convex
        }
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    fn statistics_mut(&mut self) -> &mut Statistics {
        &mut self.statistics
    }

    fn error_norm(&self) -> Option<&ErrorNorm> {
        Some(&self.scheme.method().plan.norm)
    }

    fn dense(&self) -> &DenseStep {
        &self.output.dense
    }

    fn records(&self) -> &[StepRecord] {
        // Records of steps before a restart are memory only.
        if self.statistics.steps == 0 { &[] } else { &self.output.records }
    }

    fn solved(&self) -> Option<&SolvedStep> {
        Some(&self.output.solved).filter(|solved| solved.is_known())
    }

    fn diagram(&self) -> &Diagram {
        &self.diagram
    }

    fn name(&self) -> &'static str {
        self.name
    }
}
