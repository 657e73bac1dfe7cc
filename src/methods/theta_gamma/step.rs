//! The theta-gamma step: a contact step whose problem is evaluated within the step, not at its start.
//!
//! Its problem is that of the step `θ h` for the velocities v(θ), with all plants evaluated at the positions that v0
//! leads to after it; further passes evaluate them at the result of the last one. Gaps and violations are extrapolated
//! back to the start (`look_back.rs`), to which the laws refer. Springs of joints and joint damping act at θ, and so
//! does feedback with its linearization; gravity, Coriolis and gyroscopic forces are those of the point of evaluation.

use super::look_back::look_back;
use crate::theta_gamma::{ThetaGamma, ThetaGammaOptions};
use kinegraph_convex::profile::Phase;
use kinegraph_core::step_record::StepRecord;
use kinegraph_diagram::{Diagram, State};
use kinegraph_engine::choices::deferred_contacts::MAX_ROUNDS;
use kinegraph_engine::integrators::contact::ContactStep;
use kinegraph_engine::integrators::contact::StepOptions;
use kinegraph_engine::integrators::contact::StepPoint;
use kinegraph_engine::integrators::contact::failures::check_end;
use kinegraph_engine::integrators::contact::record::{self, FoundVelocities};
use kinegraph_engine::integrators::{Candidate, DenseStep, OneStep, Statistics, StepFailure};

/// The theta-gamma step.
#[derive(Clone)]
pub struct ThetaStep {
    inner: ContactStep,
    options: ThetaGammaOptions,
    /// Step for which the point is prepared \[s\].
    prepared: f64,
    /// Point of evaluation of plants: continuous state, and velocities of all plants.
    at: Vec<f64>,
    at_velocity: Vec<f64>,
    /// v(θ) of the last step.
    found: Vec<f64>,
    /// Velocities from the point of evaluation to the end (scratch).
    onward: Vec<f64>,
}

impl ThetaStep {
    /// Creates the step for `diagram`.
    pub fn new(diagram: &Diagram, options: StepOptions, theta_gamma: ThetaGammaOptions) -> Self {
        let mut inner = ContactStep::new(diagram, options, ThetaGamma::new(theta_gamma));
        inner.law.read_open_loop_at_the_end();
        ThetaStep {
            inner,
            options: theta_gamma,
            prepared: 0.0,
            at: Vec::new(),
            at_velocity: Vec::new(),
            found: Vec::new(),
            onward: Vec::new(),
        }
    }

    /// Builds the problem of a step of length `h` from `state`, evaluated at the positions that the velocities
    /// `self.at_velocity` lead to.
    fn build(
        &mut self,
        state: &State,
        h: f64,
        point: &mut StepPoint,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let ThetaStep { inner, at, at_velocity, .. } = self;
        let (layout, diagram) = (inner.external.layout(), inner.external.diagram());
        at.clone_from(&state.continuous);
        let span = self.options.theta * h;
        layout.advance_positions(diagram, &state.continuous, at_velocity, span, at, &mut inner.scratch.rates);
        layout.scatter_velocities(at_velocity, at);
        inner.gather(at, h, point, statistics)?;
        self.fill(state, h, point, statistics);
        self.prepared = h;
        Ok(())
    }

    /// Fills the problem of `point` with the elements of its plants, for a step from `state`.
    fn fill(&mut self, state: &State, h: f64, point: &mut StepPoint, statistics: &mut Statistics) {
        self.inner.fill(state, point, statistics);
        point.max_depth = look_back(&mut point.problem, &self.at_velocity, self.options.theta * h);
    }

    /// Adds the contacts that the solution in `self.found` closes; `false` if there are none.
    fn close(&mut self, point: &mut StepPoint, h: f64, statistics: &mut Statistics) -> bool {
        let theta = self.options.theta;
        self.onward.clear();
        self.onward.extend(self.found.iter().zip(&self.at_velocity).map(|(v, before)| v - theta * before));
        let joined = self.inner.join(point, h, &self.onward, statistics);
        if joined {
            point.with_state(|state, point| self.fill(state, h, point, statistics));
            self.inner.couple(point, &mut statistics.watch);
        }
        joined
    }

