//! A joint stop that gives way, as a problem has it.

use super::elements::Element;

/// A stop of one velocity that pushes back with `stiffness x (1 + dissipation x')`, x the way beyond it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompliantStop {
    /// The velocity.
    pub velocity: usize,
    /// The direction away from it: 1 of a lower stop, -1 of an upper one.
    pub sign: f64,
    /// Distance to it at the start of the step \[m, rad\]; negative beyond.
    pub gap: f64,
    /// \[N/m, N m/rad\].
    pub stiffness: f64,
    /// \[s/m, s/rad\].
    pub dissipation: f64,
}

impl CompliantStop {
    /// Whether it pushes, or would at the end of a step of length `dt` at the velocity `v`.
    pub fn may_push(&self, v: f64, dt: f64) -> bool {
        self.gap.min(self.gap + dt * self.sign * v) < 0.0
    }
}

impl Element for CompliantStop {
    // Steps of free motion end where one is met.
    const LEAVES_MOTION_FREE: bool = true;

    fn velocity(&self) -> usize {
        self.velocity
    }
}
