//! Poses and velocities of all bodies.
//!
//! Every kinematic tree has its own reference point O: the origin of its first moving body, fixed in the world for the
//! instant. Spatial velocities are taken there, in world axes, so that `V = V_parent + S q̇` needs no transforms.
//! Distances are measured from O, never from the world's origin: a robot kilometres away loses no digits of its
//! inertia.
//!
//! Velocity-product accelerations: for axes that the parent or the child carries (of a joint with several velocities,
//! each axis may move with those before it), `Ṡ q̇ = V_parent × S q̇`
//! (Featherstone 2008, eq. 3.42: `V_child × S q̇` is the same, since they differ by `S q̇`); for a floating base,
//! `V_O = [ω; ṗ + ω × (O - p)]`, hence `V̇_O = [ω̇; p̈ - ω × ṗ]` at `O = p`.

use super::joint::JointMap;
use super::product::{compose, compose_constant, turn, turn_constant};
use super::spatial::{ArticulatedInertia, SpatialInertia, SpatialVector, lift, rotate_tensor};
use super::tree::Tree;
use kinegraph_core::scalar::Scalar;
use nalgebra::{Isometry3, Matrix3, Point3, Rotation3, UnitQuaternion, Vector3};
use std::ops::Range;

/// Pose of a body in the world.
#[derive(Clone, Copy, Debug)]
pub struct Pose<S: Scalar> {
    /// Rotation: the body's axes in world, as columns.
    pub R_WB: Matrix3<S>,
    /// Origin \[m\].
    pub p_WB: Vector3<S>,
}

impl Pose<f64> {
    /// The pose as an isometry.
    pub fn isometry(&self) -> Isometry3<f64> {
        let rotation = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(self.R_WB));
        Isometry3::from_parts(self.p_WB.into(), rotation)
    }
}

/// State of the buffers of a [`Kinematics`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Computed {
    #[default]
    Nothing,
    Positions,
    Velocities,
}

/// Buffers for one state of one tree. Start from `default()`; they take their size on first use and are then reused.
#[derive(Clone, Debug)]
pub struct Kinematics<S: Scalar> {
    computed: Computed,
    inertias_valid: bool,
    /// Orientation of each node in world.
    pub(crate) R_WN: Vec<Matrix3<S>>,
    /// Origin of each node in world.
    #[doc(hidden)]
    pub p_WN: Vec<Vector3<S>>,
    /// Origin of each node relative to O.
    pub(crate) r_N: Vec<Vector3<S>>,
    /// Motion subspace at O, one column per velocity.
    pub(crate) columns: Vec<SpatialVector<S>>,
    /// Velocity of each node at O, and its velocity-product acceleration relative to its parent.
    pub(crate) V: Vec<SpatialVector<S>>,
    pub(crate) A_bias: Vec<SpatialVector<S>>,
    /// Inertia of each node about O.
    pub(crate) inertias: Vec<SpatialInertia<S>>,
    /// Scratch of the algorithms.
    pub(crate) accelerations: Vec<SpatialVector<S>>,
    pub(crate) v_dot: Vec<S>,
    pub(crate) forces: Vec<SpatialVector<S>>,
    pub(crate) composite: Vec<SpatialInertia<S>>,
    pub(crate) articulated: Vec<ArticulatedInertia<S>>,
    /// For each joint column: its resistance `Iᴬ S`, and the inverse of `Sᵀ Iᴬ S`.
    pub(crate) resistance: Vec<(SpatialVector<S>, S)>,
}

impl<S: Scalar> Default for Kinematics<S> {
    fn default() -> Self {
        Kinematics {
            computed: Computed::Nothing,
            inertias_valid: false,
            R_WN: Vec::new(),
            p_WN: Vec::new(),
            r_N: Vec::new(),
            columns: Vec::new(),
            V: Vec::new(),
            A_bias: Vec::new(),
            inertias: Vec::new(),
            accelerations: Vec::new(),
            v_dot: Vec::new(),
            forces: Vec::new(),
            composite: Vec::new(),
            articulated: Vec::new(),
            resistance: Vec::new(),
        }
    }
}

