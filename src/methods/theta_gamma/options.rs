//! What can be chosen.

/// The law of friction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Friction {
    /// Of points.
    #[default]
    Coulomb,
    /// Of small areas, that resist turning about the normal as well.
    Contensou {
        /// The moment of a contact that turns on the spot, over its friction force as it slides \[m\]: two thirds of
        /// the radius of a disc of uniform pressure.
        radius: f64,
    },
}

/// In which metric the friction of a contact is solved by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Metric {
    /// Its block of `J A^-1 J'`: exactly.
    #[default]
    Block,
    /// The diagonal of that: tangents that couple take many times the sweeps.
    Diagonal,
}

/// Options of `theta-gamma`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThetaGammaOptions {
    /// Where in the step forces are evaluated, 1/2 to 1: 1/2 is of second order, 1 damps what is fast.
    pub theta: f64,
    /// Where in the step the laws of contact hold, 1/2 to 1: rigid contact gives back `(1 - gamma)/gamma`.
    pub gamma: f64,
    /// The law of friction.
    pub friction: Friction,
    /// The part of its speed that what strikes gets back (Newton's law); with `gamma` 1.
    pub restitution: f64,
    /// Linearizations of a step: 1 is the linearly implicit scheme; `None`: 1 with `theta` 1, else 2, as the forces of
    /// velocities within trees and of spins are not linearized.
    pub passes: Option<usize>,
    /// The part of a violation that a step removes.
    pub correction: f64,
    /// What is left of the depth of a contact \[m\].
    pub slop: f64,
    /// Largest speed at which a depth is removed \[m/s\].
    pub correction_speed: f64,
    /// Change of the impulses in a sweep, relative to them, that ends sweeps.
    pub tolerance: f64,
    /// Sweeps at most.
    pub max_sweeps: usize,
    /// The metric of sweeps.
    pub metric: Metric,
    /// Where sweeps are slow, rounds of Newton's method on all impulses of an island at once, at most; 0: sweeps alone.
    pub rounds: usize,
    /// Whether a solve starts from the contact forces of the last step.
    pub warm_start: bool,
    /// Islands that are solved at the same time, where several have many rows. The result has the same bits whatever
    /// their number.
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
            correction: 0.2,
            slop: 1e-5,
            correction_speed: 1.0,
            tolerance: 1e-8,
            max_sweeps: 200,
            metric: Metric::Block,
            rounds: 30,
            warm_start: true,
            threads: 1,
        }
    }
}

impl ThetaGammaOptions {
    /// How often a step is linearized.
    pub fn passes(&self) -> usize {
        self.passes.unwrap_or(if self.theta < 1.0 { 2 } else { 1 }).max(1)
    }
}
