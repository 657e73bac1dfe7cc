//! Gradients of contact forces by positions and velocities, for implicit methods with stiff contact.
//!
//! With the depth d, the normal n from A into B, the relative velocity `vc = vn n + u` (B relative to A), the
//! regularized speed of sliding `S = sqrt(u² + vs²)` and the direction `f̂ = n - μ u/S` of the force,
//!
//! ```text
//! f = fn f̂,   fn = k d (1 - c vn),   ∂d = -n' δx
//! ∂f/∂x  = -k (1 - c vn) f̂ n'
//! ∂f/∂vc = -c k d f̂ n' - μ fn (1 - n n' - u u'/S²)/S
//! ```
//!
//! for a displacement δx of B against A at the contact point. Where friction depends on the direction of sliding, both
//! are scaled on both sides (`grain.rs`). The change of the point itself as bodies move is left
//! out: arms and normals that turn with them, and the coefficient of friction that falls between its two values. If one
//! of the bodies is a ball, these terms are, relative to those above, of the order of the angle by which bodies turn
//! within a step, which an iteration does not notice; differences would need an evaluation of the whole diagram for
//! every coordinate of a heap. (Points of polyhedra share their stiffness by their depths, and bodies on joints turn
//! its arms: without these terms an arm that grips took three times the iterations.)

use super::elements::{ContactMaterial, ContactRow, ContactStart};
use super::problem::Problem;
use nalgebra::{Matrix3, Matrix3x6, Matrix6, Vector6};

/// Accelerations of cliques by motions of cliques that touch them, block by block; keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct ContactGradients {
    /// Clique that is accelerated and clique that moves, for each block, in increasing order.
    pub cliques: Vec<(usize, usize)>,
    /// Offset of each block, column by column.
    starts: Vec<usize>,
    by_position: Vec<f64>,
    by_velocity: Vec<f64>,
    order: Vec<usize>,
}

impl ContactGradients {
    /// Indices of the blocks, grouped by the clique that moves.
    pub fn by_motion(&self) -> impl Iterator<Item = usize> + '_ {
        self.order.iter().copied()
    }

    /// Block number `at`: by displacements along velocities \[1/s²\], and by velocities \[1/s\].
    pub fn block(&self, at: usize) -> (&[f64], &[f64]) {
        let end = self.starts.get(at + 1).copied().unwrap_or(self.by_position.len());
        let range = self.starts[at]..end;
        (&self.by_position[range.clone()], &self.by_velocity[range])
    }
}

impl ContactRow {
    /// Gradients of the force on B \[N\] by displacements of B against A, and by velocities.
    pub fn gradients(&self) -> (Matrix3<f64>, Matrix3<f64>) {
        let (normal, ContactMaterial { stiffness, dissipation, .. }) = (self.normal, self.material);
        let ContactStart { elastic_force, friction, normal_force, slip0, .. } = self.start;
        if normal_force <= 0.0 {
            return (Matrix3::zeros(), Matrix3::zeros());
        }
        let slip = (slip0.norm_squared() + self.start.slip_tolerance.powi(2)).sqrt();
        let pushes = (normal - slip0 * (friction / slip)) * normal.transpose();
        let rubs = Matrix3::identity() - normal * normal.transpose() - slip0 * slip0.transpose() / (slip * slip);
        let damped = 1.0 - dissipation * self.start.separation0;
        let by_velocity = pushes * (-dissipation * elastic_force) - rubs * (friction * normal_force / slip);
        let by_position = pushes * (-stiffness * damped);
        (self.scaled_twice(&by_position), self.scaled_twice(&by_velocity))
    }
}

