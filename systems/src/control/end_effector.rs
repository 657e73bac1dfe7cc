//! The frame that a Cartesian controller moves, on the controller's own model of the arm.

use super::controller_error::ControllerError;
use super::task_inertia::TaskInertia;
use kinegraph_core::names::nearest;
use kinegraph_core::parameter;
use kinegraph_core::{Context, Dyn, Fixed, In, MultibodyState, Out, Outputs, Ports, Scalar};
use kinegraph_multibody::rotation_vector::rotation_vector;
use kinegraph_multibody::{
    Armature, Base, Frame, InertiaCheck, Kinematics, Model, ModelInstance, SpatialVector, Tree, with_kinematics,
};
use nalgebra::{Isometry3, Matrix3, Quaternion, Rotation3, SMatrix, UnitQuaternion, Vector3};

/// Frame E at the end of an arm.
#[derive(Clone, Debug, PartialEq)]
pub struct EndEffector {
    /// The link of the model that carries it.
    pub link: String,
    /// Its pose in the link's frame.
    pub X_LE: Isometry3<f64>,
    /// Pose of the model's root link in the world. Desired poses are those in the world, too.
    pub X_WR: Isometry3<f64>,
    /// Largest effective mass of E in any direction \[kg\]; by default 10 times the mass of the model. If the arm is so
    /// close to a singular posture that E has a larger one in some direction, accelerations in that direction fade out
    /// (see [`OperationalSpaceController`](super::OperationalSpaceController)).
    pub largest_mass: Option<f64>,
    /// Largest effective inertia of E for rotations \[kg m²\]; by default the largest mass times (0.1 m)².
    pub largest_inertia: Option<f64>,
}

impl EndEffector {
    /// The frame of a link, for an arm at the world's origin.
    pub fn new(link: impl Into<String>) -> Self {
        let (X_LE, X_WR) = (Isometry3::identity(), Isometry3::identity());
        EndEffector { link: link.into(), X_LE, X_WR, largest_mass: None, largest_inertia: None }
    }
}

/// Inputs for the measured state and the desired motion of the end effector.
#[derive(Clone, Copy, Debug)]
pub(super) struct PoseInputs {
    pub estimated_state: In<MultibodyState>,
    pub desired_pose: In<Fixed<7>>,
    pub desired_velocity: In<Fixed<6>>,
}

impl PoseInputs {
    pub fn new(ports: &mut Ports, joints: usize) -> Self {
        PoseInputs {
            estimated_state: ports.input_of_width("estimated_state", 2 * joints),
            desired_pose: ports.input("desired_pose"),
            desired_velocity: ports.optional_input_of_width("desired_velocity", 6),
        }
    }
}

/// Outputs of a Cartesian controller.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArmOutputs {
    pub pose: Out<Fixed<7>>,
    pub generalized_force: Out<Dyn>,
}

/// The controller's model of an arm with an end effector.
#[derive(Clone, Debug)]
pub(super) struct Arm {
    pub tree: Tree,
    pub frame: Frame,
    task_inertia: TaskInertia,
}

/// Error of the end effector's motion: angular before linear, in the axes of the desired frame D.
pub(super) struct PoseError<S: Scalar> {
    /// Rotation vector from E to D, and from the origin of E to that of D \[rad, m\].
    pub e: [S; 6],
    /// Desired minus present velocity \[rad/s, m/s\].
    pub e_dot: [S; 6],
    pub R_WD: Matrix3<S>,
    /// The rotation vector in world axes.
    pub phi: Vector3<S>,
}

impl<S: Scalar> PoseError<S> {
    /// A spatial vector from the axes of D to those of the world.
    pub fn to_world(&self, vector: [S; 6]) -> SpatialVector<S> {
        let vector = SpatialVector::from_slice(&vector);
        SpatialVector::new(self.R_WD * vector.angular, self.R_WD * vector.linear)
    }
}

