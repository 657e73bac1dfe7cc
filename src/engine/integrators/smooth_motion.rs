//! Abilities of a one-step method for smooth motion: extrapolate and refine its half steps ([`SmoothMotion::improve`]),
//! report where the motion is not smooth, and follow free motion by an explicit method of high order in steps with a
//! control of their own.

use crate::integrators::rule::RuleSwitches;
use crate::integrators::{Candidate, DenseStep, Statistics, StepFailure, StepSpan};
use kinegraph_core::step_record::StepRecord;
use kinegraph_diagram::State;

/// Difference between the full step and the half steps of an attempt, as they were solved, each with the worst
/// coordinate.
#[derive(Clone, Copy, Debug)]
pub struct FirstDifference {
    /// Difference where no third solution is possible.
    pub elsewhere: (f64, usize),
    /// Difference where contact lasts and a third solution may be kept, if that is so anywhere.
    pub lasting: Option<(f64, usize)>,
}

impl FirstDifference {
    /// True if the attempt needs a third solution to be accurate, and may be accurate with one.
    pub fn is_for_thirds(&self, accuracy: f64) -> bool {
        self.lasting.is_some_and(|(error, _)| error > accuracy) && self.elsewhere.0 <= accuracy
    }
}

/// Normal forces that friction uses in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrictionLoads {
    /// Measured at the start of the step.
    #[default]
    Measured,
    /// The step's own: those of a first solution, which uses the measured ones.
    Own,
    /// The step's own, where the first solution is known, and is the guess.
    OwnOfGuess,
}

/// A step in three parts.
#[derive(Clone, Copy, Debug)]
pub struct ThreeParts<'a, P> {
    /// Ends of the parts.
    pub ends: &'a [Candidate; 3],
    /// End of the two half steps, as it was solved.
    pub halves: &'a [f64],
    /// Point at the start of the last part.
    pub last: &'a P,
}

/// A full step as it was solved.
#[derive(Debug)]
pub struct FullStep<'a, P> {
    /// Point at the start of it and of its first half.
    pub start: &'a P,
    /// Point at the start of its second half.
    pub middle: &'a P,
    /// Length \[s\].
    pub h: f64,
    /// Its solution.
    pub solution: &'a Candidate,
}

/// Abilities of a one-step method for smooth motion. Step doubling uses them where they are offered; a method without
/// them has the order of its steps.
pub trait SmoothMotion {
    /// Point of a step, as its method prepares it.
    type Point;

    /// True if a contact, stop or effort began or ceased to act within a full step or its two half steps, as far as the
    /// solved `halves` show.
    fn crosses(&self, full: &Candidate, halves: &[&Candidate]) -> bool;

    /// True if steps from `point` are to be improved at any accuracy: those that are short to follow an oscillation,
    /// and those in which constraints or joints guide bodies on which nothing stiff acts.
    fn follows(&self, _point: &Self::Point) -> bool {
        false
    }

    /// Stiffest feedback, damping or spring that acts at `point`, relative to inertia within the step.
    fn stiffness(&self, _point: &Self::Point) -> f64 {
        0.0
    }

    /// Distance \[accuracies of 1\] by errors of velocity that friction causes in two half steps, to `half` and to
    /// `end`, since it lags behind the normal force. Called after [`first_difference`](Self::first_difference).
    fn friction_lag(&self, _full: &FullStep<'_, Self::Point>, _half: &Candidate, _end: &Candidate) -> f64 {
        0.0
    }

    /// Sets the normal forces that friction uses in the steps to come.
    fn set_loads(&mut self, _loads: FrictionLoads) {}

    /// Finds the parts that move smoothly in the full step and in the half steps to `half` and `end`, and their
    /// difference: elsewhere, and where contact lasts and a third solution may be kept. Called before
    /// [`improve`](Self::improve), right after the second half step.
    fn first_difference(
        &mut self,
        full: &FullStep<'_, Self::Point>,
        half: &Candidate,
        end: &Candidate,
        on: RuleSwitches,
    ) -> FirstDifference;

    /// Where the full step and the two half steps, to `half` and to `end`, were smooth together, replaces the end by
    /// the extrapolation `2 end - full`, which is accurate to the next order, or something better. The middle is
    /// corrected likewise: its error is half of that of the end. Returns the largest change beyond extrapolation, an
    /// error estimate of its own, and the error of the third solution of `three` parts, where that is kept. `on`: the
    /// rules that are on.
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

    /// True if rigid constraints or joint stops take part in motion from `point` that could be followed as free motion.
    fn is_bound(&self, point: &Self::Point) -> bool;

    /// Changes the velocities of `state`, where `point` is, to those that constraints and joint stops allow, and finds
    /// which stops hold there; `bound`: the result of [`is_bound`](Self::is_bound). Returns whether a velocity changed:
    /// then the point no longer belongs to the state.
    fn settle(&mut self, point: &Self::Point, state: &mut State, bound: bool) -> bool;

    /// Time \[s\] within the last attempted step of free motion, of length `h` from `point` to `next`, at which a joint
    /// meets a stop or leaves one.
    fn ends_early(&mut self, point: &Self::Point, h: f64, next: &Candidate) -> Option<f64>;

    /// Bound on the rates of free motion at `point` \[1/s\], which is not made sharper below `enough`; infinite where
    /// the motion is not free.
    fn fastest_rate(&mut self, point: &Self::Point, enough: f64) -> f64;

    /// Distance between the end of the step of length `h` from `point` to `next` and the place to which the velocity of
    /// its start leads. Under constant acceleration the half steps of a convex step of the same length differ from the
    /// full one by half of it.
    fn departure(&mut self, point: &Self::Point, h: f64, next: &Candidate) -> f64;

    /// Time \[s\], up to `h`, in which the motion from `point` touches nothing, as predicted before it is followed.
    fn free_time(&mut self, point: &Self::Point, h: f64) -> f64;

    /// Attempts a step of free motion over `span` from `point`: writes its end to `next` and returns the error and the
    /// worst coordinate. The rates at the end of the step last accepted serve this one where it begins there.
    ///
    /// # Errors
    /// [`StepFailure::NotFree`]: bodies could touch.
    fn step_freely(
        &mut self,
        point: &Self::Point,
        span: StepSpan,
        accuracy: f64,
        next: &mut Candidate,
        statistics: &mut Statistics,
    ) -> Result<(f64, usize), StepFailure>;

    /// Accepts the step of free motion over `span` from `state`, the last one attempted: advances `state`, records the
    /// step for dense output, and notes in `records` the forces. Reports of blocks about the step go into the discrete
    /// state.
    fn accept_free_motion(
        &mut self,
        state: &mut State,
        span: StepSpan,
        dense: &mut DenseStep,
        records: &mut Vec<StepRecord>,
    );
}
