//! What the contact step asks of a solver.

use super::{SolveFailure, SolveReport};
use crate::contact::{Problem, Regime, Solution};
use crate::profile::Stopwatch;

/// One contact solver: finds velocities and impulses of a problem that knows no laws. It keeps its memory from solve to
/// solve, and nothing that shows in the solution.
pub trait ContactSolver: CloneSolver + Send + Sync {
    /// Whether [`regimes`](Self::regimes) reports what acts where. Extrapolation and the location of transitions need
    /// that; without it a step has the order of the method.
    fn reports_regimes(&self) -> bool {
        false
    }

    /// Whether rigid constraints yield to their impulses, but to those expected of them.
    fn has_compliant_rows(&self) -> bool {
        false
    }

    /// Takes the laws of `problem` for the step length that was set there. Comes before [`solve`](Self::solve).
    fn set_step(&mut self, _problem: &Problem) {}

    /// Solves `problem` to relative `tolerance`, from the velocities and contact forces in `solution`; leaves those
    /// found there, and the impulses of all that acts. `watch` measures where the time goes.
    ///
    /// # Errors
    /// A solve that did not arrive; `solution` has lost its guess.
    fn solve(
        &mut self,
        problem: &Problem,
        tolerance: f64,
        solution: &mut Solution,
        watch: &mut Stopwatch,
    ) -> Result<SolveReport, SolveFailure>;

    /// What acts on each clique at the solution found last; empty for a solver that does not say.
    fn regimes(&self, _problem: &Problem, _solution: &Solution, out: &mut Vec<Regime>) {
        out.clear();
    }

    /// Replaces momenta `rhs`, one per velocity, by the velocities `H^-1 rhs` with the derivative H of the balance at
    /// the solution found last: by how much the solution moves if the momenta of the problem change by `rhs`. `false`,
    /// with `rhs` as it was, for a solver that does not know H.
    fn backsolve(&mut self, _problem: &Problem, _solution: &Solution, _rhs: &mut [f64]) -> bool {
        false
    }
}

/// Copies of a solver whose type is not known. Every solver that can be cloned has it.
pub trait CloneSolver {
    /// A copy.
    fn clone_solver(&self) -> Box<dyn ContactSolver>;
}

impl<S: ContactSolver + Clone + 'static> CloneSolver for S {
    fn clone_solver(&self) -> Box<dyn ContactSolver> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn ContactSolver> {
    fn clone(&self) -> Self {
        (**self).clone_solver()
    }
}
