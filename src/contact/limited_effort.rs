//! Feedback on one velocity with an effort limit, as a problem has it.

use super::elements::Element;
use kinegraph_systems::Scalar;

/// The effort `clamp(bias - gain v, -limit, limit)`, gain >= 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimitedEffort {
    /// The velocity it acts on and reacts to.
    pub velocity: usize,
    /// Gain at this step length \[N s/m, N m s/rad\].
    pub gain: f64,
    /// Effort at zero velocity \[N, N m\].
    pub bias: f64,
    /// The limit \[N, N m\].
    pub limit: f64,
}

impl Element for LimitedEffort {
    // Where free motion begins the law of the step tells of limits.
    const LEAVES_MOTION_FREE: bool = true;

    fn velocity(&self) -> usize {
        self.velocity
    }
}

impl LimitedEffort {
    /// The effort at velocity `v`.
    #[inline]
    pub fn effort<S: Scalar>(&self, v: S) -> S {
        let y = S::constant(self.bias) - S::constant(self.gain) * v;
        if y.value() > self.limit {
            S::constant(self.limit)
        } else if y.value() < -self.limit {
            S::constant(-self.limit)
        } else {
            y
        }
    }
}
