//! A one-step method: from a state, a step of a given length.

use super::{DenseStep, ErrorNorm, Statistics, StepFailure};
use crate::contact::ContactForces;
use crate::diagram::{Diagram, State};
use crate::solvers::icf::Fingerprint;
use crate::systems::step_record::StepRecord;

/// Where a step would lead.
#[derive(Debug, Default)]
pub struct Candidate {
    /// The diagram's continuous state at the end of the step.
    pub continuous: Vec<f64>,
    /// The velocities that the step found (of all plants), to start the next solve from.
    pub velocity: Vec<f64>,
    /// The contact forces that the step found, likewise.
    pub forces: ContactForces,
    /// What acted on each part of the state.
    pub fingerprints: Vec<Fingerprint>,
}

impl Clone for Candidate {
    fn clone(&self) -> Self {
        let mut copy = Candidate::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &Self) {
        self.continuous.clone_from(&other.continuous);
        self.velocity.clone_from(&other.velocity);
        self.forces.clone_from(&other.forces);
        self.fingerprints.clone_from(&other.fingerprints);
    }
}

/// A method that takes one step of a given length.
///
/// What depends on the starting state alone is prepared once, as a `Point`, and serves every step from there.
pub trait OneStep: Send {
    /// Everything computed from a starting state, independent of the step length.
    type Point: Default + Send;

    /// Prepares for runs of `diagram`.
    fn initialize(&mut self, diagram: &Diagram) -> Result<(), super::IntegratorError>;
    /// Prepares `point` for steps of at most `reach` from `state`.
    fn prepare(
        &mut self,
        state: &State,
        reach: f64,
        point: &mut Self::Point,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure>;
    /// The same for a state in the middle of a step from `start`, whose linearization is close enough.
    fn prepare_near(
        &mut self,
        start: &Self::Point,
        state: &State,
        reach: f64,
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
    /// What step doubling will estimate for the step of length `h` from `point` that led to `full`, if the motion is
    /// smooth, and the worst coordinate: for constant acceleration the half steps differ from the full one by
    /// `h/4 |N (v_full - v0)|` in position.
    fn foreseen_error(&mut self, point: &Self::Point, h: f64, full: &Candidate) -> (f64, usize);
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
    /// How long \[s\], up to `h`, the motion from `point` can be followed without a convex problem, as far as can be
    /// told before that is tried: nothing will touch anything, and no feedback is stiff.
    fn free_room(&mut self, point: &mut Self::Point, h: f64) -> f64;
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
    /// Remembers the step of free motion that was just attempted, of length `h` from `state` to the time `end`, for
    /// dense output.
    fn record_coasting(&self, state: &State, times: (f64, f64), dense: &mut DenseStep);
    /// The step of free motion of length `h` that was just attempted is accepted and led to `state`. What blocks tell
    /// of it goes into the discrete state.
    fn accept_coasting(&mut self, h: f64, state: &mut State);
    /// Notes what acted in the last step, which was accepted: `h` from `point` to `next`. What blocks tell of it goes
    /// into `discrete`.
    fn record(
        &mut self,
        _point: &mut Self::Point,
        _h: f64,
        _next: &Candidate,
        _discrete: &mut [f64],
        _statistics: &mut Statistics,
    ) {
    }
    /// What acted in the last accepted step, plant by plant.
    fn records(&self) -> &[StepRecord] {
        &[]
    }
    /// The velocities at a prepared point: the guess when nothing better is known.
    fn velocity_at<'a>(&self, point: &'a Self::Point) -> &'a [f64];
    /// The norm of differences of states.
    fn norm(&self) -> &ErrorNorm;
    /// Rates of the continuous state at its value `continuous`, as far as the velocities tell (the rates of positions;
    /// not-a-number elsewhere).
    fn position_rates(&self, continuous: &[f64], rates: &mut Vec<f64>);
}

/// A point and the state that it was prepared for: prepared once, it serves every attempt from there.
#[derive(Default)]
pub(super) struct Prepared<P> {
    /// The point.
    pub point: P,
    of: Option<State>,
}

impl<P: Default + Send> Prepared<P> {
    /// Prepares the point for steps of at most `reach` from `state`, unless it is. Keyed on the state itself: a state
    /// changed from outside is never mistaken for a retry.
    pub fn prepare<M: OneStep<Point = P>>(
        &mut self,
        method: &mut M,
        state: &State,
        reach: f64,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        if self.of.as_ref() != Some(state) {
            let mut of = self.of.take().unwrap_or_default();
            method.prepare(state, reach, &mut self.point, statistics)?;
            of.clone_from(state);
            self.of = Some(of);
        }
        Ok(())
    }

    /// Forgets the state.
    pub fn forget(&mut self) {
        self.of = None;
    }
}
