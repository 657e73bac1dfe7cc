//! Islands at the same time: each worker solves some of them ([`Shares`]). The threads are those of the current `rayon`
//! pool.

use super::options::ThetaGammaOptions;
use super::solver::Worker;
use crate::contact::{Problem, RowRules, Solution};
use crate::solvers::common::shares::Shares;
use crate::solvers::common::sweeps::Stopping;
use crate::solvers::{SolveFailure, SolveReport};
use rayon::prelude::*;

/// What all workers have in common.
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

/// A worker, and what it found.
#[derive(Clone, Debug, Default)]
struct Assigned {
    worker: Worker,
    solution: Solution,
    report: SolveReport,
    failure: Option<(usize, SolveFailure)>,
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
        all.par_iter_mut().zip(shares).with_max_len(1).for_each(|(part, share)| {
            part.solution.clone_from(solution);
            part.solve(problem, shared, &share.islands);
        });
        let failed = all.iter().filter_map(|part| part.failure.as_ref()).min_by_key(|(island, _)| *island);
        if let Some((_, failure)) = failed {
            return Err(*failure);
        }
        let mut report = SolveReport::default();
        for (part, share) in all.iter().zip(shares) {
            report.add_island(&part.report);
            share.islands.iter().for_each(|&i| solution.take_island(problem, &problem.islands()[i], &part.solution));
            solution.take_elements(&part.solution);
        }
        solution.keep_forces(problem);
        Ok(report)
    }
}

impl Assigned {
    fn solve(&mut self, problem: &Problem, shared: &Shared<'_>, islands: &[usize]) {
        let Assigned { worker, solution, report, failure } = self;
        (*report, *failure) = (SolveReport::default(), None);
        for &i in islands {
            match worker.solve(problem, &problem.islands()[i], shared, solution) {
                Ok(one) => report.add_island(&one),
                // The failure that is reported is the first by number.
                Err(found) => {
                    *failure = Some((i, found));
                    return;
                }
            }
        }
    }
}
