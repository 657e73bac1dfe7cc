//! The stops of a joint, as a problem has them.

use super::elements::Element;

/// The two stops of one velocity.
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
}

impl Element for JointStops {
    // Steps of free motion watch the stops.
    const LEAVES_MOTION_FREE: bool = true;

    fn velocity(&self) -> usize {
        self.velocity
    }
}
