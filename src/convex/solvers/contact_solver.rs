//! Interface of a solver for the contact step.

use super::{SolveFailure, SolveReport};
use crate::contact::{Problem, Regime, Solution};
use crate::profile::Stopwatch;

/// A contact solver: finds velocities and impulses of a problem that knows no laws. It keeps its memory from solve to
/// solve, with no effect on the solution.
pub trait ContactSolver: CloneSolver + Send + Sync {
    /// True if [`regimes`](Self::regimes) reports the regimes. Extrapolation and the location of transitions need them;
    /// without them a step has the order of the method.
    fn reports_regimes(&self) -> bool {
        false
    }

    /// True if rigid constraints yield to their impulses, except to the expected ones.
    fn has_compliant_rows(&self) -> bool {
        false
    }

    /// Reads the laws of `problem` for the step length that was set there. Called before [`solve`](Self::solve).
    fn set_step(&mut self, _problem: &Problem) {}

    /// Solves `problem` to relative `tolerance`, from the velocities and contact forces in `solution`. Leaves the
    /// solution there, with the impulses of all elements. `watch` measures the time.
    ///
    /// # Errors
    /// The solve did not converge; `solution` has lost its guess.
    fn solve(
        &mut self,
        problem: &Problem,
        tolerance: f64,
        solution: &mut Solution,
        watch: &mut Stopwatch,
    ) -> Result<SolveReport, SolveFailure>;

    /// Writes the regime of each clique at the solution found last; empty for a solver without this.
    fn regimes(&self, _problem: &Problem, _solution: &Solution, out: &mut Vec<Regime>) {
        out.clear();
    }

    /// Replaces momenta `rhs`, one per velocity, by the velocities `H^-1 rhs` with the derivative H of the balance at
    /// the solution found last: the change of the solution if the momenta of the problem change by `rhs`. `false`, with
    /// `rhs` unchanged, for a solver that does not have H.
    fn backsolve(&mut self, _problem: &Problem, _solution: &Solution, _rhs: &mut [f64]) -> bool {
        false
    }
}

/// Copies of a solver whose type is not known. Every solver that can be cloned has it.
pub trait CloneSolver {
    /// Returns a copy.
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
