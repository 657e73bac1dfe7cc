//! Switches of the rules of the step, and the memory of those that have one.

use super::energy_budget::EnergyBudget;
use super::transitions::Transitions;
use crate::integrators::StepControl;
use crate::integrators::rule::{Rule, RuleSwitches};
use crate::integrators::tuning::CenicTuning;

/// Switches of the rules, and the memory of those that have one.
#[derive(Clone, Debug, Default)]
pub(in crate::integrators::cenic) struct Rules {
    /// Rules that are switched on.
    pub on: RuleSwitches,
    pub transition: Transitions,
    pub energy: EnergyBudget,
    /// Longest step from where the last one was proposed \[s\], if growth bounds it.
    pub growth: Option<f64>,
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
