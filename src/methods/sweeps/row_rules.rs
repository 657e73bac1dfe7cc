//! Time within the step at which the laws of rows hold, for solvers by sweeps.

/// Time at which the laws of rigid rows hold, and the removal of violations.
///
/// Laws are about velocities `u = ratio J v + (1 - ratio) J v0` at a time to which the gap in them is extrapolated. A
/// row measures `u/ratio`, which changes with its impulse as `J v` does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowRules {
    /// Time from the start of the step at which the laws hold, relative to the step of the problem.
    pub ratio: f64,
    /// The time from the start of the step \[s\].
    pub time: f64,
    /// Fraction of a violation that is removed per second \[1/s\].
    pub correction: f64,
    /// Violation of a contact that is allowed to remain \[m\].
    pub slop: f64,
    /// Largest speed at which the violation of a contact is removed \[m/s\], if less than that of the plant.
    pub speed: f64,
    /// Restitution of contacts.
    pub restitution: f64,
    /// True if contacts have a fourth row: the relative angular velocity of the bodies about the normal.
    pub spin: bool,
}

impl RowRules {
    /// Laws at the end of a step of length `dt` that removes the part `correction` of a violation.
    pub fn at_the_end(dt: f64, correction: f64) -> Self {
        let (ratio, correction) = (1.0, correction / dt);
        RowRules { ratio, time: dt, correction, slop: 0.0, speed: f64::INFINITY, restitution: 0.0, spin: false }
    }

    /// Velocity u that gradually removes the violation `g0 >= 0`, or closes a gap `-g0`.
    pub fn target(&self, g0: f64, speed: f64) -> f64 {
        if g0 < 0.0 { g0 / self.time } else { (self.correction * g0).min(speed) }
    }

    /// Target velocity of a contact, with restitution for an impact at the rate `v0` of its gap.
    pub fn target_of_contact(&self, g0: f64, v0: f64, speed: f64) -> f64 {
        let g0 = if g0 < 0.0 { g0 } else { (g0 - self.slop).max(0.0) };
        let target = self.target(g0, speed.min(self.speed));
        if self.restitution > 0.0 && v0 < 0.0 && v0 < target { target.max(-self.restitution * v0) } else { target }
    }
}
