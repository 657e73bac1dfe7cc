//! Rigid stops of a joint.
//!
//! In a convex step: a one-sided quadratic potential per stop. It is predictive: a stop acts when the joint would cross
//! it within the step, `v < v_hat = (q_l - q0)/(dt + tau)`. A joint that starts beyond its stop returns at a bounded
//! speed, `v_hat <= correction_speed`. The depth to which its load can press it within the largest step H, `a (beta H/2
//! pi)²`, returns within a tenth of H at the soonest: a short step must not throw out a joint that a long one let in.
//!
//! **Restitution.** A joint that strikes a stop within the step, with the velocity v0 of its start, leaves it with at
//! least `e |v0|` \[Newton\]. Fixed steps of this kind keep `v²/2 + g q - (h/2) g v` of a body that falls on a stop
//! with e = 1, as they do in flight: no bounce goes higher than the one before it.
//!
//! **Without a step** it is a spring and a damper with the natural frequency of all rigid elements
//! (`RIGID_PERIOD`), beyond the stop only, on motion in and out alike. It returns the part `e =
//! exp(-π ζ/sqrt(1 - ζ²))` of the speed of an impact: the damping ratio ζ gives the restitution of the stop, and there
//! is no rebound at ζ = 1. A violation returns at `correction_speed` at most, elastic stops excepted.

use super::element::{Element, ForceContext, LawContext};
use super::near_rigid::NearRigid;
use super::plant_elements::{PlantElements, VelocityStart};
use super::report::Report;
use super::rigid::RIGID_RATE;
use super::velocity_law::VelocityLaw;
use crate::choices::joint_stops::{PRESSED, RETURN, SOFTNESS};
use crate::choices::near_rigid::BETA;
use kinegraph_core::Scalar;
use kinegraph_core::convex::PlantStructure;
use std::f64::consts::{PI, TAU};

/// The two rigid stops of one velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointStops {
    /// The velocity.
    pub velocity: usize,
    /// Distance to the lower stop at the start of the step, `q0 - q_l` \[m, rad\]; negative if violated.
    pub lower_gap: f64,
    /// Distance to the upper stop, `q_u - q0`.
    pub upper_gap: f64,
    /// Largest speed at which a violated stop pushes back \[m/s, rad/s\].
    pub correction_speed: f64,
    /// The largest step of the run \[s\].
    pub max_step: f64,
    /// The rebound of a stop that is struck.
    pub rebound: Rebound,
}

/// Rebound of a stop.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rebound {
    /// Coefficient of restitution, 0 to 1.
    pub restitution: f64,
    /// The velocity at the start of the step.
    pub start_velocity: f64,
    /// Slowest impact with a rebound \[m/s, rad/s\].
    pub slowest: f64,
    /// Approximate acceleration by gravity and other forces of the start \[m/s², rad/s²\].
    pub acceleration: f64,
    /// Inverse effective mass at the velocity, where there is a rebound \[1/kg, 1/(kg m²)\]; zero if it is not known.
    pub mobility: f64,
}

impl Rebound {
    /// Speed away from a stop on side `sign` (1: the lower one, -1: the upper one) after a step of length `dt` in which
    /// the velocity at its start strikes it; `None` if it does not. `least`: the speed away from the stop without a
    /// rebound, negative before it is reached.
    ///
    /// A joint that strikes no faster than it falls within two steps rests: it would bounce from step to step for ever.
    pub fn speed(&self, sign: f64, least: f64, dt: f64) -> Option<f64> {
        let approach = -sign * self.start_velocity;
        let slowest = self.slowest.max(2.0 * dt * self.acceleration.abs());
        let back = self.restitution * approach;
        (self.restitution > 0.0 && approach > slowest && -approach < least && back > least).then_some(back)
    }

    /// True if the stop on side `sign` has a rebound, once it is reached in a step of length `dt`.
    fn strikes(&self, sign: f64, dt: f64) -> bool {
        let slowest = self.slowest.max(2.0 * dt * self.acceleration.abs());
        self.restitution > 0.0 && -sign * self.start_velocity > slowest
    }

    /// Target speed away from the stop on side `sign` of a law that yields by `softness` \[1/kg, 1/(kg m²)\], so that
    /// after a step of length `dt` the joint leaves at the speed `back`: larger by the yield of the law to the impulse,
    /// as far as that is the joint's own.
    fn target(&self, sign: f64, back: f64, dt: f64, softness: f64) -> f64 {
        let change = back - sign * (self.start_velocity + dt * self.acceleration);
        if self.mobility > 0.0 { back + softness / self.mobility * change } else { back }
    }
}

impl JointStops {
    /// Stops at these distances, to the lower and the upper one, with this restitution. Those of a locked velocity
    /// never act.
    pub fn new(velocity: usize, gaps: [f64; 2], restitution: f64, start: &VelocityStart) -> Self {
        let [lower_gap, upper_gap] = if start.locked { [f64::INFINITY; 2] } else { gaps };
        let VelocityStart { velocity: start_velocity, acceleration, slowest_rebound: slowest, .. } = *start;
        let rebound = Rebound { restitution, start_velocity, slowest, acceleration, mobility: 0.0 };
        let VelocityStart { correction_speed, max_step, .. } = *start;
        JointStops { velocity, lower_gap, upper_gap, correction_speed, max_step, rebound }
    }

    /// Displacement of the joint beyond a stop after it `moved`, and the direction back.
    fn beyond<S: Scalar>(&self, moved: S) -> (S, f64) {
        if self.lower_gap + moved.value() < self.upper_gap - moved.value() {
            (-(S::constant(self.lower_gap) + moved), 1.0)
        } else {
            (-(S::constant(self.upper_gap) - moved), -1.0)
        }
    }
}

