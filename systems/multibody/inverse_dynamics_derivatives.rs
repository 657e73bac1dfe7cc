//! Inverse dynamics on dual numbers, by the partial derivatives of the recursion.
//!
//! A recursion over dual numbers of d directions costs d + 1 times a plain one. The partial derivatives of
//! `τ = M v̇ + bias` with respect to positions, velocities and accelerations have closed forms along the tree, which
//! cost as much as one plain recursion; the chain rule does the rest.
//!
//! Carpentier & Mansard, *Analytical derivatives of rigid body dynamics algorithms* (RSS 2018); Singh, Russell &
//! Wensing, *Efficient analytical derivatives of rigid-body dynamics using spatial vector algebra* (RA-L 2022), here in
//! world axes at one reference point O per kinematic tree, for joints with one axis. λ is the parent of the node that
//! joint j moves, `V_λ` and `A_λ` its velocity and acceleration (gravity included, as in the recursion):
//!
//! ```text
//! ψ_j = V_λ × S_j,   α_j = A_λ × S_j + V_λ × ψ_j
//! ```
//!
//! A change of q_j turns the subtree of joint j as one body. The force `f_i = I A + V ×* I V` of a node i in it turns
//! along, and with `2 B_i m = I (m × V) + m ×* (I V) + V ×* (I m)` there is left
//!
//! ```text
//! ∂f_i/∂q_j = S_j ×* f_i + I_i α_j + 2 B_i ψ_j
//! ∂f_i/∂v_j = 2 I_i ψ_j + 2 B_i S_j,   ∂f_i/∂v̇_j = I_i S_j
//! ```
//!
//! Sums over the subtree of node k, `I_k`, `B_k`, `F_k`, give `∂τ_k = S_k · ∂F_k`; in rows k below j the first term
//! cancels with the turn of `S_k`. B of a body with mass m, first moment c and rotational inertia J about O, that moves
//! with V = \[ω; u\], has nine numbers and the linear momentum P, by the identity of Jacobi:
//!
//! ```text
//! 2 B [a; b] = [E a; 2 a × P],   E = [ω]× (2 J - tr J) + 2 ((c·u) 1 - u cᵀ),   P = m u + ω × c.
//! ```

use super::kinematics::Kinematics;
use super::product::is_plain;
use super::spatial::{SpatialInertia, SpatialVector};
use super::thread_kinematics::{lend, with_kinematics};
use super::tree::{Armature, Tree};
use kinegraph_core::scalar::{JET_WIDTH, Scalar};
use nalgebra::{Matrix3, Vector3};

type Partials = [f64; JET_WIDTH];

/// Plain numbers and their slopes.
#[derive(Default)]
struct Jets {
    values: Vec<f64>,
    /// Entries with non-zero slopes, and these slopes.
    slopes: Vec<(usize, Partials)>,
}

impl Jets {
    fn set<S: Scalar>(&mut self, jets: impl Iterator<Item = S>) {
        self.values.clear();
        self.slopes.clear();
        for (i, jet) in jets.enumerate() {
            self.values.push(jet.value());
            let partials = jet.partials();
            if partials.iter().any(|&slope| slope != 0.0) {
                self.slopes.push((i, partials));
            }
        }
    }
}

/// `2 B` of the subtree of a node.
#[derive(Clone, Copy)]
struct Coriolis {
    turning: Matrix3<f64>,
    momentum: Vector3<f64>,
}

impl Coriolis {
    fn new(inertia: &SpatialInertia<f64>, V: &SpatialVector<f64>) -> Self {
        let (J, c) = (&inertia.rotational, &inertia.moment);
        let around = V.angular.cross_matrix() * (2.0 * J - Matrix3::from_diagonal_element(J.trace()));
        let along = Matrix3::from_diagonal_element(c.dot(&V.linear)) - V.linear * c.transpose();
        Coriolis { turning: around + 2.0 * along, momentum: V.linear * inertia.mass + V.angular.cross(c) }
    }

    fn apply(&self, motion: &SpatialVector<f64>) -> SpatialVector<f64> {
        SpatialVector::new(self.turning * motion.angular, 2.0 * motion.angular.cross(&self.momentum))
    }

    /// Angular part of its transpose times `motion`; the linear part is zero.
    fn apply_transposed(&self, motion: &SpatialVector<f64>) -> Vector3<f64> {
        self.turning.tr_mul(&motion.angular) + 2.0 * self.momentum.cross(&motion.linear)
    }
}

/// Memory for partial derivatives: dense matrices of `∂τ_row/∂column`, column by column.
#[derive(Default)]
struct Derivatives {
    q: Jets,
    v: Jets,
    v_dot: Jets,
    tau: Vec<f64>,
    by_q: Vec<f64>,
    by_v: Vec<f64>,
    by_v_dot: Vec<f64>,
    coriolis: Vec<Coriolis>,
    /// ψ and α of each joint.
    carried: Vec<[SpatialVector<f64>; 2]>,
}

