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
use crate::convex::ConvexPlant;
use crate::signal::{BodyPoses, SpatialForces};
use crate::{Context, Fixed, In, LeafSystem, Out, Outputs, Ports, Scalar};
use nalgebra::Isometry3;

/// Force and torque on a link about the origin of a frame fixed in it, in the axes of that frame.
///
/// Wire `spatial_forces` to `reaction_forces` of the plant for a sensor in the joint or weld that carries the link:
/// what the link gets from its parent. Wire it to `contact_results` for a sensor of touch: the sum of all contacts of
/// the link. Both are those of the last step, so that they are constant in it.
pub struct ForceTorqueSensor {
    /// Poses of all links of the plant.
    pub body_poses: In<BodyPoses>,
    /// Spatial forces on all links of the plant.
    pub spatial_forces: In<SpatialForces>,
    /// About the origin of the sensor, in its axes \[N m\].
    pub torque: Out<Fixed<3>>,
    /// In the axes of the sensor \[N\].
    pub force: Out<Fixed<3>>,
    /// Place of the link in `body_poses`.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sensors::two_bodies::{askew, plant};
    use crate::testing::{Bench, conformance};
    use nalgebra::Vector3;

    #[test]
    fn conforms() {
        conformance::check(&ForceTorqueSensor::new(&plant(), "drone/body", askew()).unwrap());
    }

    /// The power of the force along any motion of the link is the same at the link's origin, in world axes, and at the
    /// sensor, in its own axes.
    #[test]
    fn power_does_not_depend_on_the_frame() {
        let sensor = ForceTorqueSensor::new(&plant(), "drone/body", askew()).unwrap();
        let X_WL = Isometry3::new(Vector3::new(1.0, -2.0, 0.5), Vector3::new(-0.7, 0.3, 1.9));
        let (p, r) = (X_WL.translation, X_WL.rotation);
        let (t, f) = (Vector3::new(3.0, -1.0, 2.0), Vector3::new(-5.0, 0.5, 7.0));
        let poses = [[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], [p.x, p.y, p.z, r.w, r.i, r.j, r.k]].concat();
        let forces = [[9.0; 6], [t.x, t.y, t.z, f.x, f.y, f.z]].concat();
        let bench = Bench::new(&sensor).input(sensor.body_poses, poses).input(sensor.spatial_forces, forces);
        let (torque, force) = (bench.eval(sensor.torque), bench.eval(sensor.force));
        let (t_S, f_S) = (Vector3::from_column_slice(&torque), Vector3::from_column_slice(&force));
        for i in 0..6 {
            let unit = |j: usize| f64::from(u8::from(i == j));
            let (w, v) = (Vector3::new(unit(0), unit(1), unit(2)), Vector3::new(unit(3), unit(4), unit(5)));
            let R_WS = X_WL.rotation * askew().rotation;
            let arm = X_WL.rotation * askew().translation.vector;
            let at_sensor = t_S.dot(&(R_WS.inverse() * w)) + f_S.dot(&(R_WS.inverse() * (v + w.cross(&arm))));
            assert!((at_sensor - t.dot(&w) - f.dot(&v)).abs() < 1e-13, "motion {i}");
        }
    }

    #[test]
    fn names_the_nearest_link() {
        let fault = ForceTorqueSensor::new(&plant(), "drone/bdy", askew()).err().unwrap().to_string();
        assert_eq!(fault, "the plant has no link `drone/bdy`; did you mean `drone/body`?");
    }
}
