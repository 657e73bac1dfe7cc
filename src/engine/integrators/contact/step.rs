//! The contact step as a one-step method: evaluate the plants, linearize the rest of the diagram, solve, advance.

use super::accelerations::Accelerations;
use super::bend;
use super::energy::energy;
use super::failures::{check_end, check_law};
use super::free_motion::FreeMotion;
use super::improve::Improvement;
use super::kinks::Kinks;
use super::manifold::EndProjection;
use super::options::StepOptions;
use super::oscillation;
use super::plan::{StepContext, StepPlan};
use super::point::StepPoint;
use super::rebound::time_to_rebound;
use super::record::FoundVelocities;
use super::solve::{CoupledProblem, solve};
use super::unseen::Unseen;
use super::whole::WholeStep;
use super::{build, capacity, record, spins};
use crate::integrators::rule::Rule;
use crate::integrators::{
    Candidate, ErrorNorm, FrictionLoads, Halves, MechanicalEnergy, OneStep, OutputErrors, PositionIntegration,
    SmoothMotion, Statistics, StepFailure, ToSolve,
};
use crate::linearize::{External, Feedback, Forces, GrowthRate, Law, LawStep};
use kinegraph_convex::contact::ContactRow;
use kinegraph_convex::profile::{Phase, Stopwatch};
use kinegraph_convex::solvers::ContactSolver;
use kinegraph_core::step_record::StepRecord;
use kinegraph_diagram::{Diagram, State};
use std::sync::Arc;

/// The contact step, over any solver.
#[derive(Clone)]
pub struct ContactStep {
    /// Properties of the diagram that do not change from step to step.
    pub plan: Arc<StepPlan>,
    /// The external systems.
    pub external: External,
    /// Solver of the contact problems.
    pub solver: Box<dyn ContactSolver>,
    /// Law of the external systems.
    pub law: Law,
    /// Rates of positions (scratch).
    pub rates: Vec<f64>,
    /// State at the end of a step in which all bodies keep their velocity, and the forces there: for belts.
    pub ahead: Vec<f64>,
    forces: Forces<f64>,
    /// State soon after the start of a step, to see how geometry turns.
    pub(super) soon: Box<StepPoint>,
    /// Contact points there.
    pub(super) later: Vec<ContactRow>,
    /// Contacts of a problem before others joined.
    known: Vec<ContactRow>,
    pub(super) improvement: Improvement,
    pub(super) free: FreeMotion,
    /// Projection of velocities at ends to rigid constraints.
    pub ends: EndProjection,
    /// Start of a step after the impulse of constraints.
    settled: State,
    accelerations: Accelerations,
    pub(super) kinks: Kinks,
    growth: GrowthRate,
    pub(super) unseen: Unseen,
    /// Normal forces that friction uses.
    pub(super) loads: FrictionLoads,
    /// The reports of plants for a step that was solved in halves.
    pub(super) whole: WholeStep,
    /// Outputs under error control.
    pub(super) outputs: Option<Box<OutputErrors>>,
}

/// The convex step.
pub type IcfStep = ContactStep;

impl ContactStep {
    /// Returns a step for `diagram` with the given options, which solves its problems by `solver`.
    pub fn new(diagram: &Diagram, options: StepOptions, solver: impl ContactSolver + 'static) -> Self {
        let external = External::new(diagram);
        let plan = Arc::new(StepPlan::new(options, &external));
        ContactStep {
            external,
            solver: Box::new(solver),
            law: Law::new(options.rejects),
            rates: Vec::new(),
            ahead: Vec::new(),
            forces: Forces::default(),
            soon: Box::default(),
            later: Vec::new(),
            known: Vec::new(),
            improvement: Improvement::default(),
            free: FreeMotion::new(diagram.state_width(), &options.tuning, &plan.scales),
            ends: EndProjection::new(&options.tuning, &plan.scales),
            plan,
            settled: State::default(),
            accelerations: Accelerations::default(),
            kinks: Kinks::default(),
            growth: GrowthRate::default(),
            unseen: Unseen::default(),
            loads: FrictionLoads::default(),
            whole: WholeStep::default(),
            outputs: OutputErrors::new(diagram),
        }
    }

    /// Evaluates the plants at `state`, and fills the part of the problem that does not depend on the step length.
    pub fn build(
        &mut self,
        state: &State,
        reach: f64,
        point: &mut StepPoint,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let reach = if self.plan.options.anticipate_contact { reach } else { 0.0 };
        self.gather(&state.continuous, reach, point, statistics)?;
        self.fill(state, point, statistics);
        point.state.clone_from(state);
        Ok(())
    }

