//! Cost of a solve, and the reason for its failure.

use crate::contact::{Island, Problem};

/// Reason why a solve failed.
#[derive(Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SolveFault {
    /// A value is not finite.
    #[error("a value is not a finite number")]
    NotFinite,
    /// The Hessian is not positive definite to working precision.
    #[error("its matrix is not positive definite")]
    NotPositiveDefinite,
    /// The search direction does not descend.
    #[error("no direction descends")]
    LineSearch,
    /// The iteration limit was reached.
    #[error("the iteration limit was reached")]
    IterationLimit,
    /// The step was interrupted.
    #[error("it was interrupted")]
    Interrupted,
    /// The problem has an element that is not on the list of elements, so that no solver has a law for it.
    #[error("no solver has a law for the element `{element}`")]
    UnlistedElement {
        /// Its own name.
        element: &'static str,
    },
}

kinegraph_core::debug_is_message!(SolveFault);

impl SolveFault {
    /// True if another method can continue from the velocity at which the solve ended.
    pub(crate) fn leaves_a_guess(self) -> bool {
        matches!(self, SolveFault::LineSearch | SolveFault::IterationLimit)
    }
}

/// A failed solve.
#[derive(Clone, Copy, PartialEq, thiserror::Error)]
#[error(
    "the contact problem did not solve: {fault} after {iterations} iterations (gradient {gradient_norm:.3e}, tolerance {tolerance:.3e}) \
     for {size} connected velocities, with {contacts} pairs of bodies in contact"
)]
pub struct SolveFailure {
    /// Reason of the failure.
    pub fault: SolveFault,
    /// First velocity of the island.
    pub first_velocity: usize,
    /// Number of velocities of the island.
    pub size: usize,
    /// Number of its contact patches.
    pub contacts: usize,
    /// Iterations made.
    pub iterations: usize,
    /// Scaled norm of the gradient at the end.
    pub gradient_norm: f64,
    /// Tolerance of that norm.
    pub tolerance: f64,
}

kinegraph_core::debug_is_message!(SolveFailure);

/// Residual of the balance of an island, and its tolerance.
#[derive(Clone, Copy, Debug)]
pub struct Balance {
    /// Scaled norm of the gradient.
    pub gradient_norm: f64,
    /// Tolerance of that norm.
    pub tolerance: f64,
}

impl SolveFailure {
    /// Failure of a problem with an element that no solver knows: without a law it would silently exert no force.
    pub fn of_unlisted(problem: &Problem) -> Option<Self> {
        let element = problem.elements.unlisted()?;
        let (first_velocity, size, contacts) = (0, problem.size(), problem.num_contacts());
        let fault = SolveFault::UnlistedElement { element };
        let (gradient_norm, tolerance) = (f64::NAN, f64::NAN);
        Some(SolveFailure { fault, first_velocity, size, contacts, iterations: 0, gradient_norm, tolerance })
    }

    /// Failure of an island after so many iterations, with the residual of its balance.
    pub fn new(problem: &Problem, island: &Island, fault: SolveFault, iterations: usize, balance: Balance) -> Self {
        SolveFailure {
            fault,
            first_velocity: problem.velocities_of(island.cliques[0]).start,
            size: island.size,
            contacts: island.patches.len(),
            iterations,
            gradient_norm: balance.gradient_norm,
            tolerance: balance.tolerance,
        }
    }
}

/// Counts of one or more solves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolveReport {
    /// Newton iterations (the largest over the islands of a solve, summed over solves).
    pub iterations: usize,
    /// Factorizations (of all islands).
    pub factorizations: usize,
    /// Evaluations of the line search beyond the full step.
    pub linesearch_evaluations: usize,
    /// Islands that ended unsettled at the largest number of sweeps of their method.
    pub unsettled: usize,
    /// Largest natural residual of a contact \[N\]: the difference between its force and the answer of its law to its
    /// velocity. Methods that do not sweep by contacts leave zero.
    pub residual: f64,
}

impl SolveReport {
    /// Counts another solve.
    pub(crate) fn add(&mut self, other: &SolveReport) {
        self.iterations += other.iterations;
        self.factorizations += other.factorizations;
        self.linesearch_evaluations += other.linesearch_evaluations;
        self.unsettled += other.unsettled;
        self.residual = self.residual.max(other.residual);
    }

    /// Counts an attempt that did not converge: one factorization in each of its iterations.
    pub(crate) fn add_failure(&mut self, failure: &SolveFailure) {
        self.iterations += failure.iterations;
        self.factorizations += failure.iterations;
    }

    /// Counts another island of the same solve.
    pub fn add_island(&mut self, other: &SolveReport) {
        let iterations = self.iterations.max(other.iterations);
        self.add(other);
        self.iterations = iterations;
    }
}
