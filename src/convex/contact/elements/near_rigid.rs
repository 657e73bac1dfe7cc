//! Near-rigid regularization of joint limits.
//!
//! A constraint with violation g0 gets the impulse of an implicit, critically damped spring whose period is a fraction
//! beta of the step: `gamma = (v_hat - v)/R`, `v_hat = -g0/(dt + tau)`. For steps below a thousandth of the largest the
//! stiffness saturates, so that tiny steps do not make the constraint effectively rigid and stall error control.

use std::f64::consts::PI;

/// Period of the regularized constraint relative to the step: a constraint yields to an impulse by a millionth of the
/// velocity that the impulse would make, `(beta/2 pi)²`. The reference has 0.1: then the load of a robot presses the
/// stop of a light leg in by as much as the accuracy in a long step, and by a quarter of that in one half as long.
pub const BETA: f64 = 2e-3 * PI;
/// The largest step over this is the step below which the stiffness of a constraint no longer grows.
pub const MAX_STEP_RATIO: f64 = 1e3;

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
        let regularization = (BETA * effective).powi(2) * delassus / (4.0 * PI * PI * dt * (dt + tau));
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
