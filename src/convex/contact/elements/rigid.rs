//! The spring that stands for what is rigid where there is no step.

use std::f64::consts::TAU;

/// Natural period of what stands for a rigid constraint or stop \[s\].
pub const RIGID_PERIOD: f64 = 1e-3;
/// The same as a rate \[1/s\].
pub const RIGID_RATE: f64 = TAU / RIGID_PERIOD;
