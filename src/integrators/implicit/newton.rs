//! The equations of an implicit stage, `x = r + s f(t, x)`, by the simplified Newton iteration
//!
//! ```text
//! (I - s J) change = r + s f(t, x) - x
//! ```
//!
//! with a Jacobian J that is kept from step to step. It contracts by a rate θ that is seen from the second iteration
//! on; the error that is left is about θ/(1 - θ) of the last change [Hairer & Wanner, Solving Ordinary Differential
//! Equations II, IV.8]. One iteration is never enough: a Jacobian that is stiff where the equation no longer is makes
//! small changes that lead nowhere, which only the rate betrays.

use super::Jacobian;
use crate::diagram::State;
use crate::integrators::ode_method::{EndRates, RightHandSide};
use crate::integrators::{Statistics, StepFailure};

/// Iterations of one stage.
const MOST: usize = 10;
/// An iteration that contracts by less has failed.
const SLOWEST: f64 = 0.95;
/// One that contracts by less wants a new Jacobian before the next step.
const SLOW: f64 = 0.2;
/// What is left of the error when the iteration ends, as a part of the accuracy.
const LEFT: f64 = 0.02;
/// A change of this part of the state is rounding.
const ROUNDING: f64 = 1e-13;

/// A stage `x = r + s f(t, x)` of a step of length h.
#[derive(Clone, Copy, Debug)]
pub(in crate::integrators) struct Stage {
    /// t \[s\].
    pub time: f64,
    /// s \[s\].
    pub s: f64,
    /// h \[s\].
    pub h: f64,
    /// Which factors belong to s.
    pub which: usize,
    /// Of the step.
    pub accuracy: f64,
}

/// Solves stages; keeps the Jacobian and its memory.
#[derive(Clone, Default)]
pub(in crate::integrators) struct Newton {
    pub jacobian: Jacobian,
    /// Where the Jacobian was that a recalled run had.
    recalled: Option<State>,
    change: Vec<f64>,
    rates: Vec<f64>,
    /// The slowest contraction of the last attempt at a step.
    slowest: f64,
}

impl Newton {
    /// Attempts a step from `state`, the stages of which `attempt` solves: with the Jacobian that is there, then with
    /// that of the start of the step. The rates at the start are in `ends`.
    ///
    /// # Errors
    /// Those of `attempt` with the Jacobian of the start of the step; rates are not finite.
    pub fn step(
        &mut self,
        state: &State,
        ends: &mut EndRates,
        f: &mut RightHandSide,
        mut attempt: impl FnMut(&mut Newton, &mut EndRates, &mut RightHandSide) -> Result<(), StepFailure>,
    ) -> Result<(), StepFailure> {
        if let Some(at) = self.recalled.take()
            && self.jacobian.recall(&at, state, f).is_err()
        {
            self.jacobian.forget();
        }
        ends.at_start(state, f)?;
        if self.jacobian.at().is_some_and(|at| at != state) {
            self.slowest = 0.0;
            let found = attempt(self, ends, f);
            if found.is_ok() {
                return found;
            }
        }
        self.jacobian.evaluate(state, &ends.start, f)?;
        self.slowest = 0.0;
        attempt(self, ends, f)
    }

    /// Solves a stage from the guess x, which becomes the solution.
    ///
    /// # Errors
    /// The iteration does not converge, or leaves what is finite.
    pub fn solve(&mut self, stage: Stage, r: &[f64], x: &mut [f64], f: &mut RightHandSide) -> Result<(), StepFailure> {
        let Stage { time, s, h, which, accuracy } = stage;
        let Newton { jacobian, change, rates, slowest, .. } = self;
        rates.resize(x.len(), 0.0);
        change.resize(x.len(), 0.0);
        f.statistics.solves += 1;
        let mut last = f64::INFINITY;
        for iteration in 1..=MOST {
            f.statistics.solver_iterations += 1;
            f.evaluate(time, x, rates)?;
            for (i, change) in change.iter_mut().enumerate() {
                *change = r[i] + s * rates[i] - x[i];
            }
            jacobian.solve(which, s, change, f.statistics);
            x.iter_mut().zip(&*change).for_each(|(x, change)| *x += change);
            let size = f.size(h, change);
            if size <= ROUNDING * f.size(h, x).max(1.0) {
                return Ok(());
            }
            if iteration > 1 {
                let rate = size / last;
                let left = rate / (1.0 - rate) * size;
                *slowest = slowest.max(rate);
                if rate < SLOWEST && left <= LEFT * accuracy {
                    return Ok(());
                }
                // The error that would be left in the end.
                let ahead = rate.powi((MOST - iteration) as i32) * left;
                if !(rate < SLOWEST && ahead <= LEFT * accuracy) {
                    break;
                }
            }
            last = size;
        }
        Err(StepFailure::NotConverged { h })
    }

    /// Solves `(I - s J) y = x` in place.
    pub fn filter(&mut self, s: f64, which: usize, x: &mut [f64], statistics: &mut Statistics) {
        self.jacobian.solve(which, s, x, statistics);
    }

    /// The last attempt was accepted. Whether the Jacobian goes on to the next step.
    pub fn accept(&mut self) {
        let savable = |at: &State| at.discrete.iter().all(|x| x.is_finite());
        if self.slowest > SLOW || !self.jacobian.at().is_some_and(savable) {
            self.jacobian.forget();
        }
    }

    /// The state at which the Jacobian is that goes on to the next step.
    pub fn linearized_at(&self) -> Option<&State> {
        self.recalled.as_ref().or(self.jacobian.at())
    }

    /// Goes on with the Jacobian at this state.
    pub fn recall(&mut self, at: Option<&State>) {
        self.recalled = at.cloned();
        self.jacobian.forget();
    }
}
