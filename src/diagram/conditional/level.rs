//! Logical signals: 0 and 1, true above a half.

use kinegraph_core::port::Crossing;
use kinegraph_core::{Context, Fixed, In};

/// Level above which a signal is true.
const TRUE_ABOVE: f64 = 0.5;
/// A truth that is not known before time zero: the signal of the moment decides.
pub(super) const UNKNOWN: f64 = -1.0;

/// True if the signal at `input` is true.
pub(super) fn is_true(ctx: &Context<f64>, input: In<Fixed<1>>) -> bool {
    ctx.get(input)[0] > TRUE_ABOVE
}

/// Distance of the signal from the level, for edges.
pub(super) fn above(ctx: &Context<f64>, input: In<Fixed<1>>) -> f64 {
    ctx.get(input)[0] - TRUE_ABOVE
}

/// A truth as a number of discrete state.
pub(super) fn number(truth: bool) -> f64 {
    f64::from(u8::from(truth))
}

/// The truth that is held, or that of `now` before one is.
pub(super) fn held(truth: f64, now: impl FnOnce() -> bool) -> bool {
    if truth == UNKNOWN { now() } else { truth > TRUE_ABOVE }
}

/// A number that is positive if `distance` belongs to another truth than the one that is held.
pub(super) fn due(is_other: bool, distance: f64) -> f64 {
    if is_other { distance.abs().max(f64::MIN_POSITIVE) } else { -distance.abs() }
}

/// True if a witness function that went from one value to another has crossed.
pub(super) fn crosses(crossing: Crossing, from: f64, to: f64) -> bool {
    let (rising, falling) = (from <= 0.0 && to > 0.0, from >= 0.0 && to < 0.0);
    match crossing {
        Crossing::Rising => rising,
        Crossing::Falling => falling,
        Crossing::Either => rising || falling,
    }
}
