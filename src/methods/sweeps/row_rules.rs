//! When the laws of rows hold that solvers by sweeps answer.

/// When the laws of rigid rows hold, and how violations are removed.
///
/// Laws are about velocities `u = ratio J v + (1 - ratio) J v0` at a time that the gap in them is measured by. A row
/// measures `u/ratio`, which moves with its impulse as `J v` does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowRules {
    /// The time from the start of the step at which the laws hold, in parts of the step that the problem is made for.
    pub ratio: f64,
    /// That time \[s\].
    pub time: f64,
    /// The part of a violation that is removed in a second \[1/s\].
    pub correction: f64,
    /// What is left of the violation of a contact \[m\].
    pub slop: f64,
    /// Largest speed at which the violation of a contact is removed \[m/s\], if less than that of the plant.
    pub speed: f64,
    /// The part of the speed at which bodies strike each other that contacts give back.
    pub restitution: f64,
    /// Whether contacts have a fourth row: the rate at which the bodies turn against each other about the normal.
    pub spin: bool,
}

impl RowRules {
    /// Laws at the end of a step of length `dt` that removes the part `correction` of a violation.
    pub fn at_the_end(dt: f64, correction: f64) -> Self {
        let (ratio, correction) = (1.0, correction / dt);
        RowRules { ratio, time: dt, correction, slop: 0.0, speed: f64::INFINITY, restitution: 0.0, spin: false }
    }

    /// The velocity u that removes the violation `g0 >= 0` by and by, or lets a gap `-g0` close.
    pub fn target(&self, g0: f64, speed: f64) -> f64 {
        if g0 < 0.0 { g0 / self.time } else { (self.correction * g0).min(speed) }
    }

    /// The same of a contact that is struck at the rate `v0` of its gap.
    pub fn target_of_contact(&self, g0: f64, v0: f64, speed: f64) -> f64 {
        let g0 = if g0 < 0.0 { g0 } else { (g0 - self.slop).max(0.0) };
        let target = self.target(g0, speed.min(self.speed));
        if self.restitution > 0.0 && v0 < 0.0 && v0 < target { target.max(-self.restitution * v0) } else { target }
    }
}