impl<S: Scalar> Kinematics<S> {
    fn resize(&mut self, tree: &Tree) {
        let n = tree.nodes.len();
        if self.R_WN.len() == n && self.columns.len() == tree.num_velocities {
            return;
        }
        self.R_WN.resize(n, Matrix3::identity());
        self.p_WN.resize(n, Vector3::zeros());
        self.r_N.resize(n, Vector3::zeros());
        self.columns.resize(tree.num_velocities, SpatialVector::zero());
        for vectors in [&mut self.V, &mut self.A_bias, &mut self.accelerations, &mut self.forces] {
            vectors.resize(n, SpatialVector::zero());
        }
        for inertias in [&mut self.inertias, &mut self.composite] {
            inertias.resize(n, SpatialInertia::zero());
        }
    }

    pub(crate) fn assert_positions(&self) {
        assert!(self.computed >= Computed::Positions, "call position_kinematics first");
    }

    pub(crate) fn assert_velocities(&self) {
        assert!(self.computed == Computed::Velocities, "call velocity_kinematics first");
    }

    /// Inertias of the nodes in world, computed once per position.
    pub(crate) fn ensure_inertias(&mut self, tree: &Tree) {
        self.assert_positions();
        if self.inertias_valid {
            return;
        }
        for (i, node) in tree.nodes.iter().enumerate() {
            self.inertias[i] = if node.mass == 0.0 && node.inertia == Matrix3::zeros() {
                SpatialInertia::zero()
            } else {
                let R = &self.R_WN[i];
                let c = self.r_N[i] + turn_constant(R, &node.com);
                SpatialInertia::new(S::constant(node.mass), &c, &rotate_tensor(R, &node.inertia))
            };
        }
        self.inertias_valid = true;
    }
}

impl Tree {
    /// Poses of all bodies at `q`. Quaternions need not have unit length.
    ///
    /// # Panics
    /// If `q` does not have [`Tree::num_positions`] entries.
    pub fn position_kinematics<S: Scalar>(&self, q: &[S], k: &mut Kinematics<S>) {
        self.position_kinematics_of(0..self.nodes.len(), q, k);
    }

    /// Poses of these nodes alone, each of which comes after its ancestors. The poses of the others stem from an
    /// earlier call and must not be read.
    pub(crate) fn position_kinematics_of<S: Scalar>(
        &self,
        nodes: impl Iterator<Item = usize>,
        q: &[S],
        k: &mut Kinematics<S>,
    ) {
        assert_eq!(q.len(), self.num_positions, "number of positions");
        k.resize(self);
        for i in nodes {
            let node = &self.nodes[i];
            let own = &q[node.q..node.q + node.map.nq()];
            let across = node.map.across(own);
            let columns = &mut k.columns[node.velocities()];
            if let Some(parent) = node.parent {
                let R_WP = k.R_WN[parent];
                let d = turn_constant(&R_WP, &node.map.p_PF());
                let r_F = k.r_N[parent] + d;
                let r_N = across.p_FN.map_or(r_F, |p| r_F + turn(&R_WP, &p));
                k.R_WN[i] = compose(&R_WP, &across.R_PN);
                k.r_N[i] = r_N;
                // O itself: the origin of the node that leads the tree.
                k.p_WN[i] = k.p_WN[node.root] + r_N;
                node.map.columns(own, &r_F, |a| turn(&R_WP, &a), columns);
            } else {
                let p_FN = across.p_FN.unwrap_or_else(Vector3::zeros);
                k.R_WN[i] = across.R_PN;
                k.r_N[i] = Vector3::zeros();
                k.p_WN[i] = lift::<S>(&node.map.p_PF()) + p_FN;
                node.map.columns(own, &-p_FN, |a| a, columns);
            }
        }
        k.computed = Computed::Positions;
        k.inertias_valid = false;
    }

