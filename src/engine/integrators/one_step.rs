//! A one-step method: takes a step of a given length from a state.

use super::{Candidate, DenseStep, ErrorNorm, MechanicalEnergy, SmoothMotion, Statistics, StepFailure};
use kinegraph_core::step_record::StepRecord;
use kinegraph_diagram::State;

/// A step that was solved in halves.
#[derive(Debug)]
pub struct Halves<'a, P> {
    /// Point at the start.
    pub start: &'a P,
    /// Point at the start of its second half.
    pub middle: &'a mut P,
    /// Length \[s\].
    pub h: f64,
    /// Full step.
    pub full: &'a Candidate,
    /// First half, the last that was solved from the start.
    pub half: &'a Candidate,
    /// Second half, with the end as it is kept.
    pub end: &'a Candidate,
    /// End as it was solved.
    pub solved_end: &'a [f64],
}

/// A method that takes one step of a given length, made for one diagram.
///
/// Data that depend on the starting state alone are prepared once, as a `Point`, and serve every step from there. A
/// method implements its preparation, its step and its error norm; the rest has defaults, for methods that can do more.
pub trait OneStep: Clone + Send + Sync {
    /// All data computed from a starting state, independent of the step length.
    type Point: Clone + Default + Send + Sync;

    /// Prepares `point` for steps of at most `reach` from `state`. If that is a state in the middle of a step from
    /// `near`, the linearization of `near` is close enough.
    fn prepare(
        &mut self,
        state: &State,
        reach: f64,
        near: Option<&Self::Point>,
        point: &mut Self::Point,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure>;

    /// Steps by `h` from `point`; `next.velocity` and `next.forces` hold the guess on entry. `tolerance` is that of the
    /// solver.
    fn step(
        &mut self,
        point: &mut Self::Point,
        h: f64,
        tolerance: f64,
        next: &mut Candidate,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure>;

    /// Carries data from the end of the last step from `from` into `to`, which was prepared there within the same
    /// attempt.
    fn carry(&mut self, _from: &Self::Point, _to: &mut Self::Point, _statistics: &mut Statistics) {}

    /// The norm of differences of states.
    fn norm(&self) -> &ErrorNorm;

    /// Error of outputs under error control, in a step over `times` from a prepared point whose full step and half
    /// steps ended at these states, in terms of `accuracy`; counted after the coordinates of the norm.
    fn output_error(
        &mut self,
        _point: &Self::Point,
        _times: (f64, f64),
        _ends: [&[f64]; 3],
        _accuracy: f64,
    ) -> Option<(f64, usize)> {
        None
    }

    /// Error, with the worst coordinate, that the difference to the full step may miss, in a step of length `h` whose
    /// first half was solved from `start` to `half`.
    fn unseen_error(&mut self, _start: &Self::Point, _h: f64, _half: &Candidate) -> Option<(f64, usize)> {
        None
    }

    /// Velocities at a prepared point: the guess when nothing better is known.
    fn velocity_at<'a>(&self, _point: &'a Self::Point) -> &'a [f64] {
        &[]
    }

    /// Energy at a prepared point of the plants that no input drives, where contacts may be off by `accuracy`; `None`
    /// if there are none, or if it is not known what changes the energy.
    fn energy_at(&self, _point: &Self::Point, _accuracy: f64) -> Option<MechanicalEnergy> {
        None
    }

    /// Longest step \[s\] from a prepared point in which turning bodies sweep over nothing unseen, whatever its error
    /// estimate.
    fn time_of_sweep(&mut self, _point: &mut Self::Point) -> f64 {
        f64::INFINITY
    }

    /// Longest step \[s\] from a prepared point that follows impacts and oscillations which `accuracy` can see,
    /// whatever its error estimate; one of length `h` would be attempted.
    fn time_of_oscillation(&mut self, _point: &mut Self::Point, _h: f64, _accuracy: f64) -> f64 {
        f64::INFINITY
    }

    /// Longest step \[s\] from a prepared point in which stops with restitution are struck where they are, within a
    /// small part of `accuracy`.
    fn time_to_rebound(&mut self, _point: &mut Self::Point, _accuracy: f64) -> f64 {
        f64::INFINITY
    }

    /// Rate \[1/s\] of the fastest growth at a prepared point, where steps damp growth that they do not follow. A rate
    /// of no more than `enough` may be a bound.
    fn growth_rate(&mut self, _point: &Self::Point, _enough: f64) -> f64 {
        f64::NEG_INFINITY
    }

    /// Rate \[1/s\] of the fastest growth in blocks that move no plant.
    fn growth_rate_of_blocks(&mut self, _point: &Self::Point, _enough: f64) -> f64 {
        f64::NEG_INFINITY
    }

    /// Writes the rates of the continuous state at its value `continuous`, as far as that determines them (the rates of
    /// positions); not-a-number elsewhere.
    fn position_rates(&self, continuous: &[f64], rates: &mut Vec<f64>) {
        rates.clear();
        rates.resize(continuous.len(), f64::NAN);
    }

    /// First index of each quaternion in the continuous state whose rates [`position_rates`](Self::position_rates)
    /// gives.
    fn quaternions(&self) -> &[usize] {
        &[]
    }

    /// Indices in the continuous state of the external states whose rates [`external_rates`](Self::external_rates)
    /// gives.
    fn external(&self) -> &[usize] {
        &[]
    }

    /// Writes the rates of the [`external`](Self::external) states over a step from `start`, at its start and at its
    /// end, in the order of these; signals held over the step that `follows` are held again.
    fn external_rates(&mut self, _start: &State, _follows: &State, _rates: [&mut Vec<f64>; 2]) {}

    /// Notes in `records` the forces of the last step, which is accepted: `h` from `point` to `next`. Reports of blocks
    /// about it go into `discrete`.
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

    /// Notes in `records` the forces of the last step taken in halves, which is accepted: records have its second half.
    /// Reports of blocks cover as much of the whole step as they can.
    fn record_halves(
        &mut self,
        step: Halves<'_, Self::Point>,
        discrete: &mut [f64],
        records: &mut Vec<StepRecord>,
        statistics: &mut Statistics,
    ) {
        self.record(step.middle, 0.5 * step.h, step.end, discrete, records, statistics);
    }

    /// Abilities of the method for smooth motion, if any.
    fn smooth(&mut self) -> Option<&mut dyn SmoothMotion<Point = Self::Point>> {
        None
    }
}

/// Records a step for dense output; `rates` is scratch.
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
