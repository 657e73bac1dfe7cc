//! Mobilities: velocity per impulse, `j M^-1 j'`, for the regularization of friction, limits and constraints.
//!
//! A link moves with all of its ancestors: its own mass says little (a light finger on a heavy arm), so that of its
//! clique is used. With the Cholesky factor `M = L L'` the mobility of a row is `|L^-1 j|²`, one substitution; of a
//! body, `Λ = (L^-1 J')' (L^-1 J')` about its origin (6 x 6) is computed once and serves all its contact points.
//!
//! The velocities of a tree are in order from the root, and are factored in reverse order: eliminating leaves first
//! couples nothing that is not coupled in M, so that L is zero between branches, and a substitution from a link stays
//! on its path to the root \[Featherstone 2008, Rigid Body Dynamics Algorithms, sec. 6.5\].

use super::elements::{free_delassus, tangential_delassus};
use super::problem::Problem;
use crate::linear_algebra::Cholesky;
use kinegraph_core::wide;
use nalgebra::Vector3;

/// Factors and mobilities of one problem, computed on demand.
#[derive(Clone, Debug, Default)]
pub struct Mobilities {
    /// Factor of each clique's mass matrix block, its rows and columns in reverse order, and whether it belongs to this
    /// problem.
    factors: Vec<(bool, Cholesky)>,
    /// Mobility of each body: whether it was computed, and its value (`None`: the mass matrix has no Cholesky factor).
    bodies: Vec<(bool, Option<BodyMobility>)>,
    /// Rows whose mobility is wanted, of each velocity; then the solution.
    pub rows: Vec<Vector3<f64>>,
    columns: Vec<[f64; 6]>,
}

/// `Λ` of a body about its origin, column by column: velocity per impulse, angular first.
type BodyMobility = [[f64; 6]; 6];

impl Mobilities {
    pub fn clear(&mut self) {
        self.factors.iter_mut().for_each(|(fresh, _)| *fresh = false);
        self.bodies.clear();
    }

    /// Factor of a block of the mass matrix, in reverse order.
    fn factor(&mut self, clique: usize, mass: &[f64], n: usize) -> Option<&mut Cholesky> {
        if self.factors.len() <= clique {
            self.factors.resize_with(clique + 1, Default::default);
        }
        let (fresh, factor) = &mut self.factors[clique];
        if !*fresh {
            factor.start(n).iter_mut().zip(mass.iter().rev()).for_each(|(to, from)| *to = *from);
            if !factor.factor() {
                return None;
            }
            *fresh = true;
        }
        Some(factor)
    }
}

/// `Y' Y` with `L Y = J'`, the six columns of J' side by side.
#[inline(always)]
fn substitute(factor: &[f64], columns: &mut [[f64; 6]]) -> BodyMobility {
    let (n, mut sum) = (columns.len(), BodyMobility::default());
    for j in 0..n {
        let (column, mut y) = (&factor[j * n..(j + 1) * n], columns[j]);
        // Other branches take no part.
        if y == [0.0; 6] {
            continue;
        }
        for y in &mut y {
            *y /= column[j];
        }
        for (to, &l) in columns[j + 1..].iter_mut().zip(&column[j + 1..]) {
            if l != 0.0 {
                for k in 0..6 {
                    to[k] -= y[k] * l;
                }
            }
        }
        for (sum, &yk) in sum.iter_mut().zip(&y) {
            for k in 0..6 {
                sum[k] += y[k] * yk;
            }
        }
    }
    sum
}

