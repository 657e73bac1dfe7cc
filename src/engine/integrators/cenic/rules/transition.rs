//! Asks for a shorter step where one crosses a transition: see `transitions.rs`.

use super::trial::{Again, Trial, Verdict};
use crate::integrators::Outcome;
use crate::integrators::cenic::attempt::Doubling;

/// Asks for a shorter step where one crosses a transition that is to be found.
pub(super) fn judge(trial: &mut Trial<'_>) -> Verdict {
    let (crossed, control) = (trial.scheme.doubling().is_some_and(Doubling::crosses), trial.control);
    let wanted = control.memory().wanted.filter(|_| control.was_cut()).unwrap_or(trial.h);
    let transitions = &mut trial.rules.transition;
    match transitions.shorten(trial.state.time, trial.h, crossed, control.accuracy, wanted) {
        Some(longest) => Verdict::Again(Again { longest, outcome: Outcome::Transition, wanted: false }),
        None => {
            trial.left = transitions.longest_in_search(trial.end, trial.left);
            Verdict::Accept
        }
    }
}
