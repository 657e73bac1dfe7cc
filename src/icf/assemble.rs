//! Gradient and Hessian of one island at a velocity.
//!
//! Contact acts through body velocities: the pairs of a patch are summed into one wrench and one 6x6 Hessian G about the origin
//! of body B, which the Jacobians then carry to the cliques:
//! `H_BB += J_B' G J_B`, `H_AA += J_A' F' G F J_A`, `H_BA -= J_B' G F J_A`, with F the shift of velocities from A to B.

use super::islands::Island;
use super::problem::Problem;
use nalgebra::{Matrix3, Matrix6, Vector3};

/// Values that vary with the velocity, reused from solve to solve.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    /// Gradient of the cost, for all velocities.
    pub gradient: Vec<f64>,
    /// Search direction.
    pub direction: Vec<f64>,
    /// A times the search direction.
    pub product: Vec<f64>,
    /// Relative velocity of each pair at the current velocity.
    pub vc: Vec<Vector3<f64>>,
    /// Rate of `vc` along the search direction.
    pub uc: Vec<Vector3<f64>>,
    /// Impulse of each pair on B, as the method of solution linearizes it at the current velocity.
    pub impulse: Vec<Vector3<f64>>,
    /// The Hessian of each pair that goes with it.
    pub stiffness: Vec<Matrix3<f64>>,
    /// Velocities of the bodies of the island.
    body: Vec<(Vector3<f64>, Vector3<f64>)>,
    /// First row of each clique within its island's Hessian.
    pub row: Vec<usize>,
    gj_b: Vec<f64>,
    gj_a: Vec<f64>,
}

impl Workspace {
    pub fn resize(&mut self, problem: &Problem) {
        let n = problem.size();
        for v in [&mut self.gradient, &mut self.direction, &mut self.product] {
            v.clear();
            v.resize(n, 0.0);
        }
        for v in [&mut self.vc, &mut self.uc, &mut self.impulse] {
            v.clear();
            v.resize(problem.pairs.len(), Vector3::zeros());
        }
        self.stiffness.clear();
        self.stiffness.resize(problem.pairs.len(), Matrix3::zeros());
        self.body.resize(problem.bodies.len(), Default::default());
        self.row.resize(problem.cliques.len(), 0);
    }
}

fn skew(p: &Vector3<f64>) -> Matrix3<f64> {
    Matrix3::new(0.0, -p.z, p.y, p.z, 0.0, -p.x, -p.y, p.x, 0.0)
}

/// Relative velocities of all pairs of the island when the velocities are `v` (B relative to A).
pub(super) fn pair_velocities(
    problem: &Problem,
    island: &Island,
    v: &[f64],
    work: &mut Workspace,
    along_direction: bool,
) {
    for &b in &island.bodies {
        work.body[b] = problem.body_velocity(b, if along_direction { &work.direction } else { v });
    }
    let out = if along_direction { &mut work.uc } else { &mut work.vc };
    for &p in &island.patches {
        let patch = &problem.patches[p];
        let ((wa, va), (wb, vb)) = (work.body[patch.body_a], work.body[patch.body_b]);
        for i in patch.pairs.clone() {
            let pair = &problem.pairs[i];
            let bias = if along_direction { Vector3::zeros() } else { pair.bias_velocity };
            out[i] = (vb + wb.cross(&pair.p_BC)) - (va + wa.cross(&pair.p_AC)) + bias;
        }
    }
}

/// Adds `J' [torque; force]` of a body to `out`, `scale` times.
pub(super) fn add_wrench(
    problem: &Problem,
    body: usize,
    torque: &Vector3<f64>,
    force: &Vector3<f64>,
    scale: f64,
    out: &mut [f64],
) {
    let b = &problem.bodies[body];
    let Some(clique) = b.clique else { return };
    let out = &mut out[problem.cliques[clique].velocities.clone()];
    if b.free {
        for i in 0..3 {
            out[i] += scale * torque[i];
            out[3 + i] += scale * force[i];
        }
        return;
    }
    let j = &problem.jacobians[b.jacobian..b.jacobian + 6 * out.len()];
    for (column, o) in j.chunks_exact(6).zip(out) {
        let dot = column[0] * torque.x
            + column[1] * torque.y
            + column[2] * torque.z
            + column[3] * force.x
            + column[4] * force.y
            + column[5] * force.z;
        *o += scale * dot;
    }
}

