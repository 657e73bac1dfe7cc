//! The equations of an implicit stage, `x = r + s f(t, x)`, by the Newton iteration
//!
//! ```text
//! (I - s J) change = r + s f(t, x) - x
//! ```
//!
//! with a Jacobian J that is kept from step to step while the iteration contracts well. The rate θ is known from the
//! second change on; the remaining error is about θ/(1 - θ) of the last one [Hairer & Wanner, Solving Ordinary
//! Differential Equations II, IV.8]. One change is never enough: a Jacobian that is stiff where the equation no longer
//! is makes small changes without progress, which only the rate shows. The rate of the largest change hides that of
//! others: where a position has far to go, a velocity that friction no longer holds makes changes too small to be seen
//! beside it, with the Jacobian of friction that holds. So each number is judged by a rate of its own, unless the
//! Jacobian is that of the place.
//!
//! Forces of stiff contacts at an accurate solution may be far from those that led there. So where contacts act, the
//! iteration continues until the residual momentum of the velocities is a small part of the impulses of contacts.
//!
//! Where friction begins to hold and contacts close, no Jacobian of the start of a step contracts. There it is
//! evaluated along the iteration, and a change is cut until the next one, by the same Jacobian, is smaller
//! [P. Deuflhard, Newton Methods for Nonlinear Problems, 3.3: the natural monotonicity test].

use super::Jacobian;
use crate::choices::implicit_newton::{
    CHANGE_TOLERANCE, MAX_CONTRACTION_RATE, MAX_ITERATIONS, MAX_JACOBIANS, MAX_MOMENTUM_ITERATIONS, MIN_DAMPING_FACTOR,
    REMAINING_ERROR_RATIO, REMAINING_MOMENTUM_RATIO, STALE_CONTRACTION_RATE,
};
use crate::integrators::ends::EndRates;
use crate::integrators::ode_method::{Kept, RightHandSide};
use crate::integrators::{Statistics, StepFailure};
use kinegraph_diagram::State;

/// Part of the state below which a change is rounding.
const ROUNDING: f64 = 1e-13; // rounding

/// Iterate, and the change that Newton's method makes from there.
struct Iterate<'a> {
    x: &'a mut [f64],
    change: &'a mut [f64],
}

/// A stage `x = r + s f(t, x)` of a step of length h.
#[derive(Clone, Copy, Debug)]
pub(in crate::integrators) struct Stage {
    /// t \[s\].
    pub time: f64,
    /// s \[s\].
    pub s: f64,
    /// h \[s\].
    pub h: f64,
    /// Index of the factors that belong to s.
    pub which: usize,
    /// Accuracy of the step.
    pub accuracy: f64,
}

/// Solves stages; keeps the Jacobian and its memory.
#[derive(Clone, Default)]
pub(in crate::integrators) struct Newton {
    pub jacobian: Jacobian,
    /// State of the Jacobian that a recalled run had.
    recalled: Option<State>,
    change: Vec<f64>,
    next: Vec<f64>,
    next_change: Vec<f64>,
    rates: Vec<f64>,
    /// Iterate at which the Jacobian is evaluated.
    here: State,
    /// True if the Jacobian may be evaluated along the iteration.
    persists: bool,
    /// True if that happened in the last attempt at a step.
    moved: bool,
    /// Slowest contraction of the last attempt at a step.
    slowest: f64,
    /// Residual momentum where the last change was found, as a part of the impulses of contacts.
    unbalanced: f64,
}

impl Newton {
    /// Evaluates the Jacobian that a recalled run had, before a step from `state`.
    pub fn prepare(&mut self, state: &State, f: &mut RightHandSide) {
        if let Some(at) = self.recalled.take()
            && self.jacobian.recall(&at, state, f).is_err()
        {
            self.jacobian.forget();
        }
    }

