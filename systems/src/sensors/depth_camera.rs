//! Depth cameras.

use super::lens::Lens;
use super::rays::{Rays, SampledRays};
use super::sampled::SampleSettings;
use super::sensor_error::SensorError;
use kinegraph_core::convex::ConvexPlant;
use kinegraph_core::picture::{Picture, Shows};
use kinegraph_core::port::Tick;
use kinegraph_core::signal::{BodyPoses, Image};
use kinegraph_core::{Context, In, LeafSystem, Out, Outputs, Ports, Scalar};
use nalgebra::Isometry3;

/// A picture every period of distances along the axis of a camera on a link, to the first collision shape of the plant,
/// without those of this link. A pixel that meets nothing within the range reads the end of the range.
pub struct DepthCamera {
    /// Poses of all links of the plant.
    pub body_poses: In<BodyPoses>,
    /// The distances along z of the camera \[m\], row by row from the upper left pixel on.
    pub depth: Out<Image>,
    readings: SampledRays,
    ports: Ports,
}

impl DepthCamera {
    /// A camera at the pose `X_LS` in the link of this full name (`arm/hand`).
    ///
    /// # Errors
    /// A link that the plant does not have, numbers that do not fit.
    pub fn new(
        plant: &dyn ConvexPlant,
        link: &str,
        X_LS: Isometry3<f64>,
        lens: &Lens,
        settings: SampleSettings,
    ) -> Result<Self, SensorError> {
        lens.check()?;
        let max_depth = lens.max_depth;
        let rays = Rays::new(plant, link, X_LS, lens.rays())?;
        let (rows, columns, focal_length) = (lens.rows, lens.columns, lens.focal_length());
        let (sampling, latency) = (settings.sampling, settings.latency);
        let mut ports = Ports::new();
        let declare = |ports: &mut Ports| ports.output_of_width::<Image>("depth", rows * columns);
        let (readings, depth) = SampledRays::declare(&mut ports, plant, rays, max_depth, settings, declare)?;
        let (link, shows) = (link.to_owned(), Shows::Depth { focal_length });
        ports.set_picture(depth, Picture { rows, columns, link, X_LS, sampling, latency, shows });
        Ok(DepthCamera { body_poses: readings.body_poses, depth, readings, ports })
    }
}

impl LeafSystem for DepthCamera {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        self.readings.sampled.write(ctx, out.slice(self.depth));
    }

    fn update(&self, tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        self.readings.update(tick, ctx, next, |d, distance| distance * d.z);
    }
}
