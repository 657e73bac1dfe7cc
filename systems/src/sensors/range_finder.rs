//! Range finders.

use super::rays::{Rays, SampledRays};
use super::sampled::SampleSettings;
use super::sensor_error::SensorError;
use kinegraph_core::convex::ConvexPlant;
use kinegraph_core::parameter;
use kinegraph_core::port::Tick;
use kinegraph_core::signal::BodyPoses;
use kinegraph_core::{Context, Fixed, In, LeafSystem, Out, Outputs, Ports, Scalar};
use nalgebra::{Isometry3, Vector3};

/// Sampled distance along x of the sensor to the first collision shape of the plant, without those of its own link. If
/// there is nothing within its range, the reading is the end of the range.
pub struct RangeFinder {
    /// Poses of all links of the plant.
    pub body_poses: In<BodyPoses>,
    /// The distance \[m\].
    pub range: Out<Fixed<1>>,
    readings: SampledRays,
    ports: Ports,
}

impl RangeFinder {
    /// A sensor at the pose `X_LS` in the link of this full name (`arm/hand`), with the range `max_range` \[m\].
    ///
    /// # Errors
    /// A link that the plant does not have, numbers that do not fit.
    pub fn new(
        plant: &dyn ConvexPlant,
        link: &str,
        X_LS: Isometry3<f64>,
        max_range: f64,
        settings: SampleSettings,
    ) -> Result<Self, SensorError> {
        let rays = Rays::new(plant, link, X_LS, [(Vector3::x(), max_range)])?;
        parameter::finite("max_range", &[max_range])?;
        parameter::positive("max_range", &[max_range])?;
        let mut ports = Ports::new();
        let declared =
            SampledRays::declare(&mut ports, plant, rays, max_range, settings, |ports| ports.output("range"));
        let (readings, range) = declared?;
        Ok(RangeFinder { body_poses: readings.body_poses, range, readings, ports })
    }
}

impl LeafSystem for RangeFinder {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        self.readings.sampled.write(ctx, out.slice(self.range));
    }

    fn update(&self, tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        self.readings.update(tick, ctx, next, |_, distance| distance);
    }
}
