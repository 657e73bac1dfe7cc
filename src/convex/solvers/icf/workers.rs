//! Islands at the same time: each worker solves some of them ([`Shares`]), with laws and memory of its own.

use super::solver::{Solver, Target};
use crate::contact::{ContactForces, Island, Problem};
use crate::solvers::common::shares::{Found, Share, Shares};
use crate::solvers::{SolveFailure, SolveReport};
use kinegraph_core::threads;

/// The workers; keeps their memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Workers {
    shares: Shares,
    all: Vec<Worker>,
}

/// A worker, and its result.
#[derive(Clone, Debug)]
struct Worker {
    share: Share,
    solver: Solver,
    v: Vec<f64>,
    found: Found,
}

impl Solver {
    /// Minimizes the cost of all islands from the guess `v`, several at the same time.
    pub(super) fn minimize_together(
        &mut self,
        problem: &Problem,
        target: Target,
        v: &mut [f64],
        forces: &ContactForces,
    ) -> Result<SolveReport, SolveFailure> {
        let mut workers = std::mem::take(&mut self.workers);
        let report = self.minimize_by(&mut workers, problem, target, v, forces);
        self.workers = workers;
        report
    }

    fn minimize_by(
        &mut self,
        workers: &mut Workers,
        problem: &Problem,
        target: Target,
        v: &mut [f64],
        forces: &ContactForces,
    ) -> Result<SolveReport, SolveFailure> {
        let Workers { shares, all } = workers;
        let shares = shares.share_out(problem, self.options.threads);
        all.resize_with(shares.len(), || Worker::new(self));
        all.iter_mut().zip(shares).for_each(|(worker, share)| worker.share.clone_from(share));
        let guess = &*v;
        threads::for_each(all, |worker| {
            worker.v.clear();
            worker.v.extend_from_slice(guess);
            worker.solve(problem, target, forces);
        });
        let report = Found::together(all.iter().map(|worker| &worker.found))?;
        for worker in all.iter() {
            worker.share.islands.iter().for_each(|&i| self.take_island(problem, &problem.islands()[i], worker, v));
        }
        Ok(report)
    }

    /// Copies a worker's result for an island: its velocities, and the data that the solver is asked for afterwards.
    fn take_island(&mut self, problem: &Problem, island: &Island, worker: &Worker, v: &mut [f64]) {
        for run in &island.runs {
            v[run.clone()].copy_from_slice(&worker.v[run.clone()]);
        }
        self.pools.contact.values.set_velocities(problem, island, v);
        let (own, found) = (&mut self.primal_dual.pairs, &worker.solver.primal_dual.pairs);
        own.resize(problem.contacts.points.len(), Default::default());
        for &patch in &island.patches {
            let pairs = problem.contacts.patches[patch].points.clone();
            // Other methods have no iterates.
            if let Some(found) = found.get(pairs.clone()) {
                own[pairs].clone_from_slice(found);
            }
        }
    }
}

impl Worker {
    /// Worker with the options of `solver`; its own islands are solved one after the other.
    fn new(solver: &Solver) -> Self {
        Worker { share: Share::default(), solver: Solver::new(solver.options), v: Vec::new(), found: Found::default() }
    }

    fn solve(&mut self, problem: &Problem, target: Target, forces: &ContactForces) {
        let Worker { share, solver, v, found } = self;
        solver.pools.set_step(problem);
        solver.work.resize(problem);
        *found = Found::of(share, |i| solver.minimize_island(problem, &problem.islands()[i], target, v, forces));
    }
}
