//! Feedback with an effort limit: `tau(v) = clamp(b - K v, -e, e)` on one degree of freedom, K >= 0.
//!
//! The potential is the antiderivative of `-dt tau(v)`, convex and continuously differentiable; its constant is chosen
//! so that the cost is zero at v = 0 within the limits, which keeps it free of the large term `b^2/(2K)`.

use super::element::{Element, ForceContext, LawContext};
use super::report::Report;
use super::velocity_law::VelocityLaw;
use kinegraph_core::Scalar;
use kinegraph_core::convex::PlantStructure;

/// The effort `clamp(bias - gain v, -limit, limit)`, gain >= 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimitedEffort {
    /// Velocity that it acts on and depends on.
    pub velocity: usize,
    /// Gain at this step length \[N s/m, N m s/rad\].
    pub gain: f64,
    /// Effort at zero velocity \[N, N m\].
    pub bias: f64,
    /// The limit \[N, N m\].
    pub limit: f64,
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

impl Element for LimitedEffort {
    const NAME: &'static str = "limited effort";
    const KIND: &'static str = "limited_effort";
    const REPORT: Report = Report::Actuation;
    // Where free motion begins the law of the step knows the limits.
    const LEAVES_MOTION_FREE: bool = true;
    type Law = LimitedEffortLaw;

    // The law of the step makes them, of feedback that comes near a limit.
    fn velocities(structure: &PlantStructure, add: &mut dyn FnMut(usize)) {
        let limits = structure.effort_limits.iter().enumerate();
        limits.filter(|(_, limit)| limit.is_finite()).for_each(|(velocity, _)| add(velocity));
    }

    fn velocity(&self) -> usize {
        self.velocity
    }

    fn moved(self, _: f64) -> Self {
        self
    }

    fn force<S: Scalar>(&self, at: &ForceContext<S>) -> S {
        self.effort(at.velocity)
    }

    fn hinders_explicit(&self, _: f64, _: f64) -> bool {
        true
    }
}

/// One limited degree of freedom within one solve.
#[derive(Clone, Copy, Debug)]
pub struct LimitedEffortLaw {
    effort: LimitedEffort,
    /// Step length \[s\].
    dt: f64,
    /// True if the feedback within the limit is faster than the step: it holds the joint that the limit slowed down,
    /// and the velocity at the end does not show since when.
    is_fast: bool,
}

impl LimitedEffortLaw {
    /// The law of `effort` in a step of length `dt`.
    pub fn of(effort: &LimitedEffort, dt: f64) -> Self {
        LimitedEffortLaw { effort: *effort, dt, is_fast: false }
    }
}

impl VelocityLaw for LimitedEffortLaw {
    type Data = LimitedEffort;
    const KIND: u64 = 3;
    const ONE_SIDED: bool = false;

    fn new(effort: &LimitedEffort, context: &LawContext) -> Self {
        LimitedEffortLaw {
            is_fast: context.dt * effort.gain > context.inertia,
            ..LimitedEffortLaw::of(effort, context.dt)
        }
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

    /// Where an effort leaves its limit for feedback slower than the step, the velocity at the end shows the time of
    /// that.
    fn ends(&self, v0: f64, v: f64) -> bool {
        self.is_fast && self.piece(v0) != 0 && self.piece(v) != self.piece(v0)
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
            // Beyond the edge velocity the cost continues as a straight line.
            let bound = e.copysign(y);
            let edge = S::constant((b - bound) / k);
            within(edge) - S::constant(bound) * (v - edge)
        };
        S::constant(self.dt) * cost
    }
}
