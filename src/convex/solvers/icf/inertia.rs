//! Inertia at contacts: norms of momenta in `A^-1`, and compliances `e' J A^-1 J' e` of contact points.
//!
//! A is taken clique by clique, with damping and springs, without feedback and bilateral rows: those only add to it, so
//! that the bounds on the norm of an error hold with them all the more.
//!
//! Velocities of trees, which stand parents first, are factored in reverse order: see
//! [`Mobilities`](crate::contact::Mobilities). A substitution from a link stays on its way to the root.

use crate::contact::{Body, ContactRow, Island, Patch, Problem};
use crate::linear_algebra::{factor_small, solve_lower_squared};
use crate::solvers::common::pools::PointJacobians;
use kinegraph_core::wide;
use nalgebra::{Matrix3, Vector3};

/// Cholesky factors of the blocks of A, at the places of the blocks in the problem; the diagonal is inverted.
#[derive(Clone, Debug, Default)]
pub struct Inertia {
    factors: Vec<f64>,
    row: Vec<f64>,
    rows: Vec<[f64; LANES]>,
}

/// Number of rows that are solved together: of as many points, or up to three directions of one.
pub const LANES: usize = 4; // size
/// Velocities of a free body, whose block is factored in its own order.
const FREE: usize = 6; // size

impl Inertia {
    /// Factors the blocks of an island. `false` if one is not positive definite.
    pub fn factor(&mut self, problem: &Problem, island: &Island) -> bool {
        self.factors.resize(problem.step_terms.dynamics.len(), 0.0);
        for &c in &island.cliques {
            let (n, block) = (problem.trees.cliques[c].size(), problem.trees.cliques[c].block);
            let (factor, dynamics) =
                (&mut self.factors[block..block + n * n], &problem.step_terms.dynamics[block..block + n * n]);
            let done = if n == FREE {
                factor.copy_from_slice(dynamics);
                // A constant lets the compiler unroll the loops.
                factor_small(factor, FREE)
            } else {
                factor.iter_mut().zip(dynamics.iter().rev()).for_each(|(to, from)| *to = *from);
                factor_linked(factor, n)
            };
            if !done {
                return false;
            }
        }
        true
    }

    /// Returns `|x|²` in `A^-1` of momenta `x` (of all velocities) on the island.
    #[inline(always)]
    pub fn dual_norm_squared(&mut self, problem: &Problem, island: &Island, x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for &c in &island.cliques {
            let (x, block) = (&x[problem.trees.cliques[c].velocities.clone()], problem.trees.cliques[c].block);
            if let (Ok(x), Some(factor)) = (<[f64; 6]>::try_from(x), self.factors[block..].first_chunk::<36>()) {
                sum += forward_free(factor, x);
                continue;
            }
            self.row.clear();
            self.row.extend(x.iter().rev());
            sum += self.forward(problem, c);
        }
        sum
    }

    /// Bounds the error in A by the residual of the balance, `r` (momenta of all velocities), and the sum of Fenchel
    /// gaps `gap` \[J\]: the root of `e² <= |r| e + gap`.
    #[inline(always)]
    pub fn error_bound(&mut self, problem: &Problem, island: &Island, r: &[f64], gap: f64) -> f64 {
        let half = 0.5 * self.dual_norm_squared(problem, island, r).sqrt();
        half + (half * half + gap).sqrt()
    }

    /// Compliances of points of a patch, each along a unit vector of its law \[1/kg\]: at most [`LANES`] of them.
    pub fn compliances(
        &mut self,
        problem: &Problem,
        patch: &Patch,
        points: &[(&ContactRow, Vector3<f64>)],
    ) -> [f64; LANES] {
        let [a, b] = [patch.body_a, patch.body_b].map(|body| &problem.trees.bodies[body]);
        let (linked, mut sum) = (a.clique == b.clique, [0.0; LANES]);
        for (is_last, body) in [(false, b), (true, a)] {
            let Some(clique) = body.clique else { continue };
            let arm = |pair: &ContactRow| if is_last { pair.p_AC } else { pair.p_BC };
            if body.free {
                for ((pair, direction), sum) in points.iter().zip(&mut sum) {
                    let along = pair.scaled(direction);
                    let torque = arm(pair).cross(&along) + pair.turning_torque(&along);
                    *sum += self.free_compliance(problem, body, &torque, &along);
                }
                continue;
            }
            if !(linked && is_last) {
                self.rows.clear();
                self.rows.resize(problem.trees.cliques[clique].size(), [0.0; LANES]);
            }
            let sign = if is_last { -1.0 } else { 1.0 };
            for (l, (pair, direction)) in points.iter().enumerate() {
                let (along, arm) = (pair.scaled(direction), arm(pair));
                for (i, c) in problem.moving_columns(body) {
                    let (turning, moving) = (Vector3::new(c[0], c[1], c[2]), Vector3::new(c[3], c[4], c[5]));
                    let u = (moving + turning.cross(&arm) + pair.turn * pair.normal.dot(&turning)) * sign;
                    let i = place(self.rows.len(), i);
                    self.rows[i][l] += along.dot(&u);
                }
            }
            if is_last || !linked {
                let product = forward_rows(&self.factors[problem.trees.cliques[clique].block..], &mut self.rows);
                sum.iter_mut().zip(product.square).for_each(|(sum, square)| *sum += square);
            }
        }
        sum
    }

