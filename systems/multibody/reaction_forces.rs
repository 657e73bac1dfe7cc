//! Reaction forces: the force on each link from its parent, as a force/torque sensor at its joint or weld measures it.
//!
//! Newton-Euler link by link: `F_b = I A + V ×* I V - F_external + (sum over the children of b)`. Links welded together
//! share a node, so their motion is that of the node, but each has an inertia of its own. Rotors (armature) are no part
//! of a link: the link feels the effort of an actuator less the inertial force of its rotor.

use super::joint::JointMap;
use super::kinematics::Kinematics;
use super::model::Inertia;
use super::spatial::{SpatialInertia, SpatialVector, rotate_tensor};
use super::tree::{Body, Tree};
use nalgebra::{Matrix3, Vector3};

impl Tree {
    /// Spatial forces (torque \[N m\], force \[N\], world axes, about the link's origin) that each link but the world
    /// gets from its parent, for accelerations `v_dot` (by index of the velocity) at the state of `k` under `gravity`
    /// and `external` spatial forces on the bodies (by body and component). Zero for floating links. `out` has six
    /// numbers per link, the world excluded.
    ///
    /// # Panics
    /// If velocities were not computed, or a slice has the wrong length.
    pub fn reaction_forces(
        &self,
        k: &mut Kinematics<f64>,
        v_dot: impl Fn(usize) -> f64,
        gravity: &Vector3<f64>,
        external: impl Fn(usize, usize) -> f64,
        out: &mut [f64],
    ) {
        let bodies = self.bodies.len();
        assert_eq!(out.len(), 6 * (bodies - 1), "number of bodies");
        self.accelerations(k, v_dot, gravity);
        out.fill(0.0);
        for b in (1..bodies).rev() {
            let body = &self.bodies[b];
            let own = 6 * (b - 1);
            let carried = SpatialVector::from_slice(&out[own..own + 6]);
            let force = carried + self.inertial_force(k, b, gravity)
                - SpatialVector::from_slice(&std::array::from_fn::<_, 6, _>(|i| external(b, i)));
            out[own..own + 6].copy_from_slice(&force.to_array());
            if body.parent != 0 {
                let lever = self.X_WB(k, body.parent).p_WB - self.X_WB(k, b).p_WB;
                let parent = 6 * (body.parent - 1);
                let sum = SpatialVector::from_slice(&out[parent..parent + 6]) + force.force_at(&lever);
                out[parent..parent + 6].copy_from_slice(&sum.to_array());
            }
        }
        for (b, out) in (1..bodies).zip(out.chunks_exact_mut(6)) {
            if self.floats(&self.bodies[b]) {
                out.fill(0.0);
            }
        }
    }

    /// Acceleration of a body at its origin, in world axes, gravity as an upward acceleration: angular \[rad/s²\],
    /// linear \[m/s²\]. The accelerations are those of the last [`Tree::reaction_forces`].
    pub(crate) fn A_WB(&self, k: &Kinematics<f64>, body: usize, gravity: &Vector3<f64>) -> SpatialVector<f64> {
        let Some(node) = self.bodies[body].node else { return SpatialVector::new(Vector3::zeros(), -gravity) };
        let A = k.accelerations[node].motion_at(&self.r_B(k, body, node));
        let V = self.V_WB(k, body);
        // Acceleration of the point that moves with the body, not of the one fixed in the world.
        SpatialVector::new(A.angular, A.linear + V.angular.cross(&V.linear))
    }

    /// Accelerations of the nodes, gravity as an upward acceleration of the world.
    fn accelerations(&self, k: &mut Kinematics<f64>, v_dot: impl Fn(usize) -> f64, gravity: &Vector3<f64>) {
        k.assert_velocities();
        for (i, node) in self.nodes.iter().enumerate() {
            let world = SpatialVector::new(Vector3::zeros(), -gravity);
            let mut A = node.parent.map_or(world, |parent| k.accelerations[parent]) + k.A_bias[i];
            for velocity in node.velocities() {
                A += k.columns[velocity] * v_dot(velocity);
            }
            k.accelerations[i] = A;
        }
    }

    fn floats(&self, body: &Body) -> bool {
        body.leads && body.node.is_some_and(|n| matches!(self.nodes[n].map, JointMap::Floating))
    }

    /// `I A + V ×* I V` of one link about its origin, gravity as an upward acceleration.
    fn inertial_force(&self, k: &Kinematics<f64>, b: usize, gravity: &Vector3<f64>) -> SpatialVector<f64> {
        let Some(Inertia { mass, p_BoBcm, I_BBcm }) = self.bodies[b].inertia else { return SpatialVector::zero() };
        let R_WB: Matrix3<f64> = self.X_WB(k, b).R_WB;
        let com = R_WB * p_BoBcm;
        let Some(node) = self.bodies[b].node else {
            let weight = -gravity * mass;
            return SpatialVector::new(com.cross(&weight), weight);
        };
        let r = self.r_B(k, b, node);
        let inertia = SpatialInertia::new(mass, &(r + com), &rotate_tensor(&R_WB, &I_BBcm));
        let V = &k.V[node];
        (inertia.apply(&k.accelerations[node]) + V.cross_force(&inertia.apply(V))).force_at(&r)
    }
}
