//! Magnetometers.

use super::axes::{constants, into_axes};
use super::link::place_of;
use super::sampled::{SampleSettings, Sampled};
use super::sensor_error::SensorError;
use crate::convex::ConvexPlant;
use crate::parameter;
use crate::port::Tick;
use crate::signal::BodyPoses;
use crate::{Context, Fixed, In, LeafSystem, Out, Outputs, Ports, Scalar};
use nalgebra::{UnitQuaternion, Vector3};

/// The magnetic field of the world in the axes of a sensor on a link, sampled.
pub struct Magnetometer {
    /// Poses of all links of the plant.
    pub body_poses: In<BodyPoses>,
    /// In the axes of the sensor \[T\].
    pub field: Out<Fixed<3>>,
    link: usize,
    field_W: Vector3<f64>,
    R_LS: UnitQuaternion<f64>,
    sampled: Sampled,
    ports: Ports,
}

impl Magnetometer {
    /// A sensor with the axes `R_LS` on the link of this full name (`arm/hand`), in the uniform field `field_W` in
    /// world axes \[T\].
    ///
    /// # Errors
    /// A link that the plant does not have, numbers that do not fit.
    pub fn new(
        plant: &dyn ConvexPlant,
        link: &str,
        R_LS: UnitQuaternion<f64>,
        field_W: [f64; 3],
        settings: SampleSettings,
    ) -> Result<Self, SensorError> {
        let place = place_of(plant, link)?;
        parameter::finite("magnetic_field", &field_W)?;
        let mut ports = Ports::new();
        let body_poses = ports.input_of_width("body_poses", 7 * (plant.structure().bodies.len() - 1));
        let field = ports.output("field");
        ports.set_units(field, vec!["T"; 3]);
        ports.no_feedthrough(field);
        let sampled = Sampled::declare(&mut ports, 3, settings)?;
        Ok(Magnetometer { body_poses, field, link: place, field_W: field_W.into(), R_LS, sampled, ports })
    }
}

impl LeafSystem for Magnetometer {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        self.sampled.write(ctx, out.slice(self.field));
    }

    fn update(&self, tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        let measure = |y: &mut [f64]| {
            let pose = &ctx.get(self.body_poses)[7 * self.link..][..7];
            let field_L = into_axes([pose[3], pose[4], pose[5], pose[6]], constants(self.field_W));
            y.copy_from_slice(self.R_LS.inverse_transform_vector(&field_L.into()).as_slice());
        };
        self.sampled.update(tick, ctx, next, measure, |_, _| ());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sensors::two_bodies::{askew, plant};
    use crate::testing::{Bench, conformance};

    #[test]
    fn reads_the_field_in_its_own_axes() {
        let field = [2e-5, 0.0, -4.5e-5];
        let (R_WL, R_LS) = (UnitQuaternion::from_euler_angles(0.3, -0.7, 2.0), askew().rotation);
        let sensor = Magnetometer::new(&plant(), "drone/body", R_LS, field, SampleSettings::every(0.1)).unwrap();
        conformance::check(&sensor);
        let poses = [[0.0; 7], [1.0, 2.0, 3.0, R_WL.w, R_WL.i, R_WL.j, R_WL.k]].concat();
        let bench = Bench::new(&sensor).input(sensor.body_poses, poses);
        let discrete = bench.update(Tick { index: 0 });
        let found = Vector3::from_column_slice(&bench.discrete(discrete).eval(sensor.field));
        let expected = (R_WL * R_LS).inverse() * Vector3::from(field);
        assert!((found - expected).norm() < 1e-19, "{found}");
    }
}
