//! Joint limits: a one-sided quadratic potential per stop.
//!
//! Predictive: a stop acts when the joint would cross it within the step, `v < v_hat = (q_l - q0)/(dt + tau)`. A joint
//! that starts beyond its stop comes back at a bounded speed, `v_hat <= correction_speed`. What its load can have
//! pressed in within a step of 0.1 s, `a (beta 0.1/2 pi)²`, comes back within [`RETURN`] at the soonest: a short step
//! must not throw out what a long one let in.
//!
//! **Restitution.** A stop that the velocity v0 at the start of the step strikes within it is left with at least
//! `e |v0|` \[Newton\]. Fixed steps of this kind keep `v²/2 + g q - (h/2) g v` of a body that falls on a stop with
//! e = 1, as they do in flight: no bounce goes higher than the one before it.

use super::VelocityLaw;
use crate::contact::{JointStops, Problem};
use crate::solvers::icf::NearRigid;
use kinegraph_systems::Scalar;

/// The part of the inverse effective mass by which a rebound gives way: however short the step, it has the whole
/// impulse.
const SOFTNESS: f64 = 1e-6;

/// The shortest time in which a joint comes back from where its load pressed it \[s\].
pub const RETURN: f64 = 0.01;

/// How far an acceleration of one unit presses it in, and a little more \[s²\].
const PRESSED: f64 = 2.8e-6;

/// The two stops of one degree of freedom within one solve.
#[derive(Clone, Copy, Debug)]
pub struct LimitLaw {
    lower: Side,
    upper: Side,
}

/// One stop.
#[derive(Clone, Copy, Debug)]
struct Side {
    target: f64,
    inverse_regularization: f64,
}

impl LimitLaw {
    /// The law of `stops` in a step of length `dt`; `delassus` is the inverse effective mass of the degree of freedom.
    pub fn of(stops: &JointStops, delassus: f64, dt: f64) -> Self {
        let rigid = NearRigid::new(dt, delassus);
        let side = |sign: f64, gap: f64| {
            let pressed = gap < 0.0 && -gap < PRESSED * stops.rebound.acceleration.abs();
            let fastest = if pressed { -gap / RETURN } else { f64::INFINITY };
            let target = rigid.target_velocity(dt, gap).min(stops.correction_speed).min(fastest);
            let rebound = stops.rebound.speed(sign, target, dt);
            let regularization = rebound.map_or(rigid.regularization, |_| SOFTNESS * delassus);
            Side { target: sign * rebound.unwrap_or(target), inverse_regularization: 1.0 / regularization }
        };
        LimitLaw { lower: side(1.0, stops.lower_gap), upper: side(-1.0, stops.upper_gap) }
    }

    /// The stops that act at `v`. Both stops can be violated at once only if the gaps are negative on both sides; then
    /// each acts.
    fn acting(&self, v: f64) -> impl Iterator<Item = Side> {
        let lower = (v < self.lower.target).then_some(self.lower);
        lower.into_iter().chain((v > self.upper.target).then_some(self.upper))
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
        let mut cost = S::constant(0.0);
        for side in self.acting(v.value()) {
            let e = v - S::constant(side.target);
            cost += S::constant(0.5 * side.inverse_regularization) * e * e;
        }
        cost
    }

    #[inline]
    fn impulse<S: Scalar>(&self, v: S) -> S {
        let mut impulse = S::constant(0.0);
        for side in self.acting(v.value()) {
            impulse -= S::constant(side.inverse_regularization) * (v - S::constant(side.target));
        }
        impulse
    }

    /// Bit 0: the lower stop acts; bit 1: the upper.
    fn piece(&self, v: f64) -> u8 {
        u8::from(v < self.lower.target) | u8::from(v > self.upper.target) << 1
    }

    #[inline]
    fn hessian(&self, v: f64) -> f64 {
        self.acting(v).map(|side| side.inverse_regularization).sum()
    }
}
