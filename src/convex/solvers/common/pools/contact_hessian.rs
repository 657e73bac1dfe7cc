//! The Hessian of contacts on one island.
//!
//! Contact acts through body velocities: the pairs of a patch are summed into 6x6 Hessians about the origins of its
//! bodies, which the Jacobians then carry to the cliques. With `W = [-[p] + t n', I]` the velocity of the contact point
//! per velocity of a body (t is [`ContactRow::turn`]), and K the 3x3 Hessian of a pair, scaled by its grain,
//!
//! ```text
//! H_BB += J_B' (W_B' K W_B) J_B,   H_AA += J_A' (W_A' K W_A) J_A,   H_BA -= J_B' (W_B' K W_A) J_A
//! ```
//!
//! where D = [p_A] - [p_B] is the same for all pairs of a patch, so that the sums about A follow from those about B. If
//! each body has its own point, each of the three is summed.
//!
//! Patches of few points on trees take the Jacobians of the points instead (`point_jacobians.rs`).

use super::jacobian_products::{Target, add_products, add_rows};
use super::{HessianBlocks, PointJacobians};
use crate::contact::{Body, ContactRow, Island, Problem};
use crate::linear_algebra::Block;
use kinegraph_core::wide;
use nalgebra::{Matrix3, Vector3};

/// `[p] m`.
#[inline(always)]
fn cross(p: &Vector3<f64>, m: &Matrix3<f64>) -> Matrix3<f64> {
    let column = |j: usize| p.cross(&m.column(j));
    Matrix3::from_columns(&[column(0), column(1), column(2)])
}

/// `-m [p]`.
#[inline(always)]
fn minus_times_cross(m: &Matrix3<f64>, p: &Vector3<f64>) -> Matrix3<f64> {
    let (a, b, c) = (m.column(0), m.column(1), m.column(2));
    Matrix3::from_columns(&[c * p.y - b * p.z, a * p.z - c * p.x, b * p.x - a * p.y])
}

/// `P' m` with `P = -[p] + t n'`, the velocity of the point p per angular velocity: see [`ContactRow::turn`].
#[inline(always)]
fn arm_times(pair: &ContactRow, p: &Vector3<f64>, m: &Matrix3<f64>) -> Matrix3<f64> {
    let mut product = cross(p, m);
    if pair.turn != Vector3::zeros() {
        product += pair.normal * m.tr_mul(&pair.turn).transpose();
    }
    product
}

/// `m P`.
#[inline(always)]
fn times_arm(m: &Matrix3<f64>, pair: &ContactRow, p: &Vector3<f64>) -> Matrix3<f64> {
    let mut product = minus_times_cross(m, p);
    if pair.turn != Vector3::zeros() {
        product += m * pair.turn * pair.normal.transpose();
    }
    product
}

/// A 6x6 Hessian by its 3x3 blocks: angular and linear velocities.
struct Quarters {
    m11: Matrix3<f64>,
    m12: Matrix3<f64>,
    m21: Matrix3<f64>,
    m22: Matrix3<f64>,
}

/// Adds the Hessian of all pairs of an island, whose own Hessians are `curvature`.
#[inline(always)]
pub(in crate::solvers) fn add(
    problem: &Problem,
    island: &Island,
    jacobians: &PointJacobians,
    curvature: &[Matrix3<f64>],
    h: &mut HessianBlocks<'_>,
) {
    for &p in &island.patches {
        let pairs = problem.contacts.patches[p].points.clone();
        if jacobians.of(pairs.start).is_empty() {
            patch_hessian(problem, p, curvature, h);
        } else {
            for i in pairs {
                jacobians.add_hessian(jacobians.of(i), &curvature[i], h);
            }
        }
    }
}

#[inline(always)]
fn patch_hessian(problem: &Problem, patch: usize, curvature: &[Matrix3<f64>], h: &mut HessianBlocks<'_>) {
    let patch = &problem.contacts.patches[patch];
    let pairs = patch.points.clone();
    let HessianBlocks { places, local, values: h } = h;
    // W_B' K W_B, with [p]' = -[p].
    let (mut g11, mut g12, mut g22) = (Matrix3::zeros(), Matrix3::zeros(), Matrix3::zeros());
    for (pair, k) in problem.contacts.points[pairs.clone()].iter().zip(&curvature[pairs]) {
        if k.m11 + k.m22 + k.m33 == 0.0 {
            continue;
        }
        let k = &pair.scaled_twice(k);
        let pk = arm_times(pair, &pair.p_BC, k);
        g11 += times_arm(&pk, pair, &pair.p_BC);
        g12 += pk;
        g22 += k;
    }
    if g22 == Matrix3::zeros() {
        return;
    }
    let (a, b) = (patch.body_a, patch.body_b);
    let Some(cb) = problem.trees.bodies[b].clique else { return };
    let g21 = g12.transpose();
    let own = places.block(local[cb], local[cb]);
    add_between(problem, [b, b], &Quarters { m11: g11, m12: g12, m21: g21, m22: g22 }, 1.0, own, h);
    let Some(ca) = problem.trees.bodies[a].clique else { return };
    let own = places.block(local[ca], local[ca]);
    let between = places.block(local[cb], local[ca]);
    let quarters = if problem.contacts.witnesses {
        let points = || problem.contacts.points[patch.points.clone()].iter().zip(&curvature[patch.points.clone()]);
        let about_a = sum(points().map(|(pair, k)| (pair, &pair.p_AC, k, &pair.p_AC)));
        add_between(problem, [a, a], &about_a, 1.0, own, h);
        sum(points().map(|(pair, k)| (pair, &pair.p_BC, k, &pair.p_AC)))
    } else {
        let pair = &problem.contacts.points[patch.points.start];
        let d = pair.p_AC - pair.p_BC;
        let (c11, c21) = (g11 + minus_times_cross(&g12, &d), g21 + minus_times_cross(&g22, &d));
        let (a11, a12) = (c11 + cross(&d, &c21), g12 + cross(&d, &g22));
        add_between(problem, [a, a], &Quarters { m11: a11, m12: a12, m21: c21, m22: g22 }, 1.0, own, h);
        Quarters { m11: c11, m12: g12, m21: c21, m22: g22 }
    };
    add_between(problem, [b, a], &quarters, -1.0, between, h);
    if ca == cb {
        let transposed = Block { transposed: !between.transposed, ..between };
        add_between(problem, [b, a], &quarters, -1.0, transposed, h);
    }
}