    /// Compliance of a contact point that has a Jacobian of its own, in world axes \[1/kg\].
    pub fn point_compliance(&mut self, problem: &Problem, jacobians: &PointJacobians, point: usize) -> Matrix3<f64> {
        let mut sum = Matrix3::zeros();
        for side in jacobians.of(point) {
            let n = side.velocities.len();
            self.rows.clear();
            self.rows.resize(n, [0.0; LANES]);
            for columns in jacobians.columns(side) {
                let [x, y, z] = columns.rows;
                for l in 0..LANES.min(n - columns.first) {
                    self.rows[place(n, columns.first + l)] = [x[l], y[l], z[l], 0.0];
                }
            }
            let RowProducts { square: [xx, yy, zz, _], next: [xy, yz, zx, _] } =
                forward_rows(&self.factors[problem.trees.cliques[side.clique].block..], &mut self.rows);
            sum += Matrix3::new(xx, xy, zx, xy, yy, yz, zx, yz, zz);
        }
        sum
    }

    /// Compliance of a free body, whose Jacobian is the identity.
    fn free_compliance(&self, problem: &Problem, body: &Body, torque: &Vector3<f64>, direction: &Vector3<f64>) -> f64 {
        let Some(clique) = body.clique else { return 0.0 };
        let Some(factor) = self.factors[problem.trees.cliques[clique].block..].first_chunk::<36>() else { return 0.0 };
        forward_free(factor, [torque.x, torque.y, torque.z, direction.x, direction.y, direction.z])
    }

    /// Solves `L y = x` for the row x of a clique; returns |y|².
    #[inline(always)]
    fn forward(&mut self, problem: &Problem, clique: usize) -> f64 {
        let block = problem.trees.cliques[clique].block;
        let x = &mut self.row;
        let n = x.len();
        if let (Ok(x), Some(factor)) = (<[f64; 6]>::try_from(&x[..]), self.factors[block..].first_chunk::<36>()) {
            return forward_free(factor, x);
        }
        solve_lower_squared(&self.factors[block..block + n * n], x)
    }
}

/// Where velocity `i` of a clique of `n` stands in its factor, and the other way round.
#[inline(always)]
fn place(n: usize, i: usize) -> usize {
    if n == FREE { i } else { n - 1 - i }
}

/// Products of rows after a substitution: of each with itself, and with the next of the first three.
struct RowProducts {
    square: [f64; LANES],
    next: [f64; LANES],
}

/// Solves `L y = x` for rows side by side, from the first entry on that is not zero in all of them.
#[inline(never)]
fn forward_rows(factor: &[f64], x: &mut [[f64; LANES]]) -> RowProducts {
    wide(
        #[inline(always)]
        || {
            let (n, mut square, mut next) = (x.len(), [0.0; LANES], [0.0; LANES]);
            for j in 0..n {
                let (column, mut y) = (&factor[j * n..(j + 1) * n], x[j]);
                if y == [0.0; LANES] {
                    continue;
                }
                for y in &mut y {
                    *y *= column[j];
                }
                let turned = [y[1], y[2], y[0], y[3]];
                for k in 0..LANES {
                    square[k] += y[k] * y[k];
                    next[k] += y[k] * turned[k];
                }
                for (x, &l) in x[j + 1..].iter_mut().zip(&column[j + 1..]) {
                    (0..LANES).for_each(|k| x[k] -= l * y[k]);
                }
            }
            RowProducts { square, next }
        },
    )
}

/// Factors the block of a tree, by the instructions of the machine.
#[inline(never)]
fn factor_linked(block: &mut [f64], n: usize) -> bool {
    wide(
        #[inline(always)]
        || factor_small(block, n),
    )
}

/// Solves `L y = x` for a free body, with loops of constant length; returns |y|².
#[inline(always)]
fn forward_free(factor: &[f64; 36], mut x: [f64; 6]) -> f64 {
    let mut sum = 0.0;
    for j in 0..6 {
        let y = x[j] * factor[7 * j];
        sum += y * y;
        for i in j + 1..6 {
            x[i] -= factor[6 * j + i] * y;
        }
    }
    sum
}
