//! Feedback with an effort limit: `tau(v) = clamp(b - K v, -e, e)` on one degree of freedom, K >= 0.
//!
//! The potential is the antiderivative of `-dt tau(v)`, convex and continuously differentiable; its constant is chosen
//! so that the cost is zero at v = 0 within the limits, which keeps it free of the large term `b^2/(2K)`.

use kinegraph_systems::Scalar;

/// One limited degree of freedom within one solve.
#[derive(Clone, Copy, Debug)]
pub struct EffortLaw {
    /// Index of the velocity in the problem.
    pub velocity: usize,
    /// Feedback gain K at this step length \[N s/m, N m s/rad\].
    pub gain: f64,
    /// Effort at zero velocity, b.
    pub bias: f64,
    /// Effort limit e.
    pub limit: f64,
    /// Step length \[s\].
    pub dt: f64,
}

impl EffortLaw {
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

    /// The generalized impulse: minus the gradient of the cost.
    #[inline]
    pub fn impulse<S: Scalar>(&self, v: S) -> S {
        S::constant(self.dt) * self.effort(v)
    }

    /// Where the effort is at `v`: 0 within its limits, 1 at the upper, 2 at the lower.
    pub fn regime(&self, v: f64) -> u8 {
        let y = self.bias - self.gain * v;
        u8::from(y > self.limit) | u8::from(y < -self.limit) << 1
    }

    /// Second derivative of the cost.
    #[inline]
    pub fn hessian(&self, v: f64) -> f64 {
        if (self.bias - self.gain * v).abs() <= self.limit { self.dt * self.gain } else { 0.0 }
    }

    /// The potential \[J\].
    pub fn cost<S: Scalar>(&self, v: S) -> S {
        let (k, b, e) = (self.gain, self.bias, self.limit);
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
