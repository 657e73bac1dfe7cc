//! Joint stops that give way: the law of contact of one degree of freedom.
//!
//! With s the speed away from the stop and x0 the way beyond it at the start of the step, the impulse is
//!
//! ```text
//! gamma(s) = dt k (x0 - dt s)+ (1 - d s)+
//! ```
//!
//! the force at the end of the step. It falls with s, so that it has a convex potential: with s_m the smaller of the
//! roots `x0/dt` and `1/d`, and `e = s_m - s`, its two factors are `dt e + a` and `d e + b`, one of a and b zero, and
//!
//! ```text
//! cost = dt k (dt d e³/3 + (dt b + d a) e²/2),   e > 0.
//! ```

use super::VelocityLaw;
use crate::contact::{CompliantStop, Problem};
use kinegraph_systems::Scalar;

/// A stop that gives way within one solve.
#[derive(Clone, Copy, Debug)]
pub struct CompliantStopLaw {
    sign: f64,
    /// Whether it pushes at the start of the step.
    beyond: bool,
    /// `s_m`: there is no force where it is left at this speed or faster.
    fastest: f64,
    /// Coefficients of e and e² in the impulse.
    linear: f64,
    quadratic: f64,
}

impl CompliantStopLaw {
    /// The law of `stop` in a step of length `dt`.
    pub fn of(stop: &CompliantStop, dt: f64) -> Self {
        let (k, d) = (dt * stop.stiffness, stop.dissipation);
        let fastest = (-stop.gap / dt).min(1.0 / d);
        let (a, b) = ((-stop.gap - dt * fastest).max(0.0), (1.0 - d * fastest).max(0.0));
        let (linear, quadratic) = (k * (dt * b + d * a), k * dt * d);
        CompliantStopLaw { sign: stop.sign, beyond: stop.gap < 0.0, fastest, linear, quadratic }
    }

    /// Bit 0: the lower stop acts; bit 1: the upper.
    fn side(&self, acts: bool) -> u8 {
        if self.sign > 0.0 { u8::from(acts) } else { u8::from(acts) << 1 }
    }

    fn slower_by<S: Scalar>(&self, v: S) -> S {
        S::constant(self.fastest) - v * S::constant(self.sign)
    }
}

impl VelocityLaw for CompliantStopLaw {
    type Data = CompliantStop;
    const KIND: u64 = 7;
    const ONE_SIDED: bool = true;
    // The same law in steps of every length.
    const RIGID: bool = false;

    fn new(stop: &CompliantStop, problem: &Problem) -> Self {
        CompliantStopLaw::of(stop, problem.dt)
    }

    fn cost<S: Scalar>(&self, v: S) -> S {
        let e = self.slower_by(v);
        if e.value() <= 0.0 {
            return S::constant(0.0);
        }
        e * e * (S::constant(0.5 * self.linear) + e * S::constant(self.quadratic / 3.0))
    }

    #[inline]
    fn impulse<S: Scalar>(&self, v: S) -> S {
        let e = self.slower_by(v);
        if e.value() <= 0.0 {
            return S::constant(0.0);
        }
        e * (S::constant(self.linear) + e * S::constant(self.quadratic)) * S::constant(self.sign)
    }

    fn piece(&self, v: f64) -> u8 {
        self.side(self.slower_by(v) > 0.0)
    }

    // What is left within the step pushes to the moment when it is: steps are cut there.
    fn piece_at_start(&self, _: f64) -> u8 {
        self.side(self.beyond)
    }

    #[inline]
    fn hessian(&self, v: f64) -> f64 {
        let e = self.slower_by(v);
        if e > 0.0 { self.linear + 2.0 * self.quadratic * e } else { 0.0 }
    }
}
