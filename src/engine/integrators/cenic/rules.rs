//! THE list of rules of the step, in their order.
//!
//! A rule bounds a step before it is tried, or judges an attempt that error control would accept. Each has a file of
//! its own and can be switched off for experiments (`simulation: {rules: {energy: off}}`). Error control itself, which
//! rejects inaccurate attempts, is not a rule. The names of all rules are in [`Rule`]: some act within an attempt
//! (deferred contacts, extrapolation, refinement, the onset of friction) and free motion in place of one; those below
//! bound steps or judge them.

#[doc(hidden)]
pub mod energy;
mod growth;
mod oscillation;
mod rebound;
mod sweep;
#[doc(hidden)]
pub mod transition;
mod trial;

use super::tuning::CenicTuning;
use crate::integrators::StepControl;
use crate::integrators::rule::{Rule, RuleSwitches};
use energy::EnergyBudget;
use transition::Transitions;
pub(super) use trial::{Again, NextState, StepStart, Trial, Verdict};

/// Longest step \[s\] from a prepared point that a rule allows.
type Bound = fn(&mut StepStart<'_>) -> f64;

/// Verdict of a rule on an attempt.
type Judge = fn(&mut Trial<'_>) -> Verdict;

/// Rules that bound a step.
const BOUNDS: &[(Rule, Bound)] = &[
    (Rule::Rebound, rebound::bound),
    (Rule::Sweep, sweep::bound),
    (Rule::Growth, growth::bound),
    (Rule::Oscillation, oscillation::bound),
];

/// Rules that judge an attempt that error control would accept.
const JUDGES: &[(Rule, Judge)] =
    &[(Rule::Transition, transition::judge), (Rule::Growth, growth::judge), (Rule::Energy, energy::judge)];

/// Longest step \[s\] that the rules allow from `start`.
pub(super) fn bound(start: &mut StepStart<'_>) -> f64 {
    let on = start.rules.on;
    let bounds = BOUNDS.iter().filter(|(rule, _)| on.has(*rule));
    bounds.map(|(_, bound)| bound(start)).fold(f64::INFINITY, f64::min)
}

/// First rule that asks for another attempt, with its request.
pub(super) fn judge(trial: &mut Trial<'_>) -> Option<(Rule, Again)> {
    let on = trial.rules.on;
    let mut judges = JUDGES.iter().filter(|(rule, _)| on.has(*rule));
    judges.find_map(|(rule, judge)| match judge(trial) {
        Verdict::Accept => None,
        Verdict::Again(again) => Some((*rule, again)),
    })
}

/// Switches of the rules, and the memory of those that have one.
#[derive(Clone, Debug, Default)]
pub(super) struct Rules {
    /// Rules that are switched on.
    pub on: RuleSwitches,
    pub transition: Transitions,
    pub energy: EnergyBudget,
    /// Longest step from where the last one was proposed \[s\], if growth bounds it.
    growth: Option<f64>,
}

impl Rules {
    /// Sets the numbers of the step.
    pub fn tune(&mut self, tuning: &CenicTuning) {
        (self.transition.tuning, self.energy.tuning) = (*tuning, *tuning);
    }

    /// Begins a step from `time` \[s\]. Returns the longest one \[s\], with `remaining` \[s\] to the limit.
    pub fn begin(&mut self, time: f64, remaining: f64) -> f64 {
        self.growth = None;
        if self.on.has(Rule::Energy) {
            self.energy.begin(time);
        }
        if self.on.has(Rule::Transition) { self.transition.begin(time, remaining) } else { remaining }
    }

    /// Notes that a step of length `h` \[s\] was accepted.
    pub fn accepted(&mut self, h: f64, control: &mut StepControl) {
        if self.on.has(Rule::Transition) {
            self.transition.accepted(h);
        }
        if self.on.has(Rule::Energy) {
            control.limit(|wanted| self.energy.next_step(h, wanted));
        }
    }

    /// Notes that a step of free motion was accepted in place of `steps` others.
    pub fn moved_freely(&mut self, steps: f64) {
        if self.on.has(Rule::Transition) {
            self.transition.moved_freely(steps);
        }
    }
}
