//! Inertia at contacts: norms of momenta in `A^-1`, and compliances `e' J A^-1 J' e` of contact points.
//!
//! A is taken clique by clique, with damping and springs, without feedback and bilateral rows: those only add to it, so
//! that the bounds on the norm of an error hold with them all the more.

use crate::contact::{Body, ContactRow, Island, Patch, Problem};
use crate::linear_algebra::{factor_small, solve_lower_squared, wide};
use nalgebra::Vector3;

/// Cholesky factors of the blocks of A, at the places of the blocks in the problem; the diagonal is inverted.
#[derive(Clone, Debug, Default)]
pub struct Inertia {
    factors: Vec<f64>,
    row: Vec<f64>,
    rows: Vec<[f64; LANES]>,
}

/// Number of rows that are solved together: up to three directions, and one to spare.
const LANES: usize = 4;

impl Inertia {
    /// Factors the blocks of an island. `false` if one is not positive definite.
    pub fn factor(&mut self, problem: &Problem, island: &Island) -> bool {
        self.factors.resize(problem.dynamics.len(), 0.0);
        for &c in &island.cliques {
            let (n, block) = (problem.cliques[c].size(), problem.cliques[c].block);
            let factor = &mut self.factors[block..block + n * n];
            factor.copy_from_slice(&problem.dynamics[block..block + n * n]);
            // A constant lets the compiler unroll the loops.
            let done = if n == 6 { factor_small(factor, 6) } else { factor_linked(factor, n) };
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
            let (x, block) = (&x[problem.cliques[c].velocities.clone()], problem.cliques[c].block);
            if let (Ok(x), Some(factor)) = (<[f64; 6]>::try_from(x), self.factors[block..].first_chunk::<36>()) {
                sum += forward_free(factor, x);
                continue;
            }
            self.row.clear();
            self.row.extend_from_slice(x);
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

    /// Compliances of a pair along unit vectors \[1/kg\], at most [`LANES`] of them.
    pub fn compliances<const N: usize>(
        &mut self,
        problem: &Problem,
        patch: &Patch,
        pair: &ContactRow,
        directions: &[Vector3<f64>; N],
    ) -> [f64; N] {
        const { assert!(N <= LANES) };
        let [a, b] = [patch.body_a, patch.body_b].map(|body| &problem.bodies[body]);
        let (linked, mut sum) = (a.clique == b.clique, [0.0; N]);
        for (is_last, body, point) in [(false, b, &pair.p_BC), (true, a, &pair.p_AC)] {
            let Some(clique) = body.clique else { continue };
            if body.free {
                let compliance = |along: &Vector3<f64>| {
                    let torque = point.cross(along) + pair.turning_torque(along);
                    self.free_compliance(problem, body, &torque, along)
                };
                (0..N).for_each(|l| sum[l] += compliance(&directions[l]));
                continue;
            }
            if !(linked && is_last) {
                self.rows.clear();
                self.rows.resize(problem.cliques[clique].size(), [0.0; LANES]);
            }
            let sign = if is_last { -1.0 } else { 1.0 };
            for (i, c) in problem.moving_columns(body) {
                let (turning, moving) = (Vector3::new(c[0], c[1], c[2]), Vector3::new(c[3], c[4], c[5]));
                let u = (moving + turning.cross(point) + pair.turn * pair.normal.dot(&turning)) * sign;
                (0..N).for_each(|l| self.rows[i][l] += directions[l].dot(&u));
            }
            if is_last || !linked {
                let square = forward_rows(&self.factors[problem.cliques[clique].block..], &mut self.rows);
                (0..N).for_each(|l| sum[l] += square[l]);
            }
        }
        sum
    }

    /// Compliance of a free body, whose Jacobian is the identity.
    fn free_compliance(&self, problem: &Problem, body: &Body, torque: &Vector3<f64>, direction: &Vector3<f64>) -> f64 {
        let Some(clique) = body.clique else { return 0.0 };
        let Some(factor) = self.factors[problem.cliques[clique].block..].first_chunk::<36>() else { return 0.0 };
        forward_free(factor, [torque.x, torque.y, torque.z, direction.x, direction.y, direction.z])
    }

    /// Solves `L y = x` for the row x of a clique; returns |y|².
    #[inline(always)]
    fn forward(&mut self, problem: &Problem, clique: usize) -> f64 {
        let block = problem.cliques[clique].block;
        let x = &mut self.row;
        let n = x.len();
        if let (Ok(x), Some(factor)) = (<[f64; 6]>::try_from(&x[..]), self.factors[block..].first_chunk::<36>()) {
            return forward_free(factor, x);
        }
        solve_lower_squared(&self.factors[block..block + n * n], x)
    }
}

/// Solves `L y = x` for rows side by side; returns |y|² of each.
#[inline(never)]
fn forward_rows(factor: &[f64], x: &mut [[f64; LANES]]) -> [f64; LANES] {
    wide(
        #[inline(always)]
        || {
            let (n, mut sum) = (x.len(), [0.0; LANES]);
            for j in 0..n {
                let (column, mut y) = (&factor[j * n..(j + 1) * n], x[j]);
                for k in 0..LANES {
                    y[k] *= column[j];
                    sum[k] += y[k] * y[k];
                }
                for (x, &l) in x[j + 1..].iter_mut().zip(&column[j + 1..]) {
                    (0..LANES).for_each(|k| x[k] -= l * y[k]);
                }
            }
            sum
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
