//! Jacobians of contact points on trees, four columns at a time.
//!
//! A contact point on a tree moves by `u = J v`, with three rows as long as the tree has velocities. Relative
//! velocities, generalized impulses `J' γ` and Hessians `J' K J` are then products of rows; no wrench is carried to a
//! body and from there to the joints. Both bodies of a point on one tree share columns: their difference. A body moves
//! with its ancestors alone: columns are stored in groups of four, and groups of zeros are left out.
//!
//! Patches of free bodies, and patches of several points, are summed up body by body instead (`contact_hessian.rs`):
//! there one product serves all points.

use super::HessianBlocks;
use crate::contact::{Body, ContactRow, Problem};
use crate::linear_algebra::Block;
use nalgebra::{Matrix3, Vector3};
use std::ops::Range;

/// Numbers that are computed together.
const LANES: usize = 4; // size
type Lane = [f64; LANES];

/// Four columns of the Jacobian of a point.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    /// The velocity of the clique that the first belongs to, a multiple of four.
    pub first: usize,
    /// Their three rows. Beyond the last velocity they are zero.
    pub rows: [Lane; 3],
}

/// Jacobian of a point in the velocities of one clique.
#[derive(Clone, Debug, Default)]
pub struct PointJacobian {
    /// The clique.
    pub clique: usize,
    /// Its velocities.
    pub velocities: Range<usize>,
    columns: Range<usize>,
}

/// Jacobians of the contact points of a problem.
#[derive(Clone, Debug, Default)]
pub struct PointJacobians {
    columns: Vec<Columns>,
    /// One for each clique that moves a point.
    sides: Vec<PointJacobian>,
    /// The sides of each point, none where a point has no Jacobian of its own.
    points: Vec<Range<usize>>,
    dense: Vec<[Lane; 3]>,
}

impl PointJacobians {
    /// Computes the Jacobians of all points that have one.
    pub fn set(&mut self, problem: &Problem) {
        self.columns.clear();
        self.sides.clear();
        self.points.clear();
        for patch in &problem.contacts.patches {
            let [a, b] = [&problem.trees.bodies[patch.body_a], &problem.trees.bodies[patch.body_b]];
            if patch.points.len() > 1 || !(a.hangs() || b.hangs()) {
                self.points.resize(self.points.len() + patch.points.len(), 0..0);
                continue;
            }
            for pair in &problem.contacts.points[patch.points.clone()] {
                let first = self.sides.len();
                if a.clique == b.clique {
                    self.add_side(problem, pair, &[(b, &pair.p_BC, 1.0), (a, &pair.p_AC, -1.0)]);
                } else {
                    self.add_side(problem, pair, &[(b, &pair.p_BC, 1.0)]);
                    self.add_side(problem, pair, &[(a, &pair.p_AC, -1.0)]);
                }
                self.points.push(first..self.sides.len());
            }
        }
    }

    /// Adds the columns of bodies of one clique, each with its point and sign.
    fn add_side(&mut self, problem: &Problem, pair: &ContactRow, bodies: &[(&Body, &Vector3<f64>, f64)]) {
        let Some(clique) = bodies.first().and_then(|(body, ..)| body.clique) else { return };
        let velocities = problem.trees.cliques[clique].velocities.clone();
        self.dense.clear();
        self.dense.resize(velocities.len().div_ceil(LANES), [[0.0; LANES]; 3]);
        for (body, point, sign) in bodies {
            add_point(problem, pair, body, point, *sign, &mut self.dense);
        }
        let first = self.columns.len();
        let dense = self.dense.iter().enumerate().filter(|(_, rows)| **rows != [[0.0; LANES]; 3]);
        self.columns.extend(dense.map(|(i, rows)| Columns { first: i * LANES, rows: *rows }));
        self.sides.push(PointJacobian { clique, velocities, columns: first..self.columns.len() });
    }

    /// The Jacobian of a contact point in the velocities of each clique that moves it; none where it has none of its
    /// own.
    #[inline(always)]
    pub fn of(&self, point: usize) -> &[PointJacobian] {
        &self.sides[self.points[point].clone()]
    }

    /// The columns that are not zero.
    #[inline(always)]
    pub fn columns(&self, side: &PointJacobian) -> &[Columns] {
        &self.columns[side.columns.clone()]
    }

    /// Relative velocity of a point, that of the surfaces left out, when the velocities are `v`.
    #[inline(always)]
    pub fn velocity(&self, sides: &[PointJacobian], v: &[f64]) -> Vector3<f64> {
        let mut sum = [[0.0; LANES]; 3];
        for side in sides {
            // Velocities behind those of the clique are multiplied by zero.
            let v = &v[side.velocities.start..];
            for Columns { first, rows } in self.columns(side) {
                let v = from(v, *first);
                for k in 0..3 {
                    for l in 0..LANES {
                        sum[k][l] += rows[k][l] * v[l];
                    }
                }
            }
        }
        let [x, y, z] = sum;
        let total = |x: Lane| (x[0] + x[1]) + (x[2] + x[3]);
        Vector3::new(total(x), total(y), total(z))
    }

