//! Sensors of contact force.

use super::axes::into_axes;
use super::link::place_of;
use super::sampled::{SampleSettings, Sampled};
use super::sensor_error::SensorError;
use kinegraph_core::convex::ConvexPlant;
use kinegraph_core::parameter;
use kinegraph_core::port::Tick;
use kinegraph_core::signal::{BodyPoses, SpatialForces};
use kinegraph_core::{Context, Fixed, In, LeafSystem, Out, Outputs, Ports, Scalar};
use nalgebra::{UnitQuaternion, Vector3};

/// Sampled sum of all contact forces on a link, and a signal that is one in contact. Opposite forces, such as those of
/// a grip from two sides, cancel. Wire it to `body_poses` and `contact_results` of its plant.
pub struct ContactSensor {
    /// Poses of all links of the plant.
    pub body_poses: In<BodyPoses>,
    /// Contact forces on all links of the plant.
    pub contact_results: In<SpatialForces>,
    /// Contact force in the axes of the sensor \[N\].
    pub force: Out<Fixed<3>>,
    /// One if the force is larger than the threshold, else zero.
    pub touching: Out<Fixed<1>>,
    link: usize,
    R_LS: UnitQuaternion<f64>,
    threshold: f64,
    sampled: Sampled,
    ports: Ports,
}

impl ContactSensor {
    /// A sensor with the axes `R_LS` on the link of this full name (`hand/finger`); forces above `threshold` \[N\]
    /// count as contact.
    ///
    /// # Errors
    /// A link that the plant does not have, numbers that do not fit.
    pub fn new(
        plant: &dyn ConvexPlant,
        link: &str,
        R_LS: UnitQuaternion<f64>,
        threshold: f64,
        settings: SampleSettings,
    ) -> Result<Self, SensorError> {
        let place = place_of(plant, link)?;
        parameter::finite("threshold", &[threshold])?;
        parameter::within("threshold", &[threshold], "a number that is not negative", |x| x >= 0.0)?;
        let count = plant.structure().bodies.len() - 1;
        let mut ports = Ports::new();
        let body_poses = ports.input_of_width("body_poses", 7 * count);
        let contact_results = ports.input_of_width("contact_results", 6 * count);
        let (force, touching) = (ports.output("force"), ports.output("touching"));
        ports.set_units(force, vec!["N"; 3]);
        ports.no_feedthrough(force);
        ports.no_feedthrough(touching);
        let sampled = Sampled::declare(&mut ports, 3, settings)?;
        Ok(ContactSensor { body_poses, contact_results, force, touching, link: place, R_LS, threshold, sampled, ports })
    }
}

impl LeafSystem for ContactSensor {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        self.sampled.write(ctx, out.slice(self.force));
        let force = Vector3::from_column_slice(self.sampled.held(ctx));
        out.set(self.touching, [S::constant(f64::from(u8::from(force.norm() > self.threshold)))]);
    }

    fn update(&self, tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        let measure = |y: &mut [f64]| {
            let pose = &ctx.get(self.body_poses)[7 * self.link..][..7];
            let wrench = &ctx.get(self.contact_results)[6 * self.link..][..6];
            let force_L = into_axes([pose[3], pose[4], pose[5], pose[6]], [wrench[3], wrench[4], wrench[5]]);
            y.copy_from_slice(self.R_LS.inverse_transform_vector(&force_L.into()).as_slice());
        };
        self.sampled.update(tick, ctx, next, measure, |_, _| ());
    }
}
