//! Forward dynamics by articulated bodies: the acceleration from generalized forces, in time linear in the number of
//! joints.
//!
//! Featherstone 2008, section 7.3, in world axes at the reference point O of each kinematic tree. A joint with several
//! velocities is eliminated one column at a time, as a chain of single-axis joints without mass between them; its
//! velocity-product acceleration belongs to the first of them.

use super::kinematics::Kinematics;
use super::product::{subtract_outer, times};
use super::spatial::{ArticulatedInertia, SpatialInertia, SpatialVector, lift};
use super::tree::{Armature, Node, Tree};
use kinegraph_core::scalar::Scalar;
use kinegraph_core::wide;
use nalgebra::Vector3;

impl Tree {
    /// `v̇ = M⁻¹ (τ - bias)` at the state of `k`, for gravity in world \[m/s²\]. Not finite where the mass matrix is
    /// singular.
    ///
    /// # Panics
    /// If velocities were not computed, or a slice has the wrong length.
    pub fn forward_dynamics<S: Scalar>(
        &self,
        k: &mut Kinematics<S>,
        tau: &[S],
        gravity: &Vector3<f64>,
        armature: Armature,
        v_dot: &mut [S],
    ) {
        assert_eq!((tau.len(), v_dot.len()), (self.num_velocities, self.num_velocities), "number of velocities");
        k.assert_velocities();
        let mut free = 0;
        for (i, node) in self.nodes.iter().enumerate() {
            if let Some(inverse) = &node.alone {
                let own = node.velocities();
                self.free_dynamics(k, i, inverse, &tau[own.clone()], gravity, &mut v_dot[own]);
                free += 1;
            }
        }
        if free < self.nodes.len() {
            wide(
                #[inline(always)]
                || self.articulated_bodies(k, tau, gravity, armature, v_dot),
            );
        }
    }

    /// The part of [`forward_dynamics`](Self::forward_dynamics) that belongs to trees of several bodies.
    #[inline(always)]
    fn articulated_bodies<S: Scalar>(
        &self,
        k: &mut Kinematics<S>,
        tau: &[S],
        gravity: &Vector3<f64>,
        armature: Armature,
        v_dot: &mut [S],
    ) {
        let carried = |node: &Node| node.alone.is_none();
        self.start_articulated_inertias(k, carried);
        for (i, _) in self.nodes.iter().enumerate().filter(|(_, node)| carried(node)) {
            let (I, V) = (&k.inertias[i], &k.V[i]);
            k.forces[i] = V.cross_force(&I.apply(V));
        }
        // Inwards: each joint column is eliminated, and the parent carries the rest. Meanwhile `v_dot` holds the
        // unbalanced forces. (Inertias and forces in one pass: A stays at hand.)
        for (i, node) in self.nodes.iter().enumerate().rev().filter(|(_, node)| carried(node)) {
            let (mut A, mut f) = (k.articulated[i], k.forces[i]);
            for v in node.velocities().rev() {
                let column = &k.columns[v];
                let (U, inverse) = self.yield_to_load(&mut A, column, armature, v);
                let unbalanced = tau[v] - column.dot(&f);
                f += U * (unbalanced * inverse);
                k.resistance[v] = (U, inverse);
                v_dot[v] = unbalanced;
            }
            if let Some(parent) = node.parent {
                k.articulated[parent] += A;
                k.forces[parent] += f + apply(&A, &k.A_bias[i]);
            }
        }
        let A_world = SpatialVector::new(Vector3::zeros(), lift(&-gravity));
        for (i, node) in self.nodes.iter().enumerate().filter(|(_, node)| carried(node)) {
            let mut A = node.parent.map_or(A_world, |parent| k.accelerations[parent]) + k.A_bias[i];
            for v in node.velocities() {
                let (U, inverse) = &k.resistance[v];
                v_dot[v] = (v_dot[v] - U.dot(&A)) * *inverse;
                A += k.columns[v] * v_dot[v];
            }
            k.accelerations[i] = A;
        }
    }

    /// Articulated inertias of the `wanted` nodes, as their parents see them, and the resistance of each of their joint
    /// columns. The children of a wanted node must be wanted, too.
    pub(crate) fn articulated_inertias<S: Scalar>(
        &self,
        k: &mut Kinematics<S>,
        armature: Armature,
        wanted: impl Fn(&Node) -> bool,
    ) {
        self.start_articulated_inertias(k, &wanted);
        for (i, node) in self.nodes.iter().enumerate().rev().filter(|(_, node)| wanted(node)) {
            let mut A = k.articulated[i];
            for v in node.velocities().rev() {
                let (U, inverse) = self.yield_to_load(&mut A, &k.columns[v], armature, v);
                k.resistance[v] = (U, inverse);
            }
            k.articulated[i] = A;
            if let Some(parent) = node.parent {
                k.articulated[parent] += A;
            }
        }
    }

    /// Inertias of the `wanted` nodes, before any joint column is eliminated.
    #[inline(always)]
    fn start_articulated_inertias<S: Scalar>(&self, k: &mut Kinematics<S>, wanted: impl Fn(&Node) -> bool) {
        if self.nodes.iter().any(&wanted) {
            k.ensure_inertias(self);
        }
        k.articulated.resize(self.nodes.len(), ArticulatedInertia::zeros());
        k.resistance.resize(self.num_velocities, (SpatialVector::zero(), S::zero()));
        for (i, _) in self.nodes.iter().enumerate().filter(|(_, node)| wanted(node)) {
            k.articulated[i] = dense(&k.inertias[i]);
        }
    }

    /// Eliminates the joint column of velocity `v`: subtracts from A the inertia that no longer reaches the parent.
    /// Returns the resistance of the column.
    // Out of line, every A would be copied: a sixth of the time of a falling arm.
    #[inline(always)]
    fn yield_to_load<S: Scalar>(
        &self,
        A: &mut ArticulatedInertia<S>,
        column: &SpatialVector<S>,
        armature: Armature,
        v: usize,
    ) -> (SpatialVector<S>, S) {
        let U = apply(A, column);
        let rotor = if armature == Armature::Included { self.armature[v] } else { 0.0 };
        let inverse = S::one() / (column.dot(&U) + S::constant(rotor));
        let u = U.to_vector();
        subtract_outer(A, &(u * inverse), &u);
        (U, inverse)
    }
}

#[inline(always)]
fn dense<S: Scalar>(inertia: &SpatialInertia<S>) -> ArticulatedInertia<S> {
    let mut A = ArticulatedInertia::zeros();
    let cross = inertia.moment.cross_matrix();
    A.fixed_view_mut::<3, 3>(0, 0).copy_from(&inertia.rotational);
    A.fixed_view_mut::<3, 3>(0, 3).copy_from(&cross);
    A.fixed_view_mut::<3, 3>(3, 0).copy_from(&cross.transpose());
    A.fixed_view_mut::<3, 3>(3, 3).fill_diagonal(inertia.mass);
    A
}

#[inline(always)]
fn apply<S: Scalar>(A: &ArticulatedInertia<S>, motion: &SpatialVector<S>) -> SpatialVector<S> {
    SpatialVector::from_slice(times(A, &motion.to_vector()).as_slice())
}