    /// Solves the problem of `point` and stores v(θ) in `self.found`.
    fn solve(
        &mut self,
        point: &mut StepPoint,
        h: f64,
        tolerance: f64,
        next: &mut Candidate,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let mut rounds = 0;
        loop {
            self.inner.solve(point, self.options.theta * h, tolerance, next, statistics)?;
            self.found.clone_from(&next.velocity);
            // Contacts that would join after the last round are left to the next step.
            if rounds > MAX_ROUNDS || !self.close(point, h, statistics) {
                return Ok(());
            }
            rounds += 1;
        }
    }

    /// Builds the problem anew at the positions that the velocities in `self.at_velocity` lead to.
    fn build_again(&mut self, h: f64, point: &mut StepPoint, statistics: &mut Statistics) -> Result<(), StepFailure> {
        point.with_state(|state, point| self.build(state, h, point, statistics))?;
        self.inner.couple(point, &mut statistics.watch);
        Ok(())
    }

    /// Starts at the velocities of `state`, with locked joints at rest.
    fn start_at(&mut self, state: &State, point: &StepPoint) {
        let layout = self.inner.external.layout();
        layout.gather_velocities(&state.continuous, &mut self.at_velocity);
        for (slot, switches) in layout.plants.iter().zip(&point.switches) {
            switches.stop_locked(&mut self.at_velocity[slot.global.clone()]);
        }
    }
}

impl OneStep for ThetaStep {
    type Point = StepPoint;

    fn prepare(
        &mut self,
        state: &State,
        reach: f64,
        point: &mut StepPoint,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        self.inner.read_switches(state, point, statistics);
        self.start_at(state, point);
        self.build(state, reach, point, statistics)?;
        point.state.clone_from(state);
        statistics.note_contacts(point.problem.num_contacts(), point.max_depth);
        self.inner.linearize(state, point, statistics)?;
        self.inner.couple(point, &mut statistics.watch);
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
        if h != self.prepared {
            self.build_again(h, point, statistics)?;
        }
        self.solve(point, h, tolerance, next, statistics)?;
        for _ in 1..self.options.passes() {
            self.at_velocity.clone_from(&self.found);
            self.build_again(h, point, statistics)?;
            self.solve(point, h, tolerance, next, statistics)?;
        }
        let theta = self.options.theta;
        let ContactStep { external, law, scratch, .. } = &mut self.inner;
        let (layout, diagram) = (external.layout(), external.diagram());
        let (problem, continuous) = (&point.problem, &point.state.continuous);
        next.continuous.clone_from(continuous);
        let v0 = problem.start_velocity();
        next.velocity.clear();
        next.velocity.extend(v0.iter().zip(&self.found).map(|(v0, v)| v0 + (v - v0) / theta));
        layout.scatter_velocities(&next.velocity, &mut next.continuous);
        layout.advance_positions(diagram, continuous, &self.found, h, &mut next.continuous, &mut scratch.rates);
        let mut lap = statistics.watch.start();
        law.advance_external(external, &point.linear, problem, &self.found, continuous, &mut next.continuous);
        for &i in &layout.external {
            next.continuous[i] = continuous[i] + (next.continuous[i] - continuous[i]) / theta;
        }
        statistics.watch.lap(Phase::External, &mut lap);
        next.regimes.clear();
        check_end(diagram, &next.continuous)
    }

    /// Forces are those at θ (and γ) of the step; contacts are recorded where they were evaluated.
    fn record(
        &mut self,
        point: &mut StepPoint,
        h: f64,
        next: &Candidate,
        discrete: &mut [f64],
        records: &mut Vec<StepRecord>,
        statistics: &mut Statistics,
    ) {
        let ContactStep { external, law, plan, .. } = &mut self.inner;
        statistics.note_contacts(point.problem.num_contacts(), point.max_depth);
        let span = self.options.theta * h;
        let found = FoundVelocities { h, span, by_solver: &self.found, led_to: &next.velocity };
        record::record(external, law, plan.options.feedback, point, &found, records);
        record::read_out(external, records, &mut point.plants, discrete);
    }

    fn velocity_at<'a>(&self, point: &'a StepPoint) -> &'a [f64] {
        point.problem.start_velocity()
    }

    fn longest_step(&mut self, point: &StepPoint, _h: f64) -> f64 {
        point.bounds.swept
    }

    fn record_dense(
        &self,
        dense: &mut DenseStep,
        state: &State,
        end_time: f64,
        end: &[f64],
        rates: &mut [Vec<f64>; 2],
    ) {
        self.inner.record_dense(dense, state, end_time, end, rates);
    }
}
