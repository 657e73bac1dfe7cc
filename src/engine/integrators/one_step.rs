//! A one-step method: takes a step of a given length from a state.

use super::{Candidate, DenseStep, Statistics, StepFailure};
use kinegraph_core::step_record::StepRecord;
use kinegraph_diagram::State;

/// A method that takes one step of a given length, made for one diagram.
///
/// Data that depend on the starting state alone are prepared once, as a `Point`, and serve every step from there. A
/// method implements its preparation and its step; the rest has defaults, for methods that can do more.
pub trait OneStep: Clone + Send + Sync {
    /// All data computed from a starting state, independent of the step length.
    type Point: Clone + Default + Send + Sync;

    /// Prepares `point` for steps of at most `reach` from `state`.
    fn prepare(
        &mut self,
        state: &State,
        reach: f64,
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

    /// Longest step \[s\] of a run with steps of fixed length, where one of length `h` is to be taken from a prepared
    /// point: bodies sweep over nothing unseen, and no growth is damped.
    fn longest_step(&mut self, _point: &Self::Point, _h: f64) -> f64 {
        f64::INFINITY
    }

    /// Velocities at a prepared point: the guess when nothing better is known.
    fn velocity_at<'a>(&self, _point: &'a Self::Point) -> &'a [f64] {
        &[]
    }

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

    /// Records a step from `state` to the continuous state `end` at `end_time` for dense output. Leaves in `rates` the
    /// rates of the continuous state at both ends, as far as that determines them (the rates of positions);
    /// not-a-number elsewhere.
    fn record_dense(
        &self,
        dense: &mut DenseStep,
        state: &State,
        end_time: f64,
        end: &[f64],
        rates: &mut [Vec<f64>; 2],
    ) {
        for rates in &mut *rates {
            rates.clear();
            rates.resize(end.len(), f64::NAN);
        }
        dense.record((state.time, end_time), &state.continuous, end, (&rates[0], &rates[1]));
    }
}
