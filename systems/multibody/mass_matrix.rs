//! The mass matrix by composite rigid bodies, one dense block per clique.
//!
//! Featherstone 2008, section 6.2: with `Iᶜ` the composite inertia of the subtree of a node, `M_ij = S_iᵀ Iᶜ S_j` for
//! every ancestor `i` of `j`. At one reference point per kinematic tree, `Iᶜ` is a plain sum and `S_i` needs no
//! transform.

use super::free_body::free_mass_matrix;
use super::kinematics::Kinematics;
use super::tree::{Armature, Tree};
use kinegraph_core::scalar::Scalar;
use std::ops::Range;

impl Tree {
    /// Number of entries of the mass matrix: the sum of the squares of the clique sizes.
    pub fn mass_matrix_len(&self) -> usize {
        self.cliques.last().map_or(0, |c| c.block.end)
    }

    /// Range of the block of a clique in the mass matrix.
    pub fn mass_matrix_block(&self, clique: usize) -> Range<usize> {
        self.cliques[clique].block.clone()
    }

    /// Mass matrix at the positions of `k`: blocks of all cliques, one after the other, column major, both triangles.
    ///
    /// # Panics
    /// If positions were not computed, or `M` does not have [`Tree::mass_matrix_len`] entries.
    pub fn mass_matrix<S: Scalar>(&self, k: &mut Kinematics<S>, armature: Armature, M: &mut [S]) {
        assert_eq!(M.len(), self.mass_matrix_len(), "size of the mass matrix");
        k.ensure_inertias(self);
        M.fill(S::zero());
        k.composite.copy_from_slice(&k.inertias);
        for (i, node) in self.nodes.iter().enumerate().rev() {
            let clique = &self.cliques[node.clique];
            if node.alone.is_some() && clique.velocities.len() == node.nv {
                free_mass_matrix(&k.inertias[i], &mut M[clique.block.clone()]);
                continue;
            }
            let composite = k.composite[i];
            if let Some(parent) = node.parent {
                k.composite[parent] += &composite;
            }
            let (start, n) = (clique.velocities.start, clique.velocities.len());
            let block = &mut M[clique.block.clone()];
            for col in node.velocities() {
                let force = composite.apply(&k.columns[col]);
                let c = col - start;
                for row in node.v..=col {
                    let entry = k.columns[row].dot(&force);
                    let r = row - start;
                    block[c * n + r] = entry;
                    block[r * n + c] = entry;
                }
                for ancestor in self.ancestry(i).skip(1) {
                    let ancestor = &self.nodes[ancestor];
                    for row in ancestor.velocities() {
                        let entry = k.columns[row].dot(&force);
                        let r = row - start;
                        block[c * n + r] = entry;
                        block[r * n + c] = entry;
                    }
                }
            }
        }
        if armature == Armature::Included {
            for clique in &self.cliques {
                let n = clique.velocities.len();
                for (j, v) in clique.velocities.clone().enumerate() {
                    M[clique.block.start + j * (n + 1)] += S::constant(self.armature[v]);
                }
            }
        }
    }
}