impl Element for JointStops {
    const NAME: &'static str = "rigid joint stops";
    const KIND: &'static str = "joint_stops";
    const REPORT: Report = Report::Stop;
    // Steps of free motion watch the stops.
    const LEAVES_MOTION_FREE: bool = true;
    type Law = JointStopsLaw;

    fn velocities(structure: &PlantStructure, add: &mut dyn FnMut(usize)) {
        let rigid = structure.limits.iter().filter(|limit| limit.compliance.is_none());
        rigid.for_each(|limit| add(limit.velocity));
    }

    fn of_plant(plant: &PlantElements<'_>, add: &mut dyn FnMut(Self)) {
        for limit in plant.structure.limits.iter().filter(|limit| limit.compliance.is_none()) {
            let (q, velocity) = (plant.q[limit.position], plant.first + limit.velocity);
            let gaps = [q - limit.lower, limit.upper - q];
            add(JointStops::new(velocity, gaps, limit.restitution, &(plant.start)(limit.velocity)));
        }
    }

    fn velocity(&self) -> usize {
        self.velocity
    }

    fn moved(self, by: f64) -> Self {
        JointStops { lower_gap: self.lower_gap + by, upper_gap: self.upper_gap - by, ..self }
    }

    fn begun_as(self, start: &Self) -> Self {
        JointStops { rebound: start.rebound, ..self }
    }

    fn asks_mobility(&self) -> bool {
        self.beyond(0.0).0 > 0.0
    }

    fn force<S: Scalar>(&self, at: &ForceContext<S>) -> S {
        let (way, sign) = self.beyond(at.moved);
        if way.value() <= 0.0 || at.locked {
            return S::zero();
        }
        let damping = damping_ratio(self.rebound.restitution);
        let mut back = S::constant(RIGID_RATE) * way;
        if self.rebound.restitution == 0.0 && back.value() > 2.0 * self.correction_speed {
            back = S::constant(2.0 * self.correction_speed);
        }
        let braked = back - S::constant(2.0 * damping * sign) * at.velocity;
        S::constant(sign * RIGID_RATE) * braked / S::constant(at.mobility)
    }

    // Rigid stops do not hinder an explicit method: steps end where a stop is met.
    fn hinders_explicit(&self, _: f64, _: f64) -> bool {
        false
    }
}

/// Damping ratio of a spring with this restitution.
pub fn damping_ratio(restitution: f64) -> f64 {
    if restitution <= 0.0 {
        return 1.0;
    }
    let decrement = -restitution.ln();
    decrement / (PI * PI + decrement * decrement).sqrt()
}

/// The two stops of one degree of freedom within one solve.
#[derive(Clone, Copy, Debug)]
pub struct JointStopsLaw {
    lower: Side,
    upper: Side,
    /// Yield, as a part of the joint's velocity, from which on the joint is held.
    held: f64,
}

/// One stop.
#[derive(Clone, Copy, Debug)]
struct Side {
    target: f64,
    inverse_regularization: f64,
}

impl JointStopsLaw {
    /// The law of `stops` in a step of length `dt`; `delassus` is the inverse effective mass of the degree of freedom.
    pub fn of(stops: &JointStops, delassus: f64, dt: f64) -> Self {
        let max_step = stops.max_step;
        let rigid = NearRigid::new(dt, delassus, max_step);
        let side = |sign: f64, gap: f64| {
            let pressed = gap < 0.0 && -gap < PRESSED * max_step * max_step * stops.rebound.acceleration.abs();
            let fastest = if pressed { -gap / (max_step / RETURN) } else { f64::INFINITY };
            // A stop with a rebound acts where it is, not over the time in which rigid elements yield.
            let strikes = gap > 0.0 && stops.rebound.strikes(sign, dt);
            let least = if strikes { -gap / dt } else { rigid.target_velocity(dt, gap) };
            let target = least.min(stops.correction_speed).min(fastest);
            let rebound = stops.rebound.speed(sign, target, dt);
            let Some(back) = rebound else {
                return Side { target: sign * target, inverse_regularization: 1.0 / rigid.regularization };
            };
            let softness = SOFTNESS * delassus;
            let target = stops.rebound.target(sign, back, dt, softness);
            Side { target: sign * target, inverse_regularization: 1.0 / softness }
        };
        let held = BETA / TAU * NearRigid::effective_step(dt, max_step) / dt;
        JointStopsLaw { lower: side(1.0, stops.lower_gap), upper: side(-1.0, stops.upper_gap), held }
    }

    /// Stops that act at `v`. Both stops can be violated at once only if the gaps are negative on both sides; then each
    /// acts.
    fn acting(&self, v: f64) -> impl Iterator<Item = Side> {
        let lower = (v < self.lower.target).then_some(self.lower);
        lower.into_iter().chain((v > self.upper.target).then_some(self.upper))
    }
}

impl VelocityLaw for JointStopsLaw {
    type Data = JointStops;
    const KIND: u64 = 2;
    const ONE_SIDED: bool = true;

    fn new(stops: &JointStops, context: &LawContext) -> Self {
        JointStopsLaw::of(stops, context.inverse_mass, context.dt)
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

    /// A stop that is struck within the step does not act at the start.
    fn piece_at_start(&self, v: f64) -> u8 {
        if self.holds(v) { self.piece(v) } else { 0 }
    }

    /// The stop yields by a millionth of the velocity that it stops, and by more in steps in which the law is softer: a
    /// joint that strikes it moves much more than that, one that rests on it, from step to step, a little.
    fn holds(&self, v: f64) -> bool {
        self.acting(v).all(|side| self.held * v.abs() <= (side.target - v).abs())
    }

    #[inline]
    fn hessian(&self, v: f64) -> f64 {
        self.acting(v).map(|side| side.inverse_regularization).sum()
    }
}