impl Problem {
    /// Inverse effective masses of a body at a point: for the regularization of friction along the surface with this
    /// normal, and along the normal. A body on joints may yield to the one and not at all to the other.
    pub fn delassus(&mut self, body: usize, p_BC: &Vector3<f64>, normal: &Vector3<f64>) -> (f64, f64) {
        let b = &self.trees.bodies[body];
        if b.clique.is_none() {
            return (0.0, 0.0);
        }
        let free = (free_delassus(b.mass), free_delassus(b.mass));
        if b.free {
            return free;
        }
        let Some(mobility) = self.mobility_of_body(body) else { return free };
        // A unit impulse e at the point is the wrench (p × e, e): e' W e = x' Λ x of that.
        let along_direction = |e: &Vector3<f64>| {
            let torque = p_BC.cross(e);
            let x = [torque.x, torque.y, torque.z, e.x, e.y, e.z];
            let mut sum = 0.0;
            for (column, &xj) in mobility.iter().zip(&x) {
                let mut product = 0.0;
                for k in 0..6 {
                    product += column[k] * x[k];
                }
                sum += product * xj;
            }
            sum
        };
        // The mean of the mobilities of two tangents does not depend on which.
        let trace: f64 = [Vector3::x(), Vector3::y(), Vector3::z()].iter().map(along_direction).sum();
        let along = along_direction(normal);
        (tangential_delassus((0.5 * (trace - along)).max(0.0)), along.max(0.0))
    }

    /// `Λ` of a body in a tree of several.
    fn mobility_of_body(&mut self, body: usize) -> Option<BodyMobility> {
        let mut work = std::mem::take(&mut self.mobilities);
        if work.bodies.len() <= body {
            work.bodies.resize(self.trees.bodies.len(), (false, None));
        }
        if !work.bodies[body].0 {
            work.bodies[body] = (true, self.find_mobility(body, &mut work));
        }
        let found = work.bodies[body].1;
        self.mobilities = work;
        found
    }

    fn find_mobility(&self, body: usize, work: &mut Mobilities) -> Option<BodyMobility> {
        let clique = &self.trees.cliques[self.trees.bodies[body].clique?];
        let n = clique.size();
        let start = self.trees.bodies[body].jacobian;
        let jacobian = &self.trees.jacobians[start..start + 6 * n];
        let mut columns = std::mem::take(&mut work.columns);
        columns.clear();
        columns.extend(jacobian.as_chunks::<6>().0.iter().rev());
        let factor =
            work.factor(self.trees.bodies[body].clique?, &self.trees.mass[clique.block..clique.block + n * n], n);
        let mobility = factor.map(|factor| {
            wide(
                #[inline(always)]
                || substitute(factor.values(), &mut columns),
            )
        });
        work.columns = columns;
        mobility
    }

    /// Solves `M x = b` on a clique in place; `false` if its mass matrix has no Cholesky factor.
    pub fn solve_mass(&mut self, clique: usize, b: &mut [f64]) -> bool {
        let c = &self.trees.cliques[clique];
        let n = c.size();
        match self.mobilities.factor(clique, &self.trees.mass[c.block..c.block + n * n], n) {
            Some(factor) => {
                b.reverse();
                factor.solve(b);
                b.reverse();
            }
            None => return false,
        }
        true
    }

    /// `j M^-1 j'` of three rows of a clique in `mobilities.rows`, which are overwritten; `None` if the mass matrix has
    /// no Cholesky factor.
    pub fn mobility_of_rows(&mut self, clique: usize) -> Option<Vector3<f64>> {
        let c = &self.trees.cliques[clique];
        let n = c.size();
        let mut rows = std::mem::take(&mut self.mobilities.rows);
        let factor = self.mobilities.factor(clique, &self.trees.mass[c.block..c.block + n * n], n);
        let mobility = factor.map(|factor| {
            let mut sum = Vector3::zeros();
            rows.reverse();
            for (j, column) in factor.values().chunks_exact(n).enumerate() {
                let (above, below) = rows.split_at_mut(j + 1);
                if above[j] == Vector3::zeros() {
                    continue;
                }
                let y = above[j] / column[j];
                below.iter_mut().zip(&column[j + 1..]).for_each(|(row, l)| *row -= y * *l);
                sum += y.component_mul(&y);
            }
            sum
        });
        self.mobilities.rows = rows;
        mobility
    }
}