/// Gradient of the cost on the island at `v`, and what [`hessian`] needs of the pairs there; `vc` must hold the pair velocities at `v`.
pub(super) fn gradient(problem: &Problem, island: &Island, v: &[f64], work: &mut Workspace) {
    for &p in &island.patches {
        for i in problem.patches[p].pairs.clone() {
            (work.impulse[i], work.stiffness[i]) = problem.pairs[i].law.impulse_and_hessian(&work.vc[i]);
        }
    }
    gradient_of_rest(problem, island, v, &mut work.gradient);
    subtract_impulses(problem, island, |i| work.impulse[i], &mut work.gradient);
}

/// The gradient without contact: of inertia, bilateral rows, joint limits and limited efforts.
pub(super) fn gradient_of_rest(problem: &Problem, island: &Island, v: &[f64], out: &mut [f64]) {
    for &c in &island.cliques {
        let range = problem.cliques[c].velocities.clone();
        for i in range {
            out[i] = -problem.momentum[i];
        }
    }
    problem.add_product(island, v, out);
    problem.add_row_gradient(island, v, out);
    for &l in &island.limits {
        let limit = &problem.limits[l];
        out[limit.velocity] -= limit.impulse(v[limit.velocity]);
    }
    for &e in &island.efforts {
        let effort = &problem.efforts[e];
        out[effort.velocity] -= effort.impulse(v[effort.velocity]);
    }
}

/// Subtracts `J' gamma` of the island, where `impulse` gives gamma of each pair.
pub(super) fn subtract_impulses(
    problem: &Problem,
    island: &Island,
    mut impulse: impl FnMut(usize) -> Vector3<f64>,
    out: &mut [f64],
) {
    for &p in &island.patches {
        let patch = &problem.patches[p];
        let (mut torque_a, mut torque_b, mut force) = (Vector3::zeros(), Vector3::zeros(), Vector3::zeros());
        for i in patch.pairs.clone() {
            let (pair, impulse) = (&problem.pairs[i], impulse(i));
            torque_a += pair.p_AC.cross(&impulse);
            torque_b += pair.p_BC.cross(&impulse);
            force += impulse;
        }
        add_wrench(problem, patch.body_b, &torque_b, &force, -1.0, out);
        add_wrench(problem, patch.body_a, &torque_a, &force, 1.0, out);
    }
}

/// `G J` of a body (6 x n, column major), where G is about the body's origin.
fn times_jacobian(problem: &Problem, body: usize, g: &Matrix6<f64>, out: &mut Vec<f64>) {
    let b = &problem.bodies[body];
    out.clear();
    let Some(clique) = b.clique else { return };
    if b.free {
        out.extend_from_slice(g.as_slice());
        return;
    }
    let n = problem.cliques[clique].size();
    for column in problem.jacobians[b.jacobian..b.jacobian + 6 * n].chunks_exact(6) {
        for i in 0..6 {
            out.push((0..6).map(|k| g[(i, k)] * column[k]).sum());
        }
    }
}

/// Adds `scale * J_body' X` (X is 6 x m, column major) to the block of H at (`row`, `column`); `lower_only` for a diagonal block.
#[allow(clippy::too_many_arguments)]
fn add_block(
    problem: &Problem,
    body: usize,
    x: &[f64],
    scale: f64,
    (row, column): (usize, usize),
    h: &mut [f64],
    stride: usize,
    transpose: bool,
) {
    let b = &problem.bodies[body];
    let Some(clique) = b.clique else { return };
    let n = problem.cliques[clique].size();
    for (j, xj) in x.chunks_exact(6).enumerate() {
        for i in 0..n {
            let value = if b.free {
                xj[i]
            } else {
                let jc = &problem.jacobians[b.jacobian + 6 * i..b.jacobian + 6 * i + 6];
                (0..6).map(|k| jc[k] * xj[k]).sum()
            };
            let (r, c) = if transpose { (row + j, column + i) } else { (row + i, column + j) };
            h[c * stride + r] += scale * value;
        }
    }
}