impl Problem {
    /// Finds the gradients of the accelerations by the contact points for which `counts` is true.
    pub fn contact_gradients(&mut self, counts: impl Fn(usize) -> bool, out: &mut ContactGradients) {
        let ContactGradients { cliques, starts, by_position, by_velocity, order } = out;
        cliques.clear();
        for patch in self.contacts.patches.iter().filter(|patch| patch.points.clone().any(&counts)) {
            let both = [patch.body_a, patch.body_b].map(|body| self.trees.bodies[body].clique);
            for i in both.into_iter().flatten() {
                cliques.extend(both.into_iter().flatten().map(|j| (i, j)));
            }
        }
        cliques.sort_unstable();
        cliques.dedup();
        order.clear();
        order.extend(0..cliques.len());
        order.sort_unstable_by_key(|&at| (cliques[at].1, cliques[at].0));
        starts.clear();
        let mut numbers = 0;
        for &(i, j) in cliques.iter() {
            starts.push(numbers);
            numbers += self.trees.cliques[i].size() * self.trees.cliques[j].size();
        }
        for values in [&mut *by_position, &mut *by_velocity] {
            values.clear();
            values.resize(numbers, 0.0);
        }
        for patch in &self.contacts.patches {
            let bodies = [(patch.body_a, -1.0), (patch.body_b, 1.0)];
            for (force, force_sign) in bodies {
                for (motion, motion_sign) in bodies {
                    let (Some(i), Some(j)) = (self.trees.bodies[force].clique, self.trees.bodies[motion].clique) else {
                        continue;
                    };
                    let Ok(at) = cliques.binary_search(&(i, j)) else { continue };
                    let (mut position, mut velocity) = (Matrix6::zeros(), Matrix6::zeros());
                    for pair in patch.points.clone().filter(|&i| counts(i)).map(|i| &self.contacts.points[i]) {
                        let arm = |body: usize| {
                            let mut at = at_point(if body == patch.body_a { &pair.p_AC } else { &pair.p_BC });
                            let mut angular = at.fixed_view_mut::<3, 3>(0, 0);
                            angular += pair.turn * pair.normal.transpose();
                            at
                        };
                        let (left, right) = (arm(force).transpose(), arm(motion));
                        let (by_position, by_velocity) = pair.gradients();
                        position += left * by_position * right;
                        velocity += left * by_velocity * right;
                    }
                    let sign = force_sign * motion_sign;
                    self.add_between([force, motion], &(position * sign), &mut by_position[starts[at]..]);
                    self.add_between([force, motion], &(velocity * sign), &mut by_velocity[starts[at]..]);
                }
            }
        }
        for (at, &(i, _)) in cliques.iter().enumerate() {
            let (start, n) = (starts[at], self.trees.cliques[i].size());
            let end = starts.get(at + 1).copied().unwrap_or(numbers);
            for values in [&mut *by_position, &mut *by_velocity] {
                for column in values[start..end].chunks_exact_mut(n) {
                    if !self.solve_mass(i, column) {
                        column.fill(f64::NAN);
                    }
                }
            }
        }
    }

    /// Adds `J_i' wrench J_j` of two bodies to the block of their cliques, where `wrench` is that on the first by
    /// motion of the second.
    fn add_between(&self, [force, motion]: [usize; 2], wrench: &Matrix6<f64>, out: &mut [f64]) {
        let size = |body: usize| self.trees.bodies[body].clique.map_or(0, |clique| self.trees.cliques[clique].size());
        let (rows, columns) = (size(force), size(motion));
        let column_of = |body: usize, k: usize| {
            let (w, v) = self.body_column(body, k);
            Vector6::new(w.x, w.y, w.z, v.x, v.y, v.z)
        };
        for k in 0..columns {
            let moved = column_of(motion, k);
            if moved == Vector6::zeros() {
                continue;
            }
            let pushed = wrench * moved;
            for i in 0..rows {
                out[k * rows + i] += column_of(force, i).dot(&pushed);
            }
        }
    }
}

/// Map from the angular velocity of a body and that of its origin to the velocity of a point.
fn at_point(arm: &nalgebra::Vector3<f64>) -> Matrix3x6<f64> {
    let mut out = Matrix3x6::zeros();
    out.fixed_view_mut::<3, 3>(0, 0).copy_from(&-arm.cross_matrix());
    out.fixed_view_mut::<3, 3>(0, 3).fill_with_identity();
    out
}