    /// Evaluates the plants at `continuous`, with the contacts that a step of `reach` \[s\] may close.
    pub fn gather(
        &mut self,
        continuous: &[f64],
        reach: f64,
        point: &mut StepPoint,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let StepOptions { discretization, tuning, threads, .. } = &self.plan.options;
        let watch = &mut statistics.watch;
        point.threads = *threads;
        build::gather(&self.external, continuous, reach, tuning.thinnest, discretization, point, watch);
        capacity::bound(discretization.capacity, &mut point.plants, &mut point.depths, statistics)?;
        statistics.geometry_queries += 1;
        Ok(())
    }

    /// Fills the problem with the contents of the plants of `point`, for a step from `state`.
    pub fn fill(&mut self, state: &State, point: &mut StepPoint, statistics: &mut Statistics) {
        let external = &mut self.external;
        if external.layout().has_moving_surfaces(external.diagram()) {
            let mut lap = statistics.watch.start();
            external.evaluate(state.time, &state.continuous, &mut self.forces);
            statistics.watch.lap(Phase::External, &mut lap);
        }
        let discretization = &self.plan.options.discretization;
        point.problem.settings.scales = self.plan.scales.of_laws();
        build::fill(external, state.time, &state.continuous, discretization, point, &mut statistics.watch);
    }

    /// Reads the switches that hold over a step from `state`.
    pub fn read_switches(&mut self, state: &State, point: &mut StepPoint, statistics: &mut Statistics) {
        let mut lap = statistics.watch.start();
        self.external.hold(&state.discrete);
        self.external.switches(state.time, &state.continuous, &mut point.switches);
        statistics.watch.lap(Phase::External, &mut lap);
    }

    /// Prepares a point at `state` on its own: switches, plants, linearization.
    fn prepare_afresh(
        &mut self,
        state: &State,
        reach: f64,
        point: &mut StepPoint,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        self.read_switches(state, point, statistics);
        self.build(state, reach, point, statistics)?;
        statistics.note_contacts(point.problem.num_contacts(), point.max_depth);
        self.linearize(state, point, statistics)
    }

    /// Linearizes the rest of the diagram at `state`, if it acts within the step.
    pub fn linearize(
        &mut self,
        state: &State,
        point: &mut StepPoint,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        if self.plan.options.feedback != Feedback::Explicit {
            let mut lap = statistics.watch.start();
            self.external.linearize(state.time, &state.continuous, &mut point.linear);
            statistics.watch.lap(Phase::External, &mut lap);
            statistics.linearizations += 1;
            if let Some(fault) = self.external.loop_fault() {
                return Err(Box::new(fault.clone()).into());
            }
            if !point.linear.is_finite() {
                let what = self.external.not_finite_output();
                return Err(StepFailure::NotFinite {
                    what: what.unwrap_or_else(|| "the derivative of a controller".into()),
                });
            }
        }
        Ok(())
    }

    /// Adds the coupling by feedback to the problem of `point`.
    pub fn couple(&mut self, point: &mut StepPoint, watch: &mut Stopwatch) {
        let mut lap = watch.start();
        self.law.couple(&self.external, &point.linear, self.plan.options.feedback, &mut point.problem);
        watch.lap(Phase::External, &mut lap);
        point.problem.finish();
        point.update_rows();
        watch.lap(Phase::Problem, &mut lap);
    }

    /// Prepares `point` again with the velocities that rigid constraints allow, where its velocities break them: at the
    /// start of a run, or where a constraint begins to act. That is an impact, and all that depends on velocities has
    /// to use those after it.
    fn start_bound(
        &mut self,
        reach: f64,
        point: &mut StepPoint,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        if !point.breaks_constraints(&self.plan.scales, self.plan.options.tuning.broken) {
            return Ok(());
        }
        let mut settled = std::mem::take(&mut self.settled);
        settled.clone_from(&point.state);
        let found = self.ends.project(&self.external, &point.switches, &mut settled.continuous);
        let prepared = if found { self.prepare_afresh(&settled, reach, point, statistics) } else { Ok(()) };
        self.settled = settled;
        prepared?;
        self.couple(point, &mut statistics.watch);
        Ok(())
    }

