//! THE list of rules of the step, in their order.
//!
//! A rule bounds a step before it is tried, or judges an attempt that error control would accept. Each has a file of
//! its own and can be switched off for experiments (`simulation: {rules: {energy: off}}`). Error control itself, which
//! rejects inaccurate attempts, is not a rule. The names of all rules are in [`Rule`]: some act within an attempt
//! (deferred contacts, extrapolation, refinement, the onset of friction) and free motion in place of one; those below
//! bound steps or judge them.

mod energy;
#[doc(hidden)]
pub mod energy_budget;
mod growth;
mod memory;
mod oscillation;
mod rebound;
mod sweep;
mod transition;
#[doc(hidden)]
pub mod transitions;
mod trial;

use crate::integrators::rule::Rule;
pub(super) use memory::Rules;
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
