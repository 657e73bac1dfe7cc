//! The derivative of the gradient of an island whose feedback is not symmetric, as one dense matrix.

use super::assemble::Workspace;
use super::hessian;
use super::pools::{Pools, Potential};
use crate::contact::{Island, Problem};
use crate::linear_algebra::Lu;

/// Sets `lu` to the derivative at `v`, with the Hessians of the contact points in their pool.
pub fn assemble<C: Potential>(
    problem: &Problem,
    island: &Island,
    v: &[f64],
    pools: &Pools<C>,
    work: &mut Workspace,
    lu: &mut Lu,
) {
    let n = island.size;
    let h = lu.start(n);
    hessian::hessian(problem, island, v, pools, work, None, h);
    for j in 0..n {
        for i in j + 1..n {
            h[i * n + j] = h[j * n + i];
        }
    }
    let row_of = |velocity: usize| {
        let c = problem.clique_of(velocity);
        work.row[work.local[c]] + velocity - problem.trees.cliques[c].velocities.start
    };
    for block in island.feedback.iter().map(|&f| &problem.feedback[f]).filter(|block| block.unsymmetric) {
        for (column, &vj) in block.gain.chunks_exact(block.velocities.len()).zip(&block.velocities) {
            let j = row_of(vj);
            for (&k, &vi) in column.iter().zip(&block.velocities) {
                h[j * n + row_of(vi)] += problem.step_terms.dt * k;
            }
        }
        for (row, gain) in block.limited_rows() {
            if row.regime(block.asked(row, gain, v, &problem.trees.v0)) == 0 {
                let i = row_of(row.velocity);
                for (&k, &vj) in gain.iter().zip(&block.velocities) {
                    h[row_of(vj) * n + i] += problem.step_terms.dt * k;
                }
            }
        }
    }
}

/// Factors the derivative and leaves the Newton direction in `work`; `local` is scratch. `false`, with the direction
/// unchanged, if it is not finite: the derivative is singular.
pub fn direction(problem: &Problem, island: &Island, lu: &mut Lu, local: &mut Vec<f64>, work: &mut Workspace) -> bool {
    lu.factor();
    local.clear();
    for &c in &island.cliques {
        local.extend(problem.trees.cliques[c].velocities.clone().map(|i| -work.gradient[i]));
    }
    lu.solve(local);
    if local.iter().any(|x| !x.is_finite()) {
        return false;
    }
    for &c in &island.cliques {
        let (range, at) = (problem.trees.cliques[c].velocities.clone(), work.row[work.local[c]]);
        let size = range.len();
        work.direction[range].copy_from_slice(&local[at..at + size]);
    }
    true
}
