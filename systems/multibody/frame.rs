//! Frames fixed to bodies: the end effector of an arm, a sensor on a link.
//!
//! The acceleration of a frame follows from spatial accelerations at the reference point O of its kinematic tree
//! (Featherstone 2008, section 2.11): with A = Σ (S v̇ + Ṡ v) over the joints that carry it, and r from O to the frame,
//!
//! ```text
//! ω̇ = A_angular,   p̈ = A_linear + ω̇ × r + ω × ṗ
//! ```

use super::kinematics::{Kinematics, Pose};
use super::product::{compose_constant, turn_constant};
use super::spatial::SpatialVector;
use super::tree::Tree;
use kinegraph_core::scalar::Scalar;
use nalgebra::{Isometry3, Matrix3, Vector3};

/// A frame F fixed to a body B.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The body, by index in [`Tree::bodies`].
    pub body: usize,
    R_BF: Matrix3<f64>,
    p_BF: Vector3<f64>,
}

impl Frame {
    /// The frame at the pose `X_BF` in the frame of `body`.
    pub fn new(body: usize, X_BF: &Isometry3<f64>) -> Self {
        Frame { body, R_BF: *X_BF.rotation.to_rotation_matrix().matrix(), p_BF: X_BF.translation.vector }
    }
}

impl Tree {
    /// Pose of a frame.
    ///
    /// # Panics
    /// If positions were not computed (the following functions panic likewise).
    pub fn X_WF<S: Scalar>(&self, k: &Kinematics<S>, frame: &Frame) -> Pose<S> {
        let X = self.X_WB(k, frame.body);
        Pose { R_WB: compose_constant(&X.R_WB, &frame.R_BF), p_WB: X.p_WB + turn_constant(&X.R_WB, &frame.p_BF) }
    }

    /// Velocity of a frame at its origin, in world axes: angular \[rad/s\], linear \[m/s\].
    ///
    /// # Panics
    /// If velocities were not computed.
    pub fn V_WF<S: Scalar>(&self, k: &Kinematics<S>, frame: &Frame) -> SpatialVector<S> {
        self.V_WB(k, frame.body).motion_at(&self.arm(k, frame))
    }

    /// `J v̇ + J̇ v`: acceleration of a frame for accelerations `v_dot` (by index of the velocity), at its origin, in
    /// world axes: angular \[rad/s²\], linear \[m/s²\].
    ///
    /// # Panics
    /// If velocities were not computed.
    pub fn frame_acceleration<S: Scalar>(
        &self,
        k: &Kinematics<S>,
        frame: &Frame,
        v_dot: impl Fn(usize) -> S,
    ) -> SpatialVector<S> {
        k.assert_velocities();
        let Some(leaf) = self.bodies[frame.body].node else { return SpatialVector::zero() };
        let mut A = SpatialVector::zero();
        for n in self.ancestry(leaf) {
            A += k.A_bias[n];
            for v in self.nodes[n].velocities() {
                A += k.columns[v] * v_dot(v);
            }
        }
        let r = self.r_B(k, frame.body, leaf) + self.arm(k, frame);
        let V = k.V[leaf].motion_at(&r);
        let A = A.motion_at(&r);
        SpatialVector::new(A.angular, A.linear + V.angular.cross(&V.linear))
    }

    /// Adds the generalized forces `Jᵀ F` of a spatial force at the origin of a frame (torque \[N m\], force \[N\],
    /// world axes).
    ///
    /// # Panics
    /// If positions were not computed, or `tau` has the wrong length.
    pub fn add_frame_force<S: Scalar>(
        &self,
        k: &Kinematics<S>,
        frame: &Frame,
        force: &SpatialVector<S>,
        tau: &mut [S],
    ) {
        self.add_spatial_force(k, frame.body, &force.force_at(&-self.arm(k, frame)), tau);
    }

    /// Vector from the origin of the body to that of the frame.
    pub(crate) fn arm<S: Scalar>(&self, k: &Kinematics<S>, frame: &Frame) -> Vector3<S> {
        turn_constant(&self.X_WB(k, frame.body).R_WB, &frame.p_BF)
    }
}
