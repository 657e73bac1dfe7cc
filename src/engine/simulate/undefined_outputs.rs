//! Steps that fail because a value is not finite: finds the output at which that begins.

use super::run_error::RunError;
use super::{Sampler, StepSeen};
use crate::integrators::{Integrator, IntegratorError, StepFailure};
use kinegraph_diagram::{Diagram, State};

/// First distance of the outputs that are checked ahead, in multiples of the rounding of the time, the factor to the
/// next, and their number.
const AHEAD: f64 = 4.0;
const FARTHER: f64 = 10.0;
const LOOKS: i32 = 14;

/// Adds to a step that failed after `state` on a value that is not finite the first output that is not finite there.
pub(super) fn named(diagram: &Diagram, state: &State, integrator: &dyn Integrator, mut error: RunError) -> RunError {
    use IntegratorError::{FixedStepFailed, StepTooSmall};
    if let RunError::Integrator(
        StepTooSmall { last: Some(StepFailure::NotFinite { what }), .. }
        | FixedStepFailed { failure: StepFailure::NotFinite { what }, .. },
    ) = &mut error
        && let Some(output) = undefined_output(diagram, state, integrator)
        && !output.contains(what.as_str())
    {
        *what = format!("{what} (where it begins: {output})");
    }
    error
}

/// First output that is not finite at `state` or just after it, with its value, in words. The motion continues there as
/// in the last step.
fn undefined_output(diagram: &Diagram, state: &State, integrator: &dyn Integrator) -> Option<String> {
    let mut sampler = Sampler::watching(diagram, &[]);
    let mut at = state.clone();
    let mut before = Vec::new();
    let least = AHEAD * f64::EPSILON * state.time.abs().max(1.0);
    let ahead = std::iter::once(0.0).chain((0..LOOKS).map(|k| least * FARTHER.powi(k)));
    for ahead in ahead {
        integrator.dense().evaluate(state.time - ahead, &mut before);
        at.time = state.time + ahead;
        if before.len() == state.continuous.len() {
            at.continuous.clear();
            at.continuous.extend(state.continuous.iter().zip(&before).map(|(x, before)| 2.0 * x - before));
        }
        if let Err(RunError::NotFinite { what, value, .. }) =
            sampler.sample_step(&at, StepSeen::from(&[][..])).check(true)
        {
            return Some(format!("{what} is {value}"));
        }
    }
    None
}