const IDENTITY: [[f64; 6]; 6] = {
    let mut identity = [[0.0; 6]; 6];
    let mut i = 0;
    while i < 6 {
        identity[i][i] = 1.0;
        i += 1;
    }
    identity
};

/// `Σ W_p' K W_q` of points p, q.
fn sum<'a>(
    points: impl Iterator<Item = (&'a ContactRow, &'a Vector3<f64>, &'a Matrix3<f64>, &'a Vector3<f64>)>,
) -> Quarters {
    let zero = Matrix3::zeros();
    let mut sum = Quarters { m11: zero, m12: zero, m21: zero, m22: zero };
    for (pair, p, k, q) in points {
        let k = &pair.scaled_twice(k);
        let pk = arm_times(pair, p, k);
        sum.m11 += times_arm(&pk, pair, q);
        sum.m12 += pk;
        sum.m21 += times_arm(k, pair, q);
        sum.m22 += k;
    }
    sum
}

/// Adds `scale * J_b' G J_a` to a block of H.
#[inline(always)]
fn add_between(problem: &Problem, [b, a]: [usize; 2], g: &Quarters, scale: f64, block: Block, h: &mut [f64]) {
    let (b, a) = (&problem.trees.bodies[b], &problem.trees.bodies[a]);
    if a.free && b.free {
        add_free(g, scale, block, h);
    } else {
        add_moved(problem, [b, a], g, scale, block, a.clique == b.clique, h);
    }
}

/// Adds the block between free bodies, whose Jacobians are the identity.
#[inline(always)]
fn add_free(g: &Quarters, scale: f64, block: Block, h: &mut [f64]) {
    if block.transposed {
        add_columns([&g.m11.transpose(), &g.m12.transpose(), &g.m21.transpose(), &g.m22.transpose()], scale, block, h);
    } else {
        add_columns([&g.m11, &g.m21, &g.m12, &g.m22], scale, block, h);
    }
}

/// Adds the quarters upper left, lower left, upper right, lower right.
#[inline(always)]
fn add_columns(quarters: [&Matrix3<f64>; 4], scale: f64, block: Block, h: &mut [f64]) {
    for j in 0..6 {
        let (upper, lower) = (quarters[j / 3 * 2].column(j % 3), quarters[j / 3 * 2 + 1].column(j % 3));
        let sum = [upper[0], upper[1], upper[2], lower[0], lower[1], lower[2]];
        let start = block.start + j * block.stride;
        let Some(h) = h.get_mut(start..).and_then(|h| h.first_chunk_mut::<6>()) else { return };
        for i in 0..6 {
            h[i] += scale * sum[i];
        }
    }
}

/// Adds the block where a body belongs to a tree of several, by the instructions of the machine.
#[inline(never)]
fn add_moved(problem: &Problem, bodies: [&Body; 2], g: &Quarters, scale: f64, block: Block, own: bool, h: &mut [f64]) {
    let target = Target { block, own };
    wide(
        #[inline(always)]
        || match bodies {
            [b, a] if a.free => {
                let columns = IDENTITY.iter().map(|column| moved(g, column, scale)).enumerate();
                add_products(copied(problem, b), columns, target, h);
            }
            [b, a] => {
                let columns = problem.moving_columns(a).map(|(j, column)| (j, moved(g, column, scale)));
                if b.free { add_rows(columns, target, h) } else { add_products(copied(problem, b), columns, target, h) }
            }
        },
    );
}

/// Nonzero columns of the Jacobian of a body.
#[inline(always)]
fn copied(problem: &Problem, body: &Body) -> impl Iterator<Item = (usize, [f64; 6])> + Clone {
    problem.moving_columns(body).map(|(i, column)| (i, *column))
}

/// `scale * G c`.
#[inline(always)]
fn moved(g: &Quarters, c: &[f64; 6], scale: f64) -> [f64; 6] {
    let (w, v) = (Vector3::new(c[0], c[1], c[2]), Vector3::new(c[3], c[4], c[5]));
    let (top, bottom) = (g.m11 * w + g.m12 * v, g.m21 * w + g.m22 * v);
    [top.x, top.y, top.z, bottom.x, bottom.y, bottom.z].map(|x| scale * x)
}