impl Derivatives {
    /// The partial derivatives at the motion that `k` holds after [`Tree::inverse_dynamics`].
    fn find(&mut self, tree: &Tree, k: &mut Kinematics<f64>, gravity: &Vector3<f64>, armature: Armature) {
        let n = tree.num_velocities;
        for matrix in [&mut self.by_q, &mut self.by_v, &mut self.by_v_dot] {
            matrix.clear();
            matrix.resize(n * n, 0.0);
        }
        self.coriolis.clear();
        self.carried.clear();
        let A_world = SpatialVector::new(Vector3::zeros(), -gravity);
        for (i, node) in tree.nodes.iter().enumerate() {
            let parent = node.parent.map(|parent| (k.V[parent], k.accelerations[parent]));
            let (V, A) = parent.unwrap_or((SpatialVector::zero(), A_world));
            let S = &k.columns[node.v];
            let psi = V.cross_motion(S);
            self.carried.push([psi, A.cross_motion(S) + V.cross_motion(&psi)]);
            self.coriolis.push(Coriolis::new(&k.inertias[i], &k.V[i]));
        }
        k.composite.copy_from_slice(&k.inertias);
        for (i, node) in tree.nodes.iter().enumerate().rev() {
            let (inertia, coriolis, S, row) = (k.composite[i], self.coriolis[i], k.columns[node.v], node.v);
            let [psi, alpha] = self.carried[i];
            let momentum = inertia.apply(&S);
            let transposed = coriolis.apply_transposed(&S);
            let by_q = inertia.apply(&alpha) + coriolis.apply(&psi) + S.cross_force(&k.forces[i]);
            let by_v = inertia.apply(&psi) * 2.0 + coriolis.apply(&S);
            for (j, other) in tree.ancestry(i).map(|j| (j, &tree.nodes[j])) {
                let ([psi, alpha], S, column) = (&self.carried[j], &k.columns[other.v], other.v);
                self.by_q[column * n + row] = momentum.dot(alpha) + transposed.dot(&psi.angular);
                self.by_v[column * n + row] = 2.0 * momentum.dot(psi) + transposed.dot(&S.angular);
                let mass = momentum.dot(S);
                (self.by_v_dot[column * n + row], self.by_v_dot[row * n + column]) = (mass, mass);
                if j != i {
                    self.by_q[row * n + column] = S.dot(&by_q);
                    self.by_v[row * n + column] = S.dot(&by_v);
                }
            }
            if let Some(parent) = node.parent {
                k.composite[parent] += &inertia;
                self.coriolis[parent].turning += coriolis.turning;
                self.coriolis[parent].momentum += coriolis.momentum;
            }
        }
        if armature == Armature::Included {
            for (i, armature) in tree.armature.iter().enumerate() {
                self.by_v_dot[i * (n + 1)] += armature;
            }
        }
    }

    /// Writes the forces with their slopes, by the chain rule.
    fn write<S: Scalar>(&self, tau: &mut [S]) {
        let n = tau.len();
        for (row, (tau, value)) in tau.iter_mut().zip(&self.tau).enumerate() {
            let (mut slopes, mut moves) = ([0.0; JET_WIDTH], false);
            for (matrix, jets) in [(&self.by_q, &self.q), (&self.by_v, &self.v), (&self.by_v_dot, &self.v_dot)] {
                for (column, partials) in &jets.slopes {
                    // A zero entry adds nothing, even if the slope is not finite.
                    let entry = matrix[column * n + row];
                    if entry != 0.0 {
                        moves = true;
                        (0..JET_WIDTH).for_each(|d| slopes[d] += entry * partials[d]);
                    }
                }
            }
            *tau = if moves { S::with_partials(*value, &slopes) } else { S::constant(*value) };
        }
    }
}

impl Tree {
    /// [`inverse_dynamics`](Self::inverse_dynamics) at positions `q` and velocities `v`, for accelerations given by a
    /// function of the velocity's index.
    ///
    /// Values are those of plain numbers to the last bit. Slopes come from the partial derivatives of the dynamics if
    /// every joint has one axis, and from a recursion over dual numbers otherwise.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn inverse_dynamics_at<S: Scalar>(
        &self,
        (q, v): (&[S], &[S]),
        gravity: &Vector3<f64>,
        armature: Armature,
        tau: &mut [S],
        v_dot: impl FnMut(usize) -> S,
    ) {
        if is_plain::<S>() || self.nodes.iter().any(|node| node.nv != 1) {
            return with_kinematics(|k| {
                self.position_kinematics(q, k);
                self.velocity_kinematics(v, k);
                self.inverse_dynamics_of(k, gravity, armature, tau, v_dot);
            });
        }
        lend(|jets: &mut Derivatives| {
            jets.q.set(q.iter().copied());
            jets.v.set(v.iter().copied());
            jets.v_dot.set((0..self.num_velocities).map(v_dot));
            jets.tau.resize(self.num_velocities, 0.0);
            with_kinematics(|k: &mut Kinematics<f64>| {
                self.position_kinematics(&jets.q.values, k);
                self.velocity_kinematics(&jets.v.values, k);
                self.inverse_dynamics(k, &jets.v_dot.values, gravity, armature, &mut jets.tau);
                jets.find(self, k, gravity, armature);
            });
            jets.write(tau);
        });
    }
}