    /// Subtracts `J' impulse` of a point from generalized impulses of all velocities.
    #[inline(always)]
    pub fn subtract(&self, sides: &[PointJacobian], impulse: &Vector3<f64>, out: &mut [f64]) {
        for side in sides {
            let out = &mut out[side.velocities.start..];
            for columns in self.columns(side) {
                add_scaled(columns, [-impulse.x, -impulse.y, -impulse.z], out);
            }
        }
    }

    /// Adds `J' curvature J` of a point.
    #[inline(always)]
    pub fn add_hessian(&self, sides: &[PointJacobian], curvature: &Matrix3<f64>, h: &mut HessianBlocks<'_>) {
        // A positive semidefinite matrix is zero where its diagonal is.
        if curvature.m11 + curvature.m22 + curvature.m33 == 0.0 {
            return;
        }
        let HessianBlocks { places, local, values: h } = h;
        for (s, side) in sides.iter().enumerate() {
            let own = places.block(local[side.clique], local[side.clique]);
            self.add_product([side, side], curvature, own, h);
            for other in &sides[s + 1..] {
                let block = places.block(local[side.clique], local[other.clique]);
                let order = if block.transposed { [other, side] } else { [side, other] };
                self.add_product(order, curvature, block, h);
            }
        }
    }

    /// Adds `J_r' curvature J_c`, with the rows of the one side and the columns of the other, to a block as it is
    /// stored. Padding adds zeros.
    #[inline(always)]
    fn add_product(
        &self,
        [row_side, column_side]: [&PointJacobian; 2],
        curvature: &Matrix3<f64>,
        block: Block,
        h: &mut [f64],
    ) {
        let c = curvature.as_slice();
        let (rows, columns) = (self.columns(row_side), self.columns(column_side));
        let lower = row_side.clique == column_side.clique;
        for (i, column) in columns.iter().enumerate() {
            // The upper triangle of a diagonal block is not read.
            let rows = if lower { &rows[i..] } else { rows };
            for l in 0..LANES {
                let [x, y, z] = column.rows.map(|row| row[l]);
                if x == 0.0 && y == 0.0 && z == 0.0 {
                    continue;
                }
                let w =
                    [c[0] * x + c[3] * y + c[6] * z, c[1] * x + c[4] * y + c[7] * z, c[2] * x + c[5] * y + c[8] * z];
                let Some(h) = h.get_mut(block.start + (column.first + l) * block.stride..) else { return };
                for row in rows {
                    add_scaled(row, w, h);
                }
            }
        }
    }
}

/// Four numbers from `first` on, zeros beyond the end.
#[inline(always)]
fn from(v: &[f64], first: usize) -> Lane {
    let v = &v[first..];
    v.first_chunk::<LANES>().copied().unwrap_or_else(
        #[inline(always)]
        || std::array::from_fn(|l| v.get(l).copied().unwrap_or_default()),
    )
}

/// Adds `columns' w` at the place of the columns, as far as there is room.
#[inline(always)]
fn add_scaled(columns: &Columns, w: [f64; 3], out: &mut [f64]) {
    let Some(out) = out.get_mut(columns.first..) else { return };
    match out.first_chunk_mut::<LANES>() {
        Some(out) => {
            let [x, y, z] = columns.rows;
            // By value: the compiler need not know that they stand apart.
            let mut sum = *out;
            for l in 0..LANES {
                sum[l] += x[l] * w[0] + y[l] * w[1] + z[l] * w[2];
            }
            *out = sum;
        }
        None => add_last(columns, w, out),
    }
}

/// The part of [`add_scaled`] that there is room for.
#[inline(never)]
fn add_last(columns: &Columns, w: [f64; 3], out: &mut [f64]) {
    let [x, y, z] = columns.rows;
    for (l, out) in out.iter_mut().enumerate().take(LANES) {
        *out += x[l] * w[0] + y[l] * w[1] + z[l] * w[2];
    }
}

/// Adds `sign` times the Jacobian of a body's point: the velocity of the material point, and of the contact as the
/// geometry turns ([`ContactRow::turn`]), scaled by its grain.
fn add_point(
    problem: &Problem,
    pair: &ContactRow,
    body: &Body,
    point: &Vector3<f64>,
    sign: f64,
    dense: &mut [[Lane; 3]],
) {
    let mut add = |i: usize, c: &[f64; 6]| {
        let (w, v) = (Vector3::new(c[0], c[1], c[2]), Vector3::new(c[3], c[4], c[5]));
        let u = pair.scaled(&(v + w.cross(point) + pair.turn * pair.normal.dot(&w)));
        let (rows, l) = (&mut dense[i / LANES], i % LANES);
        (0..3).for_each(|k| rows[k][l] += sign * u[k]);
    };
    if body.free {
        for i in 0..6 {
            let mut unit = [0.0; 6];
            unit[i] = 1.0;
            add(i, &unit);
        }
    } else {
        problem.moving_columns(body).for_each(|(i, column)| add(i, column));
    }
}
