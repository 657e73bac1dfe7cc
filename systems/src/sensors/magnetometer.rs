//! Magnetometers.

use super::axes::{constants, into_axes};
use super::link::place_of;
use super::sampled::{SampleSettings, Sampled};
use super::sensor_error::SensorError;
use kinegraph_core::convex::ConvexPlant;
use kinegraph_core::parameter;
use kinegraph_core::port::Tick;
use kinegraph_core::signal::BodyPoses;
use kinegraph_core::{Context, Fixed, In, LeafSystem, Out, Outputs, Ports, Scalar};
use nalgebra::{UnitQuaternion, Vector3};

/// The magnetic field of the world in the axes of a sensor on a link, sampled.
pub struct Magnetometer {
    /// Poses of all links of the plant.
    pub body_poses: In<BodyPoses>,
    /// Magnetic field in the axes of the sensor \[T\].
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
    kinegraph_core::compiled_here!();

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
