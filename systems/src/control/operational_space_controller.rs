//! Operational-space control of an arm.
//!
//! Khatib, "A unified approach for motion and force control of robot manipulators: the operational space formulation"
//! (1987). With the error e of the end effector (rotation vector and position, in the axes of the desired frame) and
//! `A_c = A_d + kd ė + kp e`,
//!
//! ```text
//! a₀ = k_n (q_p - q) - d_n v
//! τ = M a₀ + C v - τ_g + damping + Jᵀ Λ (A_c - J̇ v - J a₀),   Λ = (J M⁻¹ Jᵀ)⁻¹
//! ```
//!
//! which is `Jᵀ F + (1 - Jᵀ Λ J M⁻¹) M a₀` with the force F of the task and the posture task in its dynamically
//! consistent nullspace. With an exact model `ë + kd ė + kp e = 0` along each axis, and about it for rotations about
//! one axis; others come to rest at e = 0 all the same, since |φ|²/2 grows at the rate of φ·ω.

use super::controller_error::ControllerError;
use super::end_effector::{Arm, ArmOutputs, EndEffector, PoseInputs};
use kinegraph_core::parameter::{self, PerChannel};
use kinegraph_core::{Context, Dyn, Fixed, In, LeafSystem, MultibodyState, Out, Outputs, Ports, Scalar};
use kinegraph_multibody::{Armature, Model, SpatialVector};
use nalgebra::Vector3;

/// Makes the end effector of an arm follow a desired motion with linear, decoupled error dynamics, and the remaining
/// degrees of freedom a posture.
///
/// M, C, gravity, armature and joint damping are those of the controller's own model. **Near singular postures** Λ
/// would be infinite: it is exact as long as the effective mass and inertia of the end effector are below
/// `largest_mass` and `largest_inertia` of [`EndEffector`] in every direction. A direction in which they are larger is
/// followed less, and not at all if the arm cannot move along it. There the posture task acts.
pub struct OperationalSpaceController {
    /// Measured positions q, then velocities v, of the model's n joints.
    pub estimated_state: In<MultibodyState>,
    /// Desired pose of the end effector in the world: px py pz qw qx qy qz \[m, -\]; the quaternion may have any
    /// length but zero.
    pub desired_pose: In<Fixed<7>>,
    /// Its angular velocity and velocity in world axes \[rad/s, m/s\]; zero if not connected.
    pub desired_velocity: In<Fixed<6>>,
    /// Its angular acceleration and acceleration in world axes \[rad/s², m/s²\]; zero if not connected.
    pub desired_acceleration: In<Fixed<6>>,
    /// Positions towards which the nullspace is pulled, width n; the posture of the settings if not connected.
    pub posture: In<Dyn>,
    /// Generalized forces τ \[N m, N\], one per joint.
    pub generalized_force: Out<Dyn>,
    /// Present pose of the end effector, as `desired_pose`.
    pub pose: Out<Fixed<7>>,
    arm: Arm,
    inputs: PoseInputs,
    task: [bool; 6],
    gravity: Vector3<f64>,
    kp: [f64; 6],
    kd: [f64; 6],
    nullspace_kp: Vec<f64>,
    nullspace_kd: Vec<f64>,
    rest: Vec<f64>,
    ports: Ports,
}

/// Coordinates of the end effector that an [`OperationalSpaceController`] controls; the rest is left to the posture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Task {
    /// Position and orientation.
    #[default]
    Pose,
    /// Position only.
    Position,
    /// Orientation only.
    Orientation,
}

/// Gains of an [`OperationalSpaceController`], and the controlled frame.
#[derive(Clone, Debug, PartialEq)]
pub struct OperationalSpaceSettings {
    /// The controlled frame.
    pub end_effector: EndEffector,
    /// Its controlled coordinates.
    pub task: Task,
    /// Gains on the error \[1/s²\], one for all or about x, y, z and along x, y, z of the desired frame.
    pub kp: PerChannel,
    /// Gains on its rate \[1/s\], likewise.
    pub kd: PerChannel,
    /// k_n, towards the posture, one for all joints or one each \[1/s²\].
    pub nullspace_kp: PerChannel,
    /// d_n, likewise \[1/s\].
    pub nullspace_kd: PerChannel,
    /// q_p while its input is not connected \[rad, m\].
    pub posture: PerChannel,
}

