//! Rigid joint stops: one-sided implicit springs, near-rigid as contacts are.
//!
//! ```text
//! R = max(β²/(4π²) w, 1/(h k (h + τ))),   v_hat = -g/(h + τ),   γ = max((v_hat - v)/R, 0)
//! ```
//!
//! for the distance g, with β = 0.1, k = 1e12, τ = h and w the inverse of the diagonal of A \[Drake\]. A stop acts if
//! the joint would reach it within h + τ. (Other methods leave out stops that are further away than 2 h times the
//! speed at the start or in free motion. Those act only if contact drives a joint faster than that, and then they
//! should.)
//!
//! Two options of stops in diagrams hold as well: a violation is removed at a bounded speed, and an impact on a stop
//! has a restitution.

use crate::choices::sap_stops::REBOUND_SOFTNESS;
use kinegraph_convex::contact::{JointStops, LawContext, VelocityLaw};
use kinegraph_core::Scalar;
use std::f64::consts::PI;

/// Period of a stop relative to the step.
const BETA: f64 = 0.1; // method
/// Stiffness \[N/m, N m/rad\].
const STIFFNESS: f64 = 1e12; // method

/// The two stops of one velocity within one solve.
#[derive(Clone, Copy, Debug)]
pub struct StopLaw {
    lower: Side,
    upper: Side,
}

#[derive(Clone, Copy, Debug)]
struct Side {
    target: f64,
    stiffness: f64,
}

impl StopLaw {
    /// Law of `stops` in a step of length `h`; `w` is the inverse of their effective mass.
    pub fn of(stops: &JointStops, w: f64, h: f64) -> Self {
        let reach = 2.0 * h;
        let compliance = (BETA * BETA / (4.0 * PI * PI) * w).max(1.0 / (h * STIFFNESS * reach)); // formula
        let side = |sign: f64, gap: f64| {
            let target = (-gap / reach).min(stops.correction_speed);
            let rebound = stops.rebound.speed(sign, target, h);
            let compliance = if rebound.is_some() { REBOUND_SOFTNESS * w } else { compliance };
            Side { target: sign * rebound.unwrap_or(target), stiffness: 1.0 / compliance }
        };
        StopLaw { lower: side(1.0, stops.lower_gap), upper: side(-1.0, stops.upper_gap) }
    }

    fn acting(&self, v: f64) -> impl Iterator<Item = Side> {
        let lower = (v < self.lower.target).then_some(self.lower);
        lower.into_iter().chain((v > self.upper.target).then_some(self.upper))
    }
}

impl VelocityLaw for StopLaw {
    type Data = JointStops;
    const KIND: u64 = 2;
    const ONE_SIDED: bool = true;

    fn new(stops: &JointStops, context: &LawContext) -> Self {
        StopLaw::of(stops, 1.0 / context.inertia, context.dt)
    }

    fn cost<S: Scalar>(&self, v: S) -> S {
        let terms = self.acting(v.value()).map(|side| {
            let e = v - S::constant(side.target);
            S::constant(0.5 * side.stiffness) * e * e
        });
        terms.fold(S::constant(0.0), |sum, term| sum + term)
    }

    #[inline]
    fn impulse<S: Scalar>(&self, v: S) -> S {
        let terms = self.acting(v.value()).map(|side| S::constant(side.stiffness) * (S::constant(side.target) - v));
        terms.fold(S::constant(0.0), |sum, term| sum + term)
    }

    #[inline]
    fn hessian(&self, v: f64) -> f64 {
        self.acting(v).map(|side| side.stiffness).sum()
    }

    /// Active stops. Bit 0: the lower stop acts; bit 1: the upper.
    fn piece(&self, v: f64) -> u8 {
        u8::from(v < self.lower.target) | u8::from(v > self.upper.target) << 1
    }
}
