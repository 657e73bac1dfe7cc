//! Cuts steps where smooth pieces of the motion meet (a touch-down, a lift-off, the onset of sliding).
//!
//! A step across such a point is of first order only, whatever is done with its end, and errs by the change of force
//! times the square of its length; the error of positions hardly shows it. Cutting the step so that a short one crosses
//! the point makes that error small. The interval that holds the point is halved until it is the part
//! `sqrt(accuracy)/resolution` of the step that met it. The remaining error is one of velocity: the change of force
//! times the length of the step that crosses. A search costs some attempts and some short steps, so it draws on a
//! budget, into which every accepted step pays a little. Scenes with few transitions (a bouncing body, a grasp, a walk)
//! have all of them located; in a heap of bodies, where every step crosses several, the extra work stays a small part
//! of the whole.

use crate::choices::transition::{CROSSING_MARGIN, HALVED_FROM, STEPS_PER_ATTEMPT};
use crate::integrators::memory::TransitionMemory;
use crate::integrators::tuning::CenicTuning;

/// The search for transitions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Transitions {
    pub memory: TransitionMemory,
    pub tuning: CenicTuning,
    /// Part of the full search budget that is used, from 0 to 1.
    share: f64,
}

impl Transitions {
    /// Sets the budget for `accuracy`: at loose ones a search is expensive beside the few steps of a run.
    pub fn search_to(&mut self, accuracy: f64) {
        self.share = (self.tuning.loosest_search / accuracy - 1.0).clamp(0.0, 1.0);
    }

    /// Largest budget \[attempts\].
    pub fn largest(&self) -> f64 {
        self.share * self.tuning.searches * self.tuning.search_cost
    }

    fn budget(&self) -> f64 {
        self.memory.budget.unwrap_or(0.5 * self.largest())
    }

    /// Changes the budget by the payment of `steps` accepted steps, less a cost \[attempts\].
    fn pay_in(&mut self, steps: f64, cost: f64) {
        let budget = self.budget() + steps / STEPS_PER_ATTEMPT - cost;
        self.memory.budget = Some(budget.clamp(0.0, self.largest()));
    }

    /// Begins a step from `time`: ends the search for a transition that lies behind. Returns the longest step \[s\],
    /// with `remaining` \[s\] to the limit.
    pub fn begin(&mut self, time: f64, remaining: f64) -> f64 {
        if self.memory.search.is_some_and(|(until, _)| until - time <= 0.0) {
            self.memory.search = None;
        }
        self.longest_in_search(time, remaining)
    }

    /// Longest step \[s\] from `time`, with `remaining` \[s\] to the limit.
    pub fn longest_in_search(&self, time: f64, remaining: f64) -> f64 {
        let Some((until, crossing)) = self.memory.search else { return remaining };
        let left = until - time;
        if left <= 0.0 {
            return remaining;
        }
        remaining.min(if left > HALVED_FROM * crossing { 0.5 * left } else { left.max(crossing) })
    }

    /// Longest step that may cross the transition that is searched for \[s\].
    pub fn longest_crossing(&self) -> Option<f64> {
        self.memory.search.map(|(_, crossing)| longest(crossing))
    }

    /// Returns a shorter length \[s\] if a step of length `h` from `time`, accurate enough, is to be repeated.
    /// `crossed`: it crosses a transition, which is to be found to `accuracy`. A step that a limit cuts below the
    /// `wanted` length is searched no finer than the step before it.
    pub fn shorten(&mut self, time: f64, h: f64, crossed: bool, accuracy: f64, wanted: f64) -> Option<f64> {
        if !crossed {
            return None;
        }
        let CenicTuning { resolution, search_cost, .. } = self.tuning;
        let crossing = match self.memory.search {
            Some((_, crossing)) => crossing,
            None if self.budget() >= search_cost => {
                let before = self.memory.last.unwrap_or(h).min(wanted);
                h.max(before) * accuracy.sqrt() / resolution
            }
            None => return None,
        };
        if h <= longest(crossing) {
            self.memory.search = None;
            return None;
        }
        self.memory.search = Some((time + h, crossing));
        self.memory.budget = Some(self.budget() - 1.0);
        Some(0.5 * h)
    }

    /// Notes that a step of length `h` was accepted.
    pub fn accepted(&mut self, h: f64) {
        self.memory.last = Some(h);
        let cost = if self.memory.search.is_some() { 1.0 } else { 0.0 };
        self.pay_in(1.0, cost);
    }

    /// Notes that a step of free motion was accepted: pays in the share of the `steps` that it replaced.
    pub fn moved_freely(&mut self, steps: f64) {
        self.pay_in(steps, 0.0);
    }
}

/// Longest step that may cross a transition to be resolved to `crossing`, with a margin for rounding \[s\].
fn longest(crossing: f64) -> f64 {
    CROSSING_MARGIN * crossing
}
