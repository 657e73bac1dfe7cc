//! Conditions at inputs: logical signals, and counts of triggers.

use kinegraph_core::logic::{self, TRUE_ABOVE, due};
use kinegraph_core::{Context, Fixed, In, Scalar};

/// True if the signal at `input` is true.
pub(super) fn is_true<S: Scalar>(ctx: &Context<S>, input: In<Fixed<1>>) -> bool {
    logic::is_true(ctx.get(input)[0].value())
}

/// Distance of the signal from the level, for edges.
pub(super) fn above(ctx: &Context<f64>, input: In<Fixed<1>>) -> f64 {
    ctx.get(input)[0] - TRUE_ABOVE
}

/// The truth that `state` holds, or that of the signal before one is held.
pub(super) fn held<S: Scalar>(state: f64, ctx: &Context<S>, input: In<Fixed<1>>) -> bool {
    logic::held(state).unwrap_or_else(|| is_true(ctx, input))
}

/// Witness function of a signal whose truth may be another than the one that is held.
pub(super) fn truth_due(state: f64, ctx: &Context<f64>, input: In<Fixed<1>>) -> f64 {
    due(is_true(ctx, input) != held(state, ctx, input), above(ctx, input))
}

/// Witness function of a count that may be another than the one that is held.
pub(super) fn count_due(count: f64, ctx: &Context<f64>, input: In<Fixed<1>>) -> f64 {
    let behind = ctx.get(input)[0] - count;
    due(behind != 0.0, behind)
}
