//! The stops of a joint, as a problem has them.

use super::elements::Element;

/// Stops that are struck more slowly than this \[m/s, rad/s\] give nothing back: a joint that bounces on one comes to
/// rest.
pub const SLOWEST_REBOUND: f64 = 1e-3;

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
    /// How fast gravity and the like change it by themselves, about \[m/s², rad/s²\].
    pub acceleration: f64,
}

impl Rebound {
    /// The speed away from a stop on side `sign` (1: the lower one, -1: the upper one) after a step of length `dt` in
    /// which the velocity at its start strikes it; `None` if it does not. `least`: the speed away from it that it
    /// leaves a joint at least, negative before it is reached.
    ///
    /// What strikes no faster than it falls within two steps rests: it would bounce from step to step for ever.
    pub fn speed(&self, sign: f64, least: f64, dt: f64) -> Option<f64> {
        let approach = -sign * self.start_velocity;
        let slowest = SLOWEST_REBOUND.max(2.0 * dt * self.acceleration.abs());
        let back = self.restitution * approach;
        (self.restitution > 0.0 && approach > slowest && -approach < least && back > least).then_some(back)
    }
}

impl Element for JointStops {
    // Steps of free motion watch the stops.
    const LEAVES_MOTION_FREE: bool = true;

    fn velocity(&self) -> usize {
        self.velocity
    }
}
