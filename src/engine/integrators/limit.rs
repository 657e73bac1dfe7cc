//! Limits of steps: the time to them, and the end of a step that reaches one.

use super::IntegratorError;
use kinegraph_core::port::simultaneous;
use kinegraph_diagram::{Diagram, State};

/// Checks that `state` belongs to `diagram`.
pub(crate) fn check_state(diagram: &Diagram, state: &State) -> Result<(), IntegratorError> {
    let (continuous, discrete) = (state.continuous.len(), state.discrete.len());
    let (continuous_width, discrete_width) = (diagram.state_width(), diagram.discrete_width());
    if (continuous, discrete) == (continuous_width, discrete_width) {
        return Ok(());
    }
    Err(IntegratorError::ForeignState { continuous, discrete, continuous_width, discrete_width })
}

/// Time \[s\] that remains from `state`, which belongs to `diagram`, to `limit`; `None` at the limit.
pub(super) fn remaining(diagram: &Diagram, state: &State, limit: f64) -> Result<Option<f64>, IntegratorError> {
    check_state(diagram, state)?;
    let remaining = limit - state.time;
    if remaining > 0.0 {
        Ok(Some(remaining))
    } else if remaining == 0.0 {
        Ok(None)
    } else {
        Err(IntegratorError::LimitBehind { time: state.time, limit })
    }
}

/// Limit of steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    /// Time of the limit \[s\].
    pub limit: f64,
    /// Time from the state to the limit \[s\].
    pub remaining: f64,
}

impl Goal {
    /// End of a step of length `h` from `time`, and whether it is the limit.
    pub fn end_of_step(self, time: f64, h: f64) -> (f64, bool) {
        end_of_step(time, h, self.remaining, self.limit)
    }
}

/// End of a step of length `h` from `time`, and whether it is the limit, with `remaining` \[s\] to it. An end that only
/// rounding keeps from the limit is the limit: an event there must not be skipped.
pub fn end_of_step(time: f64, h: f64, remaining: f64, limit: f64) -> (f64, bool) {
    let end = time + h;
    if h >= remaining || limit - end <= simultaneous(limit) { (limit, true) } else { (end, false) }
}
