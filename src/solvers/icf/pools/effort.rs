//! Feedback with an effort limit: `tau(v) = clamp(b - K v, -e, e)` on one degree of freedom, K >= 0.
//!
//! The potential is the antiderivative of `-dt tau(v)`, convex and continuously differentiable; its constant is chosen
//! so that the cost is zero at v = 0 within the limits, which keeps it free of the large term `b^2/(2K)`.

use super::VelocityLaw;
use crate::contact::{LimitedEffort, Problem};
use kinegraph_systems::Scalar;

/// One limited degree of freedom within one solve.
#[derive(Clone, Copy, Debug)]
pub struct EffortLaw {
    effort: LimitedEffort,
    /// Step length \[s\].
    dt: f64,
}

impl EffortLaw {
    /// The law of `effort` in a step of length `dt`.
    pub fn of(effort: &LimitedEffort, dt: f64) -> Self {
        EffortLaw { effort: *effort, dt }
    }
}

impl VelocityLaw for EffortLaw {
    type Data = LimitedEffort;
    const KIND: u64 = 3;
    const ONE_SIDED: bool = false;

    fn new(effort: &LimitedEffort, problem: &Problem) -> Self {
        EffortLaw::of(effort, problem.dt)
    }

    #[inline]
    fn impulse<S: Scalar>(&self, v: S) -> S {
        S::constant(self.dt) * self.effort.effort(v)
    }

    /// 0 within the limits, 1 at the upper, 2 at the lower.
    fn piece(&self, v: f64) -> u8 {
        let LimitedEffort { bias, gain, limit, .. } = self.effort;
        let y = bias - gain * v;
        u8::from(y > limit) | u8::from(y < -limit) << 1
    }

    #[inline]
    fn hessian(&self, v: f64) -> f64 {
        let LimitedEffort { bias, gain, limit, .. } = self.effort;
        if (bias - gain * v).abs() <= limit { self.dt * gain } else { 0.0 }
    }

    fn cost<S: Scalar>(&self, v: S) -> S {
        let LimitedEffort { gain: k, bias: b, limit: e, .. } = self.effort;
        let y = b - k * v.value();
        let within = |v: S| S::constant(0.5 * k) * v * v - S::constant(b) * v;
        let cost = if k == 0.0 || y.abs() <= e {
            if k == 0.0 { -S::constant(b.clamp(-e, e)) * v } else { within(v) }
        } else {
            // Beyond the edge velocity the cost goes on as a straight line.
            let bound = e.copysign(y);
            let edge = S::constant((b - bound) / k);
            within(edge) - S::constant(bound) * (v - edge)
        };
        S::constant(self.dt) * cost
    }
}
