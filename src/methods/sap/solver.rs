//! Interface of the solver to the contact step.

use super::free_motion::FreeMotion;
use super::limit::StopLaw;
use super::options::SolverOptions;
use super::pool::ConePool;
use kinegraph_convex::contact::{Problem, Solution};
use kinegraph_convex::linear_algebra::Lu;
use kinegraph_convex::profile::Stopwatch;
use kinegraph_convex::solvers::common::assemble::Workspace;
use kinegraph_convex::solvers::common::island_factor::IslandFactor;
use kinegraph_convex::solvers::common::pools::Pools;
use kinegraph_convex::solvers::{ContactSolver, SolveFailure, SolveReport};

/// Solves problems by the semi-analytic primal method; keeps its memory from solve to solve.
#[derive(Clone, Debug)]
pub struct Sap {
    pub(super) options: SolverOptions,
    /// Elements that act in the problem: contact by cones, and the rest.
    pub pools: Pools<ConePool>,
    pub(super) free: FreeMotion,
    pub(super) work: Workspace,
    /// `diag(A)^-1/2`.
    pub(super) scale: Vec<f64>,
    /// `A v`.
    pub(super) product: Vec<f64>,
    pub(super) trial: Vec<f64>,
    pub(super) double: IslandFactor<f64>,
    pub(super) single: IslandFactor<f32>,
    pub(super) lu: Lu,
    pub(super) local: Vec<f64>,
}

impl Default for Sap {
    fn default() -> Self {
        Sap::new(SolverOptions::default())
    }
}

impl Sap {
    /// A solver with the given options.
    pub fn new(options: SolverOptions) -> Self {
        Sap {
            options,
            pools: Pools::with_law::<StopLaw>(ConePool::new(options)),
            free: FreeMotion::default(),
            work: Workspace::default(),
            scale: Vec::new(),
            product: Vec::new(),
            trial: Vec::new(),
            double: IslandFactor::default(),
            single: IslandFactor::default(),
            lu: Lu::default(),
            local: Vec::new(),
        }
    }
}

impl ContactSolver for Sap {
    fn has_compliant_rows(&self) -> bool {
        true
    }

    fn set_step(&mut self, problem: &Problem) {
        self.work.resize(problem);
        self.free.set_step(problem, self.options.precision.free_motion);
        self.pools.set_step(problem);
        self.scale.clear();
        for clique in &problem.trees.cliques {
            let diagonal =
                problem.step_terms.dynamics[clique.block..].iter().step_by(clique.size() + 1).take(clique.size());
            self.scale.extend(diagonal.map(|a| 1.0 / a.sqrt()));
        }
    }

    /// Solves to the tolerances of the options, which belong to the method.
    fn solve(
        &mut self,
        problem: &Problem,
        _tolerance: f64,
        solution: &mut Solution,
        watch: &mut Stopwatch,
    ) -> Result<SolveReport, SolveFailure> {
        if let Some(failure) = SolveFailure::of_unlisted(problem) {
            return Err(failure);
        }
        let mut v = std::mem::take(&mut solution.velocity);
        let mut report = SolveReport::default();
        let mut failed = None;
        for island in problem.islands() {
            match self.solve_island(problem, island, &mut v, watch) {
                Ok(one) => report.add_island(&one),
                Err(failure) => {
                    failed = Some(failure);
                    break;
                }
            }
        }
        if failed.is_none() {
            self.pools.write(problem, &v, solution);
        }
        solution.velocity = v;
        failed.map_or(Ok(report), Err)
    }

    fn backsolve(&mut self, problem: &Problem, solution: &Solution, rhs: &mut [f64]) -> bool {
        for island in problem.islands() {
            let velocities = || island.cliques.iter().flat_map(|&c| problem.velocities_of(c));
            self.work.enter(problem, island);
            self.pools.contact.evaluate(problem, island, &solution.velocity);
            velocities().for_each(|i| self.work.gradient[i] = -rhs[i]);
            let has_cost = !problem.is_unsymmetric(island);
            self.enter_factor(problem, island);
            if !self.direction(problem, island, &solution.velocity, has_cost, &mut Stopwatch::default()) {
                return false;
            }
            velocities().for_each(|i| rhs[i] = self.work.direction[i]);
        }
        true
    }
}
