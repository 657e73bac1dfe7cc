//! Preparation of steps from a state: plants evaluated, the problem filled, the rest of the diagram linearized.

use super::build::{self, Sought};
use super::capacity;
use super::options::StepOptions;
use super::point::StepPoint;
use super::step::ContactStep;
use crate::integrators::{Statistics, StepFailure};
use crate::linearize::Feedback;
use kinegraph_convex::profile::{Phase, Stopwatch};
use kinegraph_diagram::State;

impl ContactStep {
    /// Prepares `point` for the step of length `reach` from `state`, the end of the last step, in the middle of one
    /// from `start`: the linearization there is close enough. The last step came `from` a point of the same attempt.
    pub(in crate::integrators) fn prepare_within(
        &mut self,
        state: &State,
        reach: f64,
        [start, from]: [&StepPoint; 2],
        point: &mut StepPoint,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        self.external.hold(&state.discrete);
        point.switches.clone_from(&start.switches);
        self.build(state, reach, point, statistics)?;
        point.linear.clone_from(&start.linear);
        point.take_rest_of(start, reach);
        self.couple(point, &mut statistics.watch);
        self.carry_depths(from, point, statistics);
        Ok(())
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
        build::gather(&self.external, continuous, Sought::Within(reach), tuning.thinnest, discretization, point, watch);
        capacity::bound(discretization.capacity, &mut point.plants, &mut point.scratch.depths, statistics)?;
        statistics.geometry_queries += 1;
        Ok(())
    }

    /// Fills the problem with the contents of the plants of `point`, for a step from `state`.
    pub fn fill(&mut self, state: &State, point: &mut StepPoint, statistics: &mut Statistics) {
        let external = &mut self.external;
        if external.layout().has_moving_surfaces(external.diagram()) {
            let mut lap = statistics.watch.start();
            external.evaluate(state.time, &state.continuous, &mut self.scratch.forces);
            statistics.watch.lap(Phase::External, &mut lap);
        }
        let discretization = &self.plan.options.discretization;
        point.problem.settings.scales = self.plan.scales.of_laws();
        build::fill(external, state.time, &state.continuous, discretization, point, &mut statistics.watch);
        if self.opens_stops {
            point.problem.open_stops();
        }
    }

    /// Reads the switches that hold over a step from `state`.
    pub fn read_switches(&mut self, state: &State, point: &mut StepPoint, statistics: &mut Statistics) {
        let mut lap = statistics.watch.start();
        self.external.hold(&state.discrete);
        self.external.switches(state.time, &state.continuous, &mut point.switches);
        statistics.watch.lap(Phase::External, &mut lap);
    }

    /// Prepares a point at `state` on its own: switches, plants, linearization.
    pub(super) fn prepare_afresh(
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
    pub(super) fn start_bound(
        &mut self,
        reach: f64,
        point: &mut StepPoint,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        if !point.breaks_constraints(&self.plan.scales, self.plan.options.tuning.broken) {
            return Ok(());
        }
        let mut settled = std::mem::take(&mut self.scratch.settled);
        settled.clone_from(&point.state);
        let found = self.ends.project(&self.external, &point.switches, &mut settled.continuous);
        let prepared = if found { self.prepare_afresh(&settled, reach, point, statistics) } else { Ok(()) };
        self.scratch.settled = settled;
        prepared?;
        self.couple(point, &mut statistics.watch);
        Ok(())
    }

    /// Finds the position corrections and expected forces of rigid constraints in a step from `point`.
    pub(super) fn look_ahead(&mut self, point: &mut StepPoint, watch: &mut Stopwatch) {
        if !point.problem.has_rigid_rows() {
            return;
        }
        let mut lap = watch.start();
        let ContactStep { external, ends, prediction, .. } = self;
        ends.find_corrections(&mut point.problem, &mut point.held.corrections);
        let mut expected = std::mem::take(&mut point.held.expected);
        prediction.accelerations.find_expected(external, ends, point, &mut expected);
        point.held.expected = expected;
        point.update_rows();
        watch.lap(Phase::Problem, &mut lap);
    }
}