    /// Finds the position corrections and expected forces of rigid constraints in a step from `point`.
    fn look_ahead(&mut self, point: &mut StepPoint, watch: &mut Stopwatch) {
        if !point.problem.has_rigid_rows() {
            return;
        }
        let mut lap = watch.start();
        let ContactStep { external, ends, accelerations, .. } = self;
        ends.find_corrections(&mut point.problem, &mut point.corrections);
        let mut expected = std::mem::take(&mut point.expected);
        accelerations.find_expected(external, ends, point, &mut expected);
        point.expected = expected;
        point.update_rows();
        watch.lap(Phase::Problem, &mut lap);
    }

    /// Projects the velocities at the end of the step from `point` that was just solved, in `continuous`, to those that
    /// rigid constraints allow there.
    fn hold_end(&mut self, point: &mut StepPoint, continuous: &mut [f64], watch: &mut Stopwatch) {
        point.turned.clear();
        if !point.problem.has_rigid_rows() {
            return;
        }
        let mut lap = watch.start();
        if self.ends.project(&self.external, &point.switches, continuous) {
            self.ends.read_change(&mut point.problem, &mut point.turned);
            self.ends.add_impulses(&point.problem, &mut point.solution.rows);
        }
        watch.lap(Phase::Problem, &mut lap);
    }

    /// Solves the problem of `point` for the step `h`, from the velocities and contact forces in `next`.
    pub fn solve(
        &mut self,
        point: &mut StepPoint,
        h: f64,
        tolerance: f64,
        next: &mut Candidate,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let feedback = self.plan.options.feedback;
        let external = &mut self.external;
        let (time, continuous) = (point.state.time, &point.state.continuous);
        let problem = &mut point.problem;
        let guess = &next.velocity;
        let mut lap = statistics.watch.start();
        let applied =
            self.law.apply(external, &point.linear, feedback, LawStep { time, continuous, dt: h, guess }, problem);
        check_law(external, problem, applied, h)?;
        if !point.belts.is_empty() {
            self.ahead.clone_from(continuous);
            let v0 = problem.start_velocity();
            let (layout, diagram) = (external.layout(), external.diagram());
            layout.advance_positions(diagram, continuous, v0, h, &mut self.ahead, &mut self.rates);
            self.law.advance_external(external, &point.linear, problem, v0, continuous, &mut self.ahead);
            external.evaluate(time + h, &self.ahead, &mut self.forces);
            build::move_belts(external, time + h, &self.ahead, point);
        }
        statistics.watch.lap(Phase::External, &mut lap);
        if self.plan.options.turns && point.belts.is_empty() {
            point.problem.turn(h);
        }
        bend::find(external, point, h, &mut self.ahead, &mut self.rates);
        let (problem, solution) = (&mut point.problem, &mut point.solution);
        let coupled = CoupledProblem { law: &mut self.law, external, feedback, problem, solution };
        solve(&mut *self.solver, coupled, ToSolve { h, tolerance }, next, statistics)
    }

    /// Solves the problem of `point` for the step `h`, repeatedly while its solution closes deferred contacts.
    fn solve_and_join(
        &mut self,
        point: &mut StepPoint,
        h: f64,
        tolerance: f64,
        next: &mut Candidate,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        self.solve(point, h, tolerance, next, statistics)?;
        let options = &self.plan.options;
        let joins = options.rules.has(Rule::DeferredContacts);
        let max_rounds = if joins { options.tuning.max_repeats as usize } else { 0 };
        let mut rounds = 0;
        while rounds < max_rounds && self.close(point, h, &next.velocity, statistics) {
            self.solve(point, h, tolerance, next, statistics)?;
            rounds += 1;
        }
        Ok(())
    }

    /// Adds to the plants of `point` the contacts that the velocities `v`, found for a step of length `h`, close;
    /// `false` if there are none.
    pub fn join(&self, point: &mut StepPoint, h: f64, v: &[f64], statistics: &mut Statistics) -> bool {
        let mut lap = statistics.watch.start();
        let queries = &mut statistics.geometry_queries;
        let joined = point.deferred.join(&self.external, &mut point.plants, &point.problem, v, h, queries);
        statistics.watch.lap(Phase::Geometry, &mut lap);
        joined
    }

    /// Adds the contacts that the velocities `v` close, and fills the problem of `point` again; `false` if there are
    /// none.
    fn close(&mut self, point: &mut StepPoint, h: f64, v: &[f64], statistics: &mut Statistics) -> bool {
        let joined = self.join(point, h, v, statistics);
        if joined {
            let turns = self.plan.options.turns;
            if turns {
                self.known.clone_from(&point.problem.contacts.points);
            }
            point.with_state(|state, point| self.fill(state, point, statistics));
            self.couple(point, &mut statistics.watch);
            if turns {
                point.problem.keep_turning(&self.known);
            }
        }
        joined
    }
}

