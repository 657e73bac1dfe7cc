//! Joint limits: a one-sided quadratic potential per stop.
//!
//! Predictive: a stop acts when the joint would cross it within the step, `v < v_hat = (q_l - q0)/(dt + tau)`. A joint
//! that starts beyond its stop comes back at a bounded speed, `v_hat <= correction_speed`.

use super::VelocityLaw;
use crate::contact::{JointStops, Problem};
use crate::solvers::icf::NearRigid;
use kinegraph_systems::Scalar;

/// The two stops of one degree of freedom within one solve.
#[derive(Clone, Copy, Debug)]
pub struct LimitLaw {
    lower_target: f64,
    upper_target: f64,
    inverse_regularization: f64,
}

impl LimitLaw {
    /// The law of `stops` in a step of length `dt`; `delassus` is the inverse effective mass of the degree of freedom.
    pub fn of(stops: &JointStops, delassus: f64, dt: f64) -> Self {
        let rigid = NearRigid::new(dt, delassus);
        LimitLaw {
            inverse_regularization: 1.0 / rigid.regularization,
            lower_target: rigid.target_velocity(dt, stops.lower_gap).min(stops.correction_speed),
            upper_target: -rigid.target_velocity(dt, stops.upper_gap).min(stops.correction_speed),
        }
    }
}

impl VelocityLaw for LimitLaw {
    type Data = JointStops;
    const KIND: u64 = 2;
    const ONE_SIDED: bool = true;

    fn new(stops: &JointStops, problem: &Problem) -> Self {
        LimitLaw::of(stops, problem.scale[stops.velocity].powi(2), problem.dt)
    }

    fn cost<S: Scalar>(&self, v: S) -> S {
        // Both stops can be violated at once only if the gaps are negative on both sides; then each acts.
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

    #[inline]
    fn impulse<S: Scalar>(&self, v: S) -> S {
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

    /// Bit 0: the lower stop acts; bit 1: the upper.
    fn piece(&self, v: f64) -> u8 {
        u8::from(v < self.lower_target) | u8::from(v > self.upper_target) << 1
    }

    #[inline]
    fn hessian(&self, v: f64) -> f64 {
        let active = u8::from(v < self.lower_target) + u8::from(v > self.upper_target);
        f64::from(active) * self.inverse_regularization
    }
}
