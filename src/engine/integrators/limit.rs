//! Limits of steps: how far they are, and where a step ends that goes there.

use super::IntegratorError;
use kinegraph_core::port::simultaneous;
use kinegraph_diagram::{Diagram, State};

/// Whether `state` is one of `diagram`.
pub(crate) fn check_state(diagram: &Diagram, state: &State) -> Result<(), IntegratorError> {
    let (continuous, discrete) = (state.continuous.len(), state.discrete.len());
    let (continuous_width, discrete_width) = (diagram.state_width(), diagram.discrete_width());
    if (continuous, discrete) == (continuous_width, discrete_width) {
        return Ok(());
    }
    Err(IntegratorError::ForeignState { continuous, discrete, continuous_width, discrete_width })
}

/// The time \[s\] that remains from `state`, one of `diagram`, to `limit`; `None` at the limit.
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

/// Where steps lead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    /// The time at which they end \[s\].
    pub limit: f64,
    /// The time to it, from the state \[s\].
    pub remaining: f64,
}

impl Goal {
    /// Where a step of length `h` from `time` ends, and whether that is the limit.
    pub fn end_of_step(self, time: f64, h: f64) -> (f64, bool) {
        end_of_step(time, h, self.remaining, self.limit)
    }
}

/// Where a step of length `h` from `time` ends, and whether that is the limit, with `remaining` \[s\] to it. An end
/// that only rounding keeps from the limit is the limit: what happens there must not be passed over.
pub fn end_of_step(time: f64, h: f64, remaining: f64, limit: f64) -> (f64, bool) {
    let end = time + h;
    if h >= remaining || limit - end <= simultaneous(limit) { (limit, true) } else { (end, false) }
}
