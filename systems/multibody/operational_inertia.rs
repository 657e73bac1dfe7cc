//! Operational-space inertia of a frame, computed without the mass matrix.
//!
//! Khatib 1987 calls `Λ = (J M⁻¹ Jᵀ)⁻¹` the operational-space inertia. Its inverse is the acceleration per force of the
//! frame. It is computed outwards along the joints that carry the frame, from the resistance of each (Kreutz-Delgado,
//! Jain, Rodriguez, "Recursive formulation of operational space control", 1992): with S a joint column, U = Iᴬ S and d
//! = Sᵀ U of the articulated bodies ([`forward_dynamics`](super::forward_dynamics)), an acceleration a of the parent
//! becomes `a + S (u/d - Uᵀ a/d)`, hence
//!
//! ```text
//! Λ⁻¹ = P Λ⁻¹_parent Pᵀ + S Sᵀ/d,   P = 1 - S Uᵀ/d
//! ```
//!
//! at one reference point O, so that no transforms are needed.

use super::frame::Frame;
use super::kinematics::Kinematics;
use super::product::{dot, times};
use super::spatial::SpatialVector;
use super::tree::{Armature, Tree};
use kinegraph_core::scalar::Scalar;
use nalgebra::{SMatrix, SVector};

impl Tree {
    /// `J M⁻¹ Jᵀ` of a frame at the positions of `k`: its acceleration per spatial force at its origin, angular before
    /// linear, in world axes; zero for a frame fixed to the world. Not finite where the mass matrix is singular.
    ///
    /// # Panics
    /// If positions were not computed.
    pub fn inverse_operational_inertia<S: Scalar>(
        &self,
        k: &mut Kinematics<S>,
        frame: &Frame,
        armature: Armature,
    ) -> SMatrix<S, 6, 6> {
        self.articulated_inertias(k, armature, |_| true);
        let mut inverse = SMatrix::<S, 6, 6>::zeros();
        let Some(leaf) = self.bodies[frame.body].node else { return inverse };
        self.outwards(leaf, &mut |v| {
            let (U, d_inverse) = &k.resistance[v];
            let (s, u) = (k.columns[v].to_vector(), (*U * *d_inverse).to_vector());
            // P Λ⁻¹ Pᵀ = Λ⁻¹ - S gᵀ - g Sᵀ + S (uᵀ g) Sᵀ with g = Λ⁻¹ u.
            let g = times(&inverse, &u);
            let factor = S::constant(0.5) * (dot(&u, &g) + *d_inverse);
            let half = SVector::<S, 6>::from_fn(|i, _| s[i] * factor - g[i]);
            for j in 0..6 {
                for i in j..6 {
                    let entry = inverse[(i, j)] + half[i] * s[j] + s[i] * half[j];
                    (inverse[(i, j)], inverse[(j, i)]) = (entry, entry);
                }
            }
        });
        let r = self.r_B(k, frame.body, leaf) + self.arm(k, frame);
        // From O to the frame: first the accelerations, then, by symmetry, the forces.
        let mut at_frame = inverse;
        for _ in 0..2 {
            for mut column in at_frame.column_iter_mut() {
                column.copy_from_slice(&SpatialVector::from_slice(column.as_slice()).motion_at(&r).to_array());
            }
            at_frame.transpose_mut();
        }
        at_frame
    }

    /// `J M⁻¹ τ`: acceleration of a frame under generalized forces, at rest and without gravity. Call it after
    /// [`inverse_operational_inertia`](Self::inverse_operational_inertia) of any frame at the same positions.
    ///
    /// # Panics
    /// If `tau` has the wrong length.
    pub fn frame_acceleration_of_forces<S: Scalar>(
        &self,
        k: &mut Kinematics<S>,
        frame: &Frame,
        tau: &[S],
    ) -> SpatialVector<S> {
        assert_eq!((tau.len(), k.resistance.len()), (self.num_velocities, self.num_velocities), "number of forces");
        let Some(leaf) = self.bodies[frame.body].node else { return SpatialVector::zero() };
        let mut unbalanced = std::mem::take(&mut k.v_dot);
        unbalanced.clear();
        unbalanced.extend_from_slice(tau);
        k.forces.fill(SpatialVector::zero());
        for (i, node) in self.nodes.iter().enumerate().rev() {
            let mut f = k.forces[i];
            for v in node.velocities().rev() {
                let (U, d_inverse) = &k.resistance[v];
                unbalanced[v] -= k.columns[v].dot(&f);
                f += *U * (unbalanced[v] * *d_inverse);
            }
            if let Some(parent) = node.parent {
                k.forces[parent] += f;
            }
        }
        let mut A = SpatialVector::zero();
        self.outwards(leaf, &mut |v| {
            let (U, d_inverse) = &k.resistance[v];
            A += k.columns[v] * ((unbalanced[v] - U.dot(&A)) * *d_inverse);
        });
        k.v_dot = unbalanced;
        let r = self.r_B(k, frame.body, leaf) + self.arm(k, frame);
        A.motion_at(&r)
    }

    /// Calls `visit` with the velocities of all joints between the world and a node, from the root outwards.
    fn outwards(&self, node: usize, visit: &mut impl FnMut(usize)) {
        if let Some(parent) = self.nodes[node].parent {
            self.outwards(parent, visit);
        }
        self.nodes[node].velocities().for_each(visit);
    }
}
