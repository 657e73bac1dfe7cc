//! An attempt whose error will be far too large ends after the full step: one so large that half of the step, of which
//! the full step is solved next, would err too much as well.

use crate::integrators::cenic::scheme::Aim;
use crate::integrators::rule::Rule;
use crate::integrators::search::Estimate;
use crate::integrators::{Candidate, OneStep};

/// The error shrinks with this power of the step.
const ORDER: i32 = 2;

/// The estimate that rejects the full step of length `h` from `point` to `full`, if its error will be far too large;
/// that of what may have a `third` solution says nothing of it.
pub(in crate::integrators::cenic) fn judge_full_step<M: OneStep>(
    method: &mut M,
    point: &M::Point,
    h: f64,
    (full, third): (&Candidate, bool),
    aim: &Aim<'_>,
) -> Option<Estimate> {
    if !aim.on.has(Rule::EarlyRejection) {
        return None;
    }
    let (error, worst) = method.smooth()?.predicted_error(point, h, full, third);
    let half = 0.5_f64.powi(ORDER);
    let is_far = half * error > aim.accuracy;
    is_far.then_some(Estimate { error, worst, rule: Some(Rule::EarlyRejection), order: None })
}
