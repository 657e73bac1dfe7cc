//! Views into an iteration, for tests of its contracts.

use super::Solver;
use crate::choices::views::TOLERANCE;
use crate::contact::ContactForces;
use crate::contact::Island;
use crate::contact::Problem;
use crate::solvers::SolveReport;
use crate::solvers::icf::pair_iterate::Expansion;
use crate::solvers::icf::pools::ContactPool;
use crate::solvers::icf::subproblem::Subproblem;
use nalgebra::{Matrix3, Vector3};

impl Solver {
    /// Returns the matrices of all pairs in the first iteration from `v` and `forces`, after so many rounds in which
    /// impulses follow; `None` if a matrix is not positive definite.
    pub fn first_matrix(
        &mut self,
        problem: &Problem,
        island: &Island,
        v: &[f64],
        forces: &ContactForces,
        rounds: usize,
    ) -> Option<Vec<Matrix3<f64>>> {
        self.work.resize(problem);
        self.pools.set_step(problem);
        if !self.set_up(problem, island, forces) {
            return None;
        }
        self.assess(problem, island, v, false);
        // Impulses that follow the velocity, `rounds` times.
        for _ in 0..rounds {
            ContactPool::for_each(problem, island, |i| {
                let law = &self.pools.contact.laws[i];
                self.primal_dual.pairs[i].follow(law, &Vector3::zeros(), Expansion::Primal, false);
            });
            self.assess(problem, island, v, false);
        }
        let mut lap = self.watch.start();
        let mut report = SolveReport::default();
        let is_found = self.direction(problem, island, v, Expansion::Settled, &mut report, &mut lap);
        is_found.then(|| self.pools.contact.values.curvature.clone())
    }

    /// Solves all islands with contacts from `v` by the instructions of the machine, or by those that the crate is
    /// built for; returns the number of iterations.
    pub fn solve_contacts(&mut self, problem: &Problem, v: &mut [f64], wide: bool) -> usize {
        self.work.resize(problem);
        self.pools.set_step(problem);
        let mut report = SolveReport::default();
        for island in problem.islands().iter().filter(|island| !island.patches.is_empty()) {
            self.primal_dual.best.clear();
            self.primal_dual.best.extend_from_slice(v);
            let none = ContactForces::default();
            let part = Subproblem { problem, island, relative: TOLERANCE, reference: None };
            // Where it does not converge, it fails in the same way.
            let _ = if wide {
                self.iterate(part, v, &none, &mut report)
            } else {
                self.iterate_inlined(part, v, &none, &mut report)
            };
        }
        report.iterations
    }

    /// Makes the allowed number of iterations from `v`; returns the bound of the error there, for each island with
    /// contacts.
    pub fn bounds(&mut self, problem: &Problem, v: &mut [f64]) -> Vec<(usize, f64)> {
        self.work.resize(problem);
        self.pools.set_step(problem);
        let mut bounds = Vec::new();
        for (i, island) in problem.islands().iter().enumerate().filter(|(_, island)| !island.patches.is_empty()) {
            self.primal_dual.best.clear();
            self.primal_dual.best.extend_from_slice(v);
            let none = ContactForces::default();
            let part = Subproblem { problem, island, relative: 0.0, reference: None };
            if self.iterate(part, v, &none, &mut SolveReport::default()).is_err() {
                bounds.push((i, self.assess(problem, island, v, false).error));
            }
        }
        bounds
    }
}
