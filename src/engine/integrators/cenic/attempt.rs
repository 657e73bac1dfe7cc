//! An attempt of step doubling: a full step and two half steps; their difference is the error estimate, and the two
//! half steps are kept \[Kurtz & Castro, CENIC, sec. V-A\].

use super::keep::Kept;
use super::prepared::Prepared;
use super::scheme::{Aim, Scheme};
use super::thirds::Thirds;
use crate::integrators::contact::parts::{FrictionLoads, Halves};
use crate::integrators::contact::{ContactStep, StepPoint};
use crate::integrators::output_errors::larger;
use crate::integrators::rule::Rule;
use crate::integrators::search::Estimate;
use crate::integrators::{Candidate, DenseStep, OneStep, SolvedStep, Statistics, StepFailure, StepSolutions, ToSolve};
use kinegraph_convex::contact::ContactForces;
use kinegraph_core::step_record::StepRecord;
use kinegraph_diagram::State;
use std::sync::Arc;

/// Estimate of an attempt that crosses the transition that is searched for.
const GIVEN_UP: Result<Estimate, StepFailure> =
    Ok(Estimate { error: 0.0, worst: 0, rule: Some(Rule::Transition), order: None });

/// Step doubling over the contact step.
#[derive(Clone)]
pub struct Doubling {
    pub method: ContactStep,
    pub(super) middle: StepPoint,
    middle_state: State,
    pub(super) full: Candidate,
    /// Number of half steps of the last attempt that were solved.
    halves: usize,
    /// Half steps as they are kept.
    pub kept: Kept,
    /// Length of the last attempt from this state whose full step was solved; `full` has its solution.
    tried: Option<f64>,
    /// The first half step of the last attempt from this state, as it was solved, and its length: the full step of an
    /// attempt half as long.
    pub(super) solved_half: (Option<f64>, Candidate),
    /// True if friction follows the normal force in all attempts from this state.
    pub(super) follows: bool,
    /// The step in three parts.
    pub thirds: Thirds,
    /// Decisions of the last attempt: whether it was solved in three parts, and whether friction followed.
    pub(super) decided: AttemptDecisions,
    /// Decisions that the next attempt takes over.
    pub(super) forced: Option<AttemptDecisions>,
    /// Solutions from which the solves of the next attempt start.
    pub(super) known: Option<Arc<StepSolutions>>,
}

/// Decisions within an attempt.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AttemptDecisions {
    /// True if it was solved in three parts too.
    pub in_thirds: bool,
    /// True if friction followed the normal force.
    pub follows_loads: bool,
}

impl Doubling {
    /// Step doubling over `method`.
    pub fn new(method: ContactStep) -> Self {
        Doubling {
            method,
            middle: StepPoint::default(),
            middle_state: State::default(),
            full: Candidate::default(),
            halves: 0,
            kept: Kept::default(),
            tried: None,
            solved_half: (None, Candidate::default()),
            follows: false,
            thirds: Thirds::default(),
            decided: AttemptDecisions::default(),
            forced: None,
            known: None,
        }
    }

    /// Begins a step from another state: forgets earlier attempts.
    pub fn begin(&mut self) {
        (self.tried, self.solved_half.0) = (None, None);
        if std::mem::take(&mut self.follows) {
            self.method.loads = FrictionLoads::Measured;
        }
    }

