//! Cartesian impedance control of an arm.
//!
//! Hogan, "Impedance control" (1985); with nullspace and gravity as in Albu-Schäffer, Ott, Hirzinger, "A unified
//! passivity-based control framework" (2007). In the axes of the desired frame D, with e the position and φ the
//! rotation vector from the end effector E to D,
//!
//! ```text
//! F = K e + D ė,   m = J_l⁻¹(φ) K φ + D (ω_d - ω),   τ = Jᵀ [m; F] + N τ₀ + bias
//! τ₀ = k_n (q_p - q) - d_n v,   N = 1 - Jᵀ Λ J M⁻¹
//! ```
//!
//! The law uses the rotation vector, not the vector part of a quaternion: a moment turns E by exactly m/K, up to π.
//! There it jumps, because the return is equally short on either side; every law on orientations with a single point of
//! rest jumps somewhere. The factor J_l⁻¹ makes m the gradient of `½ φᵀ K φ` for unequal stiffnesses too (for equal
//! ones it is 1), so that no closed path gains energy. N keeps τ₀ from accelerating the end effector.

use super::controller_error::ControllerError;
use super::end_effector::{Arm, ArmOutputs, EndEffector, PoseInputs};
use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::{Context, Dyn, Fixed, In, LeafSystem, MultibodyState, Out, Outputs, Ports, Scalar};
use kinegraph_multibody::rotation_vector::inverse_left_jacobian;
use kinegraph_multibody::{Model, SpatialVector};
use nalgebra::Vector3;

/// Makes the end effector of an arm behave like a spring and a damper between it and a desired pose: a constant force F
/// on it moves it by F/stiffness, whatever the arm.
///
/// The controller's own model gives kinematics and gravity compensation. The inertia of the arm and the damping of its
/// joints remain as they are.
pub struct ImpedanceController {
    /// Measured positions q, then velocities v, of the model's n joints.
    pub estimated_state: In<MultibodyState>,
    /// Desired pose of the end effector in the world: px py pz qw qx qy qz \[m, -\]; the quaternion may have any
    /// length but zero.
    pub desired_pose: In<Fixed<7>>,
    /// Its angular velocity and velocity in world axes \[rad/s, m/s\]; zero if not connected.
    pub desired_velocity: In<Fixed<6>>,
    /// Positions towards which the nullspace is pulled, width n; the posture of the settings if not connected.
    pub posture: In<Dyn>,
    /// Generalized forces τ \[N m, N\], one per joint.
    pub generalized_force: Out<Dyn>,
    /// Present pose of the end effector, as `desired_pose`.
    pub pose: Out<Fixed<7>>,
    arm: Arm,
    inputs: PoseInputs,
    gravity: Vector3<f64>,
    compensation: Compensation,
    /// Stiffnesses, angular then linear.
    stiffness: [f64; 6],
    damping: [f64; 6],
    nullspace: Option<Nullspace>,
    ports: Ports,
}

/// Forces of the arm that an [`ImpedanceController`] compensates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compensation {
    /// None: the arm hangs in its spring with its weight.
    Off,
    /// Gravity.
    #[default]
    Gravity,
    /// Gravity, Coriolis and centrifugal forces.
    Bias,
}

/// Stiffnesses and dampings, one for all axes or joints or one each, and the controlled frame.
#[derive(Clone, Debug, PartialEq)]
pub struct ImpedanceSettings {
    /// The controlled frame.
    pub end_effector: EndEffector,
    /// Along x, y, z of the desired frame \[N/m\].
    pub translational_stiffness: PerChannel,
    /// About x, y, z of the desired frame \[N m/rad\].
    pub rotational_stiffness: PerChannel,
    /// Along x, y, z of the desired frame \[N s/m\].
    pub translational_damping: PerChannel,
    /// About x, y, z of the desired frame \[N m s/rad\].
    pub rotational_damping: PerChannel,
    /// k_n, towards the posture, of each joint \[N m/rad, N/m\].
    pub nullspace_stiffness: PerChannel,
    /// d_n of each joint \[N m s/rad, N s/m\].
    pub nullspace_damping: PerChannel,
    /// q_p while its input is not connected \[rad, m\].
    pub posture: PerChannel,
    /// Forces that are compensated.
    pub compensation: Compensation,
}

impl ImpedanceSettings {
    /// Translational, then rotational stiffness and damping; none in the nullspace, gravity compensated.
    pub fn new(
        end_effector: EndEffector,
        translational: (impl Into<PerChannel>, impl Into<PerChannel>),
        rotational: (impl Into<PerChannel>, impl Into<PerChannel>),
    ) -> Self {
        ImpedanceSettings {
            end_effector,
            translational_stiffness: translational.0.into(),
            rotational_stiffness: rotational.0.into(),
            translational_damping: translational.1.into(),
            rotational_damping: rotational.1.into(),
            nullspace_stiffness: 0.0.into(),
            nullspace_damping: 0.0.into(),
            posture: 0.0.into(),
            compensation: Compensation::Gravity,
        }
    }
}

