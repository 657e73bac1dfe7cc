//! Where the smooth pieces of the motion meet (a touch-down, a lift-off, the onset of sliding), steps are cut.
//!
//! A step across such a point is of first order only, whatever is done with its end, and errs by the change of force
//! times the square of its length; the error of positions hardly shows it. Cutting the step so that a short one crosses
//! the point makes that error small. The interval that holds the point is halved until it is a part `1/RESOLUTION` of
//! the step that met it, and less at tight accuracies: what is left is an error of the velocity, the change of force
//! times the length of the step that crosses, while steps are as long as the root of the accuracy. That costs some
//! attempts and some short steps, so it draws on a budget: every accepted step pays in a little. Scenes with few
//! transitions (a bouncing body, a grasp, a walk) have all of them located; in a heap of bodies, where every step
//! crosses several, the extra work stays a small part of the whole.

use serde::{Deserialize, Serialize};

/// The step that crosses a transition is this many times shorter than the one that met it, at the accuracy `COARSE`.
const RESOLUTION: f64 = 16.0;
const COARSE: f64 = 1e-3;
/// What an accepted step pays in, in attempts.
const PAID_IN: f64 = 0.125;
/// What a search may cost: it begins only with so much in the budget.
const COST: f64 = 8.0;
/// What a run begins with, and what the budget never exceeds.
const FIRST_BUDGET: f64 = 3.0 * COST;
const LARGEST_BUDGET: f64 = 6.0 * COST;

/// The search for transitions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Transitions {
    budget: f64,
    /// The time before which the transition in search is known to lie, and the length of the step to cross it.
    search: Option<(f64, f64)>,
}

impl Default for Transitions {
    fn default() -> Self {
        Transitions { budget: FIRST_BUDGET, search: None }
    }
}

impl Transitions {
    /// How far to step from `time` at most, with `remaining` \[s\] to the limit.
    pub fn longest_step(&mut self, time: f64, remaining: f64) -> f64 {
        let Some((until, crossing)) = self.search else { return remaining };
        let left = until - time;
        if left <= 0.0 {
            self.search = None;
            return remaining;
        }
        remaining.min(if left > 1.5 * crossing { 0.5 * left } else { left.max(crossing) })
    }

    /// Whether to repeat a step of length `h` from `time`, accurate enough, with a shorter one; `crossed`: it crosses a
    /// transition, that is to be found to `accuracy`.
    pub fn shorten(&mut self, time: f64, h: f64, crossed: bool, accuracy: f64) -> Option<f64> {
        if !crossed {
            return None;
        }
        let crossing = match self.search {
            Some((_, crossing)) => crossing,
            None if self.budget >= COST => h / (RESOLUTION * (COARSE / accuracy).sqrt().max(1.0)),
            None => return None,
        };
        if h <= 1.01 * crossing {
            self.search = None;
            return None;
        }
        self.search = Some((time + h, crossing));
        self.budget -= 1.0;
        Some(0.5 * h)
    }

    /// A step of free motion was accepted, in place of so many others: it pays in what they would have.
    pub fn coasted(&mut self, steps: f64) {
        self.budget = (self.budget + PAID_IN * steps).clamp(0.0, LARGEST_BUDGET);
    }

    /// A step was accepted.
    pub fn accepted(&mut self) {
        let cost = if self.search.is_some() { 1.0 } else { 0.0 };
        self.budget = (self.budget + PAID_IN - cost).clamp(0.0, LARGEST_BUDGET);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps of length 1 that wish to cross a transition at `at`: the accepted steps, and how many attempts were
    /// repeated.
    fn run(transitions: &mut Transitions, at: f64, until: f64) -> (Vec<(f64, f64)>, usize) {
        let (mut time, mut steps, mut repeated) = (0.0, Vec::new(), 0);
        while time < until {
            let mut h = transitions.longest_step(time, 1.0);
            while let Some(shorter) = transitions.shorten(time, h, time < at && at <= time + h, COARSE) {
                h = shorter;
                repeated += 1;
            }
            transitions.accepted();
            steps.push((time, h));
            time += h;
        }
        (steps, repeated)
    }

    #[test]
    fn a_transition_is_crossed_by_a_short_step() {
        for at in [3.01, 3.3, 3.7, 3.99, 4.0] {
            let (steps, repeated) = run(&mut Transitions::default(), at, 6.0);
            let &(_, h) = steps.iter().find(|(t, h)| *t < at && at <= t + h).expect("it is crossed");
            assert!(h <= 1.6 / RESOLUTION, "{at}: {h}");
            assert!(repeated + steps.len() <= 6 + COST as usize + 2, "{at}: {repeated} {steps:?}");
            assert!(steps.iter().all(|&(t, h)| h == 1.0 || (t - at).abs() < 2.0));
        }
    }

    #[test]
    fn in_a_heap_of_transitions_the_extra_work_is_bounded() {
        let mut transitions = Transitions::default();
        let (mut time, mut attempts, mut accepted) = (0.0, 0, 0);
        while time < 1000.0 {
            let mut h = transitions.longest_step(time, 1.0);
            attempts += 1;
            while let Some(shorter) = transitions.shorten(time, h, true, COARSE) {
                h = shorter;
                attempts += 1;
            }
            transitions.accepted();
            accepted += 1;
            time += h;
        }
        assert!(f64::from(attempts) < 1.2 * 1000.0 + LARGEST_BUDGET, "{attempts} attempts, {accepted} accepted");
    }
}