    /// Solves the full step of length `h`, unless it is the first half step of the last attempt.
    pub fn solve_full(
        &mut self,
        start: &mut StepPoint,
        h: f64,
        tolerance: f64,
        aim: &Aim<'_>,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        if self.solved_half.0 != Some(h) {
            self.guess_full(start, h, aim.forces);
            self.method.step(start, h, tolerance, &mut self.full, statistics)?;
        } else {
            std::mem::swap(&mut self.full, &mut self.solved_half.1);
        }
        self.tried = Some(h);
        self.solved_half.0 = None;
        Ok(())
    }

    /// Guesses the end of the full step of length `h`: from the last attempt from this state, if there was one.
    fn guess_full(&mut self, start: &StepPoint, h: f64, forces: &ContactForces) {
        let v0 = start.problem.start_velocity();
        if self.known.as_ref().is_some_and(|known| known.guess(0, &mut self.full, v0.len())) {
            return;
        }
        if let Some(tried) = self.tried.take() {
            // The forces of the attempt before, over a shorter step.
            let part = h / tried;
            self.full.velocity.iter_mut().zip(v0).for_each(|(v, v0)| *v = v0 + part * (*v - v0));
        } else {
            self.full.velocity.clear();
            self.full.velocity.extend_from_slice(v0);
            self.full.forces.clone_from(forces);
        }
    }

    /// Solves the first half step; its solution is remembered if an attempt half as long is likely.
    pub fn solve_first_half(
        &mut self,
        start: &mut StepPoint,
        h: f64,
        tolerance: f64,
        remembers: bool,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let Doubling { method, full, kept: Kept { half, .. }, solved_half, known, .. } = self;
        let v0 = start.problem.start_velocity();
        if !known.as_ref().is_some_and(|known| known.guess(1, half, v0.len())) {
            half.velocity.clear();
            half.velocity.extend(v0.iter().zip(&full.velocity).map(|(a, b)| 0.5 * (a + b)));
            half.forces.clone_from(&full.forces);
        }
        method.step(start, 0.5 * h, tolerance, half, statistics)?;
        if remembers {
            solved_half.1.clone_from(half);
            solved_half.0 = Some(0.5 * h);
        }
        Ok(())
    }

    /// Solves the second half step, from where the first one ends.
    pub fn solve_second_half(
        &mut self,
        start: &StepPoint,
        state: &State,
        h: f64,
        tolerance: f64,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let Doubling { method, middle, middle_state, full, kept: Kept { half, end, .. }, known, .. } = self;
        middle_state.time = state.time + 0.5 * h;
        middle_state.continuous.clone_from(&half.continuous);
        middle_state.discrete.clone_from(&state.discrete);
        method.prepare_within(middle_state, 0.5 * h, [start; 2], middle, statistics)?;
        if !known.as_ref().is_some_and(|known| known.guess(2, end, full.velocity.len())) {
            end.velocity.clone_from(&full.velocity);
            end.forces.clone_from(&half.forces);
        }
        method.step(middle, 0.5 * h, tolerance, end, statistics)
    }

    /// True if a contact, stop or effort began or ceased to act within the last attempt, as far as it was solved.
    pub fn crosses(&self) -> bool {
        let halves = &[&self.kept.half, &self.kept.end][..self.halves];
        self.full.regimes.iter().enumerate().any(|(c, full)| {
            let others = halves.iter().any(|half| half.regimes[c].end != full.end);
            full.changed() || others || halves.get(1).is_some_and(|end| end.regimes[c].changed())
        })
    }

    /// The point in the middle of the last attempt.
    pub fn middle(&self) -> &StepPoint {
        &self.middle
    }

    /// Notes how the solves of the accepted step over `times` ended.
    pub fn note_solved(&self, times: (f64, f64), solved: &mut SolvedStep) {
        let Doubling { full, kept, .. } = self;
        if kept.end.efforts.is_empty() {
            solved.forget();
        } else {
            solved.note(times, [full, &kept.half, &kept.end], kept.plain());
        }
    }
}

impl Scheme for Doubling {
    fn method(&self) -> &ContactStep {
        &self.method
    }

    fn method_mut(&mut self) -> &mut ContactStep {
        &mut self.method
    }

