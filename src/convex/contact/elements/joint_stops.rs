//! Rigid stops of a joint.
//!
//! In a convex step: a one-sided quadratic potential per stop. It is predictive: a stop acts when the joint would cross
//! it within the step, `v < v_hat = (q_l - q0)/(dt + tau)`. A joint that starts beyond its stop returns at a bounded
//! speed, `v_hat <= correction_speed`. What its load can have pressed in within the largest step H, `a (beta H/2 pi)²`,
//! returns within a tenth of that at the soonest: a short step must not throw out what a long one let in.
//!
//! **Restitution.** A stop that the velocity v0 at the start of the step strikes within it is left with at least
//! `e |v0|` \[Newton\]. Fixed steps of this kind keep `v²/2 + g q - (h/2) g v` of a body that falls on a stop with
//! e = 1, as they do in flight: no bounce goes higher than the one before it.
//!
//! **Without a step** it is a spring and a damper with the natural frequency of all that is rigid
//! ([`RIGID_PERIOD`](super::RIGID_PERIOD)), beyond the stop only, on motion in and out alike, which returns the part
//! `e = exp(-π ζ/sqrt(1 - ζ²))` of the speed of an impact: the damping ratio ζ is what gives the restitution of the
//! stop, and nothing is given back at ζ = 1. A violation returns at `correction_speed` at most, elastic stops excepted.

use super::element::{Element, ForceContext, LawContext};
use super::near_rigid::{BETA, NearRigid};
use super::plant_elements::{PlantElements, VelocityStart};
use super::report::Report;
use super::rigid::RIGID_RATE;
use super::velocity_law::VelocityLaw;
use kinegraph_core::Scalar;
use kinegraph_core::convex::PlantStructure;
use std::f64::consts::{PI, TAU};

/// Stops that are struck more slowly than so many stiction tolerances give nothing back: a joint that bounces on one
/// rests in the end.
pub const SLOWEST_REBOUND: f64 = 10.0;

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

/// What a stop gives back of the speed at which it is struck.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rebound {
    /// The part of it, 0 to 1.
    pub restitution: f64,
    /// The velocity at the start of the step.
    pub start_velocity: f64,
    /// What is struck more slowly gives nothing back \[m/s, rad/s\].
    pub slowest: f64,
    /// How fast gravity and the like change it by themselves, about \[m/s², rad/s²\].
    pub acceleration: f64,
    /// Inverse effective mass at the velocity, where there is a rebound \[1/kg, 1/(kg m²)\]; zero: it is not known.
    pub mobility: f64,
}

impl Rebound {
    /// The speed away from a stop on side `sign` (1: the lower one, -1: the upper one) after a step of length `dt` in
    /// which the velocity at its start strikes it; `None` if it does not. `least`: the speed away from it that it
    /// leaves a joint at least, negative before it is reached.
    ///
    /// What strikes no faster than it falls within two steps rests: it would bounce from step to step for ever.
    pub fn speed(&self, sign: f64, least: f64, dt: f64) -> Option<f64> {
        let approach = -sign * self.start_velocity;
        let slowest = self.slowest.max(2.0 * dt * self.acceleration.abs());
        let back = self.restitution * approach;
        (self.restitution > 0.0 && approach > slowest && -approach < least && back > least).then_some(back)
    }

    /// Whether the stop on side `sign` is to give something back, once it is reached in a step of length `dt`.
    fn strikes(&self, sign: f64, dt: f64) -> bool {
        let slowest = self.slowest.max(2.0 * dt * self.acceleration.abs());
        self.restitution > 0.0 && -sign * self.start_velocity > slowest
    }

    /// The speed away from the stop on side `sign` that a law asks for which yields by `softness` \[1/kg, 1/(kg m²)\],
    /// so that after a step of length `dt` the joint leaves at the speed `back`: more by what the law yields to the
    /// impulse, as far as that is the joint's own.
    fn target(&self, sign: f64, back: f64, dt: f64, softness: f64) -> f64 {
        let change = back - sign * (self.start_velocity + dt * self.acceleration);
        if self.mobility > 0.0 { back + softness / self.mobility * change } else { back }
    }
}

impl JointStops {
    /// Stops at these distances, to the lower and the upper one, that give back this part of the speed at which they
    /// are struck. Those of a locked velocity never act.
    pub fn new(velocity: usize, gaps: [f64; 2], restitution: f64, start: &VelocityStart) -> Self {
        let [lower_gap, upper_gap] = if start.locked { [f64::INFINITY; 2] } else { gaps };
        let VelocityStart { velocity: start_velocity, acceleration, slowest_rebound: slowest, .. } = *start;
        let rebound = Rebound { restitution, start_velocity, slowest, acceleration, mobility: 0.0 };
        let VelocityStart { correction_speed, max_step, .. } = *start;
        JointStops { velocity, lower_gap, upper_gap, correction_speed, max_step, rebound }
    }

    /// How far beyond a stop the joint is after it `moved`, and the direction back.
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

    // What is rigid is none of an explicit method's business: steps end where a stop is met.
    fn hinders_explicit(&self, _: f64, _: f64) -> bool {
        false
    }
}

/// The damping ratio of a spring that gives back the part `restitution` of the speed at which it is struck.
pub fn damping_ratio(restitution: f64) -> f64 {
    if restitution <= 0.0 {
        return 1.0;
    }
    let decrement = -restitution.ln();
    decrement / (PI * PI + decrement * decrement).sqrt()
}

/// The part of the inverse of the diagonal of the mass matrix by which a rebound yields: however short the step, it has
/// the whole impulse.
const SOFTNESS: f64 = 3e-5;

/// The shortest time in which a joint returns from where its load pressed it is the largest step over this.
pub const RETURN: f64 = 10.0;

/// How far an acceleration of one unit presses it in, and a little more, in squares of the largest step.
const PRESSED: f64 = 1.1e-6;

/// The two stops of one degree of freedom within one solve.
#[derive(Clone, Copy, Debug)]
pub struct JointStopsLaw {
    lower: Side,
    upper: Side,
    /// A joint that yields by this part of its velocity, or more, is held.
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
            // What gives something back acts where it is, not in the time that what is rigid yields in.
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

    /// The stops that act at `v`. Both stops can be violated at once only if the gaps are negative on both sides; then
    /// each acts.
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

    /// A stop that is struck does not act at the start.
    fn piece_at_start(&self, v: f64) -> u8 {
        if self.holds(v) { self.piece(v) } else { 0 }
    }

    /// The stop yields by a millionth of the velocity that it takes, and by more in steps in which the law is softer: a
    /// joint that strikes it on its way moves much more than that, one that rests on it, from step to step, a little.
    fn holds(&self, v: f64) -> bool {
        self.acting(v).all(|side| self.held * v.abs() <= (side.target - v).abs())
    }

    #[inline]
    fn hessian(&self, v: f64) -> f64 {
        self.acting(v).map(|side| side.inverse_regularization).sum()
    }
}
