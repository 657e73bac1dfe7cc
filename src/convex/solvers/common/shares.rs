//! Which worker solves which islands, where several work at the same time.
//!
//! An island answers to the problem and to where it starts, not to other islands, so that what is found has the same
//! bits whoever solves it. Islands go to workers by their work, the largest first, each to the worker that has the
//! least.

use crate::contact::{Island, Problem};
use crate::solvers::{SolveFailure, SolveReport};
use kinegraph_core::threads::MIN_WORK;
use std::cmp::Reverse;

/// Instructions of a solve: for each contact point between bodies of so many velocities, and for each pair of
/// velocities of an island. (With more velocities a point takes as many times as much.)
const OF_A_POINT: usize = 25_000;
const BETWEEN: usize = 12;
const OF_A_PAIR: usize = 80;

/// What each worker has to do; keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct Shares {
    parts: Vec<Share>,
    /// Islands by their work, the most first.
    order: Vec<(usize, usize)>,
}

/// What one worker has to do.
#[derive(Clone, Debug, Default)]
pub struct Share {
    /// Islands by their place in the problem, in its order.
    pub islands: Vec<usize>,
    /// In instructions.
    work: usize,
}

/// About how many instructions a solve of an island takes.
fn work(problem: &Problem, island: &Island) -> usize {
    let points: usize = island.patches.iter().map(|&patch| problem.patches[patch].pairs.len()).sum();
    let dense = island.cliques.iter().map(|&c| problem.cliques[c].velocities.len()).max().unwrap_or(0);
    OF_A_POINT * points * dense.max(BETWEEN) / BETWEEN + OF_A_PAIR * dense * island.size
}

impl Shares {
    /// Whether there is enough to be shared out.
    pub fn are_worth_it(problem: &Problem) -> bool {
        let works = || problem.islands().iter().map(|island| work(problem, island));
        works().sum::<usize>() - works().max().unwrap_or(0) >= MIN_WORK
    }

    /// Shares out all islands of `problem` among `count` workers.
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

/// What a worker found of its share.
#[derive(Clone, Debug, Default)]
pub struct Found {
    report: SolveReport,
    /// The first island that failed, and why.
    failure: Option<(usize, SolveFailure)>,
}

impl Found {
    /// Does what is to be done for each island of a share, until one fails.
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

    /// What all workers found together. The failure that is reported is the first by number.
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
