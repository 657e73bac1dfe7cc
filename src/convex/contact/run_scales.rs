//! Scales of a run that laws use besides the length of a step.

use crate::choices::run_scales::MAX_STEP;
use kinegraph_core::convex::Coordinate;

/// Scales of a run that laws use besides the length of a step. Laws have none of their own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunScales {
    /// Largest step \[s\]; of a run with steps of fixed length, that length.
    pub max_step: f64,
    /// Angle of a hinge that counts as 1 m does \[rad\].
    pub angle: f64,
    /// Angle of a free body or a ball joint that counts as 1 m does \[rad\].
    pub spin: f64,
}

impl RunScales {
    /// Displacement of a coordinate of this kind that counts as 1 m does \[m, rad\].
    pub fn unit(&self, kind: Coordinate) -> f64 {
        match kind {
            Coordinate::Length => 1.0,
            Coordinate::Angle => self.angle,
            Coordinate::Spin => self.spin,
        }
    }
}

impl Default for RunScales {
    /// Scales of the default options: a radian counts as a metre.
    fn default() -> Self {
        RunScales { max_step: MAX_STEP, angle: 1.0, spin: 1.0 }
    }
}
