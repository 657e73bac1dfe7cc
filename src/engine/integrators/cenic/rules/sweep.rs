//! Bounds steps of turning bodies, so that they sweep over no contact unseen. The bound of each pair is found with its
//! contact point: see `contact/sweeps.rs`.

use super::trial::StepStart;

/// Longest step \[s\] in which turning bodies sweep over nothing unseen.
pub(super) fn bound(start: &mut StepStart<'_>) -> f64 {
    start.point.bounds.swept
}