impl Arm {
    /// # Errors
    /// A model that does not assemble or has joints of several axes, a link that it does not have, a limit that is not
    /// positive.
    pub fn new(model: &Model, effector: &EndEffector) -> Result<Arm, ControllerError> {
        let instance = ModelInstance { name: "model".into(), model, base: Base::Fixed { X_WR: effector.X_WR } };
        let (tree, _) = Tree::assemble(&[instance], InertiaCheck::Strict)?;
        single_axes(&tree)?;
        let link = &effector.link;
        let Some(body) = tree.body(&format!("model/{link}")) else {
            let nearest = nearest(link, model.links.iter().map(|link| link.name.as_str()));
            return Err(ControllerError::UnknownLink { link: link.clone(), nearest });
        };
        if tree.bodies()[body].clique.is_none() {
            return Err(ControllerError::FixedLink { link: link.clone() });
        }
        let mass = effector.largest_mass.unwrap_or(10.0 * tree.total_mass());
        let inertia = effector.largest_inertia.unwrap_or(0.01 * mass);
        for (name, limit) in [("largest_mass", mass), ("largest_inertia", inertia)] {
            parameter::finite(name, &[limit])?;
            parameter::positive(name, &[limit])?;
        }
        Ok(Arm { frame: Frame::new(body, &effector.X_LE), task_inertia: TaskInertia::new(mass, inertia), tree })
    }

    /// Number of joints.
    pub fn joints(&self) -> usize {
        self.tree.num_velocities()
    }

    /// Computes the wanted outputs of a controller: the present pose, and the generalized forces by `law`, which gets
    /// the kinematics, positions and velocities of the joints, and the pose error.
    pub fn outputs<S: Scalar>(
        &self,
        ctx: &Context<S>,
        inputs: &PoseInputs,
        ports: ArmOutputs,
        out: &mut Outputs<S>,
        law: impl FnOnce(&mut Kinematics<S>, (&[S], &[S]), PoseError<S>, &mut [S]),
    ) {
        with_kinematics(|k| {
            let state = self.at_state(ctx, inputs, k);
            if out.wanted(ports.pose) {
                out.set(ports.pose, self.pose(k));
            }
            if out.wanted(ports.generalized_force) {
                let error = self.error(ctx, inputs, k);
                law(k, state, error, out.slice(ports.generalized_force));
            }
        });
    }

    /// Positions and velocities of the joints, with the kinematics of both.
    fn at_state<'a, S: Scalar>(
        &self,
        ctx: &Context<'a, S>,
        inputs: &PoseInputs,
        k: &mut Kinematics<S>,
    ) -> (&'a [S], &'a [S]) {
        let (q, v) = ctx.get(inputs.estimated_state).split_at(self.joints());
        self.tree.position_kinematics(q, k);
        self.tree.velocity_kinematics(v, k);
        (q, v)
    }

    /// Present pose of the end effector: px py pz qw qx qy qz.
    fn pose<S: Scalar>(&self, k: &Kinematics<S>) -> [S; 7] {
        let X = self.tree.X_WF(k, &self.frame);
        let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(X.R_WB));
        [X.p_WB.x, X.p_WB.y, X.p_WB.z, turn.w, turn.i, turn.j, turn.k]
    }

    /// The error of the end effector's motion.
    fn error<S: Scalar>(&self, ctx: &Context<S>, inputs: &PoseInputs, k: &Kinematics<S>) -> PoseError<S> {
        let (X_WE, V_WE) = (self.tree.X_WF(k, &self.frame), self.tree.V_WF(k, &self.frame));
        let [x, y, z, qw, qx, qy, qz] = ctx.get(inputs.desired_pose);
        let desired = UnitQuaternion::from_quaternion(Quaternion::new(qw, qx, qy, qz));
        let R_WD = *desired.to_rotation_matrix().matrix();
        let velocity = ctx.get_optional(inputs.desired_velocity).unwrap_or([S::zero(); 6]);
        let V = SpatialVector::from_slice(&velocity) - V_WE;
        let phi = rotation_vector(&(R_WD * X_WE.R_WB.transpose()));
        let in_D = |angular, linear| SpatialVector::new(R_WD.tr_mul(&angular), R_WD.tr_mul(&linear)).to_array();
        let (e, e_dot) = (in_D(phi, Vector3::new(x, y, z) - X_WE.p_WB), in_D(V.angular, V.linear));
        PoseError { e, e_dot, R_WD, phi }
    }

    /// Inertia of the end effector in the directions of the task, angular before linear, in world axes; zero in the
    /// other directions.
    pub fn task_inertia<S: Scalar>(&self, k: &mut Kinematics<S>, task: &[bool; 6]) -> SMatrix<S, 6, 6> {
        self.task_inertia.of(&self.tree.inverse_operational_inertia(k, &self.frame, Armature::Included), task)
    }
}

/// Rejects joints that do not have one position each.
pub(super) fn single_axes(tree: &Tree) -> Result<(), ControllerError> {
    match tree.joints().iter().find(|joint| joint.positions.len() != 1) {
        Some(joint) => Err(ControllerError::ManyAxes { joint: joint.name.clone() }),
        None => Ok(()),
    }
}
