//! The contact step as a one-step method: evaluate the plants, linearize the rest of the diagram, solve, advance.

use super::accelerations::Accelerations;
use super::bend;
use super::failures::{check_end, check_law};
use super::free_motion::FreeMotion;
use super::improve::Improvement;
use super::kinks::Kinks;
use super::manifold::EndProjection;
use super::options::StepOptions;
use super::parts::{FrictionLoads, Halves};
use super::plan::StepPlan;
use super::point::StepPoint;
use super::record::{self, FoundVelocities};
use super::solve::{CoupledProblem, solve};
use super::turned_geometry::Turning;
use super::whole_reports::WholeStep;
use super::{build, spins};
use crate::choices::deferred_contacts::MAX_ROUNDS;
use crate::integrators::rule::Rule;
use crate::integrators::{
    Candidate, DenseStep, OneStep, OutputErrors, PositionIntegration, Smoothness, Statistics, StepFailure, ToSolve,
};
use crate::linearize::{External, Feedback, Forces, GrowthRate, Law, LawStep, Linearization, growth};
use kinegraph_convex::contact::Problem;
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
    /// Projection of velocities at ends to rigid constraints.
    pub ends: EndProjection,
    /// Vectors that every use fills anew.
    pub scratch: Scratch,
    /// Normal forces that friction uses.
    pub(in crate::integrators) loads: FrictionLoads,
    pub(in crate::integrators) prediction: Prediction,
    /// Outputs under error control.
    pub(in crate::integrators) outputs: Option<Box<OutputErrors>>,
    pub(super) turning: Turning,
    pub(super) improvement: Improvement,
    pub(super) free: FreeMotion,
    /// True if joint stops do not act.
    pub(in crate::integrators) opens_stops: bool,
    /// Reports of plants for a step that was solved in halves.
    pub(super) whole: WholeStep,
}

/// The convex step.
pub type IcfStep = ContactStep;

/// Vectors that every use fills anew.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Rates of positions.
    pub rates: Vec<f64>,
    /// State of the diagram, or velocities of all plants, at another time of the step.
    pub ahead: Vec<f64>,
    /// Velocities that an end does not show.
    pub(super) lost: Vec<f64>,
    pub(super) forces: Forces<f64>,
    /// Start of a step after the impulse of constraints.
    pub(super) settled: State,
}

/// Motion to come, as the start of a step shows it: what bounds on its length read.
#[derive(Clone, Debug, Default)]
pub(in crate::integrators) struct Prediction {
    pub accelerations: Accelerations,
    pub kinks: Kinks,
    growth: GrowthRate,
}

impl ContactStep {
    /// Returns a step for `diagram` with the given options, which solves its problems by `solver`.
    pub fn new(diagram: &Diagram, options: StepOptions, solver: impl ContactSolver + 'static) -> Self {
        let external = External::new(diagram);
        let plan = Arc::new(StepPlan::new(options, &external));
        ContactStep {
            external,
            solver: Box::new(solver),
            law: Law::new(options.rejects),
            ends: EndProjection::new(&options.tuning, &plan.scales),
            scratch: Scratch::default(),
            loads: FrictionLoads::default(),
            prediction: Prediction::default(),
            outputs: OutputErrors::new(diagram),
            turning: Turning::default(),
            improvement: Improvement::default(),
            free: FreeMotion::new(diagram.state_width(), &options.tuning, &plan.scales),
            opens_stops: false,
            plan,
            whole: WholeStep::default(),
        }
    }

    /// Smooth parts of the last attempt, and how their ends were improved.
    pub(in crate::integrators) fn smoothness(&self) -> &Smoothness {
        &self.improvement.decided
    }

    /// Makes attempts take over what another one has found smooth, until `None` is set.
    pub(in crate::integrators) fn force_smoothness(&mut self, smoothness: Option<&Smoothness>) {
        self.improvement.forced = smoothness.cloned();
    }

    /// Rate \[1/s\] of the fastest growth `of` the parts of a search at a prepared point, where steps damp growth that
    /// they do not follow. A rate of no more than `enough` may be a bound.
    pub(in crate::integrators) fn growth_rate(
        &mut self,
        point: &StepPoint,
        enough: f64,
        of: fn(&mut GrowthRate, &Problem, &Linearization, f64) -> f64,
    ) -> f64 {
        if self.plan.options.feedback == Feedback::Explicit || !self.external.reacts() {
            return f64::NEG_INFINITY;
        }
        of(&mut self.prediction.growth, &point.problem, &point.linear, enough)
    }

    /// Writes the rates of external states over a step from `start`, at its start and at its end, in the order of
    /// these; signals held over the step that `follows` are held again.
    pub(in crate::integrators) fn find_external_rates(
        &mut self,
        start: &State,
        follows: &State,
        rates: &mut [Vec<f64>; 2],
    ) {
        let ContactStep { external, scratch: Scratch { forces, .. }, .. } = self;
        external.hold(&start.discrete);
        for (state, rates) in [start, follows].into_iter().zip(rates) {
            external.evaluate(state.time, &state.continuous, forces);
            rates.clear();
            rates.extend_from_slice(&forces.derivatives);
        }
        external.hold(&follows.discrete);
    }

