//! Spring in place of a rigid element where there is no step.

use std::f64::consts::TAU;

/// Natural period of the spring in place of a rigid constraint or stop \[s\].
pub const RIGID_PERIOD: f64 = 1e-3;
/// Natural frequency of that spring \[rad/s\].
pub const RIGID_RATE: f64 = TAU / RIGID_PERIOD;
