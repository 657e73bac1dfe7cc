//! A body alone: a floating link that carries nothing needs no recursion over a tree.
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
use crate::convex::SpinStructure;
use crate::scalar::Scalar;
use nalgebra::{Matrix3, Vector3};

impl Tree {
    /// Finds the nodes that stand alone and inverts their inertias.
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

    /// The bodies that floating bases move.
    pub(crate) fn spins(&self) -> Vec<SpinStructure> {
        let floating = self.nodes.iter().filter(|node| matches!(node.map, JointMap::Floating));
        let spin = |node: &Node| SpinStructure {
            velocities: node.velocities(),
            position: node.q,
            inertia: std::array::from_fn(|i| node.inertia.as_slice()[i]),
            alone: node.alone.map(|_| (node.mass, node.com.into())),
        };
        floating.map(spin).collect()
    }

    /// The acceleration `v_dot` of a node that stands alone under the generalized force `tau`; `inverse` is that of its
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

/// The mass matrix (6 x 6, column major) of a body alone, about its origin.
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

#[cfg(test)]
mod tests {
    use crate::multibody::{Armature, Base, Inertia, InertiaCheck, Kinematics, Link, Model, ModelInstance, Tree};
    use nalgebra::{DMatrix, DVector, Isometry3, Matrix3, Vector3};

    #[test]
    fn a_body_alone_obeys_the_equations_of_the_tree() {
        // The centre of mass is not the origin, the inertia not diagonal.
        let I_BBcm = Matrix3::new(0.3, 0.02, -0.01, 0.02, 0.4, 0.03, -0.01, 0.03, 0.5);
        let inertia = Inertia { mass: 2.0, p_BoBcm: Vector3::new(0.1, -0.2, 0.3), I_BBcm };
        let links = vec![Link { name: "body".into(), inertia: Some(inertia), ..Link::default() }];
        let model = Model { name: "m".into(), links, ..Model::default() };
        let instance = ModelInstance { name: "m".into(), model: &model, base: Base::floating(Isometry3::identity()) };
        let (tree, _) = Tree::assemble(&[instance], InertiaCheck::Strict).unwrap();
        assert!(tree.nodes[0].alone.is_some());
        let gravity = Vector3::new(0.3, 0.1, -9.81);
        let (q, v) = ([0.7, -0.3, 0.4, 0.2, 1.0, 2.0, -3.0], [0.4, -1.2, 2.0, 0.3, 0.5, -0.7]);
        let tau = [0.3, 0.8, -0.4, 1.5, -2.0, 4.0];
        let mut k = Kinematics::default();
        tree.position_kinematics(&q, &mut k);
        tree.velocity_kinematics(&v, &mut k);
        let (mut M, mut bias, mut v_dot) = ([0.0; 36], [0.0; 6], [0.0; 6]);
        tree.mass_matrix(&mut k, Armature::Included, &mut M);
        tree.bias(&mut k, &gravity, &mut bias);
        tree.forward_dynamics(&mut k, &tau, &gravity, Armature::Included, &mut v_dot);
        // The bias is found by the recursion over the tree, the mass matrix by unit accelerations of it.
        for j in 0..6 {
            let (mut unit, mut column) = ([0.0; 6], [0.0; 6]);
            unit[j] = 1.0;
            tree.inverse_dynamics(&mut k, &unit, &gravity, Armature::Included, &mut column);
            for i in 0..6 {
                assert!((M[6 * j + i] - (column[i] - bias[i])).abs() < 1e-13, "{i} {j}");
            }
        }
        let left = DMatrix::from_column_slice(6, 6, &M) * DVector::from_column_slice(&v_dot);
        for i in 0..6 {
            assert!((left[i] + bias[i] - tau[i]).abs() < 1e-13, "{i}");
        }
    }
}
