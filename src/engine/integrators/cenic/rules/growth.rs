//! Bounds steps by growing motion, which longer steps would damp: see `linearize/growth.rs`.

use super::trial::{Again, StepStart, Trial, Verdict};
use crate::integrators::Outcome;
use crate::linearize::GrowthRate;
use crate::linearize::growth::{least_rate, longest_step};

/// Longest step \[s\] that follows the fastest growth.
pub(super) fn bound(start: &mut StepStart<'_>) -> f64 {
    let h = start.h;
    let rate = start.method.growth_rate(start.point, least_rate(h), GrowthRate::of);
    let longest = longest_step(rate, h);
    start.rules.growth = (longest < h).then_some(longest);
    longest
}

/// Asks for a shorter step where growth allows less than the shortest bound that a proposed step may have.
pub(super) fn judge(trial: &mut Trial<'_>) -> Verdict {
    match trial.rules.growth.take() {
        Some(longest) if trial.h > longest => {
            Verdict::Again(Again { longest, outcome: Outcome::Inaccurate, wanted: true })
        }
        _ => Verdict::Accept,
    }
}
