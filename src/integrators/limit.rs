//! Limits of steps: how far they are, and where a step ends that goes there.

use super::IntegratorError;
use crate::diagram::{Diagram, State};
use crate::systems::port::simultaneous;

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
pub(super) fn end_of_step(time: f64, h: f64, remaining: f64, limit: f64) -> (f64, bool) {
    let end = time + h;
    if h >= remaining || limit - end <= simultaneous(limit) { (limit, true) } else { (end, false) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_ends_at_the_limit_but_for_rounding_has_reached_it() {
        let limit = 0.30000000000000004;
        // 0.2 + 0.1 is the limit, though 0.1 is less than what remains; 0.7 + 0.1 falls short of 0.8 by one bit.
        assert_eq!(end_of_step(0.2, 0.1, limit - 0.2, limit), (limit, true));
        assert_eq!(end_of_step(0.7000000000000001, 0.09999999999999987, 0.8 - 0.7000000000000001, 0.8), (0.8, true));
        assert_eq!(end_of_step(0.2, 0.0999, limit - 0.2, limit), (0.2 + 0.0999, false));
    }
}