/// Gains of the nullspace torques τ₀.
struct Nullspace {
    stiffness: Vec<f64>,
    damping: Vec<f64>,
    posture: Vec<f64>,
}

impl ImpedanceController {
    /// A controller for `model` under `gravity` in world \[m/s²\].
    ///
    /// # Errors
    /// A model that does not assemble, a link that it does not have or that is fixed, a list of the wrong size, a
    /// number that is not finite, a stiffness or damping below zero.
    pub fn new(model: &Model, gravity: [f64; 3], settings: ImpedanceSettings) -> Result<Self, ControllerError> {
        let arm = Arm::new(model, &settings.end_effector)?;
        let n = arm.joints();
        let gain = |name: &str, gain: PerChannel, width| -> Result<Vec<f64>, ParameterError> {
            let gain = gain.expand(name, width)?;
            parameter::within(name, &gain, "a number that is not negative", |k| k >= 0.0)?;
            Ok(gain)
        };
        let both = |angular: Vec<f64>, linear: Vec<f64>| std::array::from_fn(|i| [&angular, &linear][i / 3][i % 3]);
        let stiffness = both(
            gain("rotational_stiffness", settings.rotational_stiffness, 3)?,
            gain("translational_stiffness", settings.translational_stiffness, 3)?,
        );
        let damping = both(
            gain("rotational_damping", settings.rotational_damping, 3)?,
            gain("translational_damping", settings.translational_damping, 3)?,
        );
        let nullspace = Nullspace {
            stiffness: gain("nullspace_stiffness", settings.nullspace_stiffness, n)?,
            damping: gain("nullspace_damping", settings.nullspace_damping, n)?,
            posture: settings.posture.expand("posture", n)?,
        };
        let acts = nullspace.stiffness.iter().chain(&nullspace.damping).any(|&k| k != 0.0);
        let mut ports = Ports::new();
        let inputs = PoseInputs::new(&mut ports, n);
        let posture = ports.optional_input_of_width("posture", n);
        let generalized_force = ports.output_of_width("generalized_force", n);
        let pose = ports.output("pose");
        ports.feedthrough(pose, inputs.estimated_state);
        Ok(ImpedanceController {
            estimated_state: inputs.estimated_state,
            desired_pose: inputs.desired_pose,
            desired_velocity: inputs.desired_velocity,
            posture,
            generalized_force,
            pose,
            arm,
            inputs,
            gravity: gravity.into(),
            compensation: settings.compensation,
            stiffness,
            damping,
            nullspace: acts.then_some(nullspace),
            ports,
        })
    }
}

impl LeafSystem for ImpedanceController {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let (tree, frame) = (&self.arm.tree, &self.arm.frame);
        let ports = ArmOutputs { pose: self.pose, generalized_force: self.generalized_force };
        self.arm.outputs(ctx, &self.inputs, ports, out, |k, (q, v), error, tau| {
            let with =
                |gains: &[f64; 6], e: &[S; 6]| error.to_world(std::array::from_fn(|i| S::constant(gains[i]) * e[i]));
            let (spring, damper) = (with(&self.stiffness, &error.e), with(&self.damping, &error.e_dot));
            let moment = inverse_left_jacobian(&error.phi, &spring.angular);
            let mut force = SpatialVector::new(moment, spring.linear) + damper;
            let posture = ctx.get_optional(self.posture);
            let rest = self.nullspace.as_ref().map(|nullspace| {
                move |i: usize| {
                    let goal = posture.map_or(S::constant(nullspace.posture[i]), |posture| posture[i]);
                    S::constant(nullspace.stiffness[i]) * (goal - q[i]) - S::constant(nullspace.damping[i]) * v[i]
                }
            });
            if let Some(rest) = &rest {
                tau.iter_mut().enumerate().for_each(|(i, tau)| *tau = rest(i));
                let inertia = self.arm.task_inertia(k, &[true; 6]);
                let moved = tree.frame_acceleration_of_forces(k, frame, tau);
                force = force - SpatialVector::from_slice((inertia * moved.to_vector()).as_slice());
            }
            match self.compensation {
                Compensation::Off => tau.fill(S::zero()),
                Compensation::Gravity => tree.gravity_compensation(k, &self.gravity, tau),
                Compensation::Bias => tree.bias(k, &self.gravity, tau),
            }
            if let Some(rest) = &rest {
                tau.iter_mut().enumerate().for_each(|(i, tau)| *tau += rest(i));
            }
            tree.add_frame_force(k, frame, &force, tau);
        });
    }
}
