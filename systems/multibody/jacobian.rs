//! Body Jacobians: `V_WB = J_WB v`.

use super::kinematics::Kinematics;
use super::tree::Tree;
use kinegraph_core::scalar::Scalar;

impl Tree {
    /// Number of entries of a body's Jacobian: six times the size of its clique; zero for a body fixed to the world.
    pub fn body_jacobian_len(&self, body: usize) -> usize {
        self.bodies[body].clique.map_or(0, |c| 6 * self.cliques[c].velocities.len())
    }

    /// The Jacobian of a body at its origin, in world axes: 6 x clique size, column major, rows angular then linear.
    ///
    /// # Panics
    /// If positions were not computed, or `J` does not have [`Tree::body_jacobian_len`] entries.
    pub fn body_jacobian<S: Scalar>(&self, k: &Kinematics<S>, body: usize, J: &mut [S]) {
        k.assert_positions();
        assert_eq!(J.len(), self.body_jacobian_len(body), "size of the Jacobian");
        let Some(leaf) = self.bodies[body].node else { return };
        let start = self.cliques[self.nodes[leaf].clique].velocities.start;
        let r = self.r_B(k, body, leaf);
        J.fill(S::zero());
        for n in self.ancestry(leaf) {
            let node = &self.nodes[n];
            for v in node.velocities() {
                let c = 6 * (v - start);
                J[c..c + 6].copy_from_slice(&k.columns[v].motion_at(&r).to_array());
            }
        }
    }
}
