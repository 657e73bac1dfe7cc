//! THE list of rules of the step, in their order.
//!
//! A rule bounds a step before it is tried, changes the kept end of an attempt, or judges it. Each has a file of its
//! own and can be switched off for experiments (`simulation: {rules: {energy: off}}`). Error control itself, which
//! rejects inaccurate attempts, is not a rule. The names of all rules are in [`Rule`](crate::integrators::Rule): some
//! act within an attempt (deferred contacts, extrapolation, refinement, the onset of friction) and free motion in place
//! of one; those below bound steps or judge them.

#[doc(hidden)]
pub mod energy;
mod growth;
mod oscillation;
mod rebound;
mod rule;
mod sweep;
#[doc(hidden)]
pub mod transition;

use super::scheme::Scheme;
use super::tuning::CenicTuning;
use crate::integrators::rule::RuleSwitches;
use energy::EnergyBudget;
use growth::Growth;
use oscillation::Oscillation;
use rebound::Rebound;
pub(super) use rule::{Again, Start, StepRule, Trial, Verdict};
use sweep::Sweep;
use transition::Transitions;

macro_rules! list {
    ($($vis:vis $rule:ident: $type:ty,)*) => {
        /// The rules with their memory.
        #[derive(Clone, Debug, Default)]
        pub(super) struct Rules {
            /// Rules that are switched on.
            pub on: RuleSwitches,
            $($vis $rule: $type,)*
        }

        impl Rules {
            /// Rules that bound or judge steps and are switched on, in their order.
            pub fn each<'a, S: Scheme + 'a>(&'a mut self) -> impl Iterator<Item = &'a mut dyn StepRule<S>> {
                let Rules { on, $($rule),* } = self;
                let on = *on;
                let all = [$($rule as &mut dyn StepRule<S>),*];
                all.into_iter().filter(move |rule| on.has(rule.rule()))
            }
        }
    };
}

list! {
    pub transition: Transitions,
    rebound: Rebound,
    sweep: Sweep,
    growth: Growth,
    oscillation: Oscillation,
    pub energy: EnergyBudget,
}

impl Rules {
    /// Sets the numbers of the step.
    pub fn tune(&mut self, tuning: &CenicTuning) {
        (self.transition.tuning, self.energy.tuning) = (*tuning, *tuning);
    }
}
