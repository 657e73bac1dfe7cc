//! Islands at the same time: each worker solves some of them.
//!
//! An island answers to the problem and to where it starts, not to other islands, so that what is found has the same
//! bits whoever solves it. Islands go to workers by the number of their contacts, the largest first, each to the
//! worker that has the fewest. The threads are those of the current `rayon` pool.

use super::options::ThetaGammaOptions;
use super::solver::Worker;
use crate::contact::{Island, Problem, RowRules, Solution};
use crate::solvers::common::sweeps::Stopping;
use crate::solvers::{SolveFailure, SolveReport};

/// Problems with fewer contact points, or with nearly all of them in one island, are solved by one worker: handing them
/// over costs more.
const MIN_CONTACTS: usize = 32;

/// What all workers have in common.
pub(super) struct Shared<'a> {
    pub options: &'a ThetaGammaOptions,
    pub rules: &'a RowRules,
    pub stopping: Stopping,
}

/// The workers; keeps their memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Workers {
    all: Vec<Assigned>,
    /// Islands by their contacts, the most first.
    order: Vec<(usize, usize)>,
}

/// A worker, its islands, and what it found.
#[derive(Clone, Debug, Default)]
struct Assigned {
    worker: Worker,
    solution: Solution,
    islands: Vec<usize>,
    contacts: usize,
    report: SolveReport,
    failure: Option<(usize, SolveFailure)>,
}

fn contacts(problem: &Problem, island: &Island) -> usize {
    island.patches.iter().map(|&patch| problem.patches[patch].pairs.len()).sum()
}

impl Workers {
    /// Whether there is enough to be shared out.
    pub fn are_worth_it(problem: &Problem) -> bool {
        let all = problem.num_contacts();
        let largest = problem.islands().iter().map(|island| contacts(problem, island)).max().unwrap_or(0);
        all - largest >= MIN_CONTACTS
    }

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
        self.share_out(problem, shared.options.threads, solution);
        rayon::scope(|scope| {
            for part in &mut self.all {
                scope.spawn(|_| part.solve(problem, shared));
            }
        });
        let failed = self.all.iter().filter_map(|part| part.failure.as_ref()).min_by_key(|(island, _)| *island);
        if let Some((_, failure)) = failed {
            return Err(*failure);
        }
        let mut report = SolveReport::default();
        for part in &self.all {
            report.add_island(&part.report);
            part.islands.iter().for_each(|&i| solution.take_island(problem, &problem.islands()[i], &part.solution));
            solution.take_elements(&part.solution);
        }
        solution.keep_forces(problem);
        Ok(report)
    }

    fn share_out(&mut self, problem: &Problem, count: usize, solution: &Solution) {
        let Workers { all, order } = self;
        order.clear();
        order.extend(problem.islands().iter().enumerate().map(|(i, island)| (contacts(problem, island), i)));
        order.sort_unstable_by_key(|&(contacts, i)| (std::cmp::Reverse(contacts), i));
        all.resize_with(count, Assigned::default);
        for part in all.iter_mut() {
            part.islands.clear();
            part.contacts = 0;
            part.solution.clone_from(solution);
        }
        for &(contacts, i) in order.iter() {
            let Some(part) = all.iter_mut().min_by_key(|part| part.contacts) else { continue };
            part.islands.push(i);
            // What has no contact is work, too.
            part.contacts += contacts + 1;
        }
    }
}

impl Assigned {
    fn solve(&mut self, problem: &Problem, shared: &Shared<'_>) {
        let Assigned { worker, solution, islands, report, failure, .. } = self;
        (*report, *failure) = (SolveReport::default(), None);
        // The failure that is reported is the first by number.
        islands.sort_unstable();
        for &i in islands.iter() {
            match worker.solve(problem, &problem.islands()[i], shared, solution) {
                Ok(one) => report.add_island(&one),
                Err(found) => {
                    *failure = Some((i, found));
                    return;
                }
            }
        }
    }
}
