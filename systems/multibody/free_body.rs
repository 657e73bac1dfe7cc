//! Dynamics of a single body: a floating link that carries nothing needs no recursion over a tree.
//!
//! Euler's equations about its centre of mass, in its own axes, where the inertia is constant and inverted once:
//!
//! ```text
//! ω̇ = I⁻¹ (τ_c - ω × I ω),   τ_c = τ - c × F,   p̈ = F/m + g - ω̇ × c - ω × (ω × c)
//! ```
//!
//! with the force F and the torque τ at the origin, and the vector c from there to the centre of mass.

use super::joint::JointMap;
use super::kinematics::Kinematics;
use super::product::{turn, turn_constant};
use super::spatial::{SpatialInertia, lift, lift_matrix};
use super::tree::{Node, Tree};
use kinegraph_core::convex::SpinStructure;
use kinegraph_core::scalar::Scalar;
use nalgebra::{Matrix3, Vector3};

impl Tree {
    /// Finds the nodes without joints on them and inverts their inertias.
    pub(crate) fn find_free_bodies(&mut self) {
        let mut carries = vec![false; self.nodes.len()];
        self.nodes.iter().filter_map(|node| node.parent).for_each(|parent| carries[parent] = true);
        for (node, carries) in self.nodes.iter_mut().zip(carries) {
            let resisted = |v: usize| self.armature[v] != 0.0 || self.damping[v] != 0.0;
            let free = matches!(node.map, JointMap::Floating) && !node.velocities().any(resisted);
            let alone = free && !carries && node.mass > 0.0;
            node.alone = if alone { node.inertia.try_inverse() } else { None };
        }
    }

    /// The bodies that floating bases move directly.
    pub fn spins(&self) -> Vec<SpinStructure> {
        let floating = self.nodes.iter().filter(|node| matches!(node.map, JointMap::Floating));
        let spin = |node: &Node| SpinStructure {
            velocities: node.velocities(),
            position: node.q,
            inertia: std::array::from_fn(|i| node.inertia.as_slice()[i]),
            alone: node.alone.map(|_| (node.mass, node.com.into())),
        };
        floating.map(spin).collect()
    }

    /// Acceleration `v_dot` of a single-body node under the generalized force `tau`; `inverse` is the inverse of its
    /// inertia.
    pub(crate) fn free_dynamics<S: Scalar>(
        &self,
        k: &Kinematics<S>,
        i: usize,
        inverse: &Matrix3<f64>,
        tau: &[S],
        gravity: &Vector3<f64>,
        v_dot: &mut [S],
    ) {
        let node: &Node = &self.nodes[i];
        let (R, w) = (&k.R_WN[i], &k.V[i].angular);
        let (torque, force) = (Vector3::from_column_slice(&tau[..3]), Vector3::from_column_slice(&tau[3..6]));
        let c = turn_constant(R, &node.com);
        let w_N = R.tr_mul(w);
        let gyroscopic = w_N.cross(&turn(&lift_matrix(&node.inertia), &w_N));
        let unbalanced = R.tr_mul(&(torque - c.cross(&force))) - gyroscopic;
        let w_dot = turn(R, &turn(&lift_matrix(inverse), &unbalanced));
        let a = force / S::constant(node.mass) + lift::<S>(gravity) - w_dot.cross(&c) - w.cross(&w.cross(&c));
        v_dot[..3].copy_from_slice(w_dot.as_slice());
        v_dot[3..6].copy_from_slice(a.as_slice());
    }
}

/// Mass matrix (6 x 6, column major) of a single body, about its origin.
pub(crate) fn free_mass_matrix<S: Scalar>(inertia: &SpatialInertia<S>, M: &mut [S]) {
    let cross = inertia.moment.cross_matrix();
    for j in 0..3 {
        for i in 0..3 {
            M[6 * j + i] = inertia.rotational[(i, j)];
            M[6 * (j + 3) + i] = cross[(i, j)];
            M[6 * j + i + 3] = -cross[(i, j)];
            M[6 * (j + 3) + i + 3] = if i == j { inertia.mass } else { S::zero() };
        }
    }
}
