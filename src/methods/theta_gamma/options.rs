//! Options of `theta-gamma`.

/// The law of friction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Friction {
    /// Friction of points.
    #[default]
    Coulomb,
    /// Friction of small areas, which also resist rotation about the normal.
    Contensou {
        /// Moment of a contact that spins without sliding, divided by its friction force when it slides \[m\]: two
        /// thirds of the radius for a disc of uniform pressure.
        radius: f64,
    },
}

/// Metric in which the friction of a single contact is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Metric {
    /// Its block of `J A^-1 J'`: exact.
    #[default]
    Block,
    /// The diagonal of that block; if tangents couple, it needs many times the sweeps.
    Diagonal,
}

/// Options of `theta-gamma`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThetaGammaOptions {
    /// Time in the step at which forces are evaluated, 1/2 to 1: 1/2 is of second order, 1 damps fast modes.
    pub theta: f64,
    /// Time in the step at which the laws of contact hold, 1/2 to 1: the restitution of rigid contact is
    /// `(1 - gamma)/gamma`.
    pub gamma: f64,
    /// The law of friction.
    pub friction: Friction,
    /// Restitution (Newton's law); with `gamma` 1.
    pub restitution: f64,
    /// Number of linearizations of a step: 1 is the linearly implicit scheme; `None`: 1 with `theta` 1, else 2, since
    /// velocity-dependent forces within trees and of spins are not linearized.
    pub passes: Option<usize>,
    /// Part of a violation that a step removes.
    pub correction: f64,
    /// Depth of a contact that is allowed to remain \[m\].
    pub slop: f64,
    /// Largest speed at which a depth is removed \[m/s\].
    pub correction_speed: f64,
    /// Relative change of the impulses in a sweep at which sweeps end.
    pub tolerance: f64,
    /// Maximum number of sweeps.
    pub max_sweeps: usize,
    /// The metric of sweeps.
    pub metric: Metric,
    /// Maximum number of rounds of Newton's method on all impulses of an island at once, where sweeps are slow; 0:
    /// sweeps alone.
    pub rounds: usize,
    /// True if a solve starts from the contact forces of the last step.
    pub warm_start: bool,
    /// Number of islands that are solved at the same time, if several have many rows. The bits of the result do not
    /// depend on it.
    pub threads: usize,
}

impl Default for ThetaGammaOptions {
    fn default() -> Self {
        ThetaGammaOptions {
            theta: 1.0,
            gamma: 1.0,
            friction: Friction::Coulomb,
            restitution: 0.0,
            passes: None,
            correction: 0.2, // listed
            slop: 1e-5,      // listed
            correction_speed: 1.0,
            tolerance: 1e-8, // listed
            max_sweeps: 200,
            metric: Metric::Block,
            rounds: 30,
            warm_start: true,
            threads: 1,
        }
    }
}

impl ThetaGammaOptions {
    /// Number of linearizations of a step.
    pub fn passes(&self) -> usize {
        self.passes.unwrap_or(if self.theta < 1.0 { 2 } else { 1 }).max(1)
    }
}
