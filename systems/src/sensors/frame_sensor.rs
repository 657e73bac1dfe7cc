//! Pose and velocity of a frame of a link.
//!
//! With L the link, S the frame fixed in it and A the reference link (or world), all in world axes,
//!
//! ```text
//! p_AS = R_WAᵀ (p_WL + R_WL p_LS - p_WA),            R_AS = R_WAᵀ R_WL R_LS
//! w_AS = R_WAᵀ (w_WL - w_WA)
//! v_AS = R_WAᵀ (v_WL + w_WL × R_WL p_LS - v_WA - w_WA × (p_WS - p_WA))
//! ```
//!
//! (Mitiguy, Advanced Dynamics and Motion Simulation: velocity of a point relative to a moving frame.)

use super::axes::{add, conjugate, constants, cross, from_axes, into_axes, product, subtract};
use super::link::{UnknownLink, place_of};
use kinegraph_core::convex::ConvexPlant;
use kinegraph_core::signal::{BodyPoses, BodyVelocities};
use kinegraph_core::{Context, Fixed, In, LeafSystem, Out, Outputs, Ports, Scalar};
use nalgebra::Isometry3;

/// Pose and velocity of a frame fixed in a link, relative to the world or to another link.
pub struct FrameSensor {
    /// Poses of all links of the plant.
    pub body_poses: In<BodyPoses>,
    /// Velocities of all links of the plant.
    pub body_velocities: In<BodyVelocities>,
    /// Position \[m\] and orientation, `px py pz qw qx qy qz`, in the axes of the reference.
    pub pose: Out<Fixed<7>>,
    /// Angular velocity \[rad/s\], then velocity of the origin of the frame \[m/s\], in the axes of the reference.
    pub velocity: Out<Fixed<6>>,
    link: usize,
    reference: Option<usize>,
    X_LS: Isometry3<f64>,
    ports: Ports,
}

impl FrameSensor {
    /// A sensor of the frame at the pose `X_LS` in the link of this full name (`arm/hand`), relative to the frame of
    /// the link `reference`, or to the world.
    ///
    /// # Errors
    /// A link that the plant does not have.
    pub fn new(
        plant: &dyn ConvexPlant,
        link: &str,
        X_LS: Isometry3<f64>,
        reference: Option<&str>,
    ) -> Result<Self, UnknownLink> {
        let place = place_of(plant, link)?;
        let reference = reference.map(|name| place_of(plant, name)).transpose()?;
        let count = plant.structure().bodies.len() - 1;
        let mut ports = Ports::new();
        let body_poses = ports.input_of_width("body_poses", 7 * count);
        let body_velocities = ports.input_of_width("body_velocities", 6 * count);
        let (pose, velocity) = (ports.output("pose"), ports.output("velocity"));
        ports.feedthrough(pose, body_poses);
        ports.feedthrough(velocity, body_poses);
        ports.feedthrough(velocity, body_velocities);
        Ok(FrameSensor { body_poses, body_velocities, pose, velocity, link: place, reference, X_LS, ports })
    }
}

/// Position and orientation of link `i` in world.
fn pose_of<S: Scalar>(poses: &[S], i: usize) -> ([S; 3], [S; 4]) {
    (std::array::from_fn(|j| poses[7 * i + j]), std::array::from_fn(|j| poses[7 * i + 3 + j]))
}

/// Angular velocity of link `i`, and velocity of its origin, in world.
fn velocity_of<S: Scalar>(velocities: &[S], i: usize) -> ([S; 3], [S; 3]) {
    (std::array::from_fn(|j| velocities[6 * i + j]), std::array::from_fn(|j| velocities[6 * i + 3 + j]))
}

impl LeafSystem for FrameSensor {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let poses = ctx.get(self.body_poses);
        let (p_WL, q_WL) = pose_of(poses, self.link);
        let arm = from_axes(q_WL, constants(self.X_LS.translation.vector));
        let r = self.X_LS.rotation;
        let mut p = add(p_WL, arm);
        let mut q = product(q_WL, [r.w, r.i, r.j, r.k].map(S::constant));
        let reference = self.reference.map(|i| pose_of(poses, i));
        if let Some((p_WA, _)) = reference {
            p = subtract(p, p_WA);
        }
        if out.wanted(self.velocity) {
            let velocities = ctx.get(self.body_velocities);
            let (mut w, v) = velocity_of(velocities, self.link);
            let mut v = add(v, cross(w, arm));
            if let (Some(i), Some((_, q_WA))) = (self.reference, reference) {
                let (w_WA, v_WA) = velocity_of(velocities, i);
                v = into_axes(q_WA, subtract(subtract(v, v_WA), cross(w_WA, p)));
                w = into_axes(q_WA, subtract(w, w_WA));
            }
            out.set(self.velocity, [w[0], w[1], w[2], v[0], v[1], v[2]]);
        }
        if let Some((_, q_WA)) = reference {
            p = into_axes(q_WA, p);
            q = product(conjugate(q_WA), q);
        }
        out.set(self.pose, [p[0], p[1], p[2], q[0], q[1], q[2], q[3]]);
    }
}