    /// Attempts a step from `state`, the stages of which `attempt` solves: with the present Jacobian, then with that of
    /// the start of the step. The rates at the start are left in `rates`.
    ///
    /// # Errors
    /// Errors of `attempt` with the Jacobian of the start of the step; rates are not finite.
    pub fn step(
        &mut self,
        state: &State,
        rates: &mut EndRates,
        f: &mut RightHandSide,
        mut attempt: impl FnMut(&mut Newton, &mut EndRates, &mut RightHandSide) -> Result<(), StepFailure>,
    ) -> Result<(), StepFailure> {
        self.prepare(state, f);
        f.start(state, rates)?;
        self.here.clone_from(state);
        if self.jacobian.at().is_some_and(|at| at != state) {
            (self.persists, self.moved, self.slowest) = (false, false, 0.0);
            let found = attempt(self, rates, f);
            if found.is_ok() {
                return found;
            }
        }
        self.jacobian.evaluate(state, &rates.start, f)?;
        (self.persists, self.moved, self.slowest) = (true, false, 0.0);
        let found = attempt(self, rates, f);
        if self.moved {
            // It belongs to no start of a step.
            self.jacobian.forget();
        }
        found
    }

    /// Solves a stage from the guess x, which becomes the solution.
    ///
    /// # Errors
    /// The iteration does not converge, or reaches numbers that are not finite.
    pub fn solve(&mut self, stage: Stage, r: &[f64], x: &mut [f64], f: &mut RightHandSide) -> Result<(), StepFailure> {
        let Stage { h, accuracy, .. } = stage;
        for scratch in [&mut self.rates, &mut self.change, &mut self.next, &mut self.next_change] {
            scratch.resize(x.len(), 0.0);
        }
        f.statistics.solves += 1;
        let mut change = std::mem::take(&mut self.change);
        let mut next = std::mem::take(&mut self.next);
        let mut next_change = std::mem::take(&mut self.next_change);
        let found = self.iterate(
            stage,
            r,
            Iterate { x, change: &mut change },
            Iterate { x: &mut next, change: &mut next_change },
            f,
        );
        (self.change, self.next, self.next_change) = (change, next, next_change);
        match found? {
            left if left <= REMAINING_ERROR_RATIO * accuracy => Ok(()),
            _ => Err(StepFailure::NotConverged { h }),
        }
    }

    /// Iterates from `here`, which becomes the solution; returns the remaining error.
    fn iterate(
        &mut self,
        stage: Stage,
        r: &[f64],
        here: Iterate<'_>,
        next: Iterate<'_>,
        f: &mut RightHandSide,
    ) -> Result<f64, StepFailure> {
        let Stage { h, accuracy, .. } = stage;
        let (Iterate { x, change }, Iterate { x: next, change: next_change }) = (here, next);
        self.change_at(stage, r, x, change, f)?;
        // True if the Jacobian is that at x.
        let (mut is_here, mut jacobians) = (false, 0);
        // Remaining error where only momenta are not balanced.
        let (mut settled, mut for_momentum) = (None, 0);
        for _ in 0..MAX_ITERATIONS {
            let size = f.size(h, change);
            if !size.is_finite() {
                break;
            }
            if size <= ROUNDING * f.size(h, x).max(1.0) {
                add(x, 1.0, change);
                return Ok(0.0);
            }
            let mut part = 1.0;
            let rate = loop {
                next.copy_from_slice(x);
                add(next, part, change);
                let rate = match self.change_at(stage, r, next, next_change, f) {
                    Ok(()) => f.size(h, next_change) / size,
                    Err(failure) if !is_here || part <= MIN_DAMPING_FACTOR => return Err(failure),
                    Err(_) => f64::INFINITY,
                };
                // Not-a-number does not contract.
                let contracts = rate < if is_here { 1.0 - 0.25 * part } else { MAX_CONTRACTION_RATE }; // method
                if contracts || !is_here || part <= MIN_DAMPING_FACTOR {
                    break rate;
                }
                part *= 0.5;
            };
            let contracted = part == 1.0 && rate < MAX_CONTRACTION_RATE;
            if settled.is_none() && contracted {
                self.slowest = self.slowest.max(rate);
                let mut left = rate / (1.0 - rate) * rate * size;
                if !is_here {
                    self.left_of_each(x, change, next_change, CHANGE_TOLERANCE * accuracy);
                    left = left.max(f.size(h, &self.rates));
                }
                settled = Some(left).filter(|left| *left <= REMAINING_ERROR_RATIO * accuracy);
            }
            if let Some(left) = settled {
                if !contracted {
                    add(x, 1.0, change);
                    return Ok(left);
                }
                x.copy_from_slice(next);
                change.copy_from_slice(next_change);
                let balanced = rate * self.unbalanced <= REMAINING_MOMENTUM_RATIO;
                if balanced || for_momentum == MAX_MOMENTUM_ITERATIONS {
                    add(x, 1.0, change);
                    return Ok(left);
                }
                for_momentum += 1;
                continue;
            }
            let contracts = rate < 1.0 - 0.25 * part; // method
            if contracts {
                x.copy_from_slice(next);
                change.copy_from_slice(next_change);
            }
            if part == 1.0 && rate <= STALE_CONTRACTION_RATE {
                is_here = false;
                continue;
            }
            if !self.persists {
                // It converges, slowly.
                if contracts && rate < 0.5 {
                    continue;
                }
                break;
            }
            if jacobians == MAX_JACOBIANS || is_here && !contracts {
                break;
            }
            jacobians += 1;
            self.renew(stage, r, x, change, f)?;
            is_here = true;
        }
        Ok(f64::INFINITY)
    }

