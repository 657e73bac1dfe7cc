//! Spring in place of a rigid element where there is no step.

use crate::choices::rigid::RIGID_PERIOD;
use std::f64::consts::TAU;

/// Natural frequency of that spring \[rad/s\].
pub const RIGID_RATE: f64 = TAU / RIGID_PERIOD;
