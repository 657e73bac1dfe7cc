//! Near-rigid regularization of joint limits.
//!
//! A constraint with violation g0 gets the impulse of an implicit, critically damped spring whose period is a fraction
//! beta of the step: `gamma = (v_hat - v)/R`, `v_hat = -g0/(dt + tau)`. For steps below a thousandth of the largest the
//! stiffness saturates, so that tiny steps do not make the constraint effectively rigid and stall error control.

use crate::choices::near_rigid::{BETA, MAX_STEP_RATIO};
use std::f64::consts::PI;

/// Regularization of one scalar constraint at one step length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearRigid {
    /// Compliance \[1/kg\] such that the impulse is `(v_hat - v)/regularization`.
    pub regularization: f64,
    /// Dissipation time scale \[s\].
    pub dissipation_time: f64,
}

impl NearRigid {
    /// Regularization for a step `dt`, the constraint's effective inverse mass `delassus` and the largest step of the
    /// run.
    pub fn new(dt: f64, delassus: f64, max_step: f64) -> Self {
        let effective = Self::effective_step(dt, max_step);
        let tau = BETA * effective / PI;
        let regularization = (BETA * effective).powi(2) * delassus / (4.0 * PI * PI * dt * (dt + tau)); // formula
        NearRigid { regularization, dissipation_time: tau }
    }

    /// Length \[s\] of the step that determines the stiffness in a step `dt`.
    pub fn effective_step(dt: f64, max_step: f64) -> f64 {
        dt.max(max_step / MAX_STEP_RATIO)
    }

    /// Velocity that removes the violation `g0` within the step.
    pub fn target_velocity(&self, dt: f64, g0: f64) -> f64 {
        -g0 / (dt + self.dissipation_time)
    }
}
