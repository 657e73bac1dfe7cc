//! Friction that lags behind the normal force, and friction that follows it: see `contact/normal_load.rs`.
//!
//! The choice is made once for all solves of an attempt, and holds for later attempts from the same state.

use super::attempt::Doubling;
use super::keep::Kept;
use super::scheme::Aim;
use crate::integrators::contact::StepPoint;
use crate::integrators::contact::parts::{FrictionLoads, FullStep};
use crate::integrators::rule::Rule;
use crate::integrators::{OneStep, Statistics, StepFailure, ToSolve};
use kinegraph_diagram::State;

impl Doubling {
    /// True if friction lags in the last attempt from `start` by more than the accuracy.
    pub(super) fn friction_lags(&self, start: &StepPoint, h: f64, aim: &Aim<'_>) -> bool {
        let Doubling { method, middle, full, kept: Kept { half, end, .. }, follows, .. } = self;
        let full = FullStep { start, middle, h, solution: full };
        !*follows && aim.on.has(Rule::FrictionOnset) && method.friction_lag(&full, half, end) > aim.accuracy
    }

    /// Solves the full step and both half steps again, with friction that follows, from their solutions.
    pub(super) fn follow_loads(
        &mut self,
        start: &mut StepPoint,
        state: &State,
        solving: ToSolve,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let ToSolve { h, tolerance } = solving;
        self.follows = true;
        let Doubling { method, full, kept, solved_half, .. } = self;
        method.loads = FrictionLoads::OwnOfGuess;
        method.step(start, h, tolerance, full, statistics)?;
        let half = &mut kept.half;
        method.step(start, 0.5 * h, tolerance, half, statistics)?;
        solved_half.1.clone_from(half);
        solved_half.0 = Some(0.5 * h);
        // The second half step begins elsewhere than before: its first solution is not known.
        method.loads = FrictionLoads::Own;
        self.solve_second_half(start, state, h, tolerance, statistics)
    }
}