impl OperationalSpaceSettings {
    /// Gains on the pose; none in the nullspace.
    pub fn new(end_effector: EndEffector, kp: impl Into<PerChannel>, kd: impl Into<PerChannel>) -> Self {
        OperationalSpaceSettings {
            end_effector,
            task: Task::Pose,
            kp: kp.into(),
            kd: kd.into(),
            nullspace_kp: 0.0.into(),
            nullspace_kd: 0.0.into(),
            posture: 0.0.into(),
        }
    }
}

impl OperationalSpaceController {
    /// A controller for `model` under `gravity` in world \[m/s²\].
    ///
    /// # Errors
    /// A model that does not assemble, a link that it does not have or that is fixed, a list of the wrong size, a
    /// number that is not finite, a limit that is not positive.
    pub fn new(model: &Model, gravity: [f64; 3], settings: OperationalSpaceSettings) -> Result<Self, ControllerError> {
        let arm = Arm::new(model, &settings.end_effector)?;
        let n = arm.joints();
        let of_axes = |name, gain: PerChannel| {
            let gain = gain.expand(name, 6)?;
            Ok::<_, parameter::ParameterError>(std::array::from_fn(|i| gain[i]))
        };
        let (kp, kd) = (of_axes("kp", settings.kp)?, of_axes("kd", settings.kd)?);
        let nullspace_kp = settings.nullspace_kp.expand("nullspace_kp", n)?;
        let nullspace_kd = settings.nullspace_kd.expand("nullspace_kd", n)?;
        let rest = settings.posture.expand("posture", n)?;
        let mut ports = Ports::new();
        let inputs = PoseInputs::new(&mut ports, n);
        let desired_acceleration = ports.optional_input_of_width("desired_acceleration", 6);
        let posture = ports.optional_input_of_width("posture", n);
        let generalized_force = ports.output_of_width("generalized_force", n);
        let pose = ports.output("pose");
        ports.feedthrough(pose, inputs.estimated_state);
        let (turns, shifts) = (settings.task != Task::Position, settings.task != Task::Orientation);
        Ok(OperationalSpaceController {
            estimated_state: inputs.estimated_state,
            desired_pose: inputs.desired_pose,
            desired_velocity: inputs.desired_velocity,
            desired_acceleration,
            posture,
            generalized_force,
            pose,
            arm,
            inputs,
            task: [turns, turns, turns, shifts, shifts, shifts],
            gravity: gravity.into(),
            kp,
            kd,
            nullspace_kp,
            nullspace_kd,
            rest,
            ports,
        })
    }
}

impl LeafSystem for OperationalSpaceController {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let (tree, frame) = (&self.arm.tree, &self.arm.frame);
        let ports = ArmOutputs { pose: self.pose, generalized_force: self.generalized_force };
        self.arm.outputs(ctx, &self.inputs, ports, out, |k, (q, v), error, tau| {
            let feedback = error.to_world(std::array::from_fn(|i| {
                S::constant(self.kp[i]) * error.e[i] + S::constant(self.kd[i]) * error.e_dot[i]
            }));
            let feed_forward = ctx.get_optional(self.desired_acceleration).unwrap_or([S::zero(); 6]);
            let posture = ctx.get_optional(self.posture);
            let own = |i: usize| {
                let goal = posture.map_or(S::constant(self.rest[i]), |posture| posture[i]);
                S::constant(self.nullspace_kp[i]) * (goal - q[i]) - S::constant(self.nullspace_kd[i]) * v[i]
            };
            let wanted = SpatialVector::from_slice(&feed_forward) + feedback;
            let left = wanted - tree.frame_acceleration(k, frame, own);
            let force = self.arm.task_inertia(k, &self.task) * left.to_vector();
            tree.inverse_dynamics_of(k, &self.gravity, Armature::Included, tau, own);
            tree.add_frame_force(k, frame, &SpatialVector::from_slice(force.as_slice()), tau);
            for ((tau, damping), v) in tau.iter_mut().zip(tree.damping()).zip(v) {
                *tau += S::constant(*damping) * *v;
            }
        });
    }
}