    fn attempt(
        &mut self,
        start: &mut Prepared,
        state: &State,
        h: f64,
        aim: &Aim<'_>,
        statistics: &mut Statistics,
    ) -> Result<Estimate, StepFailure> {
        let tolerance = aim.tuning.solver_tolerance * aim.accuracy;
        start.prepare(&mut self.method, state, h, statistics)?;
        let start = &mut start.point;
        self.solve_full(start, h, tolerance, aim, statistics)?;
        let is_sought = aim.longest_crossing.is_some_and(|longest| h > longest);
        self.halves = 0;
        if is_sought && self.crosses() {
            return GIVEN_UP;
        }
        let improves = self.improves(start, aim);
        self.solve_first_half(start, h, tolerance, improves, statistics)?;
        self.halves = 1;
        if is_sought && self.crosses() {
            return GIVEN_UP;
        }
        self.solve_second_half(start, state, h, tolerance, statistics)?;
        self.halves = 2;
        let mut first = self.first_difference(start, h, improves, aim);
        let forced = self.forced;
        let lags = forced.map_or_else(|| self.friction_lags(start, h, aim), |forced| forced.follows_loads);
        if improves && lags {
            self.follow_loads(start, state, ToSolve { h, tolerance }, statistics)?;
            first = self.first_difference(start, h, improves, aim);
        }
        let Doubling { method, full, kept: Kept { half, end, .. }, .. } = self;
        if let Some(error) = method.unseen_error(start, h, half) {
            first.elsewhere = larger(first.elsewhere, error, 0);
        }
        if let Some(outputs) = &mut method.outputs {
            let ends = [&*full.continuous, &*half.continuous, &*end.continuous];
            let error = outputs.of_halves(aim.accuracy, (state.time, state.time + h), ends, &start.state.discrete);
            first.elsewhere = larger(first.elsewhere, error, method.plan.norm.num_coordinates());
        }
        let is_tried = || self.thirds.reaches(h) && first.is_for_thirds(aim.accuracy);
        let is_tried = forced.map_or_else(is_tried, |forced| forced.in_thirds);
        let Doubling { method, thirds, kept, .. } = self;
        let (solving, halves) = (ToSolve { h, tolerance }, [&kept.half, &kept.end]);
        let solved = is_tried && thirds.solve(method, start, state, solving, halves, statistics).is_ok();
        self.decided = AttemptDecisions { in_thirds: solved, follows_loads: self.follows };
        let (change, third) = self.keep(start, h, improves, solved, aim, statistics);
        Ok(self.thirds.judge(h, aim.accuracy, first, change, third, aim.tuning))
    }

    fn end(&self) -> &Candidate {
        &self.kept.end
    }

    fn doubling(&self) -> Option<&Doubling> {
        Some(self)
    }

    fn doubling_mut(&mut self) -> Option<&mut Doubling> {
        Some(self)
    }

    fn record(
        &mut self,
        start: &mut StepPoint,
        h: f64,
        discrete: &mut [f64],
        records: &mut Vec<StepRecord>,
        statistics: &mut Statistics,
    ) {
        let Doubling { method, middle, full, kept, .. } = self;
        let [_, solved_end] = kept.plain();
        let (half, end) = (&kept.half, &kept.end);
        method.record_halves(Halves { start, middle, h, full, half, end, solved_end }, discrete, records, statistics);
    }

    /// Bends dense output through the end of the first half step. Where the motion is smooth, the difference of the
    /// full step and the half steps is twice the deviation from a straight line in the middle (of a first-order method,
    /// whose step errs by ẍ h²/2). A larger deviation is that of a fast decay, which a parabola would lead beyond its
    /// end.
    fn bend(&self, _start: &[f64], rates: &[f64], accuracy: f64, dense: &mut DenseStep) {
        let Doubling { method, full, kept: Kept { half, end, .. }, .. } = self;
        for (i, (rate, end)) in rates.iter().zip(&end.continuous).enumerate() {
            let most = (full.continuous[i] - end).abs();
            if rate.is_nan() {
                dense.bend(i, half.continuous[i], most);
            } else {
                dense.bend_if_off(i, half.continuous[i], most, || method.plan.norm.deviation(i, accuracy));
            }
        }
    }
}
