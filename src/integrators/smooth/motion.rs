//! What a one-step method can do where the motion is smooth.

use crate::diagram::State;
use crate::integrators::{Candidate, DenseStep, Statistics, StepFailure};
use crate::systems::step_record::StepRecord;

/// What a one-step method can do where the motion is smooth. Step doubling uses it where it is offered; a method
/// without it has the order of its steps.
pub trait SmoothMotion {
    /// The point of a step, as its method prepares it.
    type Point;

    /// What step doubling will estimate for the step of length `h` from `point` that led to `full`, if the motion is
    /// smooth, and the worst coordinate: for constant acceleration the half steps differ from the full one by
    /// `h/4 |N (v_full - v0)|` in position. Zero where that says nothing.
    fn foreseen_error(&mut self, point: &Self::Point, h: f64, full: &Candidate) -> (f64, usize);

    /// Whether something began or ceased to act within a full step or its two half steps.
    fn crosses(&self, full: &Candidate, halves: (&Candidate, &Candidate)) -> bool;

    /// Where the full step of length `h` from the first of `points` and the two half steps (`halves`: the first, the
    /// second) by way of the other were smooth together, replaces the second by the extrapolation `2 end - full`, which
    /// is accurate to the next order, or something better; the first likewise: its error is half of that of the second.
    /// Returns the largest change beyond extrapolation, an error estimate of its own.
    fn improve(
        &mut self,
        points: (&Self::Point, &Self::Point),
        h: f64,
        full: &Candidate,
        halves: (&mut Candidate, &mut Candidate),
        statistics: &mut Statistics,
    ) -> f64;

    /// Power of the step length with which the error estimate of [`coast`](Self::coast) shrinks.
    fn coasting_order(&self) -> i32;

    /// How long \[s\], up to `h`, the motion from `point` can be followed as free motion, as far as can be told before
    /// that is tried: nothing will touch anything, and no feedback is stiff.
    fn free_time(&mut self, point: &mut Self::Point, h: f64) -> f64;

    /// Attempts a step of free motion of length `h` from `point` to the time `end`: leaves its end in `next` and
    /// returns the error and the worst coordinate. The rates at the end of the step last accepted serve this one where
    /// it begins there.
    ///
    /// # Errors
    /// [`StepFailure::NotFree`]: something could touch.
    fn coast(
        &mut self,
        point: &Self::Point,
        times: (f64, f64),
        next: &mut Candidate,
        statistics: &mut Statistics,
    ) -> Result<(f64, usize), StepFailure>;

    /// Accepts the step of free motion of length `h` from `state` to the time `end`, the last one attempted: advances
    /// `state`, remembers the step for dense output, and notes in `records` what acted. What blocks tell of the step
    /// goes into the discrete state.
    fn accept_coasting(
        &mut self,
        state: &mut State,
        times: (f64, f64),
        next: &Candidate,
        dense: &mut DenseStep,
        records: &mut Vec<StepRecord>,
    );
}
