//! Distribution of islands to workers that solve at the same time.
//!
//! The solution of an island depends on the problem and on its starting point, not on other islands, so that it has the
//! same bits whichever worker solves it. Islands go to workers by their work, the largest first, each to the worker
//! that has the least.

use crate::choices::shares::{BETWEEN, OF_A_PAIR, OF_A_POINT};
use crate::contact::{Island, Problem};
use crate::solvers::{SolveFailure, SolveReport};
use kinegraph_core::threads::MIN_WORK;
use std::cmp::Reverse;

/// Shares of all workers; keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct Shares {
    parts: Vec<Share>,
    /// Islands by their work, the largest first.
    order: Vec<(usize, usize)>,
}

/// Share of one worker.
#[derive(Clone, Debug, Default)]
pub struct Share {
    /// Indices of islands in the problem, in its order.
    pub islands: Vec<usize>,
    /// Work \[instructions\].
    work: usize,
}

/// Approximate number of instructions of a solve of an island.
fn work(problem: &Problem, island: &Island) -> usize {
    let points: usize = island.patches.iter().map(|&patch| problem.contacts.patches[patch].points.len()).sum();
    let dense = island.cliques.iter().map(|&c| problem.trees.cliques[c].velocities.len()).max().unwrap_or(0);
    OF_A_POINT * points * dense.max(BETWEEN) / BETWEEN + OF_A_PAIR * dense * island.size
}

impl Shares {
    /// True if there is enough work to share.
    pub fn are_worth_it(problem: &Problem) -> bool {
        let works = || problem.islands().iter().map(|island| work(problem, island));
        works().sum::<usize>() - works().max().unwrap_or(0) >= MIN_WORK
    }

    /// Distributes all islands of `problem` among `count` workers.
    pub fn share_out(&mut self, problem: &Problem, count: usize) -> &[Share] {
        let Shares { parts, order } = self;
        order.clear();
        order.extend(problem.islands().iter().enumerate().map(|(i, island)| (work(problem, island), i)));
        order.sort_unstable_by_key(|&(work, i)| (Reverse(work), i));
        parts.resize_with(count, Share::default);
        for part in parts.iter_mut() {
            part.islands.clear();
            part.work = 0;
        }
        for &(work, i) in order.iter() {
            let Some(part) = parts.iter_mut().min_by_key(|part| part.work) else { continue };
            part.islands.push(i);
            part.work += work;
        }
        parts.iter_mut().for_each(|part| part.islands.sort_unstable());
        parts
    }
}

/// Result of a worker's share.
#[derive(Clone, Debug, Default)]
pub struct Found {
    report: SolveReport,
    /// First island that failed, and the failure.
    failure: Option<(usize, SolveFailure)>,
}

impl Found {
    /// Calls `solve` for each island of a share, until one fails.
    pub fn of(share: &Share, mut solve: impl FnMut(usize) -> Result<SolveReport, SolveFailure>) -> Self {
        let mut found = Found::default();
        for &island in &share.islands {
            match solve(island) {
                Ok(one) => found.report.add_island(&one),
                Err(failure) => {
                    found.failure = Some((island, failure));
                    break;
                }
            }
        }
        found
    }

    /// Combines the results of all workers. The reported failure is the first by number.
    pub fn together<'f>(all: impl Iterator<Item = &'f Found>) -> Result<SolveReport, SolveFailure> {
        let (mut report, mut first) = (SolveReport::default(), None);
        for Found { report: part, failure } in all {
            report.add_island(part);
            if let Some((island, why)) = failure
                && first.is_none_or(|(other, _)| *island < other)
            {
                first = Some((*island, *why));
            }
        }
        first.map_or(Ok(report), |(_, failure)| Err(failure))
    }
}
