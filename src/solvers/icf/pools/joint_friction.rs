//! Dry friction of joints: the saturated law `tau(v) = -clamp(f v/v_s, -f, f)` on one degree of freedom.
//!
//! Its potential is that of Huber, `dt f (|v| - v_s/2)` beyond v_s and `dt f v²/(2 v_s)` within: convex, with an
//! impulse that goes on continuously. A joint that sticks under a load tau creeps at `v_s tau/f`. The law depends on
//! the state alone, not on the step, so that steps of all lengths solve the same one.

use super::VelocityLaw;
use crate::contact::{JointFriction, Problem, STICTION_VELOCITY};
use kinegraph_systems::Scalar;

/// The friction of one degree of freedom within one solve.
#[derive(Clone, Copy, Debug)]
pub struct JointFrictionLaw {
    /// Largest impulse \[N s, N m s\].
    impulse: f64,
}

impl VelocityLaw for JointFrictionLaw {
    type Data = JointFriction;
    const KIND: u64 = 6;
    const ONE_SIDED: bool = false;

    fn new(friction: &JointFriction, problem: &Problem) -> Self {
        JointFrictionLaw { impulse: problem.dt * friction.force }
    }

    fn cost<S: Scalar>(&self, v: S) -> S {
        if v.value().abs() > STICTION_VELOCITY {
            S::constant(self.impulse) * (v.abs() - S::constant(0.5 * STICTION_VELOCITY))
        } else {
            S::constant(0.5 * self.impulse / STICTION_VELOCITY) * v * v
        }
    }

    #[inline]
    fn impulse<S: Scalar>(&self, v: S) -> S {
        if v.value().abs() > STICTION_VELOCITY {
            S::constant(-self.impulse.copysign(v.value()))
        } else {
            S::constant(-self.impulse / STICTION_VELOCITY) * v
        }
    }

    #[inline]
    fn hessian(&self, v: f64) -> f64 {
        if v.abs() > STICTION_VELOCITY { 0.0 } else { self.impulse / STICTION_VELOCITY }
    }

    /// 0 where the joint sticks, 1 and 2 where it moves on or back.
    fn piece(&self, v: f64) -> u8 {
        u8::from(v > STICTION_VELOCITY) | u8::from(v < -STICTION_VELOCITY) << 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::scalar::{partial, seed};

    #[test]
    fn impulse_and_hessian_are_dual_derivatives_of_the_cost() {
        let law = JointFrictionLaw { impulse: 0.3 };
        for v in [-2.0, -1.5e-5, -0.7e-5, 0.0, 1e-6, 0.99e-5, 1.01e-5, 3.0] {
            let jet = seed(v, 0, 1.0);
            assert!((partial(&law.cost(jet), 0) + law.impulse(v)).abs() < 1e-12);
            let slope: f64 = -partial(&law.impulse(jet), 0);
            assert!((slope - law.hessian(v)).abs() < 1e-9 * law.hessian(v).max(1.0));
            assert!(law.impulse(v).abs() <= 0.3 && law.impulse(v) * v <= 0.0 && law.cost(v) >= 0.0);
        }
        // Both pieces meet.
        let (inside, outside) = (STICTION_VELOCITY * (1.0 - 1e-12), STICTION_VELOCITY * (1.0 + 1e-12));
        assert!((law.cost(inside) - law.cost(outside)).abs() < 1e-15);
        assert!((law.impulse(inside) - law.impulse(outside)).abs() < 1e-9);
    }
}
