//! Inverse-dynamics (computed-torque) control of an arm.

use super::controller_error::ControllerError;
use super::end_effector::single_axes;
use kinegraph_core::parameter::PerChannel;
use kinegraph_core::{Context, Dyn, In, LeafSystem, MultibodyState, Out, Outputs, Ports, Scalar};
use kinegraph_multibody::{Armature, Model, Tree};
use nalgebra::Vector3;

/// `τ = M(q) a + C(q, v) v - τ_g(q)` with `a = a_d + kp (q_d - q) + kd (v_d - v) + ki z`, `ż = q_d - q`.
/// M, C and τ_g are those of the controller's own fixed-base model, armature and joint damping included: with an exact
/// model the closed loop is `ë + kd ė + kp e = 0` in every joint. Units: kp in 1/s², kd in 1/s, ki in 1/s³ for all
/// joints. The integral z is kept only if some ki is not zero.
pub struct InverseDynamicsController {
    /// Measured positions q, then velocities v, of the model's n joints.
    pub estimated_state: In<MultibodyState>,
    /// Desired positions q_d, then velocities v_d.
    pub desired_state: In<MultibodyState>,
    /// Desired accelerations a_d; zero if not connected.
    pub desired_acceleration: In<Dyn>,
    /// Generalized forces τ \[N m, N\], one per joint.
    pub generalized_force: Out<Dyn>,
    tree: Tree,
    gravity: Vector3<f64>,
    kp: Vec<f64>,
    ki: Vec<f64>,
    kd: Vec<f64>,
    ports: Ports,
}

impl InverseDynamicsController {
    /// A controller for `model`, its root link fixed to the world; gains are one for all joints or one each, in the
    /// order p, i, d.
    ///
    /// # Errors
    /// A model that does not assemble or has joints of several axes, a list of gains of the wrong size, a gain that is
    /// not finite.
    pub fn new(
        model: &Model,
        gravity: [f64; 3],
        kp: impl Into<PerChannel>,
        ki: impl Into<PerChannel>,
        kd: impl Into<PerChannel>,
    ) -> Result<Self, ControllerError> {
        let tree = Tree::of_model("model", model)?;
        single_axes(&tree)?;
        let n = tree.num_velocities();
        let (kp, ki) = (kp.into().expand("kp", n)?, ki.into().expand("ki", n)?);
        let kd = kd.into().expand("kd", n)?;
        let mut ports = Ports::new();
        let estimated_state = ports.input_of_width("estimated_state", 2 * n);
        let desired_state = ports.input_of_width("desired_state", 2 * n);
        let desired_acceleration = ports.optional_input_of_width("desired_acceleration", n);
        let generalized_force = ports.output_of_width("generalized_force", n);
        if ki.iter().any(|&k| k != 0.0) {
            ports.continuous_state("integral", vec![0.0; n]);
        }
        let gravity = gravity.into();
        Ok(InverseDynamicsController {
            estimated_state,
            desired_state,
            desired_acceleration,
            generalized_force,
            tree,
            gravity,
            kp,
            ki,
            kd,
            ports,
        })
    }
}

impl LeafSystem for InverseDynamicsController {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let n = self.tree.num_velocities();
        let (q, v) = ctx.get(self.estimated_state).split_at(n);
        let (q_d, v_d) = ctx.get(self.desired_state).split_at(n);
        let feed_forward = ctx.get_optional(self.desired_acceleration);
        let tau = out.slice(self.generalized_force);
        self.tree.inverse_dynamics_at((q, v), &self.gravity, Armature::Included, tau, |i| {
            let mut a = S::constant(self.kp[i]) * (q_d[i] - q[i]) + S::constant(self.kd[i]) * (v_d[i] - v[i]);
            if let Some(&z) = ctx.continuous.get(i) {
                a += S::constant(self.ki[i]) * z;
            }
            feed_forward.map_or(a, |f| a + f[i])
        });
        for ((tau, damping), v) in tau.iter_mut().zip(self.tree.damping()).zip(v) {
            *tau += S::constant(*damping) * *v;
        }
    }

    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        let (measured, desired) = (ctx.get(self.estimated_state), ctx.get(self.desired_state));
        for (i, rate) in derivatives.iter_mut().enumerate() {
            *rate = desired[i] - measured[i];
        }
    }
}