impl ContactStep {
    /// Notes in `records` the forces of the last solve, from `point` to `next`.
    fn note(
        &mut self,
        point: &StepPoint,
        h: f64,
        next: &Candidate,
        records: &mut Vec<StepRecord>,
        statistics: &mut Statistics,
    ) {
        let (external, feedback) = (&self.external, self.plan.options.feedback);
        statistics.note_contacts(point.problem.num_contacts(), point.max_depth);
        let found = &mut self.ahead;
        found.clone_from(&next.velocity);
        found.iter_mut().zip(&point.turned).for_each(|(v, turned)| *v += turned);
        let found = FoundVelocities { h, span: h, by_solver: &next.velocity, led_to: found };
        record::record(external, &mut self.law, feedback, point, &found, records);
    }
}

impl OneStep for ContactStep {
    type Point = StepPoint;

    fn prepare(
        &mut self,
        state: &State,
        reach: f64,
        near: Option<&StepPoint>,
        point: &mut StepPoint,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        match near {
            None => {
                point.forget_rows();
                point.follows = false;
                self.prepare_afresh(state, reach, point, statistics)?;
                self.couple(point, &mut statistics.watch);
                self.start_bound(reach, point, statistics)?;
                self.look_ahead(point, &mut statistics.watch);
                self.find_turning(point, statistics);
            }
            Some(near) => {
                self.external.hold(&state.discrete);
                point.switches.clone_from(&near.switches);
                self.build(state, reach, point, statistics)?;
                point.linear.clone_from(&near.linear);
                point.take_rest_of(near, reach);
                self.couple(point, &mut statistics.watch);
            }
        }
        Ok(())
    }

    fn step(
        &mut self,
        point: &mut StepPoint,
        h: f64,
        tolerance: f64,
        next: &mut Candidate,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        // The expected forces may be those of another step.
        point.update_rows();
        if self.loads != FrictionLoads::OwnOfGuess {
            point.problem.lag_loads();
            self.solve_and_join(point, h, tolerance, next, statistics)?;
        }
        if self.loads != FrictionLoads::Measured {
            point.problem.follow_loads(h, &next.velocity);
            self.solve_and_join(point, h, tolerance, next, statistics)?;
        }
        if self.solver.has_compliant_rows() && point.expect_found(&self.plan.scales, h, tolerance) {
            self.solve(point, h, tolerance, next, statistics)?;
        }
        let (external, continuous) = (&mut self.external, &point.state.continuous);
        let problem = &point.problem;
        next.continuous.clone_from(continuous);
        let layout = external.layout();
        layout.scatter_velocities(&next.velocity, &mut next.continuous);
        let (diagram, v) = (external.diagram(), &next.velocity);
        match self.plan.options.discretization.positions {
            PositionIntegration::EndVelocity => {
                layout.advance_positions(diagram, continuous, v, h, &mut next.continuous, &mut self.rates);
            }
            PositionIntegration::Chord => {
                layout.advance_positions_by_chords(diagram, continuous, v, h, &mut next.continuous, &mut self.rates);
            }
            PositionIntegration::Midpoint => {
                let (v0, mean) = (problem.start_velocity(), &mut self.ahead);
                let (next, rates) = (&mut next.continuous, &mut self.rates);
                mean.clear();
                mean.extend(v0.iter().zip(v).map(|(a, b)| 0.5 * (a + b)));
                layout.advance_positions(diagram, continuous, mean, h, next, rates);
            }
        }
        spins::keep_centres(external, problem, v, &mut next.continuous);
        let mut lap = statistics.watch.start();
        self.law.advance_external(external, &point.linear, problem, v, continuous, &mut next.continuous);
        statistics.watch.lap(Phase::External, &mut lap);
        self.solver.regimes(problem, &point.solution, &mut next.regimes);
        next.efforts.clear();
        if !external.is_absent() {
            self.law.split_forces(external, self.plan.options.feedback, &next.velocity, problem);
            next.efforts.extend_from_slice(self.law.net_actuation());
        }
        self.hold_end(point, &mut next.continuous, &mut statistics.watch);
        check_end(self.external.diagram(), &next.continuous)
    }