/// Hessian of the cost on the island at `v`, with the Hessians of pairs in `work` (island-local, column major, lower triangle), without feedback that has no cost.
pub(super) fn hessian(problem: &Problem, island: &Island, v: &[f64], work: &mut Workspace, h: &mut [f64]) {
    let n = island.size;
    let mut at = 0;
    for &c in &island.cliques {
        work.row[c] = at;
        let size = problem.cliques[c].size();
        let block = problem.cliques[c].block;
        for j in 0..size {
            let column = &problem.dynamics[block + j * size..block + (j + 1) * size];
            h[(at + j) * n + at..(at + j) * n + at + size].copy_from_slice(column);
        }
        at += size;
    }
    let local = |velocity: usize, row: &[usize]| {
        let c = problem.clique_of(velocity);
        row[c] + velocity - problem.cliques[c].velocities.start
    };
    for &f in &island.feedback {
        let block = &problem.feedback[f];
        if block.unsymmetric {
            continue; // added where both triangles are
        }
        let m = block.velocities.len();
        for (column, &vj) in block.gain.chunks_exact(m).zip(&block.velocities) {
            let j = local(vj, &work.row);
            for (&a, &vi) in column.iter().zip(&block.velocities) {
                h[j * n + local(vi, &work.row)] += problem.dt * a;
            }
        }
    }
    problem.add_row_hessian(island, &work.row, h);
    for &l in &island.limits {
        let limit = &problem.limits[l];
        let i = local(limit.velocity, &work.row);
        h[i * n + i] += limit.hessian(v[limit.velocity]);
    }
    for &e in &island.efforts {
        let effort = &problem.efforts[e];
        let i = local(effort.velocity, &work.row);
        h[i * n + i] += effort.hessian(v[effort.velocity]);
    }
    for &p in &island.patches {
        patch_hessian(problem, p, work, h, n);
    }
}

fn patch_hessian(problem: &Problem, patch: usize, work: &mut Workspace, h: &mut [f64], n: usize) {
    let patch = &problem.patches[patch];
    // G about the origin of B: [p]' K [p] and so on, with W = [-[p], I] and K the 3x3 Hessian of a pair.
    let (mut g11, mut g12, mut g22) = (Matrix3::zeros(), Matrix3::zeros(), Matrix3::zeros());
    for i in patch.pairs.clone() {
        let pair = &problem.pairs[i];
        let k = work.stiffness[i];
        let px = skew(&pair.p_BC);
        let pk = px * k;
        g11 -= pk * px;
        g12 += pk;
        g22 += k;
    }
    if g22 == Matrix3::zeros() {
        return;
    }
    let mut g = Matrix6::zeros();
    g.fixed_view_mut::<3, 3>(0, 0).copy_from(&g11);
    g.fixed_view_mut::<3, 3>(0, 3).copy_from(&g12);
    g.fixed_view_mut::<3, 3>(3, 0).copy_from(&g12.transpose());
    g.fixed_view_mut::<3, 3>(3, 3).copy_from(&g22);
    let (a, b) = (&problem.bodies[patch.body_a], &problem.bodies[patch.body_b]);
    let Some(cb) = b.clique else { return };
    let row_b = work.row[cb];
    times_jacobian(problem, patch.body_b, &g, &mut work.gj_b);
    add_block(problem, patch.body_b, &work.gj_b, 1.0, (row_b, row_b), h, n, false);
    let Some(ca) = a.clique else { return };
    let row_a = work.row[ca];
    // Velocities at the origin of A are shifted by p_AB to that of B.
    let pair = &problem.pairs[patch.pairs.start];
    let shift = skew(&(pair.p_AC - pair.p_BC));
    let mut phi = Matrix6::identity();
    phi.fixed_view_mut::<3, 3>(3, 0).copy_from(&-shift);
    let g_phi = g * phi;
    let g_a = phi.transpose() * g_phi;
    times_jacobian(problem, patch.body_a, &g_a, &mut work.gj_a);
    add_block(problem, patch.body_a, &work.gj_a, 1.0, (row_a, row_a), h, n, false);
    times_jacobian(problem, patch.body_a, &g_phi, &mut work.gj_a);
    if cb == ca {
        add_block(problem, patch.body_b, &work.gj_a, -1.0, (row_b, row_b), h, n, false);
        add_block(problem, patch.body_b, &work.gj_a, -1.0, (row_b, row_b), h, n, true);
    } else if row_b > row_a {
        add_block(problem, patch.body_b, &work.gj_a, -1.0, (row_b, row_a), h, n, false);
    } else {
        add_block(problem, patch.body_b, &work.gj_a, -1.0, (row_a, row_b), h, n, true);
    }
}
