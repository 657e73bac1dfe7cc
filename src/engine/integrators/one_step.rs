//! A one-step method: from a state, a step of a given length.

use super::{Candidate, DenseStep, ErrorNorm, MechanicalEnergy, SmoothMotion, Statistics, StepFailure};
use kinegraph_core::step_record::StepRecord;
use kinegraph_diagram::State;

/// A step that was solved in halves.
#[derive(Debug)]
pub struct Halves<'a, P> {
    /// Where it begins.
    pub start: &'a P,
    /// Where its second half begins.
    pub middle: &'a mut P,
    /// Its length \[s\].
    pub h: f64,
    /// The full step.
    pub full: &'a Candidate,
    /// The first half, the last that was solved from the start.
    pub half: &'a Candidate,
    /// The second half, with the end as it is kept.
    pub end: &'a Candidate,
    /// The end as it was solved.
    pub solved_end: &'a [f64],
}

/// A method that takes one step of a given length, made for one diagram.
///
/// What depends on the starting state alone is prepared once, as a `Point`, and serves every step from there. A method
/// says how it prepares, how it steps and in what norm it errs; the rest has defaults, for methods that can do more.
pub trait OneStep: Clone + Send + Sync {
    /// Everything computed from a starting state, independent of the step length.
    type Point: Clone + Default + Send + Sync;

    /// Prepares `point` for steps of at most `reach` from `state`. If it is a state in the middle of a step from
    /// `near`, what is linearized there is close enough.
    fn prepare(
        &mut self,
        state: &State,
        reach: f64,
        near: Option<&Self::Point>,
        point: &mut Self::Point,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure>;

    /// Steps by `h` from `point`; `next.velocity` and `next.forces` hold the guess on entry. `tolerance` is that of the
    /// solve.
    fn step(
        &mut self,
        point: &mut Self::Point,
        h: f64,
        tolerance: f64,
        next: &mut Candidate,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure>;

    /// Carries what the last step from `from` led to into `to`, which was prepared at its end within the same attempt.
    fn carry(&mut self, _from: &Self::Point, _to: &mut Self::Point, _statistics: &mut Statistics) {}

    /// The norm of differences of states.
    fn norm(&self) -> &ErrorNorm;

    /// The error of outputs under error control, in a step over `times` from a prepared point whose full step and half
    /// steps ended at these states, in terms of `accuracy`; counted behind the coordinates of the norm.
    fn output_error(
        &mut self,
        _point: &Self::Point,
        _times: (f64, f64),
        _ends: [&[f64]; 3],
        _accuracy: f64,
    ) -> Option<(f64, usize)> {
        None
    }

    /// The error of a step of length `h` whose first half was solved from `start` to `half` that the difference to the
    /// full step need not show, and the worst coordinate.
    fn unseen_error(&mut self, _start: &Self::Point, _h: f64, _half: &Candidate) -> Option<(f64, usize)> {
        None
    }

    /// The velocities at a prepared point: the guess when nothing better is known.
    fn velocity_at<'a>(&self, _point: &'a Self::Point) -> &'a [f64] {
        &[]
    }

    /// The energy at a prepared point, of all that nothing drives, where contacts may be off by `accuracy`; `None` if
    /// there is nothing, or if it is not known what changes it.
    fn energy_at(&self, _point: &Self::Point, _accuracy: f64) -> Option<MechanicalEnergy> {
        None
    }

    /// How long \[s\] a step from a prepared point may be for bodies that turn to sweep over nothing unseen, whatever
    /// its estimate of error.
    fn time_of_sweep(&mut self, _point: &mut Self::Point) -> f64 {
        f64::INFINITY
    }

    /// How long \[s\] a step from a prepared point may be that follows impacts and oscillations which `accuracy` can
    /// see, whatever its estimate of error; one of length `h` would be attempted.
    fn time_of_oscillation(&mut self, _point: &mut Self::Point, _h: f64, _accuracy: f64) -> f64 {
        f64::INFINITY
    }

    /// How long \[s\] a step from a prepared point may be to strike what gives something back where that is, within a
    /// small part of `accuracy`.
    fn time_to_rebound(&mut self, _point: &mut Self::Point, _accuracy: f64) -> f64 {
        f64::INFINITY
    }

    /// The rate \[1/s\] of what grows fastest at a prepared point, where steps damp growth that they do not follow. One
    /// that is no more than `enough` may be a bound.
    fn growth_rate(&mut self, _point: &Self::Point, _enough: f64) -> f64 {
        f64::NEG_INFINITY
    }

    /// The same of what moves no plant.
    fn growth_rate_of_blocks(&mut self, _point: &Self::Point, _enough: f64) -> f64 {
        f64::NEG_INFINITY
    }

    /// Rates of the continuous state at its value `continuous`, as far as that determines them (the rates of
    /// positions); not-a-number elsewhere.
    fn position_rates(&self, continuous: &[f64], rates: &mut Vec<f64>) {
        rates.clear();
        rates.resize(continuous.len(), f64::NAN);
    }

    /// The first index of each quaternion in the continuous state, as far as [`position_rates`](Self::position_rates)
    /// knows how it turns.
    fn quaternions(&self) -> &[usize] {
        &[]
    }

    /// Where the states of all that is no plant stand in the continuous state, as far as
    /// [`external_rates`](Self::external_rates) knows how they change.
    fn external(&self) -> &[usize] {
        &[]
    }

    /// Rates of the [`external`](Self::external) states over a step from `start`, at its start and at its end, in the
    /// order of these; what is held over the step that `follows` is held again.
    fn external_rates(&mut self, _start: &State, _follows: &State, _rates: [&mut Vec<f64>; 2]) {}

    /// Notes in `records` what acted in the last step taken, which is accepted: `h` from `point` to `next`. What blocks
    /// report of it goes into `discrete`.
    fn record(
        &mut self,
        _point: &mut Self::Point,
        _h: f64,
        _next: &Candidate,
        _discrete: &mut [f64],
        _records: &mut Vec<StepRecord>,
        _statistics: &mut Statistics,
    ) {
    }

    /// Notes in `records` what acted in the last step taken in halves, which is accepted: records have its second half.
    /// The largest part of the whole that blocks may report.
    fn record_halves(
        &mut self,
        step: Halves<'_, Self::Point>,
        discrete: &mut [f64],
        records: &mut Vec<StepRecord>,
        statistics: &mut Statistics,
    ) {
        self.record(step.middle, 0.5 * step.h, step.end, discrete, records, statistics);
    }

    /// What the method can do where the motion is smooth, if anything.
    fn smooth(&mut self) -> Option<&mut dyn SmoothMotion<Point = Self::Point>> {
        None
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
    dense.turn(method.quaternions(), (&rates.0, &rates.1));
}
