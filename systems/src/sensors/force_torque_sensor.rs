//! Force and torque on a link, at a frame of it.
//!
//! A spatial force about the origin L of a link, in world axes, is expressed at the frame S of the sensor: with R_WL
//! and X_LS the orientation of the link and the pose of the sensor in it,
//!
//! ```text
//! f_S = R_LSᵀ R_WLᵀ f_W
//! t_S = R_LSᵀ (R_WLᵀ t_W - p_LS × R_WLᵀ f_W)
//! ```
//!
//! (Featherstone, Rigid Body Dynamics Algorithms, section 2.8: transformation of forces.)

use super::axes::{constants, cross, into_axes, subtract};
use super::link::{UnknownLink, place_of};
use kinegraph_core::convex::ConvexPlant;
use kinegraph_core::signal::{BodyPoses, SpatialForces};
use kinegraph_core::{Context, Fixed, In, LeafSystem, Out, Outputs, Ports, Scalar};
use nalgebra::Isometry3;

/// Force and torque on a link about the origin of a frame fixed in it, in the axes of that frame.
///
/// Wire `spatial_forces` to `reaction_forces` of the plant for a sensor in the joint or weld of the link to its parent,
/// which measures the force of the parent on the link. Wire it to `contact_results` for a tactile sensor: the sum of
/// all contacts of the link. Both are those of the last step, so that they are constant within a step.
pub struct ForceTorqueSensor {
    /// Poses of all links of the plant.
    pub body_poses: In<BodyPoses>,
    /// Spatial forces on all links of the plant.
    pub spatial_forces: In<SpatialForces>,
    /// Torque about the origin of the sensor, in its axes \[N m\].
    pub torque: Out<Fixed<3>>,
    /// Force in the axes of the sensor \[N\].
    pub force: Out<Fixed<3>>,
    /// Index of the link in `body_poses`.
    link: usize,
    X_LS: Isometry3<f64>,
    ports: Ports,
}

impl ForceTorqueSensor {
    /// A sensor at the pose `X_LS` in the link of this full name (`arm/hand`).
    ///
    /// # Errors
    /// A link that the plant does not have.
    pub fn new(plant: &dyn ConvexPlant, link: &str, X_LS: Isometry3<f64>) -> Result<Self, UnknownLink> {
        let place = place_of(plant, link)?;
        let count = plant.structure().bodies.len() - 1;
        let mut ports = Ports::new();
        let body_poses = ports.input_of_width("body_poses", 7 * count);
        let spatial_forces = ports.input_of_width("spatial_forces", 6 * count);
        let (torque, force) = (ports.output("torque"), ports.output("force"));
        Ok(ForceTorqueSensor { body_poses, spatial_forces, torque, force, link: place, X_LS, ports })
    }
}

impl LeafSystem for ForceTorqueSensor {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let pose = &ctx.get(self.body_poses)[7 * self.link..][..7];
        let wrench = &ctx.get(self.spatial_forces)[6 * self.link..][..6];
        let q_WL = [pose[3], pose[4], pose[5], pose[6]];
        let force = into_axes(q_WL, [wrench[3], wrench[4], wrench[5]]);
        let torque = into_axes(q_WL, [wrench[0], wrench[1], wrench[2]]);
        let torque = subtract(torque, cross(constants(self.X_LS.translation.vector), force));
        let R_LS = self.X_LS.rotation.to_rotation_matrix();
        let into_sensor = |v: [S; 3]| {
            let along = |i: usize| {
                let axis: [S; 3] = constants(R_LS.matrix().column(i).into_owned());
                axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2]
            };
            [0, 1, 2].map(along)
        };
        out.set(self.torque, into_sensor(torque));
        out.set(self.force, into_sensor(force));
    }
}
