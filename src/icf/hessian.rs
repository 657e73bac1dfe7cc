//! The Hessian of one island, block by block.
//!
//! Contact acts through body velocities: the pairs of a patch are summed into 6x6 Hessians about the origins of its bodies, which the Jacobians then
//! carry to the cliques. With `W = [-[p], I]` the velocity of the contact point per velocity of a body, and K the 3x3 Hessian of a pair,
//!
//! ```text
//! H_BB += J_B' (W_B' K W_B) J_B,   H_AA += J_A' (W_A' K W_A) J_A,   H_BA -= J_B' (W_B' K W_A) J_A
//! ```
//!
//! where D = [p_A] - [p_B] is the same for all pairs of a patch, so that the sums about A follow from those about B.

use super::assemble::Workspace;
use super::factor::{Block, Pattern, Places};
use super::islands::Island;
use super::problem::Problem;
use nalgebra::{Matrix3, Matrix6, Vector3};

fn skew(p: &Vector3<f64>) -> Matrix3<f64> {
    Matrix3::new(0.0, -p.z, p.y, p.z, 0.0, -p.x, -p.y, p.x, 0.0)
}

/// Hessian on the island at `v`, with the Hessians of the pairs that stand in `work` and without feedback that has no cost: the lower triangle, in a
/// dense matrix or by the given pattern. `h` is zero before.
pub(super) fn hessian(
    problem: &Problem,
    island: &Island,
    v: &[f64],
    work: &mut Workspace,
    pattern: Option<Pattern<'_>>,
    h: &mut [f64],
) {
    let Workspace { local, row, curvature, product_jacobian, .. } = work;
    let places = pattern.map_or(Places::Dense(row, island.size), Places::Sparse);
    for &c in &island.cliques {
        let (size, start) = (problem.cliques[c].size(), problem.cliques[c].block);
        let block = places.block(local[c], local[c]);
        for (j, column) in problem.dynamics[start..start + size * size].chunks_exact(size).enumerate() {
            h[block.entry(0, j)..block.entry(0, j) + size].copy_from_slice(column);
        }
    }
    let entry = |vi: usize, vj: usize| {
        let (a, b) = (problem.clique_of(vi), problem.clique_of(vj));
        let (i, j) = (vi - problem.cliques[a].velocities.start, vj - problem.cliques[b].velocities.start);
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
                h[entry(vi, vj)] += problem.dt * a;
            }
        }
    }
    for &g in &island.rows {
        let group = &problem.rows[g];
        let (weight, support) = (group.law.hessian(), &problem.support[group.support.clone()]);
        for (k, sj) in support.iter().enumerate() {
            let column = sj.column * weight;
            for si in &support[k..] {
                h[entry(si.velocity, sj.velocity)] += si.column.dot(&column);
            }
        }
    }
    for &l in &island.limits {
        let limit = &problem.limits[l];
        h[entry(limit.velocity, limit.velocity)] += limit.hessian(v[limit.velocity]);
    }
    for &e in &island.efforts {
        let effort = &problem.efforts[e];
        h[entry(effort.velocity, effort.velocity)] += effort.hessian(v[effort.velocity]);
    }
    for &p in &island.patches {
        patch_hessian(problem, p, curvature, local, &places, product_jacobian, h);
    }
}

fn patch_hessian(
    problem: &Problem,
    patch: usize,
    curvature: &[Matrix3<f64>],
    local: &[usize],
    places: &Places<'_>,
    scratch: &mut Vec<f64>,
    h: &mut [f64],
) {
    let patch = &problem.patches[patch];
    let pairs = patch.pairs.clone();
    // W_B' K W_B, with [p]' = -[p].
    let (mut g11, mut g12, mut g22) = (Matrix3::zeros(), Matrix3::zeros(), Matrix3::zeros());
    for (pair, k) in problem.pairs[pairs.clone()].iter().zip(&curvature[pairs]) {
        let p = skew(&pair.p_BC);
        let pk = p * k;
        g11 -= pk * p;
        g12 += pk;
        g22 += k;
    }
    if g22 == Matrix3::zeros() {
        return;
    }
    let (a, b) = (patch.body_a, patch.body_b);
    let Some(cb) = problem.bodies[b].clique else { return };
    let g21 = g12.transpose();
    let own = places.block(local[cb], local[cb]);
    add(problem, (b, b), &join(&g11, &g12, &g21, &g22), own, scratch, h);
    let Some(ca) = problem.bodies[a].clique else { return };
    let pair = &problem.pairs[patch.pairs.start];
    let d = skew(&(pair.p_AC - pair.p_BC));
    let (c11, c21) = (g11 - g12 * d, g21 - g22 * d);
    let own = places.block(local[ca], local[ca]);
    add(problem, (a, a), &join(&(c11 + d * c21), &(g12 + d * g22), &c21, &g22), own, scratch, h);
    let cross = -join(&c11, &g12, &c21, &g22);
    let between = places.block(local[cb], local[ca]);
    add(problem, (b, a), &cross, between, scratch, h);
    if ca == cb {
        let transposed = Block { transposed: !between.transposed, ..between };
        add(problem, (b, a), &cross, transposed, scratch, h);
    }
}

fn join(m11: &Matrix3<f64>, m12: &Matrix3<f64>, m21: &Matrix3<f64>, m22: &Matrix3<f64>) -> Matrix6<f64> {
    Matrix6::from_fn(|i, j| match (i < 3, j < 3) {
        (true, true) => m11[(i, j)],
        (true, false) => m12[(i, j - 3)],
        (false, true) => m21[(i - 3, j)],
        (false, false) => m22[(i - 3, j - 3)],
    })
}

/// Adds `J_b' G J_a` to a block of H.
fn add(problem: &Problem, (b, a): (usize, usize), g: &Matrix6<f64>, block: Block, gj: &mut Vec<f64>, h: &mut [f64]) {
    let (b, a) = (&problem.bodies[b], &problem.bodies[a]);
    if a.free && b.free {
        return add_free(g, block, h);
    }
    let jacobian = |body: &super::problem::Body| {
        let size = body.clique.map_or(0, |c| problem.cliques[c].size());
        &problem.jacobians[body.jacobian..body.jacobian + 6 * size]
    };
    gj.clear();
    if a.free {
        gj.extend_from_slice(g.as_slice());
    } else {
        for column in jacobian(a).chunks_exact(6) {
            let mut sum = [0.0; 6];
            for (g, x) in g.as_slice().chunks_exact(6).zip(column) {
                sum.iter_mut().zip(g).for_each(|(s, g)| *s += g * x);
            }
            gj.extend_from_slice(&sum);
        }
    }
    for (j, x) in gj.chunks_exact(6).enumerate() {
        if b.free {
            x.iter().enumerate().for_each(|(i, x)| h[block.entry(i, j)] += x);
        } else {
            for (i, column) in jacobian(b).chunks_exact(6).enumerate() {
                h[block.entry(i, j)] += column.iter().zip(x).map(|(a, b)| a * b).sum::<f64>();
            }
        }
    }
}

fn add_free(g: &Matrix6<f64>, block: Block, h: &mut [f64]) {
    let g = if block.transposed { g.transpose() } else { *g };
    for (j, g) in g.as_slice().chunks_exact(6).enumerate() {
        let at = block.start + j * block.stride;
        h[at..at + 6].iter_mut().zip(g).for_each(|(h, g)| *h += g);
    }
}
