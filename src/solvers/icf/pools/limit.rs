//! Joint limits: a one-sided quadratic potential per stop.
//!
//! Predictive: a stop acts when the joint would cross it within the step, `v < v_hat = (q_l - q0)/(dt + tau)`. A joint
//! that starts beyond its stop comes back at a bounded speed, `v_hat <= correction_speed`.

use crate::solvers::icf::NearRigid;
use kinegraph_systems::Scalar;

/// The two stops of one degree of freedom within one solve.
#[derive(Clone, Copy, Debug)]
pub struct LimitLaw {
    /// Index of the velocity in the problem.
    pub velocity: usize,
    /// Room to the lower stop at the start of the step, `q0 - q_l` (negative if violated).
    pub lower_gap: f64,
    /// Room to the upper stop, `q_u - q0`.
    pub upper_gap: f64,
    /// Inverse effective mass of the degree of freedom.
    pub delassus: f64,
    /// Largest speed at which a violated stop pushes back.
    pub correction_speed: f64,
    lower_target: f64,
    upper_target: f64,
    inverse_regularization: f64,
}

impl LimitLaw {
    /// The stops of velocity `velocity`, with `gaps` (lower, upper) at the start of the step.
    pub fn new(velocity: usize, gaps: (f64, f64), delassus: f64) -> Self {
        LimitLaw {
            velocity,
            lower_gap: gaps.0,
            upper_gap: gaps.1,
            delassus,
            correction_speed: f64::INFINITY,
            lower_target: f64::NEG_INFINITY,
            upper_target: f64::INFINITY,
            inverse_regularization: 0.0,
        }
    }

    /// Sets the step length.
    pub fn set_step(&mut self, dt: f64) {
        let rigid = NearRigid::new(dt, self.delassus);
        self.inverse_regularization = 1.0 / rigid.regularization;
        self.lower_target = rigid.target_velocity(dt, self.lower_gap).min(self.correction_speed);
        self.upper_target = -rigid.target_velocity(dt, self.upper_gap).min(self.correction_speed);
    }

    /// The potential \[J\].
    pub fn cost<S: Scalar>(&self, v: S) -> S {
        // Both stops can be violated at once only if the room is negative on both sides; then each acts.
        let mut cost = S::constant(0.0);
        let half = S::constant(0.5 * self.inverse_regularization);
        if v.value() < self.lower_target {
            let e = v - S::constant(self.lower_target);
            cost += half * e * e;
        }
        if v.value() > self.upper_target {
            let e = v - S::constant(self.upper_target);
            cost += half * e * e;
        }
        cost
    }

    /// The generalized impulse: minus the gradient of the cost.
    #[inline]
    pub fn impulse<S: Scalar>(&self, v: S) -> S {
        let mut impulse = S::constant(0.0);
        let w = S::constant(self.inverse_regularization);
        if v.value() < self.lower_target {
            impulse -= w * (v - S::constant(self.lower_target));
        }
        if v.value() > self.upper_target {
            impulse -= w * (v - S::constant(self.upper_target));
        }
        impulse
    }

    /// Which stops act at `v`: bit 0 the lower, bit 1 the upper.
    pub fn regime(&self, v: f64) -> u8 {
        u8::from(v < self.lower_target) | u8::from(v > self.upper_target) << 1
    }

    /// Second derivative of the cost.
    #[inline]
    pub fn hessian(&self, v: f64) -> f64 {
        let active = u8::from(v < self.lower_target) + u8::from(v > self.upper_target);
        f64::from(active) * self.inverse_regularization
    }
}