    fn carry(&mut self, from: &StepPoint, to: &mut StepPoint, statistics: &mut Statistics) {
        self.carry_depths(from, to, statistics);
    }

    fn record(
        &mut self,
        point: &mut StepPoint,
        h: f64,
        next: &Candidate,
        discrete: &mut [f64],
        records: &mut Vec<StepRecord>,
        statistics: &mut Statistics,
    ) {
        self.note(point, h, next, records, statistics);
        record::read_out(&self.external, records, &mut point.plants, discrete);
    }

    fn record_halves(
        &mut self,
        step: Halves<'_, StepPoint>,
        discrete: &mut [f64],
        records: &mut Vec<StepRecord>,
        statistics: &mut Statistics,
    ) {
        self.note(step.middle, 0.5 * step.h, step.end, records, statistics);
        self.read_out_whole(step, records, discrete);
    }

    fn energy_at(&self, point: &StepPoint, accuracy: f64) -> Option<MechanicalEnergy> {
        energy(&self.plan, &self.external, point, accuracy)
    }

    fn velocity_at<'a>(&self, point: &'a StepPoint) -> &'a [f64] {
        point.problem.start_velocity()
    }

    fn time_of_sweep(&mut self, point: &mut StepPoint) -> f64 {
        point.longest_step
    }

    fn time_of_oscillation(&mut self, point: &mut StepPoint, h: f64, accuracy: f64) -> f64 {
        let ContactStep { accelerations, kinks, plan, external, ends, .. } = self;
        let mut context = StepContext { plan, external, ends };
        let longest = oscillation::longest_step(&mut context, accelerations, kinks, point, h, accuracy);
        point.follows = longest.is_finite();
        longest
    }

    fn time_to_rebound(&mut self, point: &mut StepPoint, accuracy: f64) -> f64 {
        let ContactStep { accelerations, plan, external, ends, .. } = self;
        time_to_rebound(&mut StepContext { plan, external, ends }, accelerations, point, accuracy)
    }

    fn growth_rate(&mut self, point: &StepPoint, enough: f64) -> f64 {
        if self.plan.options.feedback == Feedback::Explicit || !self.external.reacts() {
            return f64::NEG_INFINITY;
        }
        self.growth.of(&point.problem, &point.linear, enough)
    }

    fn growth_rate_of_blocks(&mut self, point: &StepPoint, enough: f64) -> f64 {
        if self.plan.options.feedback == Feedback::Explicit || !self.external.reacts() {
            return f64::NEG_INFINITY;
        }
        self.growth.of_blocks(&point.problem, &point.linear, enough)
    }

    fn norm(&self) -> &ErrorNorm {
        &self.plan.norm
    }

    fn output_error(
        &mut self,
        point: &StepPoint,
        times: (f64, f64),
        ends: [&[f64]; 3],
        accuracy: f64,
    ) -> Option<(f64, usize)> {
        let outputs = self.outputs.as_mut()?;
        Some(outputs.of_halves(accuracy, times, ends, &point.state.discrete))
    }

    fn unseen_error(&mut self, start: &StepPoint, h: f64, half: &Candidate) -> Option<(f64, usize)> {
        self.way_to_rest(start, h, half)
    }

    fn position_rates(&self, continuous: &[f64], rates: &mut Vec<f64>) {
        rates.clear();
        rates.resize(continuous.len(), f64::NAN);
        let layout = self.external.layout();
        for slot in &layout.plants {
            let plant = layout.plant(self.external.diagram(), slot);
            let (q, v) = (&continuous[slot.positions.clone()], &continuous[slot.velocities.clone()]);
            let rates = &mut rates[slot.positions.clone()];
            plant.position_rates(q, v, rates);
        }
    }

    fn external(&self) -> &[usize] {
        &self.external.layout().external
    }

    fn external_rates(&mut self, start: &State, follows: &State, rates: [&mut Vec<f64>; 2]) {
        let ContactStep { external, forces, .. } = self;
        external.hold(&start.discrete);
        for (state, rates) in [start, follows].into_iter().zip(rates) {
            external.evaluate(state.time, &state.continuous, forces);
            rates.clear();
            rates.extend_from_slice(&forces.derivatives);
        }
        external.hold(&follows.discrete);
    }

    fn quaternions(&self) -> &[usize] {
        &self.plan.movers.quaternions
    }

    fn smooth(&mut self) -> Option<&mut dyn SmoothMotion<Point = StepPoint>> {
        if self.solver.reports_regimes() { Some(self) } else { None }
    }
}
