//! Solves islands at the same time: each worker solves some of them ([`Shares`]).

use super::options::ThetaGammaOptions;
use super::solver::Worker;
use crate::sweeps::{RowRules, Stopping};
use kinegraph_convex::contact::{Problem, Solution};
use kinegraph_convex::solvers::common::shares::{Found, Share, Shares};
use kinegraph_convex::solvers::{SolveFailure, SolveReport};
use kinegraph_core::threads;

/// Data common to all workers.
pub(super) struct Shared<'a> {
    pub options: &'a ThetaGammaOptions,
    pub rules: &'a RowRules,
    pub stopping: Stopping,
}

/// The workers; keeps their memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Workers {
    shares: Shares,
    all: Vec<Assigned>,
}

/// A worker, and its results.
#[derive(Clone, Debug, Default)]
struct Assigned {
    share: Share,
    worker: Worker,
    solution: Solution,
    found: Found,
}

impl Workers {
    /// Solves all islands of a problem.
    pub fn solve(
        &mut self,
        problem: &Problem,
        shared: &Shared<'_>,
        solution: &mut Solution,
    ) -> Result<SolveReport, SolveFailure> {
        if let Some(failure) = SolveFailure::of_unlisted(problem) {
            return Err(failure);
        }
        solution.start_impulses(problem);
        let Workers { shares, all } = self;
        let shares = shares.share_out(problem, shared.options.threads);
        all.resize_with(shares.len(), Assigned::default);
        all.iter_mut().zip(shares).for_each(|(part, share)| part.share.clone_from(share));
        threads::for_each(all, |part| {
            let Assigned { share, worker, solution: own, found } = part;
            own.clone_from(solution);
            *found = Found::of(share, |i| worker.solve(problem, &problem.islands()[i], shared, own));
        });
        let report = Found::together(all.iter().map(|part| &part.found))?;
        for part in all.iter() {
            part.share
                .islands
                .iter()
                .for_each(|&i| solution.take_island(problem, &problem.islands()[i], &part.solution));
            solution.take_elements(&part.solution);
        }
        solution.keep_forces(problem);
        Ok(report)
    }
}
