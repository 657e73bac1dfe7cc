//! What a one-step method can do where the motion is smooth: extrapolate and refine its half steps
//! ([`SmoothMotion::improve`]), report where the motion is not smooth, and follow free motion by an explicit method of
//! high order in steps with a control of their own.

use crate::integrators::rule::RuleSwitches;
use crate::integrators::{Candidate, DenseStep, Statistics, StepFailure, StepSpan};
use kinegraph_core::step_record::StepRecord;
use kinegraph_diagram::State;

/// By how much the full step and the half steps of an attempt differ, as they were solved, each with the worst
/// coordinate.
#[derive(Clone, Copy, Debug)]
pub struct FirstDifference {
    /// Where no third solution is thought of.
    pub elsewhere: (f64, usize),
    /// Where contact lasts and a third solution may be kept, if that is so anywhere.
    pub lasting: Option<(f64, usize)>,
}

impl FirstDifference {
    /// Whether the attempt needs a third solution to be accurate, and may be with one.
    pub fn is_for_thirds(&self, accuracy: f64) -> bool {
        self.lasting.is_some_and(|(error, _)| error > accuracy) && self.elsewhere.0 <= accuracy
    }
}

/// Under which normal forces friction acts in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrictionLoads {
    /// Those measured at its start.
    #[default]
    Measured,
    /// Its own: those of a first solution, which takes those measured.
    Own,
    /// The same where the first solution is known, and is the guess.
    OwnOfGuess,
}

/// A step in three parts.
#[derive(Clone, Copy, Debug)]
pub struct ThreeParts<'a, P> {
    /// Their ends.
    pub ends: &'a [Candidate; 3],
    /// The end of the two half steps, as it was solved.
    pub halves: &'a [f64],
    /// Where the last part begins.
    pub last: &'a P,
}

/// A full step as it was solved.
#[derive(Debug)]
pub struct FullStep<'a, P> {
    /// Where it and its first half begin.
    pub start: &'a P,
    /// Where its second half begins.
    pub middle: &'a P,
    /// Its length \[s\].
    pub h: f64,
    /// What was solved.
    pub solution: &'a Candidate,
}

/// What a one-step method can do where the motion is smooth. Step doubling uses it where it is offered; a method
/// without it has the order of its steps.
pub trait SmoothMotion {
    /// The point of a step, as its method prepares it.
    type Point;

    /// Whether something began or ceased to act within a full step or its two half steps, as far as the `halves` show
    /// that are solved.
    fn crosses(&self, full: &Candidate, halves: &[&Candidate]) -> bool;

    /// Whether steps from `point` are to be improved at any accuracy: those that are short for the sake of an
    /// oscillation that is to be followed, and those in which constraints or joints lead what nothing stiff acts on.
    fn follows(&self, _point: &Self::Point) -> bool {
        false
    }

    /// The stiffest feedback, damping or spring that acts at `point`, relative to inertia within the step.
    fn stiffness(&self, _point: &Self::Point) -> f64 {
        0.0
    }

    /// The way \[accuracies of 1\] that errors of velocity make which friction causes in two half steps, to `half` and
    /// to `end`, since it lags behind the normal force. Comes after [`first_difference`](Self::first_difference).
    fn friction_lag(&self, _full: &FullStep<'_, Self::Point>, _half: &Candidate, _end: &Candidate) -> f64 {
        0.0
    }

    /// Lets friction act under these normal forces in the steps to come.
    fn set_loads(&mut self, _loads: FrictionLoads) {}

    /// Finds what moves smoothly in the full step and in the half steps to `half` and `end`, and by how much they
    /// differ: elsewhere, and where contact lasts and a third solution may be kept, if it does. Comes before
    /// [`improve`](Self::improve), right after the second half step.
    fn first_difference(
        &mut self,
        full: &FullStep<'_, Self::Point>,
        half: &Candidate,
        end: &Candidate,
        on: RuleSwitches,
    ) -> FirstDifference;

    /// Where the full step and the two half steps, to `half` and to `end`, were smooth together, replaces the end by
    /// the extrapolation `2 end - full`, which is accurate to the next order, or something better; the middle likewise:
    /// its error is half of that of the end. Returns the largest change beyond extrapolation, an error estimate of its
    /// own, and the error of the third solution of `three` parts, where that is kept. `on`: the rules that are on.
    fn improve(
        &mut self,
        full: &FullStep<'_, Self::Point>,
        half: &mut Candidate,
        end: &mut Candidate,
        three: Option<ThreeParts<'_, Self::Point>>,
        on: RuleSwitches,
        statistics: &mut Statistics,
    ) -> (f64, Option<(f64, usize)>);

    /// Power of the step length with which the error estimate of [`step_freely`](Self::step_freely) shrinks.
    fn free_motion_order(&self) -> i32;

    /// Whether rigid constraints or joint stops take part in motion from `point` that could be followed as free motion.
    fn is_bound(&self, point: &Self::Point) -> bool;

    /// Brings the velocities of `state`, where `point` is, to those that constraints and joint stops allow, and finds
    /// which stops hold there; `bound`: as [`is_bound`](Self::is_bound) found. Whether any velocity changed: then the
    /// point is no longer that of the state.
    fn settle(&mut self, point: &Self::Point, state: &mut State, bound: bool) -> bool;

    /// Where within the step of free motion of length `h` that was attempted last, from `point` to `next`, a joint
    /// meets a stop or leaves one \[s\].
    fn ends_early(&mut self, point: &Self::Point, h: f64, next: &Candidate) -> Option<f64>;

    /// A bound on the rates of free motion at `point` \[1/s\], which is not made sharper below `enough`; infinite where
    /// the motion is not free.
    fn fastest_rate(&mut self, point: &Self::Point, enough: f64) -> f64;

    /// How far the step of length `h` from `point` to `next` ends from where the velocity of its start leads. Under
    /// constant acceleration the half steps of a convex step of the same length differ from the full one by half of it.
    fn departure(&mut self, point: &Self::Point, h: f64, next: &Candidate) -> f64;

    /// How long \[s\], up to `h`, the motion from `point` touches nothing, as far as is known before it is followed.
    fn free_time(&mut self, point: &Self::Point, h: f64) -> f64;

    /// Attempts a step of free motion over `span` from `point`: leaves its end in `next` and
    /// returns the error and the worst coordinate. The rates at the end of the step last accepted serve this one where
    /// it begins there.
    ///
    /// # Errors
    /// [`StepFailure::NotFree`]: something could touch.
    fn step_freely(
        &mut self,
        point: &Self::Point,
        span: StepSpan,
        accuracy: f64,
        next: &mut Candidate,
        statistics: &mut Statistics,
    ) -> Result<(f64, usize), StepFailure>;

    /// Accepts the step of free motion over `span` from `state`, the last one attempted: advances `state`, remembers
    /// the step for dense output, and notes in `records` what acted. What blocks report of the step goes into the
    /// discrete state.
    fn accept_free_motion(
        &mut self,
        state: &mut State,
        span: StepSpan,
        dense: &mut DenseStep,
        records: &mut Vec<StepRecord>,
    );
}