    /// Writes to `rates` the remaining error of each number of x, by its own rate of contraction from one `change` to
    /// the `next`; zero for changes less than `least`.
    fn left_of_each(&mut self, x: &[f64], change: &[f64], next: &[f64], least: f64) {
        let numbers = x.iter().zip(change).zip(next);
        for (left, ((x, change), next)) in self.rates.iter_mut().zip(numbers) {
            let rate = next.abs() / change.abs();
            *left = match next.abs() {
                small if small <= least.max(ROUNDING * x.abs().max(1.0)) => 0.0,
                _ if rate < MAX_CONTRACTION_RATE => rate / (1.0 - rate) * next.abs(),
                _ => f64::INFINITY,
            };
        }
    }

    /// Evaluates the Jacobian at x, and by it the change there.
    fn renew(
        &mut self,
        stage: Stage,
        r: &[f64],
        x: &[f64],
        change: &mut [f64],
        f: &mut RightHandSide,
    ) -> Result<(), StepFailure> {
        let mut here = std::mem::take(&mut self.here);
        here.time = stage.time;
        here.continuous.copy_from_slice(x);
        let mut rates = std::mem::take(&mut self.rates);
        self.moved = true;
        let found = f.evaluate(stage.time, x, &mut rates).and_then(|()| self.jacobian.evaluate(&here, &rates, f));
        (self.here, self.rates) = (here, rates);
        found?;
        self.change_at(stage, r, x, change, f)
    }

    /// Writes the Newton change at x.
    fn change_at(
        &mut self,
        stage: Stage,
        r: &[f64],
        x: &[f64],
        change: &mut [f64],
        f: &mut RightHandSide,
    ) -> Result<(), StepFailure> {
        f.statistics.solver_iterations += 1;
        f.evaluate(stage.time, x, &mut self.rates)?;
        for (i, change) in change.iter_mut().enumerate() {
            *change = r[i] + stage.s * self.rates[i] - x[i];
        }
        self.unbalanced = f.unbalanced(stage.s, change);
        self.jacobian.solve(stage.which, stage.s, change, f.statistics);
        Ok(())
    }

    /// Solves `(I - s J) y = x` in place.
    pub fn filter(&mut self, s: f64, which: usize, x: &mut [f64], statistics: &mut Statistics) {
        self.jacobian.solve(which, s, x, statistics);
    }
}

impl Kept for Newton {
    /// Keeps the Jacobian for the next step if it served this one well.
    fn accept(&mut self) {
        let savable = |at: &State| at.discrete.iter().all(|x| x.is_finite());
        if self.slowest > STALE_CONTRACTION_RATE || !self.jacobian.at().is_some_and(savable) {
            self.jacobian.forget();
        }
    }

    fn linearized_at(&self) -> Option<&State> {
        self.recalled.as_ref().or(self.jacobian.at())
    }

    fn recall(&mut self, at: Option<&State>) {
        self.recalled = at.cloned();
        self.jacobian.forget();
    }
}

/// `x += part change`
fn add(x: &mut [f64], part: f64, change: &[f64]) {
    x.iter_mut().zip(change).for_each(|(x, change)| *x += part * change);
}