    /// The nodes of these bodies and their ancestors, in order.
    pub(crate) fn carriers(&self, bodies: Range<usize>) -> Vec<usize> {
        let mut nodes: Vec<usize> = self.bodies[bodies].iter().filter_map(|body| body.node).collect();
        let mut at = 0;
        while let Some(&node) = nodes.get(at) {
            nodes.extend(self.nodes[node].parent);
            at += 1;
        }
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// Velocities of all bodies at `v`, and the positions of the last [`Tree::position_kinematics`].
    ///
    /// # Panics
    /// If `v` does not have [`Tree::num_velocities`] entries, or positions were not computed.
    pub fn velocity_kinematics<S: Scalar>(&self, v: &[S], k: &mut Kinematics<S>) {
        assert_eq!(v.len(), self.num_velocities, "number of velocities");
        k.assert_positions();
        for (i, node) in self.nodes.iter().enumerate() {
            if let JointMap::Floating = node.map {
                let V = SpatialVector::from_slice(&v[node.v..node.v + 6]);
                k.V[i] = V;
                k.A_bias[i] = SpatialVector::new(Vector3::zeros(), V.linear.cross(&V.angular));
                continue;
            }
            let mut joint = k.columns[node.v] * v[node.v];
            let others = node.v + 1..node.v + node.nv;
            for (column, v) in k.columns[others.clone()].iter().zip(&v[others]) {
                joint += *column * *v;
            }
            // Axes within the joint itself: each moves with those before it.
            let within = match node.map {
                JointMap::Universal { .. } => {
                    let [first, second] = [0, 1].map(|j| k.columns[node.v + j] * v[node.v + j]);
                    Some(first.cross_motion(&second))
                }
                JointMap::Planar { .. } => {
                    let [x, y, turn] = [0, 1, 2].map(|j| k.columns[node.v + j] * v[node.v + j]);
                    Some((x + y).cross_motion(&turn))
                }
                _ => None,
            };
            match node.parent {
                Some(parent) => {
                    let V_parent = k.V[parent];
                    k.A_bias[i] = V_parent.cross_motion(&joint);
                    k.V[i] = V_parent + joint;
                }
                None => {
                    k.A_bias[i] = SpatialVector::zero();
                    k.V[i] = joint;
                }
            }
            if let Some(within) = within {
                k.A_bias[i] += within;
            }
        }
        k.computed = Computed::Velocities;
    }

    /// Pose of a body.
    ///
    /// # Panics
    /// If positions were not computed.
    pub fn X_WB<S: Scalar>(&self, k: &Kinematics<S>, body: usize) -> Pose<S> {
        k.assert_positions();
        let b = &self.bodies[body];
        match b.node {
            None => Pose { R_WB: b.R_NB.map(S::constant), p_WB: lift(&b.X_NB.translation.vector) },
            Some(n) if b.leads => Pose { R_WB: k.R_WN[n], p_WB: k.p_WN[n] },
            Some(n) => Pose {
                R_WB: compose_constant(&k.R_WN[n], &b.R_NB),
                p_WB: k.p_WN[n] + turn_constant(&k.R_WN[n], &b.X_NB.translation.vector),
            },
        }
    }

    /// A point fixed in a body, in world axes.
    pub(crate) fn point_W<S: Scalar>(&self, k: &Kinematics<S>, body: usize, p_BQ: &Vector3<f64>) -> Vector3<S> {
        k.assert_positions();
        let b = &self.bodies[body];
        match b.node {
            None => lift(&(b.X_NB * Point3::from(*p_BQ)).coords),
            Some(n) if b.leads => k.p_WN[n] + turn_constant(&k.R_WN[n], p_BQ),
            Some(n) => k.p_WN[n] + turn_constant(&k.R_WN[n], &(b.X_NB * Point3::from(*p_BQ)).coords),
        }
    }

    /// Velocity of a body at its origin, in world axes: angular \[rad/s\], linear \[m/s\].
    ///
    /// # Panics
    /// If velocities were not computed.
    pub fn V_WB<S: Scalar>(&self, k: &Kinematics<S>, body: usize) -> SpatialVector<S> {
        k.assert_velocities();
        match self.bodies[body].node {
            None => SpatialVector::zero(),
            Some(n) => k.V[n].motion_at(&self.r_B(k, body, n)),
        }
    }

    /// Vector from O to the origin of a body of node `n`.
    pub(crate) fn r_B<S: Scalar>(&self, k: &Kinematics<S>, body: usize, n: usize) -> Vector3<S> {
        let b = &self.bodies[body];
        if b.leads { k.r_N[n] } else { k.r_N[n] + turn_constant(&k.R_WN[n], &b.X_NB.translation.vector) }
    }
}
