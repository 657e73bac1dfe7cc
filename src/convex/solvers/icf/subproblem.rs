//! One island as input of a method.

use crate::contact::{Island, Problem};
use crate::solvers::report::Balance;
use crate::solvers::{SolveFailure, SolveFault};

/// An island of a problem, and its tolerance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subproblem<'a> {
    pub problem: &'a Problem,
    pub island: &'a Island,
    /// Tolerance relative to the momenta and impulses of the island.
    pub relative: f64,
    /// Absolute tolerance, where it is not relative to the island.
    pub reference: Option<f64>,
}

impl Subproblem<'_> {
    /// Tolerance where momenta and impulses have this scale.
    pub fn tolerance(&self, scale: f64) -> f64 {
        self.reference.unwrap_or(self.relative * scale)
    }

    /// Report of a failure after so many iterations.
    pub fn failure(&self, fault: SolveFault, iterations: usize, gradient_norm: f64, tolerance: f64) -> SolveFailure {
        SolveFailure::new(self.problem, self.island, fault, iterations, Balance { gradient_norm, tolerance })
    }
}
