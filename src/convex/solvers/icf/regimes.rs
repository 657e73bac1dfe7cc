//! Smooth pieces of the constraints that act on a part of the state, as numbers to compare.

use super::solver::Solver;
use crate::contact::{Problem, Regime};
use crate::solvers::common::pools::Pieces;
use std::iter::repeat;

impl Solver {
    /// Finds the regime of every clique at the solution `v` of the last solve.
    ///
    /// Only elements that act on the clique itself are noted: islands of two solves differ where bodies are near each
    /// other in one of them only, though nothing acts between them.
    pub(super) fn find_regimes(&self, problem: &Problem, v: &[f64], out: &mut Vec<Regime>) {
        out.clear();
        out.resize(problem.trees.cliques.len(), Regime::default());
        for island in problem.islands() {
            // A sum of hashes: the order of constraints does not matter.
            let mut note = |kind: u64, clique: usize, key: u64, of_step: Pieces| {
                let Regime { pieces, end, start, ended, .. } = &mut out[clique];
                *ended = ended.max(of_step.ended);
                let regimes = [of_step.coarse, of_step.end, of_step.start];
                for (sum, regime) in [pieces, end, start].into_iter().zip(regimes).filter(|(_, regime)| *regime != 0) {
                    let hash = scramble(key.wrapping_mul(31) ^ (kind << 56) ^ (u64::from(regime) << 48));
                    *sum = sum.wrapping_add(hash);
                }
            };
            for pool in self.pools.all() {
                let mut own = |clique, key, pieces| note(pool.kind(), clique, key, pieces);
                pool.note_pieces(problem, island, v, &mut own);
            }
            for &f in &island.feedback {
                let block = &problem.feedback[f];
                for (row, gain) in block.limited_rows() {
                    // Within its limits a row has the same law as an unlimited one.
                    let [end, asked0] =
                        [v, &*problem.trees.v0].map(|v| row.regime(block.asked(row, gain, v, &problem.trees.v0)));
                    let own = block.velocities.iter().position(|&j| j == row.velocity).map_or(0.0, |j| gain[j]);
                    let ended =
                        asked0 != 0 && asked0 != end && problem.step_terms.dt * own > problem.inertia_of(row.velocity);
                    let ended = if ended { 1.0 } else { 0.0 };
                    let pieces = Pieces { ended, ..Pieces::throughout(end) };
                    island.cliques.iter().for_each(|&c| note(3, c, row.velocity as u64, pieces));
                }
            }
            let velocities =
                island.cliques.iter().flat_map(|&c| problem.trees.cliques[c].velocities.clone().zip(repeat(c)));
            for (velocity, clique) in velocities.filter(|&(v, _)| problem.trees.locked[v]) {
                note(5, clique, velocity as u64, Pieces::throughout(1));
            }
            let stopped = self.pools.rest().any(|pool| pool.is_stopped(problem, island, v));
            let struck = !self.pools.rest().all(|pool| pool.is_held(problem, island, v));
            for &c in &island.cliques {
                (out[c].stopped, out[c].struck) = (stopped, struck);
            }
        }
    }
}

/// Mixes 64 bits well (the finalizer of SplitMix64).
fn scramble(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