    /// Notes in `records` the forces of the last step taken in halves, which is accepted: records have its second half.
    /// Reports of blocks cover as much of the whole step as they can.
    pub(in crate::integrators) fn record_halves(
        &mut self,
        step: Halves<'_>,
        discrete: &mut [f64],
        records: &mut Vec<StepRecord>,
        statistics: &mut Statistics,
    ) {
        self.note(step.middle, 0.5 * step.h, step.end, records, statistics);
        self.read_out_whole(step, records, discrete);
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
            self.scratch.ahead.clone_from(continuous);
            let v0 = problem.start_velocity();
            let (layout, diagram) = (external.layout(), external.diagram());
            layout.advance_positions(diagram, continuous, v0, h, &mut self.scratch.ahead, &mut self.scratch.rates);
            self.law.advance_external(external, &point.linear, problem, v0, continuous, &mut self.scratch.ahead);
            external.evaluate(time + h, &self.scratch.ahead, &mut self.scratch.forces);
            build::move_belts(external, time + h, &self.scratch.ahead, point);
        }
        statistics.watch.lap(Phase::External, &mut lap);
        if self.plan.options.turns && point.belts.is_empty() {
            point.problem.turn(h);
        }
        bend::find(external, point, h, &mut self.scratch.ahead, &mut self.scratch.rates);
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
        let max_rounds = if joins { MAX_ROUNDS } else { 0 };
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
                self.turning.known.clone_from(&point.problem.contacts.points);
            }
            point.with_state(|state, point| self.fill(state, point, statistics));
            self.couple(point, &mut statistics.watch);
            if turns {
                point.problem.keep_turning(&self.turning.known);
            }
        }
        joined
    }

    /// Projects the velocities at the end of the step from `point` that was just solved, in `continuous`, to those that
    /// rigid constraints allow there.
    fn hold_end(&mut self, point: &mut StepPoint, continuous: &mut [f64], watch: &mut Stopwatch) {
        point.held.turned.clear();
        if !point.problem.has_rigid_rows() {
            return;
        }
        let mut lap = watch.start();
        if self.ends.project(&self.external, &point.switches, continuous) {
            self.ends.read_change(&mut point.problem, &mut point.held.turned);
            self.ends.add_impulses(&point.problem, &mut point.solution.rows);
        }
        watch.lap(Phase::Problem, &mut lap);
    }

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
        let found = &mut self.scratch.ahead;
        found.clone_from(&next.velocity);
        found.iter_mut().zip(&point.held.turned).for_each(|(v, turned)| *v += turned);
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
        point: &mut StepPoint,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        point.forget_rows();
        point.bounds.follows = false;
        self.prepare_afresh(state, reach, point, statistics)?;
        self.couple(point, &mut statistics.watch);
        self.start_bound(reach, point, statistics)?;
        self.look_ahead(point, &mut statistics.watch);
        self.find_turning(point, statistics);
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
                layout.advance_positions(diagram, continuous, v, h, &mut next.continuous, &mut self.scratch.rates);
            }
            PositionIntegration::Chord => {
                layout.advance_positions_by_chords(
                    diagram,
                    continuous,
                    v,
                    h,
                    &mut next.continuous,
                    &mut self.scratch.rates,
                );
            }
            PositionIntegration::Midpoint => {
                let (v0, mean) = (problem.start_velocity(), &mut self.scratch.ahead);
                let (next, rates) = (&mut next.continuous, &mut self.scratch.rates);
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

    fn longest_step(&mut self, point: &StepPoint, h: f64) -> f64 {
        let growth = self.growth_rate(point, growth::least_rate(h), GrowthRate::of_blocks);
        point.bounds.swept.min(growth::longest_step(growth, h))
    }

    fn velocity_at<'a>(&self, point: &'a StepPoint) -> &'a [f64] {
        point.problem.start_velocity()
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

    fn record_dense(
        &self,
        dense: &mut DenseStep,
        state: &State,
        end_time: f64,
        end: &[f64],
        rates: &mut [Vec<f64>; 2],
    ) {
        let layout = self.external.layout();
        for (continuous, rates) in [&*state.continuous, end].into_iter().zip(&mut *rates) {
            rates.clear();
            rates.resize(continuous.len(), f64::NAN);
            for slot in &layout.plants {
                let (q, v) = (&continuous[slot.positions.clone()], &continuous[slot.velocities.clone()]);
                let plant = layout.plant(self.external.diagram(), slot);
                plant.position_rates(q, v, &mut rates[slot.positions.clone()]);
            }
        }
        let rates = (&*rates[0], &*rates[1]);
        dense.record((state.time, end_time), &state.continuous, end, rates);
        dense.turn(&self.plan.movers.quaternions, rates);
    }
}
