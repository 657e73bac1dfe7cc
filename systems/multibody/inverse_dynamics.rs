//! Inverse dynamics by recursive Newton-Euler: the generalized forces that produce a given motion.
//!
//! Featherstone 2008, table 5.1, in world axes at the reference point O of each kinematic tree, where forces of
//! children add to those of their parents without transforms: `f = I a + V ×* I V`, `a = a_parent + S v̇ + Ṡ v`,
//! `τ = Sᵀ f`. Gravity is an upward acceleration of the world. Joint damping and springs are not part of it.

use super::kinematics::Kinematics;
use super::spatial::{SpatialVector, lift};
use super::tree::{Armature, Tree};
use kinegraph_core::scalar::Scalar;
use nalgebra::Vector3;

impl Tree {
    /// `τ = M v̇ + bias` at the state of `k`, for gravity in world \[m/s²\]. `tau` and `v̇` have one entry per
    /// velocity.
    ///
    /// # Panics
    /// If velocities were not computed, or a slice has the wrong length.
    pub fn inverse_dynamics<S: Scalar>(
        &self,
        k: &mut Kinematics<S>,
        v_dot: &[S],
        gravity: &Vector3<f64>,
        armature: Armature,
        tau: &mut [S],
    ) {
        assert_eq!(v_dot.len(), self.num_velocities, "number of accelerations");
        k.assert_velocities();
        self.newton_euler(k, true, Some(v_dot), gravity, tau);
        if armature == Armature::Included {
            for ((tau, v_dot), armature) in tau.iter_mut().zip(v_dot).zip(&self.armature) {
                *tau += *v_dot * S::constant(*armature);
            }
        }
    }

    /// [`inverse_dynamics`](Self::inverse_dynamics) for accelerations given by a function of the velocity's index.
    ///
    /// # Panics
    /// If velocities were not computed, or `tau` has the wrong length.
    pub fn inverse_dynamics_of<S: Scalar>(
        &self,
        k: &mut Kinematics<S>,
        gravity: &Vector3<f64>,
        armature: Armature,
        tau: &mut [S],
        v_dot: impl FnMut(usize) -> S,
    ) {
        let mut values = std::mem::take(&mut k.v_dot);
        values.clear();
        values.extend((0..self.num_velocities).map(v_dot));
        self.inverse_dynamics(k, &values, gravity, armature, tau);
        k.v_dot = values;
    }

    /// Bias: the generalized forces that keep the velocity constant (Coriolis, centrifugal and gravity terms),
    /// `M v̇ + bias = τ`.
    ///
    /// # Panics
    /// If velocities were not computed, or `bias` has the wrong length.
    pub fn bias<S: Scalar>(&self, k: &mut Kinematics<S>, gravity: &Vector3<f64>, bias: &mut [S]) {
        k.assert_velocities();
        self.newton_euler(k, true, None, gravity, bias);
    }

    /// Gravity compensation: the generalized forces that hold the plant at rest, its bias at zero velocity. Needs
    /// positions only.
    ///
    /// # Panics
    /// If positions were not computed, or `tau` has the wrong length.
    pub fn gravity_compensation<S: Scalar>(&self, k: &mut Kinematics<S>, gravity: &Vector3<f64>, tau: &mut [S]) {
        self.newton_euler(k, false, None, gravity, tau);
    }

    fn newton_euler<S: Scalar>(
        &self,
        k: &mut Kinematics<S>,
        moving: bool,
        v_dot: Option<&[S]>,
        gravity: &Vector3<f64>,
        tau: &mut [S],
    ) {
        assert_eq!(tau.len(), self.num_velocities, "number of generalized forces");
        k.ensure_inertias(self);
        let A_world = SpatialVector::new(Vector3::zeros(), lift(&-gravity));
        for (i, node) in self.nodes.iter().enumerate() {
            let mut A = node.parent.map_or(A_world, |parent| k.accelerations[parent]);
            if let Some(v_dot) = v_dot {
                let own = node.velocities();
                for (column, v_dot) in k.columns[own.clone()].iter().zip(&v_dot[own]) {
                    A += *column * *v_dot;
                }
            }
            if moving {
                A += k.A_bias[i];
            }
            k.accelerations[i] = A;
            let inertia = &k.inertias[i];
            k.forces[i] = inertia.apply(&A);
            if moving {
                let V = &k.V[i];
                k.forces[i] += V.cross_force(&inertia.apply(V));
            }
        }
        for (i, node) in self.nodes.iter().enumerate().rev() {
            let force = k.forces[i];
            let own = node.velocities();
            for (tau, column) in tau[own.clone()].iter_mut().zip(&k.columns[own]) {
                *tau = column.dot(&force);
            }
            if let Some(parent) = node.parent {
                k.forces[parent] += force;
            }
        }
    }

    /// Adds the generalized forces of a spatial force on a body (torque \[N m\], force \[N\] at the body origin, world
    /// axes): `τ += Jᵀ F`.
    ///
    /// # Panics
    /// If positions were not computed, or `tau` has the wrong length.
    pub fn add_spatial_force<S: Scalar>(
        &self,
        k: &Kinematics<S>,
        body: usize,
        force: &SpatialVector<S>,
        tau: &mut [S],
    ) {
        assert_eq!(tau.len(), self.num_velocities, "number of generalized forces");
        self.for_each_effort(k, body, force, |velocity, effort| tau[velocity] += effort);
    }

    /// Calls `see` with every velocity that moves a body, and with the generalized force along it of a spatial force on
    /// that body.
    pub(crate) fn for_each_effort<S: Scalar>(
        &self,
        k: &Kinematics<S>,
        body: usize,
        force: &SpatialVector<S>,
        mut see: impl FnMut(usize, S),
    ) {
        k.assert_positions();
        let Some(leaf) = self.bodies[body].node else { return };
        let force = force.force_at(&-self.r_B(k, body, leaf));
        for n in self.ancestry(leaf) {
            for velocity in self.nodes[n].velocities() {
                see(velocity, k.columns[velocity].dot(&force));
            }
        }
    }

    /// The velocities of all joints between the world and a body.
    pub(crate) fn velocities_that_move(&self, body: usize) -> impl Iterator<Item = usize> + '_ {
        let leaf = self.bodies[body].node;
        leaf.into_iter().flat_map(|leaf| self.ancestry(leaf)).flat_map(|n| self.nodes[n].velocities())
    }

    /// Adds the generalized forces of two opposite forces along one line on two bodies, each at the origin of its body.
    /// Velocities that move both bodies alike get none.
    pub(crate) fn add_opposite_forces<S: Scalar>(
        &self,
        k: &Kinematics<S>,
        forces: [(usize, SpatialVector<S>); 2],
        tau: &mut [S],
    ) {
        k.assert_positions();
        let [mut a, mut b] = forces.each_ref().map(|(body, _)| self.bodies[*body].node);
        let at_tree = forces.map(|(body, force)| match self.bodies[body].node {
            Some(leaf) => force.force_at(&-self.r_B(k, body, leaf)),
            None => force,
        });
        // A node comes after its parent.
        while a != b {
            let (inner, force) = if a > b { (&mut a, &at_tree[0]) } else { (&mut b, &at_tree[1]) };
            let Some(n) = *inner else { return };
            for velocity in self.nodes[n].velocities() {
                tau[velocity] += k.columns[velocity].dot(force);
            }
            *inner = self.nodes[n].parent;
        }
    }

    /// A node and its ancestors, outermost first.
    pub(crate) fn ancestry(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(node), |&n| self.nodes[n].parent)
    }
}
