//! The Hessian of one island, block by block.

use super::assemble::Workspace;
use super::pools::{HessianBlocks, Pools, Potential};
use crate::contact::{Island, Problem};
use crate::linear_algebra::{Pattern, Places};

/// Computes the Hessian on the island at `v`, with the Hessians of the contact points in their pool and without
/// feedback that has no cost: the lower triangle, in a dense matrix or by the given pattern. `h` must be zero before.
#[inline(always)]
pub fn hessian<C: Potential>(
    problem: &Problem,
    island: &Island,
    v: &[f64],
    pools: &Pools<C>,
    work: &mut Workspace,
    pattern: Option<Pattern<'_>>,
    h: &mut [f64],
) {
    let Workspace { local, row, .. } = work;
    let places = pattern.map_or(Places::Dense(row, island.size), Places::Sparse);
    for &c in &island.cliques {
        let (size, start) = (problem.trees.cliques[c].size(), problem.trees.cliques[c].block);
        let block = places.block(local[c], local[c]);
        if block.stride == size {
            h[block.start..block.start + size * size]
                .copy_from_slice(&problem.step_terms.dynamics[start..start + size * size]);
            continue;
        }
        for (j, column) in problem.step_terms.dynamics[start..start + size * size].chunks_exact(size).enumerate() {
            h[block.entry(0, j)..block.entry(0, j) + size].copy_from_slice(column);
        }
    }
    let entry = |vi: usize, vj: usize| {
        let (a, b) = (problem.clique_of(vi), problem.clique_of(vj));
        let (i, j) = (vi - problem.trees.cliques[a].velocities.start, vj - problem.trees.cliques[b].velocities.start);
        places.block(local[a], local[b]).entry(i, j)
    };
    for &f in &island.feedback {
        let block = &problem.feedback[f];
        if block.unsymmetric {
            continue; // added where both triangles are
        }
        let m = block.velocities.len();
        for (column, &vj) in block.gain.chunks_exact(m).zip(&block.velocities) {
            for (&a, &vi) in column.iter().zip(&block.velocities).filter(|(_, vi)| **vi >= vj) {
                h[entry(vi, vj)] += problem.step_terms.dt * a;
            }
        }
    }
    let mut blocks = HessianBlocks { places, local, values: h };
    pools.rest().for_each(|pool| pool.add_hessian(problem, island, v, &mut blocks));
    pools.contact.add_hessian(problem, island, v, &mut blocks);
}
